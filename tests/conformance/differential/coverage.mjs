// Which operators the drawn models compare.

import { readFileSync } from 'node:fs';

/** The operators that are called with samples: the first table of docs/operators.md, which the declarations make. */
export function declaredOperators() {
  const page = readFileSync(new URL('../../../docs/operators.md', import.meta.url), 'utf8');
  const [table] = page.split(/^## /m);
  return [...table.matchAll(/^\| ([A-Z]\w*) \| \d/gm)].map(([, name]) => name);
}

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

/** How the operators of agreeing models cover the declared ones: texts of what is missing, or listed without need. */
export function gapsOf(compared) {
  const declared = declaredOperators();
  const missing = declared.filter((name) => !compared.has(name) && !(name in notCompared));
  const needless = Object.keys(notCompared).filter((name) => compared.has(name) || !declared.includes(name));
  return [
    ...missing.map((name) => `${name} is neither compared nor listed`),
    ...needless.map((name) => `${name} is listed without need`),
  ];
}
