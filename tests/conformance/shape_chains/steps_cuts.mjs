// Steps that take parts.

import { divisorsOf } from './chain.mjs';
import { anyAxis, axisOf, replaced, without } from './drawing.mjs';
import { combine, drawSize, fixed, isFixed, least, quotient } from './sizes.mjs';

/** Parts of given extents, of a fixed axis. */
export function split(random, chain) {
  const splits = (size) => isFixed(size) && size[0] > 1;
  const value = chain.recent(random, ({ shape }) => shape.some(splits));
  if (!value) return null;
  const axis = anyAxis(random, value, splits);
  const first = random.from(1, value.shape[axis][0] - 1);
  const rest = value.shape[axis][0] - first;
  return {
    code: `om.ops.split(${value.name}, [${first}, ${rest}], { axis: ${axis} }, 2)`,
    shapes: [first, rest].map((part) => replaced(value.shape, axis, fixed(part))),
  };
}

/** Equal parts, also of a symbolic axis that is a multiple. */
export function chunk(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.some((size) => divisorsOf(size).length));
  if (!value) return null;
  const axis = anyAxis(random, value, (size) => divisorsOf(size).length > 0);
  const count = random.pick(divisorsOf(value.shape[axis]))[0];
  if (count > 4) return null;
  return {
    code: `om.ops.split(${value.name}, undefined, { axis: ${axis}, numOutputs: ${count} }, ${count})`,
    shapes: Array(count).fill(replaced(value.shape, axis, quotient(value.shape[axis], fixed(count)))),
  };
}

export function slice(random, chain) {
  const cuts = (size) => isFixed(size) && size[0] > 1;
  const value = chain.recent(random, ({ shape }) => shape.some(cuts));
  if (!value) return null;
  const axis = anyAxis(random, value, cuts);
  const extent = value.shape[axis][0];
  const step = random.pick([1, 1, 1, 2]);
  const start = random.from(0, extent - 1);
  const end = random.from(start + 1, extent);
  const count = Math.ceil((end - start) / step);
  const texts = [random.chance(0.3) ? start - extent : start, random.chance(0.3) && end < extent ? end - extent : end];
  const code = `${value.name}.slice(${axisOf(random, axis, value.shape.length)}, ${texts.join(', ')}, ${step})`;
  return { code, shapes: [replaced(value.shape, axis, fixed(count))] };
}

/** All of a symbolic axis, forwards with its size as the end, or backwards. */
export function sliceAll(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.some((size) => !isFixed(size)));
  if (!value) return null;
  const axis = anyAxis(random, value, (size) => !isFixed(size));
  const range = random.chance(0.5)
    ? `0, ${drawSize(random, chain, value.shape[axis])}`
    : '-1, -Number.MAX_SAFE_INTEGER, -1';
  return { code: `${value.name}.slice(${axis}, ${range})`, shapes: [value.shape] };
}

/** A part of a symbolic axis, which a trace refuses. */
export function slicePart(random, chain) {
  const cuts = (size) => !isFixed(size) && least(size) > 1;
  const value = chain.recent(random, ({ shape }) => shape.some(cuts));
  if (!value) return null;
  const axis = anyAxis(random, value, cuts);
  const shorter = combine((n) => n - 1, value.shape[axis]);
  return {
    code: `${value.name}.slice(${axis}, ${random.pick(['1', `0, ${drawSize(random, chain, value.shape[axis])} - 1`])})`,
    shapes: [replaced(value.shape, axis, shorter)],
    mayRefuse: 'a partial slice of a symbolic axis',
  };
}

export function select(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 1);
  if (!value) return null;
  const axis = random.from(0, value.shape.length - 1);
  const index = random.pick([0, -1, least(value.shape[axis]) - 1]);
  const code = `${value.name}.select(${axisOf(random, axis, value.shape.length)}, ${index})`;
  return { code, shapes: [without(value.shape, [axis])] };
}

/** Indices that are written down, of a fixed axis; the first and last of a symbolic one. */
export function gatherConstant(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 0);
  if (!value) return null;
  const axis = random.from(0, value.shape.length - 1);
  const extent = least(value.shape[axis]);
  const indices = Array.from({ length: random.from(1, 4) }, () => random.from(-extent, extent - 1));
  const code = `${value.name}.gather(om.tensor([${indices}], 'int64'), ${axis})`;
  return { code, shapes: [replaced(value.shape, axis, fixed(indices.length))] };
}

/** Negative pads: a symbolic axis loses a part at its ends. */
export function crop(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.some((size) => least(size) > 3));
  if (!value) return null;
  const axis = anyAxis(random, value, (size) => least(size) > 3);
  const [begin, end] = [random.from(0, 1), random.from(0, 2)];
  const pads = [begin, end].flatMap((removed) => value.shape.map((_, i) => (i === axis && removed ? -removed : 0)));
  const shape = replaced(
    value.shape,
    axis,
    combine((n) => n - begin - end, value.shape[axis]),
  );
  return { code: `om.ops.pad(${value.name}, [${pads.join(', ')}])`, shapes: [shape] };
}
