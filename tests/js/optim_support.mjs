// What the tests of optimizers share.

import { readFileSync } from 'node:fs';
import * as om from 'onemodel';

export const goldens = JSON.parse(readFileSync(new URL('../data/nn/goldens.json', import.meta.url)));

/** Two parameters of shape [1] in groups with these rates. */
export function twoGroups(Optimizer, rates, options = {}) {
  const parameters = rates.map(() => om.nn.parameter([1]));
  const groups = parameters.map((each, i) => ({ params: [each], lr: rates[i] }));
  return { parameters, optimizer: new Optimizer(groups, options) };
}

export function disposeAll(...items) {
  for (const each of items.flat()) each.dispose();
}
