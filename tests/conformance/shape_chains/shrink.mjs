// Makes a failing chain small.

import { Chain } from './chain.mjs';
import { same } from './sizes.mjs';

/** The chain without step `i` and what needs it. */
export function withoutStep(chain, i) {
  const gone = new Set([chain.steps[i]]);
  const names = [...chain.steps[i].results];
  for (const step of chain.steps.slice(i + 1)) {
    if (!names.some((name) => Chain.reads(step.code, name))) continue;
    gone.add(step);
    names.push(...step.results);
  }
  return chain.withSteps(chain.steps.filter((step) => !gone.has(step)));
}

/** The chains in which the result of step `i` is an earlier value of the same shape. */
function bypasses(chain, i) {
  const { results } = chain.steps[i];
  if (results.length !== 1) return [];
  const [name] = results;
  const { shape, dtype } = chain.values.find((value) => value.name === name);
  const before = chain.values.slice(
    0,
    chain.values.findIndex((value) => value.name === name),
  );
  return before
    .filter((value) => value.dtype === dtype && value.shape.length === shape.length)
    .filter((value) => value.shape.every((size, axis) => same(size, shape[axis])))
    .map((value) => {
      const renamed = (step) => ({ ...step, code: step.code.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), value.name) });
      return chain.withSteps([...chain.steps.slice(0, i), ...chain.steps.slice(i + 1).map(renamed)]);
    });
}

/** A part of the chain for which `fails` still holds, and from which nothing more can be dropped. */
export async function shrink(chain, fails) {
  for (let i = chain.steps.length - 1; i >= 0; i--) {
    for (const smaller of [withoutStep(chain, i), ...bypasses(chain, i)]) {
      if (smaller.steps.length > 0 && (await fails(smaller))) return shrink(smaller, fails);
    }
  }
  return chain;
}
