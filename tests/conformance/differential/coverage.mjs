// Which operators the drawn models compare.

import { readFileSync } from 'node:fs';

/**
 * The operators that are called with samples: the first table of docs/operators.md, which the declarations make, without those of
 * control flow, sequences and optionals, which have none and are held by ONNX's own test data.
 */
const [table] = readFileSync(new URL('../../../docs/operators.md', import.meta.url), 'utf8').split(/^## /m);
const rows = table.split('\n').filter((row) => !row.includes('| no: only sessions run it |'));
export const declared = rows.flatMap((row) => /^\| ([A-Z]\w*) \| \d/.exec(row)?.[1] ?? []);

const random = 'its numbers are drawn anew';

/** Operators that no drawn model compares, and why. */
export const notCompared = {
  RandomNormal: random,
  RandomUniform: random,
  RandomNormalLike: random,
  RandomUniformLike: random,
  Bernoulli: random,
  Multinomial: random,
};

/** Declared operators that are neither compared nor listed. */
export const missingFrom = (compared) => declared.filter((name) => !compared.has(name) && !(name in notCompared));

/** Listed operators that need not be. */
export const needlessIn = (compared) =>
  Object.keys(notCompared).filter((name) => compared.has(name) || !declared.includes(name));
