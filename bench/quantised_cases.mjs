// Quantised operators and normalisation as model files, with constant weights inside.

import { fileOf } from './cases.mjs';

const dtype = 'uint8';

const numbers = (om) => ({
  weights: (shape) => om.rand(shape, -127, 127).cast('int8'),
  scale: (value) => om.tensor(value),
  zero: (value, type = dtype) => om.tensor(value, { dtype: type }),
});

/** The operands of a quantised operator but the first: both ends' scales and zero points, and the weights. */
function operands(om, shape) {
  const { weights, scale, zero } = numbers(om);
  const [xScale, xZero, w, wScale] = [scale(0.02), zero(120), weights(shape), scale(0.01)];
  return [xScale, xZero, w, wScale, zero(0, 'int8'), scale(1), zero(110)];
}

const quantised = (om, name, shape, makeFunction) => ({
  name,
  shape,
  dtype,
  bytes: om.scope(() => fileOf(om, makeFunction(om), shape, dtype)),
});

const product = (om, n) =>
  quantised(om, `QLinearMatMul ${n}`, [n, n], () => {
    const rest = operands(om, [n, n]);
    return (x) => om.ops.qLinearMatMul(x, ...rest);
  });

const integerProduct = (om, n) =>
  quantised(om, `MatMulInteger ${n}`, [n, n], () => {
    const [, zero, w] = operands(om, [n, n]);
    return (x) => om.ops.matMulInteger(x, w, zero);
  });

const image = ({ channels, size }) => [1, channels, size, size];
const kernelOf = ({ channels, groups = 1, kernel = 3 }) => [channels, channels / groups, kernel, kernel];
function optionsOf({ groups = 1, kernel = 3 }) {
  const pad = (kernel - 1) / 2;
  return { pads: [pad, pad, pad, pad], group: groups };
}

const convolution = (om, name, sizes) =>
  quantised(om, name, image(sizes), () => {
    const rest = operands(om, kernelOf(sizes));
    return (x) => om.ops.qLinearConv(x, ...rest, undefined, optionsOf(sizes));
  });

/** As quantisers write it: floats between dequantised operands and a quantised result. */
const dequantised = (om, name, sizes) =>
  quantised(om, name, image(sizes), () => {
    const [xScale, xZero, w, wScale, wZero, yScale, yZero] = operands(om, kernelOf(sizes));
    return (x) => {
      const weights = om.ops.dequantizeLinear(w, wScale, wZero);
      const y = om.ops.conv(om.ops.dequantizeLinear(x, xScale, xZero), weights, null, optionsOf(sizes));
      return om.ops.quantizeLinear(y, yScale, yZero);
    };
  });

const layerNorm = (om, rows, columns) => ({
  name: `LayerNormalization ${rows}×${columns}`,
  shape: [rows, columns],
  bytes: om.scope(() => {
    const [scale, bias] = [om.rand([columns]), om.rand([columns])];
    return fileOf(om, (x) => om.ops.layerNormalization(x, scale, bias), [rows, columns]);
  }),
});

/** The cases in the order of the table. */
export function quantisedCases(om) {
  return [
    ...[256, 512, 1024].map((n) => product(om, n)),
    ...[256, 512, 1024].map((n) => integerProduct(om, n)),
    convolution(om, 'QLinearConv 3×3, 64→64, 56×56', { channels: 64, size: 56 }),
    convolution(om, 'QLinearConv 1×1, 128→128, 28×28', { channels: 128, size: 28, kernel: 1 }),
    convolution(om, 'QLinearConv depthwise 3×3, 64, 112×112', { channels: 64, size: 112, groups: 64 }),
    dequantised(om, 'QDQ convolution 3×3, 64→64, 56×56', { channels: 64, size: 56 }),
    layerNorm(om, 128, 768),
    layerNorm(om, 1024, 64),
  ];
}
