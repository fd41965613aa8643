// Normalisations.

import { float, single } from '../model.mjs';

const real = ['float32', 'float32', 'float64', 'float16'];
const epsilon = (draw) => draw.maybe(float(0.01));

export const normalise = {
  LayerNormalization: (draw) => {
    const dims = draw.shape(1, 4, 0);
    const axis = draw.axis(dims.length);
    const tail = dims.slice(axis < 0 ? axis + dims.length : axis);
    const dtype = draw.pick(real);
    const inputs = [draw.tensor(dtype, dims), draw.tensor(dtype, tail)];
    if (draw.chance(0.6)) inputs.push(draw.tensor(dtype, tail));
    const outputs = draw.pick([1, 1, 3]);
    return single(
      'LayerNormalization',
      inputs,
      { axis: draw.maybe(axis, axis === -1 ? 0.5 : 1), epsilon: epsilon(draw) },
      { outputs },
    );
  },
  RMSNormalization: (draw) => {
    const dims = draw.shape(1, 4, 0);
    const axis = draw.axis(dims.length);
    const dtype = draw.pick(real);
    const inputs = [draw.tensor(dtype, dims), draw.tensor(dtype, dims.slice(axis < 0 ? axis + dims.length : axis))];
    return single('RMSNormalization', inputs, { axis, epsilon: epsilon(draw) });
  },
  InstanceNormalization: (draw) => {
    const dims = draw.shape(3, 5, 0);
    const dtype = draw.pick(real);
    const each = () => draw.tensor(dtype, [dims[1]], { constant: 0.5 });
    return single('InstanceNormalization', [draw.tensor(dtype, dims), each(), each()], { epsilon: epsilon(draw) });
  },
  GroupNormalization: (draw) => {
    const groups = draw.from(1, 3);
    const channels = groups * draw.from(1, 2);
    const dims = [draw.from(1, 2), channels, ...draw.shape(1, 2, 0)];
    const each = () => draw.tensor('float32', [channels], { constant: 0.5 });
    return single(
      'GroupNormalization',
      [draw.tensor('float32', dims), each(), each()],
      { num_groups: groups, epsilon: epsilon(draw) },
      { opset: 21 },
    );
  },
  BatchNormalization: (draw) => {
    const dims = draw.shape(2, 5, 0);
    const dtype = draw.pick(real);
    const each = (low = -2) => draw.tensor(dtype, [dims[1]], { constant: 0.5, low, high: 2 });
    return single(
      'BatchNormalization',
      [draw.tensor(dtype, dims), each(), each(), each(), each(0.1)],
      { epsilon: epsilon(draw) },
      { opset: draw.pick([9, 14, 15]) },
    );
  },
  LRN: (draw) =>
    single('LRN', [draw.tensor('float32', [draw.from(1, 2), draw.from(1, 7), ...draw.shape(2, 2, 0)])], {
      size: draw.pick([1, 3, 3, 5, 2, 4]),
      alpha: draw.maybe(float(0.5)),
      beta: draw.maybe(float(0.5)),
      bias: draw.maybe(float(2)),
    }),
  MeanVarianceNormalization: (draw) => {
    const dims = draw.shape(4, 4, 0).map((size) => size + 1);
    return single('MeanVarianceNormalization', [draw.tensor('float32', dims)], {
      axes: draw.maybe(draw.pick([[0, 2, 3], [2, 3], [1], [0, 1, 2, 3]])),
    });
  },
};
