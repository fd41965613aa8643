// Convolutions and pools.

import { single } from '../model.mjs';
import { countOf } from '../numbers.mjs';

const autoPads = ['NOTSET', 'VALID', 'SAME_UPPER', 'SAME_LOWER'];

/** Kernel, strides, dilations and pads of a window that fits into `spatial`. */
function windowOver(draw, spatial, { dilated = true, padding = 2 } = {}) {
  const kernel = spatial.map((size) => draw.from(1, Math.min(size, 4)));
  const fits = (axis, dilation) => (kernel[axis] - 1) * dilation + 1 <= spatial[axis];
  const dilations = spatial.map((_, axis) => (dilated && fits(axis, 2) && draw.chance(0.3) ? 2 : 1));
  const strides = spatial.map(() => draw.pick([1, 1, 2, 3]));
  const most = spatial.map((_, axis) => Math.min(padding, kernel[axis] - 1));
  const pads = [...most, ...most].map((limit) => draw.from(0, limit));
  return { kernel, dilations, strides, pads };
}

function windowAttributes(draw, { dilations, strides, pads }) {
  const autoPad = draw.pick(autoPads);
  return {
    dilations: autoPad.startsWith('SAME') ? undefined : draw.maybe(dilations, 0.7),
    strides: draw.maybe(strides, 0.7),
    pads: autoPad === 'NOTSET' ? draw.maybe(pads, 0.7) : undefined,
    auto_pad: autoPad === 'NOTSET' ? draw.maybe(autoPad) : autoPad,
  };
}

function image(draw, least = 1) {
  return Array.from({ length: draw.pick([1, 2, 2, 2, 3]) }, () => draw.from(least, 9));
}

const pool =
  (op, dtypes, more = () => ({})) =>
  (draw) => {
    const spatial = image(draw);
    const window = windowOver(draw, spatial);
    const dims = [draw.from(1, 2), draw.from(1, 5), ...spatial];
    const attributes = { kernel_shape: window.kernel, ...windowAttributes(draw, window), ...more(draw) };
    const ceil = attributes.auto_pad?.startsWith('SAME') ? undefined : draw.maybe(draw.from(0, 1));
    const x = draw.tensor(draw.pick(dtypes), dims);
    return single(
      op,
      [x],
      { ...attributes, ceil_mode: ceil },
      { symbolic: draw.chance(0.2), opset: draw.pick([19, 22]) },
    );
  };

// An opset of which onnxruntime-web has the kernels.
const whole = (op) => (draw) => {
  const x = draw.tensor(draw.pick(['float32', 'float32', 'float64']), draw.shape(3, 5, 0));
  return single(op, [x], {}, { opset: 21 });
};

function convolution(draw, op) {
  const spatial = image(draw);
  const window = windowOver(draw, spatial);
  const group = draw.pick([1, 1, 1, 2, 3]);
  const [inside, outside] = [draw.from(1, 4), draw.from(1, 4)];
  const dtype = draw.pick(['float32', 'float32', 'float32', 'float64', 'float16']);
  const batch = draw.chance(0.04) ? 0 : draw.from(1, 2);
  const transposed = op === 'ConvTranspose';
  const weight = transposed ? [inside * group, outside] : [outside * group, inside];
  const inputs = [
    draw.tensor(dtype, [batch, inside * group, ...spatial]),
    draw.tensor(dtype, [...weight, ...window.kernel], { constant: 0.6 }),
  ];
  if (draw.chance(0.5)) inputs.push(draw.tensor(dtype, [outside * group], { constant: 0.6 }));
  const attributes = { group: draw.maybe(group, group > 1 ? 1 : 0.3), ...windowAttributes(draw, window) };
  attributes.kernel_shape = draw.maybe(window.kernel);
  return { inputs, attributes, window };
}

export const window = {
  Conv: (draw) => {
    const { inputs, attributes } = convolution(draw, 'Conv');
    return single('Conv', inputs, attributes, { symbolic: draw.chance(0.2) });
  },
  ConvTranspose: (draw) => {
    const { inputs, attributes, window: drawn } = convolution(draw, 'ConvTranspose');
    if (attributes.auto_pad === undefined || attributes.auto_pad === 'NOTSET') {
      const least = drawn.strides.map((stride) => draw.from(0, (attributes.strides ? stride : 1) - 1));
      attributes.output_padding = draw.maybe(least, 0.4);
    }
    return single('ConvTranspose', inputs, attributes);
  },
  MaxPool: (draw) => {
    const model = pool('MaxPool', ['float32', 'float32', 'float64', 'int8', 'uint8'])(draw);
    if (draw.chance(0.3)) {
      model.outputs.push('y1');
      model.nodes[0].outputs.push('y1');
      model.nodes[0].attributes.storage_order = draw.maybe(draw.from(0, 1));
    }
    return model;
  },
  AveragePool: pool('AveragePool', ['float32', 'float32', 'float64'], (draw) => ({
    count_include_pad: draw.maybe(draw.from(0, 1)),
  })),
  LpPool: pool('LpPool', ['float32'], (draw) => ({ p: draw.maybe(draw.from(1, 3)) })),
  GlobalAveragePool: whole('GlobalAveragePool'),
  GlobalMaxPool: whole('GlobalMaxPool'),
  GlobalLpPool: whole('GlobalLpPool'),
  DeformConv: (draw) => {
    const [group, offsets, batch] = [draw.from(1, 2), draw.from(1, 2), draw.from(1, 2)];
    const [inside, outside] = [draw.from(1, 2) * group * offsets, draw.from(1, 2) * group];
    const kernel = [draw.from(1, 3), draw.from(1, 3)];
    const pads = [1, 0, 1, 2];
    const image = [draw.from(3, 6), draw.from(3, 6)];
    const out = image.map((size, i) => size + pads[i] + pads[i + 2] - kernel[i] + 1);
    const places = offsets * countOf(kernel);
    const inputs = [
      draw.tensor('float32', [batch, inside, ...image]),
      draw.tensor('float32', [outside, inside / group, ...kernel]),
      draw.tensor('float32', [batch, 2 * places, ...out], { low: -1.5, high: 1.5 }),
      draw.chance(0.5) ? draw.tensor('float32', [outside]) : null,
      ...(draw.chance(0.5) ? [draw.tensor('float32', [batch, places, ...out], { low: 0, high: 1 })] : []),
    ];
    return single('DeformConv', inputs, { group, offset_group: offsets, pads, kernel_shape: draw.maybe(kernel) });
  },
  MaxUnpool: (draw) => {
    const [n, c, h, w] = [1, draw.from(1, 2), draw.from(1, 3), draw.from(1, 3)];
    const count = countOf([n, c, h, w]);
    const places = draw.shuffled([...Array(4 * count).keys()]).slice(0, count);
    const indices = { dtype: 'int64', dims: [n, c, h, w], data: BigInt64Array.from(places, BigInt) };
    return single('MaxUnpool', [draw.tensor('float32', [n, c, h, w]), indices], {
      kernel_shape: [2, 2],
      strides: [2, 2],
    });
  },
};
