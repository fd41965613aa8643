// Reductions, places of extremes, running sums and what normalises along an axis.

import { single } from '../model.mjs';
import { floating, numeric, tensor } from '../numbers.mjs';

const wide = ['float32', 'float32', 'float64', 'float16', 'int32', 'int64', 'uint32', 'uint64'];

const reduction =
  (op, dtypes = wide, options = {}, empty = 0.2) =>
  (draw) => {
    const dims = draw.shape(0, 4, empty);
    const given = draw.chance(0.75);
    const axes = draw.axes(dims.length);
    const attributes = { keepdims: draw.maybe(draw.from(0, 1)), noop_with_empty_axes: draw.maybe(draw.from(0, 1)) };
    const x = draw.tensor(draw.pick(dtypes), dims, options);
    // The form of older opsets, with the axes as attribute.
    if (op !== 'ReduceSum' && draw.chance(0.2)) {
      const old = { keepdims: attributes.keepdims, axes: axes.length ? axes : undefined };
      return single(op, [x], old, { opset: draw.pick([13, 17]) });
    }
    return single(op, given ? [x, draw.operand('int64', axes)] : [x], attributes, { symbolic: draw.chance(0.2) });
  };

/** Infinities, not NaN, of which ONNX says nothing. */
const extremum = (op) => {
  const drawn = reduction(op, [...wide, 'int8', 'uint8', 'bool'], { extreme: 0.1 });
  return (draw) => {
    const model = drawn(draw);
    const [x] = model.tensors;
    if (x.dtype.startsWith('float3'))
      x.data = x.data.map((value) => (draw.chance(0.05) ? value * Number.POSITIVE_INFINITY : value));
    return model;
  };
};

const place = (op) => (draw) => {
  const dims = draw.shape(1, 4, 0);
  return single(op, [draw.tensor(draw.pick(numeric), dims, { low: -2, high: 2 })], {
    axis: draw.maybe(draw.axis(dims.length)),
    keepdims: draw.maybe(draw.from(0, 1)),
    select_last_index: draw.maybe(draw.from(0, 1)),
  });
};

const along = (op) => (draw) => {
  const dims = draw.shape(1);
  const opset = draw.pick([11, 12, 13, 23]);
  const x = draw.tensor(draw.pick(floating), dims, { special: opset >= 13 && op !== 'Hardmax' ? 0.01 : 0 });
  return single(op, [x], { axis: draw.maybe(draw.axis(dims.length), 0.8) }, { opset });
};

export const reduce = {
  // Sums that leave the range are not drawn: ONNX says nothing of them.
  ReduceSum: reduction('ReduceSum', wide, { special: 0.03 }),
  // "Reduction over an empty set of values yields undefined."
  ReduceMean: reduction('ReduceMean', floating, { special: 0.03 }, 0),
  ReduceMax: extremum('ReduceMax'),
  ReduceMin: extremum('ReduceMin'),
  ReduceProd: reduction('ReduceProd', wide),
  ReduceL1: reduction('ReduceL1', wide, { special: 0.02 }),
  ReduceL2: reduction('ReduceL2', floating, { special: 0.02 }),
  ReduceLogSum: reduction('ReduceLogSum', floating, { low: 0.1, high: 3 }),
  ReduceLogSumExp: reduction('ReduceLogSumExp', floating, { special: 0.02 }),
  ReduceSumSquare: reduction('ReduceSumSquare', wide),
  ArgMax: place('ArgMax'),
  ArgMin: place('ArgMin'),
  TopK: (draw) => {
    const dims = draw.shape(1, 3, 0);
    const axis = draw.axis(dims.length);
    const k = draw.from(0, dims.at(axis));
    const attributes = {
      axis: draw.chance(0.2) && axis === -1 ? undefined : axis,
      largest: draw.maybe(draw.from(0, 1)),
    };
    const x = draw.tensor(draw.pick(numeric), dims, { low: -2, high: 2, extreme: 0.1 });
    return single('TopK', [x, draw.operand('int64', [k])], { ...attributes, sorted: draw.maybe(1) }, { outputs: 2 });
  },
  CumSum: (draw) => {
    const dims = draw.shape(1);
    const axis = tensor(draw.pick(['int32', 'int64']), [draw.axis(dims.length)], []);
    const x = draw.tensor(draw.pick(wide), dims, { extreme: 0.05 });
    return single('CumSum', [x, { ...axis, constant: draw.chance(0.5) }], {
      exclusive: draw.maybe(draw.from(0, 1)),
      reverse: draw.maybe(draw.from(0, 1)),
    });
  },
  Softmax: along('Softmax'),
  LogSoftmax: along('LogSoftmax'),
  Hardmax: along('Hardmax'),
  LpNormalization: (draw) => {
    const dims = draw.shape(1, 4, 0);
    return single('LpNormalization', [draw.tensor(draw.pick(floating), dims)], {
      axis: draw.maybe(draw.axis(dims.length)),
      p: draw.maybe(draw.from(1, 2)),
    });
  },
};
