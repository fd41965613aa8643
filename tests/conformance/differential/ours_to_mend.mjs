// Where this engine is wrong, with the sentence of the ONNX operator text that says so. The test fails when one of these is
// mended, so that it leaves the list.

import { entry } from './entry.mjs';
import { single } from './model.mjs';
import { tensor } from './numbers.mjs';

const reductions = ['Sum', 'Mean', 'Max', 'Min', 'Prod', 'L1', 'L2', 'LogSum', 'LogSumExp', 'SumSquare'].map(
  (name) => `Reduce${name}`,
);

/** Reductions that compute something of each element besides. */
const composite = ['ReduceL1', 'ReduceL2', 'ReduceLogSum', 'ReduceLogSumExp', 'ReduceSumSquare'];

export const oursToMend = [
  entry({
    op: 'ThresholdedRelu',
    text: 'the rectified linear function, y = x for x > alpha, y = 0 otherwise, is applied to the tensor elementwise',
    fault: 'NaN, which is not above alpha, stays NaN',
    covers: () => true,
    example: () => single('ThresholdedRelu', [tensor('float32', [Number.NaN])]),
    expected: [tensor('float32', [0])],
  }),
  entry({
    op: 'Slice',
    kinds: ['shape'],
    text: 'start[axes[i]] is the adjusted starts[i] is clamped into … [0, dims[axes[i]]-1] for negative stepping',
    fault: 'a start before the axis gives nothing with a negative step, not its first element',
    covers: (_, [, , , , steps]) => steps?.data.some((step) => step < 0),
    example: () =>
      single('Slice', [tensor('float32', [1, 2]), ...[-4, -5, 0, -1].map((each) => tensor('int64', [each]))]),
    expected: [tensor('float32', [1])],
  }),
  entry({
    op: composite,
    text: 'composite-reduction operators will still perform the non-reduction steps as needed. Thus, ReduceLogSum returns the Log of input tensor, and ReduceSumSquare returns the Square of the input tensor',
    fault: 'with noop_with_empty_axes and no axes the elements are given as they are',
    covers: ({ noop_with_empty_axes }) => noop_with_empty_axes === 1,
    example: () => single('ReduceSumSquare', [tensor('float32', [3])], { noop_with_empty_axes: 1 }),
    expected: [tensor('float32', [9])],
  }),
  entry({
    op: ['Softmax', 'LogSoftmax', 'Hardmax'],
    kinds: ['ours refuses'],
    text: 'The operator computes the softmax (normalized exponential) values for each layer in the batch of the given input. (opset 11)',
    fault: 'before opset 13 an empty tensor is refused when an extent besides the first is not 0',
    covers: (_, [x], { opset }) => opset < 13 && x?.dims.includes(0),
    example: () => single('Softmax', [tensor('float32', [], [0, 2])], { axis: 0 }, { opset: 11 }),
    expected: [tensor('float32', [], [0, 2])],
  }),
  entry({
    op: ['Softmax', 'LogSoftmax', 'Hardmax'],
    kinds: ['onnxruntime-web refuses'],
    text: 'Accepted range is [-r, r-1] where r = rank(input). (opset 11, whose default axis is 1)',
    fault: 'before opset 13 an axis that is the rank is not refused',
    covers: ({ axis }, [x], { opset }) => opset < 13 && axis === undefined && x?.dims.length === 1,
    example: () => single('Softmax', [tensor('float32', [1, 2])], {}, { opset: 11 }),
    expected: null,
  }),
  entry({
    op: ['RNN', 'GRU', 'LSTM'],
    kinds: ['ours refuses'],
    text: 'NOTE: Below are optional … Softsign(x) - x/(1 + |x|)',
    fault: 'activations other than Sigmoid, Tanh and Relu are refused',
    covers: ({ activations }) => activations?.some((name) => !['Sigmoid', 'Tanh', 'Relu'].includes(name)),
    example: () =>
      single(
        'RNN',
        [[2], [1], [1]].map((values) => tensor('float32', values, [1, 1, 1])),
        { hidden_size: 1, activations: ['Softsign'] },
        { opset: 22 },
      ),
    expected: [tensor('float32', [2 / 3], [1, 1, 1, 1])],
  }),
  entry({
    op: 'Resize',
    kinds: ['ours refuses'],
    text: 'If set to 1, "linear" and "cubic" interpolation modes will use an antialiasing filter when downscaling.',
    fault: 'antialias is refused, also where nothing becomes smaller',
    covers: ({ antialias }) => antialias === 1,
    example: () =>
      single('Resize', [tensor('float32', [0, 1], [1, 1, 2]), null, tensor('float32', [1, 1, 2])], {
        mode: 'linear',
        antialias: 1,
      }),
    expected: [tensor('float32', [0, 0.25, 0.75, 1], [1, 1, 4])],
  }),
  entry({
    op: [...reductions, 'Slice', 'Reshape', 'Squeeze', 'Unsqueeze', 'Pad', 'Expand', 'Tile'],
    kinds: ['ours refuses'],
    text: 'Each size in the list MAY be expressed as an integral value or as a "dimension variable," a string denoting that the actual size of the dimension is not statically constrained to a particular number. (IR.md)',
    fault: 'an input of axes, steps or a shape whose number of elements is a symbol is refused',
    covers: (_, inputs, { symbolic }) =>
      symbolic && inputs.slice(1).some((each) => each?.dtype.startsWith('int') && !each.constant),
    example: () =>
      single('ReduceSum', [tensor('float32', [1, 2], [1, 2]), tensor('int64', [1])], {}, { symbolic: true }),
    expected: [tensor('float32', [3], [1, 1])],
  }),
  entry({
    op: 'LpPool',
    kinds: ['ours refuses'],
    text: 'Whether to use ceil or floor (default) to compute the output shape.',
    fault: 'ceil_mode = 1 is refused',
    covers: ({ ceil_mode }) => ceil_mode === 1,
    example: () =>
      single('LpPool', [tensor('float32', [3, 4, 5], [1, 1, 3])], { kernel_shape: [2], strides: [2], ceil_mode: 1 }),
    expected: [tensor('float32', [5, 5], [1, 1, 2])],
  }),
];
