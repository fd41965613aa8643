// Clip, Where and Cast.

import { fromFloat16, toFloat16 } from '../half.mjs';
import { single } from '../model.mjs';
import { dtypes, floating, isFloating, numeric, tensor } from '../numbers.mjs';

const numbers = Object.keys(dtypes).filter((dtype) => dtype !== 'string');

/** The ends of the ranges of the types that are cast to, and halves, which are cut toward zero. */
const edges = [
  -0.5, 0.5, -1.5, 1.5, 2.5, 126.9, 127, 127.5, -128, -128.9, 254.5, 255, 255.9, 32767, 65504, 65519, 65520, 1e-7, 6e-8,
  1e5, 1e9,
];

/** The number that a float type holds in place of `value`. */
function rounded(value, dtype) {
  if (dtype === 'float16') return fromFloat16(toFloat16(value));
  return dtype === 'float32' ? Math.fround(value) : value;
}

/** The values that the integer type `to` holds: "Casting from floating point to fixed point: undefined if OOR". */
function withinRange(values, to) {
  if (isFloating(to) || to === 'bool') return values;
  const [least, most] = dtypes[to].range.map(Number);
  return values.filter((value) => Number.isFinite(value) && Math.trunc(value) >= least && Math.trunc(value) <= most);
}

export const select = {
  Clip: (draw) => {
    const dtype = draw.pick(numeric);
    const limit = (low, high) =>
      draw.chance(0.7) ? { ...draw.tensor(dtype, [], { low, high }), constant: draw.chance(0.6) } : null;
    // Crossed limits are allowed: "When 'min' is greater than 'max', the clip operator sets all values to 'max'".
    const [low, high] = draw.chance(0.85) ? [limit(-3, 0), limit(0, 3)] : [limit(1, 3), limit(-3, 0)];
    return single('Clip', [draw.tensor(dtype, draw.shape(), { special: 0.05, extreme: 0.2 }), low, high]);
  },
  Where: (draw) => {
    const dims = draw.shape();
    const dtype = draw.pick([...numeric, 'bool']);
    const [c, x, y] = draw.shuffled([dims, draw.narrower(dims), draw.narrower(dims)]);
    const options = { special: 0.1, extreme: 0.1 };
    return single('Where', [draw.tensor('bool', c), draw.tensor(dtype, x, options), draw.tensor(dtype, y, options)]);
  },
  Cast: (draw) => {
    const [from, to] = [draw.pick(numbers), draw.pick(numbers)];
    if (!isFloating(from))
      return single('Cast', [draw.tensor(from, draw.shape(), { extreme: 0.3 })], { to: dtypes[to].code });
    const specials = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0];
    const all = draw.shuffled([...edges, ...specials]).map((value) => rounded(value, from));
    return single('Cast', [tensor(from, withinRange(all, to))], { to: dtypes[to].code });
  },
  CastLike: (draw) => {
    const [from, to] = [draw.pick(floating), draw.pick([...floating, 'int32', 'int64', 'bool'])];
    return single('CastLike', [draw.tensor(from, draw.shape()), draw.tensor(to, draw.shape())]);
  },
};
