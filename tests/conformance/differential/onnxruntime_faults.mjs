// Where onnxruntime-web 1.30 is wrong, with the sentence of the ONNX operator text that says so.

import { entry } from './entry.mjs';
import { float, single } from './model.mjs';
import { countOf, tensor } from './numbers.mjs';

const reductions = ['Sum', 'Mean', 'Max', 'Min', 'Prod', 'L1', 'L2', 'LogSum', 'LogSumExp', 'SumSquare'];
const same = ({ auto_pad }) => auto_pad === 'SAME_UPPER' || auto_pad === 'SAME_LOWER';
/** Whether steps of a window of that size leave something out. */
const leavesGaps = ({ strides }, kernel) => kernel.some((size, i) => size < (strides?.[i] ?? 1));
const axesOf = ({ axes }, [, operand]) => axes ?? Array.from(operand?.data ?? [], Number);

const crop = 'tf_crop_and_resize';

export const onnxruntimeFaults = [
  entry({
    op: 'OneHot',
    kinds: ['onnxruntime-web refuses'],
    text: 'The rank of the output tensor will be one greater than the rank of the input tensor.',
    fault: 'a scalar of indices is refused',
    covers: (_, [indices]) => indices?.dims.length === 0,
    example: () => single('OneHot', [tensor('int64', [1], []), tensor('int64', [3], []), tensor('float32', [0, 1])]),
    expected: [tensor('float32', [0, 1, 0])],
  }),
  entry({
    op: 'Gemm',
    text: "Compute Y = alpha * A' * B' + beta * C",
    fault: 'beta is left out where the inner extent is 0',
    covers: ({ transA }, [a]) => a?.dims[transA ? 0 : 1] === 0,
    example: () =>
      single('Gemm', [tensor('float32', [], [1, 0]), tensor('float32', [], [0, 1]), tensor('float32', [3])], {
        beta: float(0.5),
      }),
    expected: [tensor('float32', [1.5], [1, 1])],
  }),
  entry({
    op: 'Mod',
    text: 'The result is exactly the value x - n * y, where n is x / y with its fractional part truncated.',
    fault: 'large integers are made float64 before the remainder',
    covers: ({ fmod }, [a]) => fmod === 1 && a?.dtype.endsWith('int64'),
    example: () => single('Mod', [tensor('int64', [2n ** 63n - 1n]), tensor('int64', [6])], { fmod: 1 }),
    expected: [tensor('int64', [1])],
  }),
  entry({
    op: reductions.map((name) => `Reduce${name}`),
    kinds: ['shape'],
    text: 'Accepted range is [-r, r-1] where r = rank(data).',
    fault: 'negative axes of an empty tensor are not reduced',
    covers: (attributes, inputs) =>
      countOf(inputs[0].dims) === 0 && axesOf(attributes, inputs).some((axis) => axis < 0),
    example: () => single('ReduceSum', [tensor('float32', [], [0, 2]), tensor('int64', [-2])]),
    expected: [tensor('float32', [0, 0], [1, 2])],
  }),
  entry({
    op: ['ReduceSum', 'ReduceL1', 'ReduceSumSquare', 'ReduceProd'],
    text: "Computes the sum of the input tensor's elements along the provided axes.",
    fault: 'sums of int64 are rounded to float64',
    covers: (_, [x]) => x.dtype.endsWith('int64') && x.data.some((each) => each > 2n ** 53n || each < -(2n ** 53n)),
    example: () => single('ReduceSum', [tensor('int64', [2n ** 53n + 1n, 1n, -(2n ** 53n)])]),
    expected: [tensor('int64', [2])],
  }),
  entry({
    op: 'ConvTranspose',
    kinds: ['shape'],
    text: 'SAME_UPPER or SAME_LOWER mean pad the input so that `output_shape[i] = input_shape[i] * strides[i]` for each axis `i`.',
    fault: 'the output is smaller where the kernel is smaller than the stride',
    covers: (attributes, [, weights]) =>
      same(attributes) && leavesGaps(attributes, attributes.kernel_shape ?? weights?.dims.slice(2) ?? []),
    example: () =>
      single('ConvTranspose', [tensor('float32', [1, 2], [1, 1, 2]), tensor('float32', [1], [1, 1, 1])], {
        strides: [2],
        auto_pad: 'SAME_UPPER',
      }),
    expected: [tensor('float32', [1, 0, 2, 0], [1, 1, 4])],
  }),
  entry({
    op: ['AveragePool', 'MaxPool', 'LpPool'],
    kinds: ['values', 'onnxruntime-web refuses'],
    text: 'SAME_UPPER or SAME_LOWER mean pad the input so that `output_shape[i] = ceil(input_shape[i] / strides[i])`',
    fault:
      'where the kernel is smaller than the stride the input is cut at its beginning, or refused; its Conv does neither',
    covers: (attributes) => same(attributes) && leavesGaps(attributes, attributes.kernel_shape),
    example: () =>
      single('AveragePool', [tensor('float32', [1, 2, 3, 4, 5, 6], [1, 1, 6])], {
        kernel_shape: [1],
        strides: [3],
        auto_pad: 'SAME_UPPER',
      }),
    expected: [tensor('float32', [1, 4], [1, 1, 2])],
  }),
  entry({
    op: 'MatMul',
    kinds: ['onnxruntime-web refuses'],
    text: 'Matrix product that behaves like numpy.matmul',
    fault: 'uint64 matrices whose inner extent is 0 are refused',
    covers: (_, [a]) => a?.dtype === 'uint64' && a.dims.at(-1) === 0,
    example: () => single('MatMul', [tensor('uint64', [], [1, 0]), tensor('uint64', [], [0, 1])]),
    expected: [tensor('uint64', [0], [1, 1])],
  }),
  entry({
    op: 'ReduceMax',
    kinds: ['onnxruntime-web refuses'],
    text: 'Reduction over an empty set of values yields minus infinity (if supported by the datatype) or the minimum value of the data type otherwise.',
    fault: 'an empty set of truth values is refused',
    covers: (_, [x]) => x.dtype === 'bool' && countOf(x.dims) === 0,
    example: () => single('ReduceMax', [tensor('bool', [])], { keepdims: 0 }),
    expected: [tensor('bool', [0], [])],
  }),
  entry({
    op: 'Resize',
    kinds: ['shape'],
    text: 'output_dimension = floor(input_dimension * (roi_end - roi_start) * scale)',
    fault: 'with scales the cropped region does not decide the size',
    covers: ({ coordinate_transformation_mode }, [, , scales]) =>
      coordinate_transformation_mode === crop && scales !== null,
    example: () =>
      single('Resize', [tensor('float32', [1, 2, 3, 4]), tensor('float32', [0, 0.5]), tensor('float32', [2])], {
        mode: 'nearest',
        coordinate_transformation_mode: crop,
        nearest_mode: 'floor',
      }),
    expected: [tensor('float32', [1, 1, 2, 2])],
  }),
  entry({
    op: 'Resize',
    text: 'x_original = length_resized > 1 ? start_x * (length_original - 1) + x_resized * (end_x - start_x) * (length_original - 1) / (length_resized - 1) : …',
    fault: 'an axis that keeps its size is not cropped',
    covers: ({ coordinate_transformation_mode }) => coordinate_transformation_mode === crop,
    example: () =>
      single(
        'Resize',
        [
          tensor('float32', [0, 8, 16, 24, 32], [1, 1, 1, 5]),
          tensor('float32', [0, 0, 0, 0.25, 1, 1, 1, 0.75]),
          null,
          tensor('int64', [1, 1, 2, 5]),
        ],
        { mode: 'linear', coordinate_transformation_mode: crop },
      ),
    expected: [tensor('float32', [8, 12, 16, 20, 24, 8, 12, 16, 20, 24], [1, 1, 2, 5])],
  }),
  entry({
    op: 'LRN',
    kinds: ['onnxruntime-web refuses'],
    text: 'max(0, c - floor((size - 1) / 2)) <= i <= min(C - 1, c + ceil((size - 1) / 2))',
    fault: 'an even size is refused',
    covers: ({ size }) => size % 2 === 0,
    example: () =>
      single('LRN', [tensor('float32', [1, 2], [1, 2, 1, 1])], { size: 2, alpha: float(2), beta: float(1) }),
    expected: [tensor('float32', [1 / 6, 2 / 5], [1, 2, 1, 1])],
  }),
  entry({
    op: 'NonZero',
    kinds: ['shape'],
    text: "for scalar input, NonZero produces output shape (0, N) instead of (1, N), which is different from Numpy's behavior.",
    fault: 'a scalar gives the shape (1, N)',
    covers: (_, [x]) => x.dims.length === 0,
    example: () => single('NonZero', [tensor('float32', [1], [])]),
    expected: [tensor('int64', [], [0, 1])],
  }),
  entry({
    op: 'GridSample',
    text: 'border: use border values for out-of-bound grid locations',
    fault:
      'with mode = "cubic" a place outside of the border is not moved to it, so that the rows inside have a part in it',
    covers: ({ mode, padding_mode }) => mode === 'cubic' && padding_mode === 'border',
    example: () =>
      single('GridSample', [tensor('float32', [0, 0, 1, 1], [1, 1, 2, 2]), tensor('float32', [0, 1.4], [1, 1, 1, 2])], {
        mode: 'cubic',
        padding_mode: 'border',
      }),
    expected: [tensor('float32', [1], [1, 1, 1, 1])],
  }),
  entry({
    op: ['MaxPool', 'AveragePool'],
    kinds: ['shape'],
    text: 'VALID: output_spatial_shape[i] = ceil((input_spatial_shape[i] - ((kernel_spatial_shape[i] - 1) * dilations[i] + 1) + 1) / strides_spatial_shape[i]) … when ceil_mode is enabled',
    fault: 'auto_pad = "VALID" with ceil_mode = 1 gives one place more, as explicit pads do',
    covers: ({ auto_pad, ceil_mode }) => auto_pad === 'VALID' && ceil_mode === 1,
    example: () =>
      single('MaxPool', [tensor('float32', [1, 2, 3], [1, 1, 3])], {
        kernel_shape: [2],
        strides: [2],
        auto_pad: 'VALID',
        ceil_mode: 1,
      }),
    expected: [tensor('float32', [2], [1, 1, 1])],
  }),
  entry({
    op: 'Slice',
    kinds: ['shape'],
    text: 'for negative stepping it is clamped to `[-1, dims[axes[i]]-1]`',
    fault: 'an end of 2147483647 is no place to clamp, but the beginning where steps go backwards',
    covers: (_, [, , ends, , steps]) => steps?.data.some((step, i) => step < 0 && Number(ends.data[i]) === 2 ** 31 - 1),
    example: () =>
      single('Slice', [
        tensor('float32', [1, 2]),
        ...[1, 2 ** 31 - 1, 0, -1].map((each) => ({ ...tensor('int64', [each]), constant: true })),
      ]),
    expected: [tensor('float32', [])],
  }),
  entry({
    op: 'StringSplit',
    kinds: ['values', 'shape'],
    text: 'Consecutive delimiters are not grouped together and are deemed to delimit empty strings, except if the delimiter is unspecified',
    fault: 'between no delimiters an empty text has no parts, where one delimiter alone has two empty ones',
    covers: ({ delimiter }, [x]) => Boolean(delimiter) && x.data.includes(''),
    example: () => single('StringSplit', [tensor('string', [''])], { delimiter: ',' }, { outputs: 2 }),
    expected: [tensor('string', [''], [1, 1]), tensor('int64', [1])],
  }),
];
