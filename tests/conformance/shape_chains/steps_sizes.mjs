// Steps that take sizes with `dim`: no example size makes them doubtful, so a trace may not refuse them.

import { divisorsOf } from './chain.mjs';
import { anyAxis, replaced } from './drawing.mjs';
import { isFixed, isOne, product, quotient } from './sizes.mjs';

const isSymbolic = (size) => !isFixed(size);
const hasSymbolic = ({ shape }) => shape.some(isSymbolic);

/** The extent of an axis: a number, or a handle. */
const sizeOf = ({ name, shape }, axis) => (isFixed(shape[axis]) ? shape[axis][0] : `${name}.dim(${axis})`);
const sizesOf = (value) => value.shape.map((_, axis) => sizeOf(value, axis));

/** A product of numbers and handles. */
function joined(factors) {
  const number = factors.filter((each) => typeof each === 'number').reduce((a, b) => a * b, 1);
  const [first, ...others] = factors.filter((each) => typeof each === 'string');
  if (!first) return number;
  const text = others.reduce((all, each) => `${all}.mul(${each})`, first);
  return number === 1 ? text : `${text}.mul(${number})`;
}

/** Fixed axes are cut in two, neighbours joined; one may be -1 beside a handle. */
export function reshapeToHandles(random, chain) {
  const value = chain.recent(random, hasSymbolic);
  if (!value) return null;
  const pieces = value.shape.flatMap((size, axis) => {
    const divisors = isFixed(size) && random.chance(0.5) ? divisorsOf(size) : [];
    if (divisors.length === 0) return [{ size, text: sizeOf(value, axis) }];
    const divisor = random.pick(divisors);
    return [divisor, quotient(size, divisor)].map((part) => ({ size: part, text: part[0] }));
  });
  const groups = [];
  for (const piece of pieces) {
    if (groups.length && random.chance(0.4)) groups.at(-1).push(piece);
    else groups.push([piece]);
  }
  const texts = groups.map((group) => joined(group.map(({ text }) => text)));
  const inferred = random.from(0, texts.length - 1);
  const isHandle = (text, i) => i !== inferred && typeof text === 'string';
  if (random.chance(0.3) && texts.some(isHandle)) texts[inferred] = -1;
  const shapes = [groups.map((group) => product(group.map(({ size }) => size)))];
  return { code: `${value.name}.reshape([${texts.join(', ')}])`, shapes };
}

/** An axis of one, or a new one in front, takes a size of any value. */
export function expandToHandles(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.some(isOne) || shape.length < 3);
  const other = chain.recent(random, hasSymbolic);
  if (!value || !other) return null;
  const axis = anyAxis(random, other, isSymbolic);
  const place = value.shape.some(isOne) ? anyAxis(random, value, isOne) : -1;
  const [size, text] = [other.shape[axis], sizeOf(other, axis)];
  const shape = place < 0 ? [size, ...value.shape] : replaced(value.shape, place, size);
  const texts = place < 0 ? [text, ...sizesOf(value)] : replaced(sizesOf(value), place, text);
  return { code: `${value.name}.expand([${texts.join(', ')}])`, shapes: [shape] };
}

/** New tensors as large as a value. */
export function createOfHandles(random, chain) {
  const value = chain.recent(random, hasSymbolic);
  if (!value) return null;
  const sizes = `[${sizesOf(value).join(', ')}]`;
  const made = random.pick([`om.zeros(${sizes})`, `om.ones(${sizes})`, `om.full(${sizes}, 0.5)`]);
  return { code: `${value.name}.add(${made})`, shapes: [value.shape] };
}

/** As many numbers as the last axis is long. */
export function countToHandle(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 0 && isSymbolic(shape.at(-1)));
  if (!value) return null;
  const last = value.shape.length - 1;
  return {
    code: `${value.name}.add(om.arange(0, ${sizeOf(value, last)}).mul(0.125))`,
    shapes: [value.shape],
  };
}
