// Operators on pairs of elements, with broadcasting.

import { single } from '../model.mjs';
import { floating, integers, isFloating, numeric, signed, unsigned } from '../numbers.mjs';

const pair =
  (op, dtypes, options = {}, attributes = () => ({})) =>
  (draw) => {
    const dtype = draw.pick(dtypes);
    const all = { special: 0.06, extreme: 0.1, ...options };
    const [a, b] = draw.broadcast();
    const inputs = [draw.tensor(dtype, a, all), draw.tensor(dtype, b, { ...all, ...all.second })];
    return single(op, inputs, attributes(draw, dtype), { symbolic: draw.chance(0.2) });
  };

/** Divisors: integers are not 0, of which ONNX says nothing. */
function dividing(op, dtypes, attributes) {
  const drawn = pair(op, dtypes, { low: -20, high: 20 }, attributes);
  return (draw) => {
    const model = drawn(draw);
    const [a, b] = model.tensors;
    if (isFloating(b.dtype)) return model;
    const [zero, one] = typeof b.data[0] === 'bigint' ? [0n, 1n] : [0, 1];
    b.data = b.data.map((value) => (value === zero ? one : value));
    // The least integer by -1 has no quotient, and stops the other engine's module: tested on its own.
    if (a.dtype === 'int32' || a.dtype === 'int64')
      a.data = a.data.map((value) => (value < -(2 ** 30) ? -value - one : value));
    return model;
  };
}

const several = (op, dtypes) => (draw) => {
  const dtype = draw.pick(dtypes);
  const dims = draw.shape();
  const inputs = Array.from({ length: draw.from(1, 4) }, () =>
    draw.tensor(dtype, draw.narrower(dims), { special: 0.05, extreme: 0.1 }),
  );
  return single(op, inputs);
};

function fmod(draw, dtype) {
  return { fmod: isFloating(dtype) ? 1 : draw.maybe(draw.from(0, 1)) };
}

export const binary = {
  Add: pair('Add', numeric),
  Sub: pair('Sub', numeric),
  Mul: pair('Mul', numeric),
  Div: dividing('Div', numeric),
  Mod: dividing('Mod', numeric, fmod),
  Pow: (draw) => {
    const [a, b] = draw.broadcast();
    const dtype = draw.pick(['float32', 'float64', 'int32', 'int64']);
    const positive = isFloating(dtype) ? { low: 0.1, high: 3, special: 0.05 } : { low: -4, high: 4 };
    const exponent = isFloating(dtype)
      ? draw.pick(['float32', 'float64', 'int32', 'int64'])
      : draw.pick(['int32', 'int64', 'float32']);
    const range = { low: isFloating(dtype) ? -2 : 0, high: 4 };
    return single('Pow', [draw.tensor(dtype, a, positive), draw.tensor(exponent, b, range)]);
  },
  Equal: pair('Equal', [...numeric, 'bool'], { low: -2, high: 2 }),
  Less: pair('Less', numeric),
  LessOrEqual: pair('LessOrEqual', numeric, { low: -2, high: 2 }),
  Greater: pair('Greater', numeric),
  GreaterOrEqual: pair('GreaterOrEqual', numeric, { low: -2, high: 2 }),
  And: pair('And', ['bool']),
  Or: pair('Or', ['bool']),
  Xor: pair('Xor', ['bool']),
  BitwiseAnd: pair('BitwiseAnd', integers),
  BitwiseOr: pair('BitwiseOr', integers),
  BitwiseXor: pair('BitwiseXor', integers),
  BitShift: pair('BitShift', unsigned, { second: { low: 0, high: 7, extreme: 0 } }, (draw) => ({
    direction: draw.pick(['LEFT', 'RIGHT']),
  })),
  PRelu: (draw) => {
    const dtype = draw.pick([...floating, 'int32', 'int64', 'uint32', 'uint64']);
    const dims = draw.shape();
    return single('PRelu', [draw.tensor(dtype, dims, { special: 0.1 }), draw.tensor(dtype, draw.narrower(dims))]);
  },
  Max: several('Max', numeric),
  Min: several('Min', numeric),
  Sum: several('Sum', floating),
  Mean: several('Mean', floating),
  Neg8: pair('Sub', signed, { extreme: 0.6 }),
};
