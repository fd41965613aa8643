// Operators between dequantised operands and a quantised result, as quantisers write them.

import { tensor } from '../numbers.mjs';
import { bytes, convolution, factors, full } from './quantised.mjs';

/** What stands between dequantised operands and a quantised result: shapes of the operands, those with weights constant. */
const between = {
  Add: (draw) => ({ shapes: draw.broadcast() }),
  Mul: (draw) => ({ shapes: draw.broadcast() }),
  Concat: (draw) => {
    const dims = draw.shape(1);
    return { shapes: [dims, dims, dims].slice(0, draw.from(1, 3)), attributes: { axis: draw.axis(dims.length) } };
  },
  AveragePool: (draw) => ({
    shapes: [[1, draw.from(1, 3), draw.from(2, 6), draw.from(2, 6)]],
    attributes: { kernel_shape: [2, 2], strides: draw.maybe([2, 1]) },
  }),
  MaxPool: (draw) => ({
    shapes: [[1, draw.from(1, 3), draw.from(3, 6), draw.from(3, 6)]],
    attributes: { kernel_shape: [3, 2] },
  }),
  Relu: (draw) => ({ shapes: [draw.shape()] }),
  Transpose: (draw) => ({ shapes: [draw.shape()] }),
  MatMul: (draw) => {
    const { a, b } = factors(draw);
    return { shapes: [a, b], weights: 1 };
  },
  Gemm: (draw) => {
    const [m, k, n] = [draw.from(1, 5), draw.from(1, 9), draw.from(1, 5)];
    const transB = draw.from(0, 1);
    return { shapes: [[m, k], transB ? [n, k] : [k, n]], attributes: { transB }, weights: 1 };
  },
  Conv: (draw) => {
    const { x, w, attributes } = convolution(draw);
    return { shapes: [x, w], attributes, weights: 1 };
  },
};

/** Scales are powers of two, so that floats and integers give the same: a difference is no matter of rounding. */
function dequantisedOperator(draw) {
  const op = draw.pick(Object.keys(between));
  const { shapes, attributes = {}, weights } = between[op](draw);
  const dtype = draw.pick(bytes);
  const model = { nodes: [], tensors: [], outputs: ['y'], opset: 21, symbolic: draw.chance(0.3) };
  const same = draw.chance(0.5) ? [2 ** draw.from(-6, -2), draw.from(0, 20)] : null;
  const add = (name, each) => {
    model.tensors.push({ name, ...each });
    return name;
  };
  const steps = (name) => {
    const [scale, zero] = same ?? [2 ** draw.from(-6, -2), draw.from(0, 20)];
    const constant = { constant: true };
    return [
      add(`${name}_scale`, { ...tensor('float32', [scale], []), ...constant }),
      add(`${name}_zero`, { ...tensor(dtype, [zero], []), ...constant }),
    ];
  };
  const inputs = shapes.map((dims, i) => {
    add(`x${i}`, { ...full(draw, dtype, dims), constant: i === weights });
    model.nodes.push({
      op: 'DequantizeLinear',
      attributes: {},
      inputs: [`x${i}`, ...steps(`x${i}`)],
      outputs: [`f${i}`],
    });
    return `f${i}`;
  });
  model.nodes.push({ op, attributes, inputs, outputs: ['f'] });
  model.nodes.push({ op: 'QuantizeLinear', attributes: {}, inputs: ['f', ...steps('y')], outputs: ['y'] });
  return model;
}

export const dequantised = {
  'dequantised operator': dequantisedOperator,
  'another dequantised operator': dequantisedOperator,
};
