// Operators on each element of one tensor.

import { float, single } from '../model.mjs';
import { floating, integers, numeric, signed } from '../numbers.mjs';

const plain =
  (op, dtypes, options = {}) =>
  (draw) =>
    single(op, [draw.tensor(draw.pick(dtypes), draw.shape(), { special: 0.1, extreme: 0.1, ...options })]);

const real = (op, options) => plain(op, floating, options);

/** An operator with float attributes, each left out half of the time. */
const withReals =
  (op, ranges, options = {}, dtypes = floating) =>
  (draw) => {
    const drawn = Object.entries(ranges).map(([name, [low, high]]) => [
      name,
      draw.maybe(float(Math.fround(low + (high - low) * draw.next()))),
    ]);
    return single(op, [draw.tensor(draw.pick(dtypes), draw.shape(), { special: 0.1, ...options })], {
      ...Object.fromEntries(drawn),
    });
  };

export const unary = {
  ...Object.fromEntries(
    ['Reciprocal', 'Exp', 'Log', 'Sqrt', 'Sin', 'Cos', 'Floor', 'Ceil', 'Erf', 'Sigmoid', 'Tanh'].map((op) => [
      op,
      real(op),
    ]),
  ),
  ...Object.fromEntries(
    ['Softplus', 'Softsign', 'HardSwish', 'Mish', 'Atan', 'Sinh', 'Cosh', 'Asinh'].map((op) => [op, real(op)]),
  ),
  Tan: real('Tan', { low: -1.4, high: 1.4 }),
  Asin: real('Asin', { low: -1.1, high: 1.1 }),
  Acos: real('Acos', { low: -1.1, high: 1.1 }),
  Acosh: real('Acosh', { low: 0.5, high: 9 }),
  Atanh: real('Atanh', { low: -1.1, high: 1.1 }),
  Round: (draw) => {
    const x = draw.tensor(draw.pick(floating), draw.shape(), { special: 0.1 });
    if (x.dtype === 'float32') x.data = x.data.map((value) => Math.round(value * 2) / 2);
    return single('Round', [x]);
  },
  Relu: plain('Relu', [...floating, ...signed]),
  Neg: plain('Neg', [...floating, ...signed]),
  Abs: plain('Abs', numeric),
  Sign: plain('Sign', numeric),
  Not: plain('Not', ['bool']),
  BitwiseNot: plain('BitwiseNot', integers),
  IsNaN: plain('IsNaN', floating, { special: 0.5 }),
  IsInf: (draw) =>
    single('IsInf', [draw.tensor(draw.pick(floating), draw.shape(), { special: 0.6 })], {
      detect_negative: draw.maybe(draw.from(0, 1)),
      detect_positive: draw.maybe(draw.from(0, 1)),
    }),
  Gelu: (draw) =>
    single('Gelu', [draw.tensor(draw.pick(floating), draw.shape(), { special: 0.05 })], {
      approximate: draw.maybe(draw.pick(['none', 'tanh'])),
    }),
  LeakyRelu: withReals('LeakyRelu', { alpha: [-0.5, 0.5] }),
  HardSigmoid: withReals('HardSigmoid', { alpha: [0, 0.5], beta: [0, 1] }),
  Elu: withReals('Elu', { alpha: [0, 2] }),
  Selu: withReals('Selu', { alpha: [0, 2], gamma: [1, 2] }),
  // Celu has one type in ONNX.
  Celu: withReals('Celu', { alpha: [0.5, 2] }, {}, ['float32']),
  ThresholdedRelu: withReals('ThresholdedRelu', { alpha: [-1, 2] }),
  Shrink: withReals('Shrink', { bias: [0, 1], lambd: [0, 2] }),
  Swish: (draw) =>
    single('Swish', [draw.tensor(draw.pick(floating), draw.shape())], { alpha: draw.maybe(float(1.5)) }, { opset: 24 }),
};
