// Quantised operators.

import { single } from '../model.mjs';
import { tensor } from '../numbers.mjs';

export const bytes = ['uint8', 'int8'];

export const full = (draw, dtype, dims, constant = 0.1) =>
  draw.tensor(dtype, dims, { low: dtype === 'uint8' ? 0 : -128, high: 255, constant });
const scales = (draw, count, dims) => ({
  ...tensor(
    'float32',
    Array.from({ length: count }, () => 0.01 + draw.next() * 0.1),
    dims,
  ),
  constant: draw.chance(0.7),
});
const zeros = (draw, dtype, dims) => ({
  ...draw.tensor(dtype, dims, { low: -20, high: 20 }),
  constant: draw.chance(0.7),
});

/** Scale and zero point: one for all, or one for each entry of an axis. */
function parameters(draw, dtype, dims) {
  if (dims.length === 0 || draw.chance(0.5))
    return { scale: scales(draw, 1, []), zero: zeros(draw, dtype, []), axis: undefined };
  const axis = draw.axis(dims.length);
  const count = dims.at(axis);
  return { scale: scales(draw, count, [count]), zero: zeros(draw, dtype, [count]), axis };
}

export function factors(draw) {
  const [m, k, n] = [draw.from(1, 9), draw.from(1, 20), draw.from(1, 9)];
  const batch = draw.chance(0.3) ? [draw.from(1, 3)] : [];
  return { a: [...batch, m, k], b: [...batch, k, n] };
}

export function convolution(draw) {
  const group = draw.pick([1, 1, 2]);
  const [inside, outside] = [draw.from(1, 3), draw.from(1, 3)];
  const spatial = [draw.from(3, 7), draw.from(3, 7)];
  const kernel = [draw.from(1, 3), draw.from(1, 3)];
  return {
    x: [draw.from(1, 2), inside * group, ...spatial],
    w: [outside * group, inside, ...kernel],
    attributes: {
      group,
      strides: draw.maybe([draw.from(1, 2), draw.from(1, 2)]),
      pads: draw.maybe([draw.from(0, 1), draw.from(0, 1), draw.from(0, 1), draw.from(0, 1)]),
      auto_pad: undefined,
    },
  };
}

export const quantised = {
  QuantizeLinear: (draw) => {
    const dims = draw.shape(0, 4, 0.05);
    const dtype = draw.pick([...bytes, ...bytes, 'int16', 'uint16']);
    const { scale, zero, axis } = parameters(draw, dtype, dims);
    const inputs = [
      draw.tensor('float32', dims, { low: -20, high: 20, special: 0.02 }),
      scale,
      ...(draw.chance(0.8) ? [zero] : []),
    ];
    inputs[0].data = inputs[0].data.map((value) => (Number.isNaN(value) ? 1 : value));
    return single('QuantizeLinear', inputs, { axis }, { opset: dtype.endsWith('16') ? 21 : draw.pick([13, 21]) });
  },
  DequantizeLinear: (draw) => {
    const dims = draw.shape(0, 4, 0.05);
    const dtype = draw.pick([...bytes, 'int16', 'uint16']);
    const { scale, zero, axis } = parameters(draw, dtype, dims);
    const opset = dtype.endsWith('16') ? 21 : draw.pick([13, 21]);
    const options = { low: -100, high: 100 };
    return single(
      'DequantizeLinear',
      [draw.tensor(dtype, dims, options), scale, ...(draw.chance(0.8) ? [zero] : [])],
      { axis },
      { opset },
    );
  },
  DequantizeBlocks: (draw) => {
    const [rows, blocks, block] = [draw.from(1, 4), draw.from(1, 3), draw.from(1, 4)];
    const dtype = draw.pick(bytes);
    const inputs = [
      full(draw, dtype, [rows, blocks * block]),
      scales(draw, rows * blocks, [rows, blocks]),
      zeros(draw, dtype, [rows, blocks]),
    ];
    return single('DequantizeLinear', inputs, { axis: 1, block_size: block }, { opset: 21 });
  },
  DynamicQuantizeLinear: (draw) =>
    single(
      'DynamicQuantizeLinear',
      [draw.tensor('float32', draw.shape(1, 4, 0), { low: draw.from(-5, 2), high: draw.from(3, 8) })],
      {},
      { outputs: 3 },
    ),
  MatMulInteger: (draw) => {
    const { a, b } = factors(draw);
    const [p, q] = [draw.pick(bytes), draw.pick(bytes)];
    const inputs = [full(draw, p, a), full(draw, q, b, 0.5)];
    if (draw.chance(0.7)) inputs.push(zeros(draw, p, []));
    if (inputs.length === 3 && draw.chance(0.7))
      inputs.push(draw.chance(0.3) && b.length === 2 ? zeros(draw, q, [b.at(-1)]) : zeros(draw, q, []));
    return single('MatMulInteger', inputs);
  },
  ConvInteger: (draw) => {
    const { x, w, attributes } = convolution(draw);
    const inputs = [full(draw, 'uint8', x), full(draw, draw.pick(bytes), w, 0.5)];
    if (draw.chance(0.7)) inputs.push(zeros(draw, 'uint8', []));
    if (inputs.length === 3 && draw.chance(0.5)) inputs.push(zeros(draw, inputs[1].dtype, []));
    return single('ConvInteger', inputs, attributes);
  },
  QLinearMatMul: (draw) => {
    const { a, b } = factors(draw);
    const [p, q] = [draw.pick(bytes), draw.pick(bytes)];
    const output = p;
    const inputs = [
      full(draw, p, a),
      scales(draw, 1, []),
      zeros(draw, p, []),
      full(draw, q, b, 0.5),
      scales(draw, 1, []),
      zeros(draw, q, []),
      { ...tensor('float32', [0.5 + draw.next()], []), constant: true },
      zeros(draw, output, []),
    ];
    return single('QLinearMatMul', inputs, {}, { opset: draw.pick([10, 21]) });
  },
  QLinearConv: (draw) => {
    const { x, w, attributes } = convolution(draw);
    const [p, q] = [draw.pick(bytes), draw.pick(bytes)];
    const perChannel = draw.chance(0.4);
    const inputs = [
      full(draw, p, x),
      scales(draw, 1, []),
      zeros(draw, p, []),
      full(draw, q, w, 0.7),
      perChannel ? scales(draw, w[0], [w[0]]) : scales(draw, 1, []),
      q === 'int8' && perChannel ? { ...tensor('int8', Array(w[0]).fill(0)), constant: true } : zeros(draw, q, []),
      { ...tensor('float32', [0.2 + draw.next()], []), constant: true },
      zeros(draw, p, []),
    ];
    if (draw.chance(0.5)) inputs.push({ ...draw.tensor('int32', [w[0]], { low: -500, high: 500 }), constant: true });
    return single('QLinearConv', inputs, attributes);
  },
};
