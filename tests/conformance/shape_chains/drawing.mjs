// What the steps share: shapes with an axis changed, and how axes and options are written.

import { isFixed } from './sizes.mjs';

/** An axis, now and then counted from the end. */
export const axisOf = (random, axis, rank) => (random.chance(0.3) ? axis - rank : axis);

/** An axis of a value whose size is wanted; there is one. */
export const anyAxis = (random, value, wanted) =>
  random.pick(value.shape.flatMap((size, axis) => (wanted(size) ? [axis] : [])));

export const replaced = (shape, axis, size) => shape.map((old, i) => (i === axis ? size : old));
export const without = (shape, axes) => shape.filter((_, i) => !axes.includes(i));
export const inserted = (shape, at, size) => [...shape.slice(0, at), size, ...shape.slice(at)];
export const withLast = (shape, size) => [...shape.slice(0, -1), size];

export const atMost = (size, most) => isFixed(size) && size[0] <= most;

/** Those options of a module that are given, as its last argument. */
export function list(options) {
  const given = options.filter(Boolean);
  return given.length ? `, { ${given.join(', ')} }` : '';
}
