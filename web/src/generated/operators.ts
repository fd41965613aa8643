// Generated from src/ops by scripts/generate; do not edit.
//
// Each function throws ShapeError, DTypeError or ArgumentError, which name the operator, the argument, what was
// expected and what was got. Dtypes are those that samples show for each operand that is no shape:
// `floating` is float16, bfloat16, float32 and float64; `numeric` is everything but bool.

import { valuesOf } from '../arguments.js';
import {
  applyOne,
  applyOperator,
  applyWanted,
  type FloatOperand,
  floats,
  type IndexOperand,
  type IntegerOperand,
  oneInteger,
  type Operand,
  partCount,
  type Wanted,
} from '../call.js';
import type { DType } from '../dtype.js';
import type { Tensor } from '../tensor.js';

/**
 * Every operator's index, and the names of its inputs and attributes in order; inputs that may be lists end in "[]".
 */
export const operators: Record<string, { index: number; inputs: readonly string[]; attributes: readonly string[] }> = {
  Relu: { index: 0, inputs: ['X'], attributes: [] },
  LeakyRelu: { index: 1, inputs: ['X'], attributes: ['alpha'] },
  Neg: { index: 2, inputs: ['X'], attributes: [] },
  Abs: { index: 3, inputs: ['X'], attributes: [] },
  Sign: { index: 4, inputs: ['X'], attributes: [] },
  Reciprocal: { index: 5, inputs: ['X'], attributes: [] },
  Exp: { index: 6, inputs: ['X'], attributes: [] },
  Log: { index: 7, inputs: ['X'], attributes: [] },
  Sqrt: { index: 8, inputs: ['X'], attributes: [] },
  Sin: { index: 9, inputs: ['X'], attributes: [] },
  Cos: { index: 10, inputs: ['X'], attributes: [] },
  Floor: { index: 11, inputs: ['X'], attributes: [] },
  Ceil: { index: 12, inputs: ['X'], attributes: [] },
  Round: { index: 13, inputs: ['X'], attributes: [] },
  Erf: { index: 14, inputs: ['X'], attributes: [] },
  Sigmoid: { index: 15, inputs: ['X'], attributes: [] },
  Tanh: { index: 16, inputs: ['X'], attributes: [] },
  HardSigmoid: { index: 17, inputs: ['X'], attributes: ['alpha', 'beta'] },
  HardSwish: { index: 18, inputs: ['X'], attributes: [] },
  Gelu: { index: 19, inputs: ['X'], attributes: ['approximate'] },
  Tan: { index: 20, inputs: ['X'], attributes: [] },
  Asin: { index: 21, inputs: ['X'], attributes: [] },
  Acos: { index: 22, inputs: ['X'], attributes: [] },
  Atan: { index: 23, inputs: ['X'], attributes: [] },
  Sinh: { index: 24, inputs: ['X'], attributes: [] },
  Cosh: { index: 25, inputs: ['X'], attributes: [] },
  Asinh: { index: 26, inputs: ['X'], attributes: [] },
  Acosh: { index: 27, inputs: ['X'], attributes: [] },
  Atanh: { index: 28, inputs: ['X'], attributes: [] },
  Softplus: { index: 29, inputs: ['X'], attributes: [] },
  Softsign: { index: 30, inputs: ['X'], attributes: [] },
  Mish: { index: 31, inputs: ['X'], attributes: [] },
  Elu: { index: 32, inputs: ['X'], attributes: ['alpha'] },
  Selu: { index: 33, inputs: ['X'], attributes: ['alpha', 'gamma'] },
  Celu: { index: 34, inputs: ['X'], attributes: ['alpha'] },
  ThresholdedRelu: { index: 35, inputs: ['X'], attributes: ['alpha'] },
  PRelu: { index: 36, inputs: ['X', 'slope'], attributes: [] },
  Add: { index: 37, inputs: ['A', 'B'], attributes: [] },
  Sub: { index: 38, inputs: ['A', 'B'], attributes: [] },
  Mul: { index: 39, inputs: ['A', 'B'], attributes: [] },
  Div: { index: 40, inputs: ['A', 'B'], attributes: [] },
  Pow: { index: 41, inputs: ['X', 'Y'], attributes: [] },
  Mod: { index: 42, inputs: ['A', 'B'], attributes: ['fmod'] },
  BitwiseAnd: { index: 43, inputs: ['A', 'B'], attributes: [] },
  BitwiseOr: { index: 44, inputs: ['A', 'B'], attributes: [] },
  BitwiseXor: { index: 45, inputs: ['A', 'B'], attributes: [] },
  BitwiseNot: { index: 46, inputs: ['X'], attributes: [] },
  BitShift: { index: 47, inputs: ['X', 'Y'], attributes: ['direction'] },
  Max: { index: 48, inputs: ['data_0'], attributes: [] },
  Min: { index: 49, inputs: ['data_0'], attributes: [] },
  Sum: { index: 50, inputs: ['data_0'], attributes: [] },
  Mean: { index: 51, inputs: ['data_0'], attributes: [] },
  Clip: { index: 52, inputs: ['input', 'min', 'max'], attributes: [] },
  MatMul: { index: 53, inputs: ['A', 'B'], attributes: [] },
  Gemm: { index: 54, inputs: ['A', 'B', 'C'], attributes: ['alpha', 'beta', 'transA', 'transB'] },
  Einsum: { index: 56, inputs: ['Inputs'], attributes: ['equation'] },
  Softmax: { index: 57, inputs: ['input'], attributes: ['axis'] },
  LogSoftmax: { index: 58, inputs: ['input'], attributes: ['axis'] },
  Hardmax: { index: 59, inputs: ['input'], attributes: ['axis'] },
  LpNormalization: { index: 60, inputs: ['input'], attributes: ['axis', 'p'] },
  MeanVarianceNormalization: { index: 61, inputs: ['X'], attributes: ['axes'] },
  Reshape: { index: 62, inputs: ['data', 'shape[]'], attributes: ['allowzero'] },
  Squeeze: { index: 63, inputs: ['data', 'axes[]'], attributes: [] },
  Unsqueeze: { index: 64, inputs: ['data', 'axes[]'], attributes: [] },
  Flatten: { index: 65, inputs: ['input'], attributes: ['axis'] },
  Identity: { index: 66, inputs: ['input'], attributes: [] },
  Expand: { index: 67, inputs: ['input', 'shape[]'], attributes: [] },
  Transpose: { index: 68, inputs: ['data'], attributes: ['perm'] },
  Concat: { index: 69, inputs: ['inputs'], attributes: ['axis'] },
  Split: { index: 70, inputs: ['input', 'split[]'], attributes: ['axis', 'num_outputs'] },
  Tile: { index: 71, inputs: ['input', 'repeats[]'], attributes: [] },
  Pad: { index: 72, inputs: ['data', 'pads[]', 'constant_value', 'axes[]'], attributes: ['mode'] },
  Slice: { index: 73, inputs: ['data', 'starts[]', 'ends[]', 'axes[]', 'steps[]'], attributes: [] },
  Gather: { index: 75, inputs: ['data', 'indices[]'], attributes: ['axis'] },
  GatherElements: { index: 77, inputs: ['data', 'indices[]'], attributes: ['axis'] },
  GatherND: { index: 78, inputs: ['data', 'indices[]'], attributes: ['batch_dims'] },
  ScatterElements: { index: 79, inputs: ['data', 'indices[]', 'updates'], attributes: ['axis', 'reduction'] },
  ScatterND: { index: 80, inputs: ['data', 'indices[]', 'updates'], attributes: ['reduction'] },
  Shape: { index: 81, inputs: ['data'], attributes: ['start', 'end'] },
  Size: { index: 82, inputs: ['data'], attributes: [] },
  Range: { index: 83, inputs: ['start', 'limit', 'delta'], attributes: [] },
  OneHot: { index: 84, inputs: ['indices', 'depth', 'values'], attributes: ['axis'] },
  EyeLike: { index: 85, inputs: ['input'], attributes: ['dtype', 'k'] },
  Trilu: { index: 86, inputs: ['input', 'k[]'], attributes: ['upper'] },
  DepthToSpace: { index: 87, inputs: ['input'], attributes: ['blocksize', 'mode'] },
  SpaceToDepth: { index: 88, inputs: ['input'], attributes: ['blocksize'] },
  ReverseSequence: { index: 89, inputs: ['input', 'sequence_lens[]'], attributes: ['time_axis', 'batch_axis'] },
  NonZero: { index: 90, inputs: ['X'], attributes: [] },
  Compress: { index: 91, inputs: ['input', 'condition'], attributes: ['axis'] },
  Unique: { index: 92, inputs: ['X'], attributes: ['axis', 'sorted'] },
  ConstantOfShape: { index: 93, inputs: ['input[]'], attributes: ['value'] },
  Constant: { index: 94, inputs: [], attributes: ['value', 'value_int', 'value_ints', 'value_float', 'value_floats'] },
  Where: { index: 95, inputs: ['condition', 'X', 'Y'], attributes: [] },
  Equal: { index: 96, inputs: ['A', 'B'], attributes: [] },
  Less: { index: 97, inputs: ['A', 'B'], attributes: [] },
  LessOrEqual: { index: 98, inputs: ['A', 'B'], attributes: [] },
  Greater: { index: 99, inputs: ['A', 'B'], attributes: [] },
  GreaterOrEqual: { index: 100, inputs: ['A', 'B'], attributes: [] },
  And: { index: 101, inputs: ['A', 'B'], attributes: [] },
  Or: { index: 102, inputs: ['A', 'B'], attributes: [] },
  Xor: { index: 103, inputs: ['A', 'B'], attributes: [] },
  Not: { index: 104, inputs: ['X'], attributes: [] },
  IsNaN: { index: 105, inputs: ['X'], attributes: [] },
  IsInf: { index: 106, inputs: ['X'], attributes: ['detect_negative', 'detect_positive'] },
  Cast: { index: 107, inputs: ['input'], attributes: ['to', 'saturate', 'round_mode'] },
  Conv: {
    index: 108,
    inputs: ['X', 'W', 'B'],
    attributes: ['auto_pad', 'dilations', 'group', 'kernel_shape', 'pads', 'strides'],
  },
  ConvTranspose: {
    index: 109,
    inputs: ['X', 'W', 'B'],
    attributes: ['auto_pad', 'dilations', 'group', 'kernel_shape', 'output_padding', 'output_shape', 'pads', 'strides'],
  },
  MaxPool: {
    index: 111,
    inputs: ['X'],
    attributes: ['auto_pad', 'ceil_mode', 'dilations', 'kernel_shape', 'pads', 'storage_order', 'strides'],
  },
  AveragePool: {
    index: 113,
    inputs: ['X'],
    attributes: ['auto_pad', 'ceil_mode', 'count_include_pad', 'dilations', 'kernel_shape', 'pads', 'strides'],
  },
  GlobalAveragePool: { index: 115, inputs: ['X'], attributes: [] },
  BatchNormalization: {
    index: 116,
    inputs: ['X', 'scale', 'B', 'input_mean', 'input_var'],
    attributes: ['epsilon', 'momentum', 'training_mode'],
  },
  LayerNormalization: { index: 117, inputs: ['X', 'Scale', 'B'], attributes: ['axis', 'epsilon', 'stash_type'] },
  InstanceNormalization: { index: 118, inputs: ['input', 'scale', 'B'], attributes: ['epsilon'] },
  Resize: {
    index: 119,
    inputs: ['X', 'roi[]', 'scales[]', 'sizes[]'],
    attributes: [
      'antialias',
      'axes',
      'coordinate_transformation_mode',
      'cubic_coeff_a',
      'exclude_outside',
      'extrapolation_value',
      'keep_aspect_ratio_policy',
      'mode',
      'nearest_mode',
    ],
  },
  RNN: {
    index: 121,
    inputs: ['X', 'W', 'R', 'B', 'sequence_lens', 'initial_h'],
    attributes: ['activation_alpha', 'activation_beta', 'activations', 'clip', 'direction', 'hidden_size', 'layout'],
  },
  GRU: {
    index: 123,
    inputs: ['X', 'W', 'R', 'B', 'sequence_lens', 'initial_h'],
    attributes: [
      'activation_alpha',
      'activation_beta',
      'activations',
      'clip',
      'direction',
      'hidden_size',
      'layout',
      'linear_before_reset',
    ],
  },
  LSTM: {
    index: 125,
    inputs: ['X', 'W', 'R', 'B', 'sequence_lens', 'initial_h', 'initial_c', 'P'],
    attributes: [
      'activation_alpha',
      'activation_beta',
      'activations',
      'clip',
      'direction',
      'hidden_size',
      'layout',
      'input_forget',
    ],
  },
  ReduceSum: { index: 127, inputs: ['data', 'axes[]'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  ReduceMean: { index: 128, inputs: ['data', 'axes[]'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  ReduceMax: { index: 129, inputs: ['data', 'axes[]'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  ReduceMin: { index: 130, inputs: ['data', 'axes[]'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  ReduceProd: { index: 131, inputs: ['data', 'axes[]'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  ReduceL1: { index: 132, inputs: ['data', 'axes[]'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  ReduceL2: { index: 133, inputs: ['data', 'axes[]'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  ReduceLogSum: { index: 134, inputs: ['data', 'axes[]'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  ReduceLogSumExp: { index: 135, inputs: ['data', 'axes[]'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  ReduceSumSquare: { index: 136, inputs: ['data', 'axes[]'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  ArgMax: { index: 137, inputs: ['data'], attributes: ['axis', 'keepdims', 'select_last_index'] },
  ArgMin: { index: 138, inputs: ['data'], attributes: ['axis', 'keepdims', 'select_last_index'] },
  TopK: { index: 139, inputs: ['X', 'K[]'], attributes: ['axis', 'largest', 'sorted'] },
  CumSum: { index: 140, inputs: ['x', 'axis[]'], attributes: ['exclusive', 'reverse'] },
  Dropout: { index: 141, inputs: ['data', 'ratio', 'training_mode'], attributes: ['seed'] },
  QuantizeLinear: {
    index: 143,
    inputs: ['x', 'y_scale', 'y_zero_point'],
    attributes: ['axis', 'block_size', 'output_dtype', 'precision', 'saturate'],
  },
  DequantizeLinear: {
    index: 144,
    inputs: ['x', 'x_scale', 'x_zero_point'],
    attributes: ['axis', 'block_size', 'output_dtype'],
  },
  DynamicQuantizeLinear: { index: 145, inputs: ['x'], attributes: [] },
  MatMulInteger: { index: 146, inputs: ['A', 'B', 'a_zero_point', 'b_zero_point'], attributes: [] },
  QLinearMatMul: {
    index: 147,
    inputs: ['a', 'a_scale', 'a_zero_point', 'b', 'b_scale', 'b_zero_point', 'y_scale', 'y_zero_point'],
    attributes: [],
  },
  ConvInteger: {
    index: 149,
    inputs: ['x', 'w', 'x_zero_point', 'w_zero_point'],
    attributes: ['auto_pad', 'dilations', 'group', 'kernel_shape', 'pads', 'strides'],
  },
  QLinearConv: {
    index: 150,
    inputs: ['x', 'x_scale', 'x_zero_point', 'w', 'w_scale', 'w_zero_point', 'y_scale', 'y_zero_point', 'B'],
    attributes: ['auto_pad', 'dilations', 'group', 'kernel_shape', 'pads', 'strides'],
  },
  Shrink: { index: 151, inputs: ['input'], attributes: ['bias', 'lambd'] },
  LRN: { index: 152, inputs: ['X'], attributes: ['alpha', 'beta', 'bias', 'size'] },
  Det: { index: 153, inputs: ['X'], attributes: [] },
  MaxUnpool: { index: 155, inputs: ['X', 'I[]', 'output_shape[]'], attributes: ['kernel_shape', 'pads', 'strides'] },
  GridSample: { index: 156, inputs: ['X', 'grid'], attributes: ['align_corners', 'mode', 'padding_mode'] },
  RoiAlign: {
    index: 158,
    inputs: ['X', 'rois', 'batch_indices[]'],
    attributes: [
      'coordinate_transformation_mode',
      'mode',
      'output_height',
      'output_width',
      'sampling_ratio',
      'spatial_scale',
    ],
  },
  NonMaxSuppression: {
    index: 159,
    inputs: ['boxes', 'scores', 'max_output_boxes_per_class[]', 'iou_threshold', 'score_threshold'],
    attributes: ['center_point_box'],
  },
  TfIdfVectorizer: {
    index: 160,
    inputs: ['X[]'],
    attributes: [
      'max_gram_length',
      'max_skip_count',
      'min_gram_length',
      'mode',
      'ngram_counts',
      'ngram_indexes',
      'pool_int64s',
      'pool_strings',
      'weights',
    ],
  },
  StringNormalizer: {
    index: 161,
    inputs: ['X'],
    attributes: ['case_change_action', 'is_case_sensitive', 'locale', 'stopwords'],
  },
  StringConcat: { index: 162, inputs: ['X', 'Y'], attributes: [] },
  StringSplit: { index: 163, inputs: ['X'], attributes: ['delimiter', 'maxsplit'] },
  DFT: { index: 164, inputs: ['input', 'dft_length[]', 'axis[]'], attributes: ['inverse', 'onesided'] },
  STFT: { index: 165, inputs: ['signal', 'frame_step[]', 'window', 'frame_length[]'], attributes: ['onesided'] },
  MelWeightMatrix: {
    index: 166,
    inputs: ['num_mel_bins[]', 'dft_length[]', 'sample_rate[]', 'lower_edge_hertz', 'upper_edge_hertz'],
    attributes: ['output_datatype'],
  },
  Col2Im: {
    index: 167,
    inputs: ['input', 'image_shape[]', 'block_shape[]'],
    attributes: ['dilations', 'pads', 'strides'],
  },
  DeformConv: {
    index: 168,
    inputs: ['X', 'W', 'offset', 'B', 'mask'],
    attributes: ['dilations', 'group', 'kernel_shape', 'offset_group', 'pads', 'strides'],
  },
  RandomNormal: { index: 169, inputs: [], attributes: ['dtype', 'mean', 'scale', 'seed', 'shape'] },
  RandomUniform: { index: 170, inputs: [], attributes: ['dtype', 'high', 'low', 'seed', 'shape'] },
  RandomNormalLike: { index: 171, inputs: ['input'], attributes: ['dtype', 'mean', 'scale', 'seed'] },
  RandomUniformLike: { index: 172, inputs: ['input'], attributes: ['dtype', 'high', 'low', 'seed'] },
  Bernoulli: { index: 173, inputs: ['input'], attributes: ['dtype', 'seed'] },
  Multinomial: { index: 174, inputs: ['input'], attributes: ['dtype', 'sample_size', 'seed'] },
};

/**
 * max(x, 0); NaN stays NaN.
 * ONNX Relu, opset 14.
 * Dtypes: numeric.
 * Relu of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function relu(x: Operand): Tensor {
  return applyOne(0, [x]);
}

/**
 * x for x >= 0, alpha * x below.
 * ONNX LeakyRelu, opset 16.
 * Dtypes: floating.
 * LeakyRelu of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function leakyRelu(
  x: Operand,
  options: {
    /** slope below zero; 0.009999999776482582. */
    alpha?: number;
  } = {},
): Tensor {
  return applyOne(1, [x], valuesOf('LeakyRelu', options, ['alpha']));
}

/**
 * -x.
 * ONNX Neg, opset 13.
 * Dtypes: float32, float64, float16, bfloat16, int8, int16, int32, int64.
 * Neg of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function neg(x: Operand): Tensor {
  return applyOne(2, [x]);
}

/**
 * |x|; the gradient at 0 is 0.
 * ONNX Abs, opset 13.
 * Dtypes: numeric.
 * Abs of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function abs(x: Operand): Tensor {
  return applyOne(3, [x]);
}

/**
 * -1, 0 or 1; NaN stays NaN; the gradient is 0.
 * ONNX Sign, opset 13.
 * Dtypes: numeric.
 * Sign of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function sign(x: Operand): Tensor {
  return applyOne(4, [x]);
}

/**
 * 1 / x.
 * ONNX Reciprocal, opset 13.
 * Dtypes: floating.
 * Reciprocal of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function reciprocal(x: Operand): Tensor {
  return applyOne(5, [x]);
}

/**
 * e to the power of x.
 * ONNX Exp, opset 13.
 * Dtypes: floating.
 * Exp of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function exp(x: Operand): Tensor {
  return applyOne(6, [x]);
}

/**
 * natural logarithm; NaN below 0.
 * ONNX Log, opset 13.
 * Dtypes: floating.
 * Log of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function log(x: Operand): Tensor {
  return applyOne(7, [x]);
}

/**
 * square root; NaN below 0.
 * ONNX Sqrt, opset 13.
 * Dtypes: floating.
 * Sqrt of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function sqrt(x: Operand): Tensor {
  return applyOne(8, [x]);
}

/**
 * sine of x in radians.
 * ONNX Sin, opset 7.
 * Dtypes: floating.
 * Sin of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function sin(x: Operand): Tensor {
  return applyOne(9, [x]);
}

/**
 * cosine of x in radians.
 * ONNX Cos, opset 7.
 * Dtypes: floating.
 * Cos of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function cos(x: Operand): Tensor {
  return applyOne(10, [x]);
}

/**
 * largest integer <= x; the gradient is 0.
 * ONNX Floor, opset 13.
 * Dtypes: floating.
 * Floor of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function floor(x: Operand): Tensor {
  return applyOne(11, [x]);
}

/**
 * smallest integer >= x; the gradient is 0.
 * ONNX Ceil, opset 13.
 * Dtypes: floating.
 * Ceil of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function ceil(x: Operand): Tensor {
  return applyOne(12, [x]);
}

/**
 * nearest integer, halves to even; the gradient is 0.
 * ONNX Round, opset 11.
 * Dtypes: floating.
 * Round of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function round(x: Operand): Tensor {
  return applyOne(13, [x]);
}

/**
 * error function, 2/sqrt(pi) times the integral of exp(-t^2).
 * ONNX Erf, opset 13.
 * Dtypes: floating.
 * Erf of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function erf(x: Operand): Tensor {
  return applyOne(14, [x]);
}

/**
 * 1 / (1 + exp(-x)).
 * ONNX Sigmoid, opset 13.
 * Dtypes: floating.
 * Sigmoid of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function sigmoid(x: Operand): Tensor {
  return applyOne(15, [x]);
}

/**
 * hyperbolic tangent.
 * ONNX Tanh, opset 13.
 * Dtypes: floating.
 * Tanh of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function tanh(x: Operand): Tensor {
  return applyOne(16, [x]);
}

/**
 * alpha * x + beta clipped to [0, 1].
 * ONNX HardSigmoid, opset 6.
 * Dtypes: floating.
 * HardSigmoid of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function hardSigmoid(
  x: Operand,
  options: {
    /** slope; 0.20000000298023224. */
    alpha?: number;
    /** value at x = 0; 0.5. */
    beta?: number;
  } = {},
): Tensor {
  return applyOne(17, [x], valuesOf('HardSigmoid', options, ['alpha', 'beta']));
}

/**
 * x * clip(x / 6 + 1/2, 0, 1).
 * ONNX HardSwish, opset 14.
 * Dtypes: floating.
 * HardSwish of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function hardSwish(x: Operand): Tensor {
  return applyOne(18, [x]);
}

/**
 * x / 2 * (1 + erf(x / sqrt 2)); tanh: x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))).
 * ONNX Gelu, opset 20.
 * Dtypes: floating.
 * Gelu of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function gelu(
  x: Operand,
  options: {
    /** "none" or "tanh"; "none". */
    approximate?: 'none' | 'tanh';
  } = {},
): Tensor {
  return applyOne(19, [x], valuesOf('Gelu', options, ['approximate']));
}

/**
 * tangent of x in radians.
 * ONNX Tan, opset 7.
 * Dtypes: floating.
 * Tan of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function tan(x: Operand): Tensor {
  return applyOne(20, [x]);
}

/**
 * arcsine in radians; NaN outside [-1, 1].
 * ONNX Asin, opset 7.
 * Dtypes: floating.
 * Asin of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function asin(x: Operand): Tensor {
  return applyOne(21, [x]);
}

/**
 * arccosine in radians; NaN outside [-1, 1].
 * ONNX Acos, opset 7.
 * Dtypes: floating.
 * Acos of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function acos(x: Operand): Tensor {
  return applyOne(22, [x]);
}

/**
 * arctangent in radians.
 * ONNX Atan, opset 7.
 * Dtypes: floating.
 * Atan of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function atan(x: Operand): Tensor {
  return applyOne(23, [x]);
}

/**
 * hyperbolic sine.
 * ONNX Sinh, opset 9.
 * Dtypes: floating.
 * Sinh of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function sinh(x: Operand): Tensor {
  return applyOne(24, [x]);
}

/**
 * hyperbolic cosine.
 * ONNX Cosh, opset 9.
 * Dtypes: floating.
 * Cosh of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function cosh(x: Operand): Tensor {
  return applyOne(25, [x]);
}

/**
 * inverse hyperbolic sine.
 * ONNX Asinh, opset 9.
 * Dtypes: floating.
 * Asinh of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function asinh(x: Operand): Tensor {
  return applyOne(26, [x]);
}

/**
 * inverse hyperbolic cosine; NaN below 1.
 * ONNX Acosh, opset 9.
 * Dtypes: floating.
 * Acosh of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function acosh(x: Operand): Tensor {
  return applyOne(27, [x]);
}

/**
 * inverse hyperbolic tangent; NaN outside [-1, 1].
 * ONNX Atanh, opset 9.
 * Dtypes: floating.
 * Atanh of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function atanh(x: Operand): Tensor {
  return applyOne(28, [x]);
}

/**
 * log(1 + exp(x)).
 * ONNX Softplus, opset 1.
 * Dtypes: floating.
 * Softplus of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function softplus(x: Operand): Tensor {
  return applyOne(29, [x]);
}

/**
 * x / (1 + |x|).
 * ONNX Softsign, opset 1.
 * Dtypes: floating.
 * Softsign of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function softsign(x: Operand): Tensor {
  return applyOne(30, [x]);
}

/**
 * x * tanh(log(1 + exp(x))).
 * ONNX Mish, opset 18.
 * Dtypes: floating.
 * Mish of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function mish(x: Operand): Tensor {
  return applyOne(31, [x]);
}

/**
 * x for x > 0, alpha * (exp(x) - 1) below.
 * ONNX Elu, opset 6.
 * Dtypes: floating.
 * Elu of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function elu(
  x: Operand,
  options: {
    /** limit towards minus infinity, negated; 1. */
    alpha?: number;
  } = {},
): Tensor {
  return applyOne(32, [x], valuesOf('Elu', options, ['alpha']));
}

/**
 * gamma * x for x > 0, gamma * alpha * (exp(x) - 1) below.
 * ONNX Selu, opset 6.
 * Dtypes: floating.
 * Selu of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function selu(
  x: Operand,
  options: {
    /** limit towards minus infinity over gamma, negated; 1.6732631921768188. */
    alpha?: number;
    /** scale; 1.0507010221481323. */
    gamma?: number;
  } = {},
): Tensor {
  return applyOne(33, [x], valuesOf('Selu', options, ['alpha', 'gamma']));
}

/**
 * x for x > 0, alpha * (exp(x / alpha) - 1) below.
 * ONNX Celu, opset 12.
 * Dtypes: floating.
 * Celu of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function celu(
  x: Operand,
  options: {
    /** limit towards minus infinity, negated; not 0; 1. */
    alpha?: number;
  } = {},
): Tensor {
  return applyOne(34, [x], valuesOf('Celu', options, ['alpha']));
}

/**
 * x for x > alpha, else 0, also for NaN.
 * ONNX ThresholdedRelu, opset 10.
 * Dtypes: floating.
 * ThresholdedRelu of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function thresholdedRelu(
  x: Operand,
  options: {
    /** threshold; 1. */
    alpha?: number;
  } = {},
): Tensor {
  return applyOne(35, [x], valuesOf('ThresholdedRelu', options, ['alpha']));
}

/**
 * x >= 0 ? x : slope x.
 * ONNX PRelu, opset 16.
 * Dtypes: numeric.
 * PRelu of float32[2, 3, 4], float32[2, 3, 4] gives float32[2, 3, 4].
 * @param x values
 * @param slope factor of negative values
 */
export function pRelu(x: Operand, slope: Operand): Tensor {
  return applyOne(36, [x, slope]);
}

/**
 * a + b; integers wrap.
 * ONNX Add, opset 14.
 * Dtypes: numeric.
 * Add of float32[2, 3], float32[2, 3] gives float32[2, 3].
 * @param a left operand
 * @param b right operand
 */
export function add(a: Operand, b: Operand): Tensor {
  return applyOne(37, [a, b]);
}

/**
 * a - b; integers wrap.
 * ONNX Sub, opset 14.
 * Dtypes: numeric.
 * Sub of float32[2, 3], float32[2, 3] gives float32[2, 3].
 * @param a left operand
 * @param b right operand
 */
export function sub(a: Operand, b: Operand): Tensor {
  return applyOne(38, [a, b]);
}

/**
 * a * b; integers wrap.
 * ONNX Mul, opset 14.
 * Dtypes: numeric.
 * Mul of float32[2, 3], float32[2, 3] gives float32[2, 3].
 * @param a left operand
 * @param b right operand
 */
export function mul(a: Operand, b: Operand): Tensor {
  return applyOne(39, [a, b]);
}

/**
 * a / b; integers truncate toward 0, and n / 0 is 0.
 * ONNX Div, opset 14.
 * Dtypes: numeric.
 * Div of float32[2, 3], float32[2, 3] gives float32[2, 3].
 * @param a left operand
 * @param b right operand
 */
export function div(a: Operand, b: Operand): Tensor {
  return applyOne(40, [a, b]);
}

/**
 * x to the power of y, in the dtype of x.
 * ONNX Pow, opset 15.
 * Dtypes: numeric.
 * Pow of float32[2, 3], float32[2, 3] gives float32[2, 3].
 * @param x base
 * @param y exponent, of any numeric dtype
 */
export function pow(x: Operand, y: Operand): Tensor {
  return applyOne(41, [x, y]);
}

/**
 * remainder of A / B; 0 for an integer by 0.
 * ONNX Mod, opset 13.
 * Dtypes: numeric.
 * Mod of int32[2, 3], int32[3] gives int32[2, 3].
 * @param a dividend
 * @param b divisor
 */
export function mod(
  a: Operand,
  b: Operand,
  options: {
    /** the sign is that of A; needed for floating dtypes; false. */
    fmod?: boolean;
  } = {},
): Tensor {
  return applyOne(42, [a, b], valuesOf('Mod', options, ['fmod']));
}

/**
 * bits that A and B have.
 * ONNX BitwiseAnd, opset 18.
 * Dtypes: integer.
 * BitwiseAnd of int32[2, 3], int32[3] gives int32[2, 3].
 * @param a integers
 * @param b integers
 */
export function bitwiseAnd(a: Operand, b: Operand): Tensor {
  return applyOne(43, [a, b]);
}

/**
 * bits that A or B have.
 * ONNX BitwiseOr, opset 18.
 * Dtypes: integer.
 * BitwiseOr of int32[2, 3], int32[3] gives int32[2, 3].
 * @param a integers
 * @param b integers
 */
export function bitwiseOr(a: Operand, b: Operand): Tensor {
  return applyOne(44, [a, b]);
}

/**
 * bits that either A or B has.
 * ONNX BitwiseXor, opset 18.
 * Dtypes: integer.
 * BitwiseXor of int32[2, 3], int32[3] gives int32[2, 3].
 * @param a integers
 * @param b integers
 */
export function bitwiseXor(a: Operand, b: Operand): Tensor {
  return applyOne(45, [a, b]);
}

/**
 * every bit turned.
 * ONNX BitwiseNot, opset 18.
 * Dtypes: integer.
 * BitwiseNot of int32[2, 3] gives int32[2, 3].
 * @param x integers
 */
export function bitwiseNot(x: Operand): Tensor {
  return applyOne(46, [x]);
}

/**
 * bits of X moved by Y places; zeros come in.
 * ONNX BitShift, opset 11.
 * Dtypes: uint8, uint16, uint32, uint64.
 * BitShift(direction="LEFT") of uint8[2, 3], uint8[3] gives uint8[2, 3].
 * @param x unsigned integers
 * @param y by how many bits
 */
export function bitShift(
  x: Operand,
  y: Operand,
  options: {
    /** LEFT or RIGHT; required. */
    direction: 'LEFT' | 'RIGHT';
  },
): Tensor {
  return applyOne(47, [x, y], valuesOf('BitShift', options, ['direction']));
}

/**
 * largest of all inputs; NaN beside NaN; equals share the gradient evenly.
 * ONNX Max, opset 13.
 * Dtypes: numeric.
 * Max of float32[2, 3], float32[3], float32[2, 1] gives float32[2, 3].
 * @param data0 values
 */
export function max(data0: readonly Operand[]): Tensor {
  return applyOne(48, data0);
}

/**
 * smallest of all inputs; NaN beside NaN; equals share the gradient evenly.
 * ONNX Min, opset 13.
 * Dtypes: numeric.
 * Min of float32[2, 3], float32[3], float32[2, 1] gives float32[2, 3].
 * @param data0 values
 */
export function min(data0: readonly Operand[]): Tensor {
  return applyOne(49, data0);
}

/**
 * sum of all inputs.
 * ONNX Sum, opset 13.
 * Dtypes: floating.
 * Sum of float32[2, 3], float32[3], float32[2, 1] gives float32[2, 3].
 * @param data0 values
 */
export function sum(data0: readonly Operand[]): Tensor {
  return applyOne(50, data0);
}

/**
 * mean of all inputs.
 * ONNX Mean, opset 13.
 * Dtypes: floating.
 * Mean of float32[2, 3], float32[3], float32[2, 1] gives float32[2, 3].
 * @param data0 values
 */
export function mean(data0: readonly Operand[]): Tensor {
  return applyOne(51, data0);
}

/**
 * min(max(x, min), max); the gradient passes where min <= x <= max.
 * ONNX Clip, opset 13.
 * Dtypes: numeric.
 * Clip of float32[3, 5], float32[], float32[] gives float32[3, 5].
 * @param input values
 * @param min lower bound, one element (optional)
 * @param max upper bound, one element (optional)
 */
export function clip(input: Operand, min?: Operand, max?: Operand): Tensor {
  return applyOne(52, [input, min, max]);
}

/**
 * matrix product over the last two axes, numpy's matmul.
 * ONNX MatMul, opset 13.
 * Dtypes: float32, float64, float16, bfloat16, int32, int64, uint32, uint64.
 * MatMul of float32[2, 3], float32[3, 4] gives float32[2, 4].
 * @param a [..., m, k] or [k]
 * @param b [..., k, n] or [k]
 */
export function matMul(a: Operand, b: Operand): Tensor {
  return applyOne(53, [a, b]);
}

/**
 * alpha * A B + beta * C.
 * ONNX Gemm, opset 13.
 * Dtypes: float32, float64, float16, bfloat16, int32, int64, uint32, uint64.
 * Gemm of float32[2, 3], float32[3, 4], float32[4] gives float32[2, 4].
 * @param a [m, k], or [k, m] with transA
 * @param b [k, n], or [n, k] with transB
 * @param c broadcasts to [m, n] (optional)
 */
export function gemm(
  a: Operand,
  b: Operand,
  c?: Operand,
  options: {
    /** factor of the product; 1. */
    alpha?: number;
    /** factor of C; 1. */
    beta?: number;
    /** A is given as [k, m]; false. */
    transA?: boolean;
    /** B is given as [n, k]; false. */
    transB?: boolean;
  } = {},
): Tensor {
  return applyOne(54, [a, b, c], valuesOf('Gemm', options, ['alpha', 'beta', 'transA', 'transB']));
}

/**
 * sums of products by an equation over named axes.
 * ONNX Einsum, opset 12.
 * Dtypes: numeric.
 * Einsum(equation="ij,jk->ik") of float32[2, 3], float32[3, 4] gives float32[2, 4].
 * @param inputs operands of the equation
 */
export function einsum(
  inputs: readonly Operand[],
  options: {
    /** axes of the operands and of the result; required. */
    equation: string;
  },
): Tensor {
  return applyOne(56, inputs, valuesOf('Einsum', options, ['equation']));
}

/**
 * exp(x) / sum(exp(x)) along one axis.
 * ONNX Softmax, opset 13.
 * Dtypes: floating.
 * Softmax of float32[2, 5] gives float32[2, 5].
 * @param input values of rank 1 or more
 */
export function softmax(
  input: Operand,
  options: {
    /** axis to normalise; -1. */
    axis?: number;
  } = {},
): Tensor {
  return applyOne(57, [input], valuesOf('Softmax', options, ['axis']));
}

/**
 * x - log(sum(exp(x))) along one axis.
 * ONNX LogSoftmax, opset 13.
 * Dtypes: floating.
 * LogSoftmax of float32[2, 5] gives float32[2, 5].
 * @param input values of rank 1 or more
 */
export function logSoftmax(
  input: Operand,
  options: {
    /** axis to normalise; -1. */
    axis?: number;
  } = {},
): Tensor {
  return applyOne(58, [input], valuesOf('LogSoftmax', options, ['axis']));
}

/**
 * 1 at the first largest element along an axis, else 0.
 * ONNX Hardmax, opset 13.
 * Dtypes: floating.
 * Hardmax of float32[2, 5] gives float32[2, 5].
 * @param input values of rank 1 or more
 */
export function hardmax(
  input: Operand,
  options: {
    /** axis to search along; -1. */
    axis?: number;
  } = {},
): Tensor {
  return applyOne(59, [input], valuesOf('Hardmax', options, ['axis']));
}

/**
 * values divided by their norm along an axis; zeros stay.
 * ONNX LpNormalization, opset 1.
 * Dtypes: floating.
 * LpNormalization of float32[2, 3, 4] gives float32[2, 3, 4].
 * @param input values of rank 1 or more
 */
export function lpNormalization(
  input: Operand,
  options: {
    /** axis to normalise; -1. */
    axis?: number;
    /** which norm, 1 or 2; 2. */
    p?: number;
  } = {},
): Tensor {
  return applyOne(60, [input], valuesOf('LpNormalization', options, ['axis', 'p']));
}

/**
 * values scaled to mean 0 and variance 1 over axes.
 * ONNX MeanVarianceNormalization, opset 13.
 * Dtypes: floating.
 * MeanVarianceNormalization of float32[2, 3, 2, 2] gives float32[2, 3, 2, 2].
 * @param x values
 */
export function meanVarianceNormalization(
  x: Operand,
  options: {
    /** axes that share a mean and a variance; [0, 2, 3]. */
    axes?: number | readonly number[];
  } = {},
): Tensor {
  return applyOne(61, [x], valuesOf('MeanVarianceNormalization', options, ['axes']));
}

/**
 * the same elements in another shape.
 * ONNX Reshape, opset 19.
 * Dtypes: any, string, small.
 * Reshape of float32[2, 3, 4], [6, 4] gives float32[6, 4].
 * @param data values
 * @param shape extents; -1 is inferred, 0 copies
 */
export function reshape(
  data: Operand,
  shape: IntegerOperand,
  options: {
    /** 0 in shape means an empty axis; false. */
    allowzero?: boolean;
  } = {},
): Tensor {
  return applyOne(62, [data, shape], valuesOf('Reshape', options, ['allowzero']));
}

/**
 * removes axes of extent 1.
 * ONNX Squeeze, opset 13.
 * Dtypes: any, string, small.
 * Squeeze of float32[1, 3, 1] gives float32[3].
 * @param data values
 * @param axes axes to remove; all of extent 1 when absent (optional)
 */
export function squeeze(data: Operand, axes?: IntegerOperand): Tensor {
  return applyOne(63, [data, axes]);
}

/**
 * inserts axes of extent 1.
 * ONNX Unsqueeze, opset 13.
 * Dtypes: any, string, small.
 * Unsqueeze of float32[2, 3], [0, -1] gives float32[1, 2, 3, 1].
 * @param data values
 * @param axes places of the new axes in the result
 */
export function unsqueeze(data: Operand, axes: IntegerOperand): Tensor {
  return applyOne(64, [data, axes]);
}

/**
 * joins the axes before `axis`, and those from it on.
 * ONNX Flatten, opset 13.
 * Dtypes: any, string, small.
 * Flatten of float32[2, 3, 4] gives float32[2, 12].
 * @param input values
 */
export function flatten(
  input: Operand,
  options: {
    /** first axis of the second dimension; 1. */
    axis?: number;
  } = {},
): Tensor {
  return applyOne(65, [input], valuesOf('Flatten', options, ['axis']));
}

/**
 * the input itself.
 * ONNX Identity, opset 19.
 * Dtypes: any, string, small.
 * Identity of float32[2, 3] gives float32[2, 3].
 * @param input values
 */
export function identity(input: Operand): Tensor {
  return applyOne(66, [input]);
}

/**
 * broadcasts to a shape.
 * ONNX Expand, opset 13.
 * Dtypes: any, string, small.
 * Expand of float32[3, 1], [2, 3, 4] gives float32[2, 3, 4].
 * @param input values
 * @param shape extents to broadcast with
 */
export function expand(input: Operand, shape: IntegerOperand): Tensor {
  return applyOne(67, [input, shape]);
}

/**
 * permutes the axes.
 * ONNX Transpose, opset 13.
 * Dtypes: any, string, small.
 * Transpose of float32[2, 3, 4] gives float32[4, 3, 2].
 * @param data values
 */
export function transpose(
  data: Operand,
  options: {
    /** the input's axes in order; reversed when empty; []. */
    perm?: number | readonly number[];
  } = {},
): Tensor {
  return applyOne(68, [data], valuesOf('Transpose', options, ['perm']));
}

/**
 * joins tensors along an axis.
 * ONNX Concat, opset 13.
 * Dtypes: any, string, small.
 * Concat(axis=1) of float32[2, 3], float32[2, 1], float32[2, 3] gives float32[2, 7].
 * @param inputs tensors to join
 */
export function concat(
  inputs: readonly Operand[],
  options: {
    /** axis to join along; required. */
    axis: number;
  },
): Tensor {
  return applyOne(69, inputs, valuesOf('Concat', options, ['axis']));
}

/**
 * cuts a tensor along an axis.
 * ONNX Split, opset 18.
 * Dtypes: any, string, small.
 * Split(axis=1, num_outputs=3) of float32[2, 6] gives float32[2, 2], float32[2, 2], float32[2, 2].
 * @param input values
 * @param split extents of the parts; without num_outputs (optional)
 * @param outputs how many results are wanted
 */
export function split(
  input: Operand,
  split?: IntegerOperand,
  options: {
    /** axis to cut along; 0. */
    axis?: number;
    /** the number of parts, that of the outputs; without split; none. */
    numOutputs?: number;
  } = {},
  outputs = partCount(split, options),
): Tensor[] {
  return applyOperator(70, [input, split], outputs, valuesOf('Split', options, ['axis', 'numOutputs']));
}

/**
 * repeats a tensor along its axes.
 * ONNX Tile, opset 13.
 * Dtypes: any, string, small.
 * Tile of float32[2, 3], [2, 3] gives float32[4, 9].
 * @param input values
 * @param repeats how often, for each axis
 */
export function tile(input: Operand, repeats: IntegerOperand): Tensor {
  return applyOne(71, [input, repeats]);
}

/**
 * adds or removes elements before and after each axis.
 * ONNX Pad, opset 19.
 * Dtypes: any, string, small.
 * Pad of float32[3, 4], [1, 0, 2, 3], float32[] gives float32[6, 7].
 * @param data values
 * @param pads elements before each axis, then after each; negative ones remove
 * @param constantValue the new elements; 0 when absent (optional)
 * @param axes axes that pads count for; all when absent (optional)
 */
export function pad(
  data: Operand,
  pads: IntegerOperand,
  constantValue?: Operand,
  axes?: IntegerOperand,
  options: {
    /** constant, reflect, edge or wrap; "constant". */
    mode?: 'constant' | 'reflect' | 'edge' | 'wrap';
  } = {},
): Tensor {
  return applyOne(72, [data, pads, constantValue, axes], valuesOf('Pad', options, ['mode']));
}

/**
 * ranges with steps along axes, as Python's x[a:b:c].
 * ONNX Slice, opset 13.
 * Dtypes: any, string, small.
 * Slice of float32[5, 4], [1], [4] gives float32[3, 4].
 * @param data values
 * @param starts first indices; negative ones count from the end
 * @param ends indices to stop before
 * @param axes axes to cut; the first ones when absent (optional)
 * @param steps distances, not 0; 1 when absent (optional)
 */
export function slice(
  data: Operand,
  starts: IntegerOperand,
  ends: IntegerOperand,
  axes?: IntegerOperand,
  steps?: IntegerOperand,
): Tensor {
  return applyOne(73, [data, starts, ends, axes, steps]);
}

/**
 * picks entries along an axis by index.
 * ONNX Gather, opset 13.
 * Dtypes: data: any, string, small; indices: int32, int64.
 * Gather of float32[4, 3], int64[2, 2] gives float32[2, 2, 3].
 * @param data values
 * @param indices positions along the axis; negative ones count from the end
 */
export function gather(
  data: Operand,
  indices: IntegerOperand,
  options: {
    /** axis of data that the indices count along; 0. */
    axis?: number;
  } = {},
): Tensor {
  return applyOne(75, [data, indices], valuesOf('Gather', options, ['axis']));
}

/**
 * picks one element along an axis for each index.
 * ONNX GatherElements, opset 13.
 * Dtypes: data: any, string, small; indices: int32, int64.
 * GatherElements of float32[3, 4], int64[2, 3] gives float32[2, 3].
 * @param data values
 * @param indices positions along the axis, one for each element; negative ones from the end
 */
export function gatherElements(
  data: Operand,
  indices: IntegerOperand,
  options: {
    /** axis of data that the indices count along; 0. */
    axis?: number;
  } = {},
): Tensor {
  return applyOne(77, [data, indices], valuesOf('GatherElements', options, ['axis']));
}

/**
 * picks elements or slices by places.
 * ONNX GatherND, opset 13.
 * Dtypes: data: any, string, small; indices: int64.
 * GatherND of float32[2, 3, 2], int64[3, 2] gives float32[3, 2].
 * @param data values
 * @param indices places, along the last axis; negative indices from the end
 */
export function gatherND(
  data: Operand,
  indices: IntegerOperand,
  options: {
    /** leading axes that data and indices share; 0. */
    batchDims?: number;
  } = {},
): Tensor {
  return applyOne(78, [data, indices], valuesOf('GatherND', options, ['batchDims']));
}

/**
 * writes one element along an axis for each index; equals share the gradient of min and max evenly.
 * ONNX ScatterElements, opset 18.
 * Dtypes: data, updates: any, string, small; indices: int32, int64.
 * ScatterElements of float32[3, 4], int64[2, 3], float32[2, 3] gives float32[3, 4].
 * @param data values
 * @param indices positions along the axis; negative ones from the end
 * @param updates values to write, one for each index
 */
export function scatterElements(
  data: Operand,
  indices: IntegerOperand,
  updates: Operand,
  options: {
    /** axis of data that the indices count along; 0. */
    axis?: number;
    /** none, add, mul, min or max; "none". */
    reduction?: 'none' | 'add' | 'mul' | 'min' | 'max';
  } = {},
): Tensor {
  return applyOne(79, [data, indices, updates], valuesOf('ScatterElements', options, ['axis', 'reduction']));
}

/**
 * writes elements or slices at places; equals share the gradient of min and max evenly.
 * ONNX ScatterND, opset 18.
 * Dtypes: data, updates: any, string, small; indices: int64.
 * ScatterND of float32[3, 4], int64[2, 1], float32[2, 4] gives float32[3, 4].
 * @param data values
 * @param indices places, along the last axis; negative indices from the end
 * @param updates values to write, a slice for each place
 */
export function scatterND(
  data: Operand,
  indices: IntegerOperand,
  updates: Operand,
  options: {
    /** none, add, mul, min or max; "none". */
    reduction?: 'none' | 'add' | 'mul' | 'min' | 'max';
  } = {},
): Tensor {
  return applyOne(80, [data, indices, updates], valuesOf('ScatterND', options, ['reduction']));
}

/**
 * the extents of a tensor as int64.
 * ONNX Shape, opset 19.
 * Dtypes: any, string, small.
 * Shape of float32[2, 3, 4] gives int64[3].
 * @param data any tensor
 */
export function shape(
  data: Operand,
  options: {
    /** first axis; 0. */
    start?: number;
    /** axis to stop before; all when absent; none. */
    end?: number;
  } = {},
): Tensor {
  return applyOne(81, [data], valuesOf('Shape', options, ['start', 'end']));
}

/**
 * the number of elements as int64.
 * ONNX Size, opset 19.
 * Dtypes: any, string, small.
 * Size of float32[2, 3, 4] gives int64[].
 * @param data any tensor
 */
export function size(data: Operand): Tensor {
  return applyOne(82, [data]);
}

/**
 * numbers at equal distances.
 * ONNX Range, opset 11.
 * Dtypes: float32, float64, int16, int32, int64.
 * Range of 0.5, 3.2, 0.7 gives float32[4].
 * @param start first element
 * @param limit value to stop before
 * @param delta distance, not 0
 */
export function range(start: Operand, limit: Operand, delta: Operand): Tensor {
  return applyOne(83, [start, limit, delta]);
}

/**
 * one value at each index along a new axis, another elsewhere.
 * ONNX OneHot, opset 11.
 * Dtypes: indices: numeric; values: any, string, small.
 * OneHot of int64[2, 3], 4, float32[2] gives float32[2, 3, 4].
 * @param indices positions
 * @param depth extent of the new axis
 * @param values the value elsewhere, and at the position
 */
export function oneHot(
  indices: Operand,
  depth: Operand,
  values: Operand,
  options: {
    /** place of the new axis; -1. */
    axis?: number;
  } = {},
): Tensor {
  return applyOne(84, [indices, depth, values], valuesOf('OneHot', options, ['axis']));
}

/**
 * 1 on a diagonal, 0 elsewhere, in the input's shape.
 * ONNX EyeLike, opset 9.
 * Dtypes: any.
 * EyeLike of float32[3, 4] gives float32[3, 4].
 * @param input a matrix, for its shape
 */
export function eyeLike(
  input: Operand,
  options: {
    /** dtype of the result; the input's when absent; none. */
    dtype?: DType;
    /** the diagonal; positive is above the main one; 0. */
    k?: number;
  } = {},
): Tensor {
  return applyOne(85, [input], valuesOf('EyeLike', options, ['dtype', 'k']));
}

/**
 * the upper or lower triangle of matrices.
 * ONNX Trilu, opset 14.
 * Dtypes: any, string, small.
 * Trilu of float32[2, 3, 4] gives float32[2, 3, 4].
 * @param input matrices, of rank 2 or more
 * @param k the diagonal, 0 when absent (optional)
 */
export function trilu(
  input: Operand,
  k?: IndexOperand,
  options: {
    /** keeps the upper triangle; true. */
    upper?: boolean;
  } = {},
): Tensor {
  return applyOne(86, [input, oneInteger(k)], valuesOf('Trilu', options, ['upper']));
}

/**
 * rearranges channels into blocks of pixels.
 * ONNX DepthToSpace, opset 13.
 * Dtypes: any, string, small.
 * DepthToSpace(blocksize=2) of float32[2, 8, 2, 3] gives float32[2, 2, 4, 6].
 * @param input [N, C, H, W]
 */
export function depthToSpace(
  input: Operand,
  options: {
    /** side of the blocks of pixels; required. */
    blocksize: number;
    /** order of the channels: DCR or CRD; "DCR". */
    mode?: 'DCR' | 'CRD';
  },
): Tensor {
  return applyOne(87, [input], valuesOf('DepthToSpace', options, ['blocksize', 'mode']));
}

/**
 * rearranges blocks of pixels into channels.
 * ONNX SpaceToDepth, opset 13.
 * Dtypes: any, string, small.
 * SpaceToDepth(blocksize=2) of float32[2, 3, 4, 6] gives float32[2, 12, 2, 3].
 * @param input [N, C, H, W]
 */
export function spaceToDepth(
  input: Operand,
  options: {
    /** side of the blocks of pixels; required. */
    blocksize: number;
  },
): Tensor {
  return applyOne(88, [input], valuesOf('SpaceToDepth', options, ['blocksize']));
}

/**
 * reverses the beginning of each sequence of a batch.
 * ONNX ReverseSequence, opset 10.
 * Dtypes: input: any, string, small; sequence_lens: int64.
 * ReverseSequence of float32[4, 3, 2], int64[3] gives float32[4, 3, 2].
 * @param input sequences, of rank 2 or more
 * @param sequenceLens their lengths
 */
export function reverseSequence(
  input: Operand,
  sequenceLens: IntegerOperand,
  options: {
    /** axis along which sequences run, 0 or 1; 0. */
    timeAxis?: number;
    /** axis of the sequences, the other one; 1. */
    batchAxis?: number;
  } = {},
): Tensor {
  return applyOne(89, [input, sequenceLens], valuesOf('ReverseSequence', options, ['timeAxis', 'batchAxis']));
}

/**
 * the places of elements other than 0.
 * ONNX NonZero, opset 13.
 * Dtypes: any.
 * NonZero of float32[2, 3] gives int64[2, 3].
 * @param x values
 */
export function nonZero(x: Operand): Tensor {
  return applyOne(90, [x]);
}

/**
 * keeps entries where a condition holds.
 * ONNX Compress, opset 11.
 * Dtypes: input: any, string, small; condition: bool.
 * Compress(axis=0) of float32[3, 2], bool[3] gives float32[2, 2].
 * @param input values of rank 1 or more
 * @param condition bool, which to keep
 */
export function compress(
  input: Operand,
  condition: Operand,
  options: {
    /** axis to choose along; all elements as one when absent; none. */
    axis?: number;
  } = {},
): Tensor {
  return applyOne(91, [input, condition], valuesOf('Compress', options, ['axis']));
}

/**
 * distinct entries, where they are and how often.
 * ONNX Unique, opset 11.
 * Dtypes: any, string.
 * Unique of int32[6] gives int32[4], int64[4], int64[6], int64[4].
 * @param x values
 * @param outputs how many results are wanted
 */
export function unique(
  x: Operand,
  options: {
    /** axis to compare along; all elements as one when absent; none. */
    axis?: number;
    /** ascending order, else that of the first places; true. */
    sorted?: boolean;
  } = {},
  outputs = 4,
): Tensor[] {
  return applyOperator(92, [x], outputs, valuesOf('Unique', options, ['axis', 'sorted']));
}

/**
 * a tensor of a given shape with one value throughout.
 * ONNX ConstantOfShape, opset 20.
 * Dtypes: int64.
 * ConstantOfShape of [2, 3] gives float32[2, 3].
 * @param input extents
 */
export function constantOfShape(
  input: IntegerOperand,
  options: {
    /** the element; float32 0 when absent; none. */
    value?: Tensor;
  } = {},
): Tensor {
  return applyOne(93, [input], valuesOf('ConstantOfShape', options, ['value']));
}

/**
 * a tensor given as attribute.
 * ONNX Constant, opset 19.
 * Constant(value=float32[2, 3]) gives float32[2, 3].
 */
export function constant(
  options: {
    /** a tensor; none. */
    value?: Tensor;
    /** an int64 scalar; none. */
    valueInt?: number;
    /** a list of int64; none. */
    valueInts?: number | readonly number[];
    /** a float32 scalar; none. */
    valueFloat?: number;
    /** a list of float32; none. */
    valueFloats?: number | readonly number[];
  } = {},
): Tensor {
  return applyOne(
    94,
    [],
    valuesOf('Constant', options, ['value', 'valueInt', 'valueInts', 'valueFloat', 'valueFloats']),
  );
}

/**
 * X where the condition is true, else Y.
 * ONNX Where, opset 16.
 * Dtypes: condition: bool; X, Y: any, string, small.
 * Where of bool[2, 3], float32[2, 3], float32[3] gives float32[2, 3].
 * @param condition bool
 * @param x values where it is true
 * @param y values where it is false
 */
export function where(condition: Operand, x: Operand, y: Operand): Tensor {
  return applyOne(95, [condition, x, y]);
}

/**
 * A = B.
 * ONNX Equal, opset 19.
 * Dtypes: any, string.
 * Equal of float32[2, 3], float32[2, 3] gives bool[2, 3].
 * @param a left values
 * @param b right values
 */
export function equal(a: Operand, b: Operand): Tensor {
  return applyOne(96, [a, b]);
}

/**
 * A < B.
 * ONNX Less, opset 13.
 * Dtypes: numeric.
 * Less of float32[2, 3], float32[2, 3] gives bool[2, 3].
 * @param a left values
 * @param b right values
 */
export function less(a: Operand, b: Operand): Tensor {
  return applyOne(97, [a, b]);
}

/**
 * A <= B.
 * ONNX LessOrEqual, opset 16.
 * Dtypes: numeric.
 * LessOrEqual of float32[2, 3], float32[2, 3] gives bool[2, 3].
 * @param a left values
 * @param b right values
 */
export function lessOrEqual(a: Operand, b: Operand): Tensor {
  return applyOne(98, [a, b]);
}

/**
 * A > B.
 * ONNX Greater, opset 13.
 * Dtypes: numeric.
 * Greater of float32[2, 3], float32[2, 3] gives bool[2, 3].
 * @param a left values
 * @param b right values
 */
export function greater(a: Operand, b: Operand): Tensor {
  return applyOne(99, [a, b]);
}

/**
 * A >= B.
 * ONNX GreaterOrEqual, opset 16.
 * Dtypes: numeric.
 * GreaterOrEqual of float32[2, 3], float32[2, 3] gives bool[2, 3].
 * @param a left values
 * @param b right values
 */
export function greaterOrEqual(a: Operand, b: Operand): Tensor {
  return applyOne(100, [a, b]);
}

/**
 * A and B.
 * ONNX And, opset 7.
 * Dtypes: bool.
 * And of bool[4], bool[2, 1] gives bool[2, 4].
 * @param a left bool
 * @param b right bool
 */
export function and(a: Operand, b: Operand): Tensor {
  return applyOne(101, [a, b]);
}

/**
 * A or B.
 * ONNX Or, opset 7.
 * Dtypes: bool.
 * Or of bool[4], bool[2, 1] gives bool[2, 4].
 * @param a left bool
 * @param b right bool
 */
export function or(a: Operand, b: Operand): Tensor {
  return applyOne(102, [a, b]);
}

/**
 * either A or B.
 * ONNX Xor, opset 7.
 * Dtypes: bool.
 * Xor of bool[4], bool[2, 1] gives bool[2, 4].
 * @param a left bool
 * @param b right bool
 */
export function xor(a: Operand, b: Operand): Tensor {
  return applyOne(103, [a, b]);
}

/**
 * not X.
 * ONNX Not, opset 1.
 * Dtypes: bool.
 * Not of bool[3] gives bool[3].
 * @param x bool
 */
export function not(x: Operand): Tensor {
  return applyOne(104, [x]);
}

/**
 * whether X is NaN.
 * ONNX IsNaN, opset 20.
 * Dtypes: floating.
 * IsNaN of float32[2, 3] gives bool[2, 3].
 * @param x floating values
 */
export function isNaN(x: Operand): Tensor {
  return applyOne(105, [x]);
}

/**
 * whether X is infinite.
 * ONNX IsInf, opset 20.
 * Dtypes: floating.
 * IsInf of float32[2, 3] gives bool[2, 3].
 * @param x floating values
 */
export function isInf(
  x: Operand,
  options: {
    /** minus infinity counts; true. */
    detectNegative?: boolean;
    /** plus infinity counts; true. */
    detectPositive?: boolean;
  } = {},
): Tensor {
  return applyOne(106, [x], valuesOf('IsInf', options, ['detectNegative', 'detectPositive']));
}

/**
 * converts to another element type.
 * ONNX Cast, opset 19.
 * Dtypes: any, string, small.
 * Cast(to=1) of float32[2, 3] gives float32[2, 3].
 * @param input values
 */
export function cast(
  input: Operand,
  options: {
    /** the new element type; undefined. */
    to?: DType;
    /** to 8-bit floats: out of range becomes the largest number; true. */
    saturate?: boolean;
    /** to float8e8m0: up, down or nearest; up when absent; none. */
    roundMode?: 'up' | 'down' | 'nearest';
  } = {},
): Tensor {
  return applyOne(107, [input], valuesOf('Cast', options, ['to', 'saturate', 'roundMode']));
}

/**
 * sum of window * weights over channels and kernel, plus bias.
 * ONNX Conv, opset 11.
 * Dtypes: floating.
 * Conv(pads=[1, 1, 1, 1]) of float32[1, 2, 5, 4], float32[3, 2, 3, 3], float32[3] gives float32[1, 3, 5, 4].
 * @param x [batch, channels, spatial...]
 * @param w weights [out_channels, channels / group, kernel...]
 * @param b bias [out_channels] (optional)
 */
export function conv(
  x: Operand,
  w: Operand,
  b?: Operand,
  options: {
    /** NOTSET, SAME_UPPER, SAME_LOWER or VALID; "NOTSET". */
    autoPad?: 'NOTSET' | 'SAME_UPPER' | 'SAME_LOWER' | 'VALID';
    /** step between kernel elements; default 1; []. */
    dilations?: number | readonly number[];
    /** number of separate channel groups; 1. */
    group?: number;
    /** spatial extents of W; default those of W; []. */
    kernelShape?: number | readonly number[];
    /** zeros before each axis, then after each; default 0; []. */
    pads?: number | readonly number[];
    /** step between windows; default 1; []. */
    strides?: number | readonly number[];
  } = {},
): Tensor {
  return applyOne(
    108,
    [x, w, b],
    valuesOf('Conv', options, ['autoPad', 'dilations', 'group', 'kernelShape', 'pads', 'strides']),
  );
}

/**
 * transpose of Conv: spreads each element over a window with the weights, plus bias.
 * ONNX ConvTranspose, opset 11.
 * Dtypes: floating.
 * ConvTranspose(pads=[1, 1, 1, 1]) of float32[1, 2, 3, 2], float32[2, 3, 3, 3], float32[3] gives float32[1, 3, 3, 2].
 * @param x [batch, channels, spatial...]
 * @param w weights [channels, out_channels / group, kernel...]
 * @param b bias [out_channels] (optional)
 */
export function convTranspose(
  x: Operand,
  w: Operand,
  b?: Operand,
  options: {
    /** NOTSET, SAME_UPPER, SAME_LOWER or VALID; SAME: output = input * stride; "NOTSET". */
    autoPad?: 'NOTSET' | 'SAME_UPPER' | 'SAME_LOWER' | 'VALID';
    /** step between kernel elements; default 1; []. */
    dilations?: number | readonly number[];
    /** number of separate channel groups; 1. */
    group?: number;
    /** spatial extents of W; default those of W; []. */
    kernelShape?: number | readonly number[];
    /** rows added at the end, less than the stride; default 0; []. */
    outputPadding?: number | readonly number[];
    /** spatial extents of the result; decides the padding; []. */
    outputShape?: number | readonly number[];
    /** rows cut before each axis, then after each; default 0; []. */
    pads?: number | readonly number[];
    /** step between windows; default 1; []. */
    strides?: number | readonly number[];
  } = {},
): Tensor {
  return applyOne(
    109,
    [x, w, b],
    valuesOf('ConvTranspose', options, [
      'autoPad',
      'dilations',
      'group',
      'kernelShape',
      'outputPadding',
      'outputShape',
      'pads',
      'strides',
    ]),
  );
}

/**
 * maximum over windows; the gradient goes to the first of equals.
 * ONNX MaxPool, opset 12.
 * Dtypes: float32, float64, float16, bfloat16, int8, uint8.
 * MaxPool(kernel_shape=[2, 2], strides=[2, 2]) of float32[1, 2, 5, 4] gives float32[1, 2, 2, 2].
 * @param x [batch, channels, spatial...]
 * @param outputs how many results are wanted, at most 2; the first alone when absent
 */
export function maxPool<N extends number | undefined = undefined>(
  x: Operand,
  options: {
    /** NOTSET, SAME_UPPER, SAME_LOWER or VALID; "NOTSET". */
    autoPad?: 'NOTSET' | 'SAME_UPPER' | 'SAME_LOWER' | 'VALID';
    /** round the output extents up; false. */
    ceilMode?: boolean;
    /** step between window elements; default 1; []. */
    dilations?: number | readonly number[];
    /** extents of the window; required; []. */
    kernelShape?: number | readonly number[];
    /** padding before each axis, then after each; default 0; []. */
    pads?: number | readonly number[];
    /** order of Indices: 0 row-major, 1 column-major; 0. */
    storageOrder?: number;
    /** step between windows; default 1; []. */
    strides?: number | readonly number[];
  } = {},
  outputs?: N,
): Wanted<N> {
  return applyWanted(
    111,
    [x],
    outputs,
    valuesOf('MaxPool', options, [
      'autoPad',
      'ceilMode',
      'dilations',
      'kernelShape',
      'pads',
      'storageOrder',
      'strides',
    ]),
  );
}

/**
 * mean over windows.
 * ONNX AveragePool, opset 19.
 * Dtypes: floating.
 * AveragePool(kernel_shape=[2, 2], strides=[2, 2]) of float32[1, 2, 5, 4] gives float32[1, 2, 2, 2].
 * @param x [batch, channels, spatial...]
 */
export function averagePool(
  x: Operand,
  options: {
    /** NOTSET, SAME_UPPER, SAME_LOWER or VALID; "NOTSET". */
    autoPad?: 'NOTSET' | 'SAME_UPPER' | 'SAME_LOWER' | 'VALID';
    /** round the output extents up; false. */
    ceilMode?: boolean;
    /** the padding counts in the mean; false. */
    countIncludePad?: boolean;
    /** step between window elements; default 1; []. */
    dilations?: number | readonly number[];
    /** extents of the window; required; []. */
    kernelShape?: number | readonly number[];
    /** zeros before each axis, then after each; default 0; []. */
    pads?: number | readonly number[];
    /** step between windows; default 1; []. */
    strides?: number | readonly number[];
  } = {},
): Tensor {
  return applyOne(
    113,
    [x],
    valuesOf('AveragePool', options, [
      'autoPad',
      'ceilMode',
      'countIncludePad',
      'dilations',
      'kernelShape',
      'pads',
      'strides',
    ]),
  );
}

/**
 * mean over all spatial axes.
 * ONNX GlobalAveragePool, opset 1.
 * Dtypes: floating.
 * GlobalAveragePool of float32[2, 3, 4, 5] gives float32[2, 3, 1, 1].
 * @param x [batch, channels, spatial...]
 */
export function globalAveragePool(x: Operand): Tensor {
  return applyOne(115, [x]);
}

/**
 * (x - mean) / sqrt(var + epsilon) * scale + bias per channel.
 * ONNX BatchNormalization, opset 15.
 * Dtypes: floating.
 * BatchNormalization of float32[2, 3, 2, 4], float32[3], float32[3], float32[3], float32[3] gives float32[2, 3, 2, 4].
 * @param x [batch, channels, ...]
 * @param scale [channels]
 * @param b bias [channels]
 * @param inputMean [channels]
 * @param inputVar [channels]
 */
export function batchNormalization(
  x: Operand,
  scale: Operand,
  b: Operand,
  inputMean: Operand,
  inputVar: Operand,
  options: {
    /** added to the variance; 9.999999747378752e-06. */
    epsilon?: number;
    /** of running statistics; not read in inference; 0.8999999761581421. */
    momentum?: number;
    /** only 0; false. */
    trainingMode?: boolean;
  } = {},
): Tensor {
  return applyOne(
    116,
    [x, scale, b, inputMean, inputVar],
    valuesOf('BatchNormalization', options, ['epsilon', 'momentum', 'trainingMode']),
  );
}

/**
 * (x - mean) / sqrt(var + epsilon) * scale + bias over the last axes.
 * ONNX LayerNormalization, opset 17.
 * Dtypes: floating.
 * LayerNormalization of float32[2, 3, 4], float32[4], float32[4] gives float32[2, 3, 4].
 * @param x values
 * @param scale factors, broadcast to the normalised axes
 * @param b bias, broadcast to the normalised axes (optional)
 * @param outputs how many results are wanted, at most 3; the first alone when absent
 */
export function layerNormalization<N extends number | undefined = undefined>(
  x: Operand,
  scale: Operand,
  b?: Operand,
  options: {
    /** first of the axes to normalise over; -1. */
    axis?: number;
    /** added to the variance; 9.999999747378752e-06. */
    epsilon?: number;
    /** dtype of Mean and InvStdDev; float32. */
    stashType?: DType;
  } = {},
  outputs?: N,
): Wanted<N> {
  return applyWanted(
    117,
    [x, scale, b],
    outputs,
    valuesOf('LayerNormalization', options, ['axis', 'epsilon', 'stashType']),
  );
}

/**
 * (x - mean) / sqrt(var + epsilon) * scale + bias per image and channel.
 * ONNX InstanceNormalization, opset 6.
 * Dtypes: floating.
 * InstanceNormalization of float32[2, 3, 2, 4], float32[3], float32[3] gives float32[2, 3, 2, 4].
 * @param input [batch, channels, spatial...]
 * @param scale [channels]
 * @param b bias [channels]
 */
export function instanceNormalization(
  input: Operand,
  scale: Operand,
  b: Operand,
  options: {
    /** added to the variance; 9.999999747378752e-06. */
    epsilon?: number;
  } = {},
): Tensor {
  return applyOne(118, [input, scale, b], valuesOf('InstanceNormalization', options, ['epsilon']));
}

/**
 * samples at other places: nearest, linear or cubic interpolation.
 * ONNX Resize, opset 19.
 * Dtypes: any.
 * Resize(coordinate_transformation_mode="asymmetric") of float32[2, 1, 5], none, [1, 1, 1.5] gives float32[2, 1, 7].
 * @param x values
 * @param roi starts, then ends, as parts of the axes; for tf_crop_and_resize (optional)
 * @param scales float32 factors of the axes (optional)
 * @param sizes int64 extents of the axes (optional)
 */
export function resize(
  x: Operand,
  roi?: FloatOperand,
  scales?: FloatOperand,
  sizes?: IntegerOperand,
  options: {
    /** filter where the result is smaller, unless nearest; false. */
    antialias?: boolean;
    /** axes that roi, scales and sizes tell of; all when empty; []. */
    axes?: number | readonly number[];
    /** half_pixel, half_pixel_symmetric, pytorch_half_pixel, tf_half_pixel_for_nn, align_corners, asymmetric or tf_crop_and_resize; "half_pixel". */
    coordinateTransformationMode?:
      | 'half_pixel'
      | 'half_pixel_symmetric'
      | 'pytorch_half_pixel'
      | 'tf_half_pixel_for_nn'
      | 'align_corners'
      | 'asymmetric'
      | 'tf_crop_and_resize';
    /** slope of the cubic kernel; -0.75. */
    cubicCoeffA?: number;
    /** weights beyond the edges are 0 and the others sum to 1; false. */
    excludeOutside?: boolean;
    /** of places beyond the edges with tf_crop_and_resize; 0. */
    extrapolationValue?: number;
    /** stretch, not_larger or not_smaller; the latter two have one scale for all axes; "stretch". */
    keepAspectRatioPolicy?: 'stretch' | 'not_larger' | 'not_smaller';
    /** nearest, linear or cubic; "nearest". */
    mode?: 'nearest' | 'linear' | 'cubic';
    /** round_prefer_floor, round_prefer_ceil, floor or ceil; "round_prefer_floor". */
    nearestMode?: 'round_prefer_floor' | 'round_prefer_ceil' | 'floor' | 'ceil';
  } = {},
): Tensor {
  return applyOne(
    119,
    [x, floats(roi), floats(scales), sizes],
    valuesOf('Resize', options, [
      'antialias',
      'axes',
      'coordinateTransformationMode',
      'cubicCoeffA',
      'excludeOutside',
      'extrapolationValue',
      'keepAspectRatioPolicy',
      'mode',
      'nearestMode',
    ]),
  );
}

/**
 * h' = tanh(x W + h R + b), step by step.
 * ONNX RNN, opset 14.
 * Dtypes: X, W, R, B, initial_h: floating; sequence_lens: int32.
 * RNN of float32[3, 2, 2], float32[1, 2, 2], float32[1, 2, 2] gives float32[3, 1, 2, 2].
 * @param x sequences
 * @param w weights of X
 * @param r weights of the state
 * @param b biases; zeros when absent (optional)
 * @param sequenceLens steps of each row; all when absent (optional)
 * @param initialH first state; zeros when absent (optional)
 * @param outputs how many results are wanted, at most 2; the first alone when absent
 */
export function rNN<N extends number | undefined = undefined>(
  x: Operand,
  w: Operand,
  r: Operand,
  b?: Operand,
  sequenceLens?: Operand,
  initialH?: Operand,
  options: {
    /** of the activations that have one, in turn; []. */
    activationAlpha?: number | readonly number[];
    /** of the activations that have one, in turn; []. */
    activationBeta?: number | readonly number[];
    /** of each direction, by comma: Sigmoid, Tanh, Relu, Affine, LeakyRelu, ThresholdedRelu, ScaledTanh, HardSigmoid, Elu, Softsign or Softplus; "". */
    activations?: string;
    /** bound of what goes into the gates' activations; none when absent; none. */
    clip?: number;
    /** forward, reverse or bidirectional; "forward". */
    direction?: 'forward' | 'reverse' | 'bidirectional';
    /** H; that of R when absent; none. */
    hiddenSize?: number;
    /** 1: the batch comes before the steps; 0. */
    layout?: number;
  } = {},
  outputs?: N,
): Wanted<N> {
  return applyWanted(
    121,
    [x, w, r, b, sequenceLens, initialH],
    outputs,
    valuesOf('RNN', options, [
      'activationAlpha',
      'activationBeta',
      'activations',
      'clip',
      'direction',
      'hiddenSize',
      'layout',
    ]),
  );
}

/**
 * gated recurrent unit, step by step.
 * ONNX GRU, opset 14.
 * Dtypes: X, W, R, B, initial_h: floating; sequence_lens: int32.
 * GRU of float32[3, 2, 2], float32[1, 6, 2], float32[1, 6, 2] gives float32[3, 1, 2, 2].
 * @param x sequences
 * @param w weights of X: z, r, h
 * @param r weights of the state: z, r, h
 * @param b biases; zeros when absent (optional)
 * @param sequenceLens steps of each row; all when absent (optional)
 * @param initialH first state; zeros when absent (optional)
 * @param outputs how many results are wanted, at most 2; the first alone when absent
 */
export function gRU<N extends number | undefined = undefined>(
  x: Operand,
  w: Operand,
  r: Operand,
  b?: Operand,
  sequenceLens?: Operand,
  initialH?: Operand,
  options: {
    /** of the activations that have one, in turn; []. */
    activationAlpha?: number | readonly number[];
    /** of the activations that have one, in turn; []. */
    activationBeta?: number | readonly number[];
    /** of each direction, by comma: Sigmoid, Tanh, Relu, Affine, LeakyRelu, ThresholdedRelu, ScaledTanh, HardSigmoid, Elu, Softsign or Softplus; "". */
    activations?: string;
    /** bound of what goes into the gates' activations; none when absent; none. */
    clip?: number;
    /** forward, reverse or bidirectional; "forward". */
    direction?: 'forward' | 'reverse' | 'bidirectional';
    /** H; that of R when absent; none. */
    hiddenSize?: number;
    /** 1: the batch comes before the steps; 0. */
    layout?: number;
    /** the reset gate multiplies h R + b, as in PyTorch, and not h; false. */
    linearBeforeReset?: boolean;
  } = {},
  outputs?: N,
): Wanted<N> {
  return applyWanted(
    123,
    [x, w, r, b, sequenceLens, initialH],
    outputs,
    valuesOf('GRU', options, [
      'activationAlpha',
      'activationBeta',
      'activations',
      'clip',
      'direction',
      'hiddenSize',
      'layout',
      'linearBeforeReset',
    ]),
  );
}

/**
 * long short-term memory, step by step.
 * ONNX LSTM, opset 14.
 * Dtypes: X, W, R, B, initial_h, initial_c, P: floating; sequence_lens: int32.
 * LSTM of float32[3, 2, 2], float32[1, 8, 2], float32[1, 8, 2] gives float32[3, 1, 2, 2].
 * @param x sequences
 * @param w weights of X: i, o, f, c
 * @param r weights of the state: i, o, f, c
 * @param b biases; zeros when absent (optional)
 * @param sequenceLens steps of each row; all when absent (optional)
 * @param initialH first state; zeros when absent (optional)
 * @param initialC first cell; zeros when absent (optional)
 * @param p peepholes: i, o, f; zeros when absent (optional)
 * @param outputs how many results are wanted, at most 3; the first alone when absent
 */
export function lSTM<N extends number | undefined = undefined>(
  x: Operand,
  w: Operand,
  r: Operand,
  b?: Operand,
  sequenceLens?: Operand,
  initialH?: Operand,
  initialC?: Operand,
  p?: Operand,
  options: {
    /** of the activations that have one, in turn; []. */
    activationAlpha?: number | readonly number[];
    /** of the activations that have one, in turn; []. */
    activationBeta?: number | readonly number[];
    /** of each direction, by comma: Sigmoid, Tanh, Relu, Affine, LeakyRelu, ThresholdedRelu, ScaledTanh, HardSigmoid, Elu, Softsign or Softplus; "". */
    activations?: string;
    /** bound of what goes into the gates' activations; none when absent; none. */
    clip?: number;
    /** forward, reverse or bidirectional; "forward". */
    direction?: 'forward' | 'reverse' | 'bidirectional';
    /** H; that of R when absent; none. */
    hiddenSize?: number;
    /** 1: the batch comes before the steps; 0. */
    layout?: number;
    /** the forget gate is 1 - i; false. */
    inputForget?: boolean;
  } = {},
  outputs?: N,
): Wanted<N> {
  return applyWanted(
    125,
    [x, w, r, b, sequenceLens, initialH, initialC, p],
    outputs,
    valuesOf('LSTM', options, [
      'activationAlpha',
      'activationBeta',
      'activations',
      'clip',
      'direction',
      'hiddenSize',
      'layout',
      'inputForget',
    ]),
  );
}

/**
 * sum over axes; 0 for none; integers wrap.
 * ONNX ReduceSum, opset 13.
 * Dtypes: numeric.
 * ReduceSum of float32[2, 3, 4] gives float32[1, 1, 1].
 * @param data values
 * @param axes axes to reduce (optional)
 */
export function reduceSum(
  data: Operand,
  axes?: IntegerOperand,
  options: {
    /** reduced axes stay with extent 1; true. */
    keepdims?: boolean;
    /** without axes nothing is reduced; false. */
    noopWithEmptyAxes?: boolean;
  } = {},
): Tensor {
  return applyOne(127, [data, axes], valuesOf('ReduceSum', options, ['keepdims', 'noopWithEmptyAxes']));
}

/**
 * mean over axes; NaN for none; integers truncate.
 * ONNX ReduceMean, opset 18.
 * Dtypes: numeric.
 * ReduceMean of float32[2, 3, 4] gives float32[1, 1, 1].
 * @param data values
 * @param axes axes to reduce (optional)
 */
export function reduceMean(
  data: Operand,
  axes?: IntegerOperand,
  options: {
    /** reduced axes stay with extent 1; true. */
    keepdims?: boolean;
    /** without axes nothing is reduced; false. */
    noopWithEmptyAxes?: boolean;
  } = {},
): Tensor {
  return applyOne(128, [data, axes], valuesOf('ReduceMean', options, ['keepdims', 'noopWithEmptyAxes']));
}

/**
 * maximum over axes; equals share the gradient evenly.
 * ONNX ReduceMax, opset 20.
 * Dtypes: any.
 * ReduceMax of float32[2, 3, 4] gives float32[1, 1, 1].
 * @param data values
 * @param axes axes to reduce (optional)
 */
export function reduceMax(
  data: Operand,
  axes?: IntegerOperand,
  options: {
    /** reduced axes stay with extent 1; true. */
    keepdims?: boolean;
    /** without axes nothing is reduced; false. */
    noopWithEmptyAxes?: boolean;
  } = {},
): Tensor {
  return applyOne(129, [data, axes], valuesOf('ReduceMax', options, ['keepdims', 'noopWithEmptyAxes']));
}

/**
 * minimum over axes; equals share the gradient evenly.
 * ONNX ReduceMin, opset 20.
 * Dtypes: any.
 * ReduceMin of float32[2, 3, 4] gives float32[1, 1, 1].
 * @param data values
 * @param axes axes to reduce (optional)
 */
export function reduceMin(
  data: Operand,
  axes?: IntegerOperand,
  options: {
    /** reduced axes stay with extent 1; true. */
    keepdims?: boolean;
    /** without axes nothing is reduced; false. */
    noopWithEmptyAxes?: boolean;
  } = {},
): Tensor {
  return applyOne(130, [data, axes], valuesOf('ReduceMin', options, ['keepdims', 'noopWithEmptyAxes']));
}

/**
 * product over axes; 1 for none; integers wrap.
 * ONNX ReduceProd, opset 18.
 * Dtypes: numeric.
 * ReduceProd of float32[2, 3, 4] gives float32[1, 1, 1].
 * @param data values
 * @param axes axes to reduce (optional)
 */
export function reduceProd(
  data: Operand,
  axes?: IntegerOperand,
  options: {
    /** reduced axes stay with extent 1; true. */
    keepdims?: boolean;
    /** without axes nothing is reduced; false. */
    noopWithEmptyAxes?: boolean;
  } = {},
): Tensor {
  return applyOne(131, [data, axes], valuesOf('ReduceProd', options, ['keepdims', 'noopWithEmptyAxes']));
}

/**
 * sum of magnitudes over axes.
 * ONNX ReduceL1, opset 18.
 * Dtypes: numeric.
 * ReduceL1 of float32[2, 3, 4] gives float32[1, 1, 1].
 * @param data values
 * @param axes axes to reduce (optional)
 */
export function reduceL1(
  data: Operand,
  axes?: IntegerOperand,
  options: {
    /** reduced axes stay with extent 1; true. */
    keepdims?: boolean;
    /** without axes each element is reduced alone; false. */
    noopWithEmptyAxes?: boolean;
  } = {},
): Tensor {
  return applyOne(132, [data, axes], valuesOf('ReduceL1', options, ['keepdims', 'noopWithEmptyAxes']));
}

/**
 * square root of the sum of squares over axes; the gradient at 0 is 0.
 * ONNX ReduceL2, opset 18.
 * Dtypes: numeric.
 * ReduceL2 of float32[2, 3, 4] gives float32[1, 1, 1].
 * @param data values
 * @param axes axes to reduce (optional)
 */
export function reduceL2(
  data: Operand,
  axes?: IntegerOperand,
  options: {
    /** reduced axes stay with extent 1; true. */
    keepdims?: boolean;
    /** without axes each element is reduced alone; false. */
    noopWithEmptyAxes?: boolean;
  } = {},
): Tensor {
  return applyOne(133, [data, axes], valuesOf('ReduceL2', options, ['keepdims', 'noopWithEmptyAxes']));
}

/**
 * logarithm of the sum over axes.
 * ONNX ReduceLogSum, opset 18.
 * Dtypes: numeric.
 * ReduceLogSum of float32[2, 3, 4] gives float32[1, 1, 1].
 * @param data values
 * @param axes axes to reduce (optional)
 */
export function reduceLogSum(
  data: Operand,
  axes?: IntegerOperand,
  options: {
    /** reduced axes stay with extent 1; true. */
    keepdims?: boolean;
    /** without axes each element is reduced alone; false. */
    noopWithEmptyAxes?: boolean;
  } = {},
): Tensor {
  return applyOne(134, [data, axes], valuesOf('ReduceLogSum', options, ['keepdims', 'noopWithEmptyAxes']));
}

/**
 * log(sum(exp(x))) over axes; the maximum is subtracted first.
 * ONNX ReduceLogSumExp, opset 18.
 * Dtypes: numeric.
 * ReduceLogSumExp of float32[2, 3, 4] gives float32[1, 1, 1].
 * @param data values
 * @param axes axes to reduce (optional)
 */
export function reduceLogSumExp(
  data: Operand,
  axes?: IntegerOperand,
  options: {
    /** reduced axes stay with extent 1; true. */
    keepdims?: boolean;
    /** without axes each element is reduced alone; false. */
    noopWithEmptyAxes?: boolean;
  } = {},
): Tensor {
  return applyOne(135, [data, axes], valuesOf('ReduceLogSumExp', options, ['keepdims', 'noopWithEmptyAxes']));
}

/**
 * sum of squares over axes; integers wrap.
 * ONNX ReduceSumSquare, opset 18.
 * Dtypes: numeric.
 * ReduceSumSquare of float32[2, 3, 4] gives float32[1, 1, 1].
 * @param data values
 * @param axes axes to reduce (optional)
 */
export function reduceSumSquare(
  data: Operand,
  axes?: IntegerOperand,
  options: {
    /** reduced axes stay with extent 1; true. */
    keepdims?: boolean;
    /** without axes each element is reduced alone; false. */
    noopWithEmptyAxes?: boolean;
  } = {},
): Tensor {
  return applyOne(136, [data, axes], valuesOf('ReduceSumSquare', options, ['keepdims', 'noopWithEmptyAxes']));
}

/**
 * position of the largest element along an axis.
 * ONNX ArgMax, opset 13.
 * Dtypes: numeric.
 * ArgMax of float32[2, 3, 2] gives int64[1, 3, 2].
 * @param data values of rank 1 or more
 */
export function argMax(
  data: Operand,
  options: {
    /** axis to search along; 0. */
    axis?: number;
    /** the axis stays with extent 1; true. */
    keepdims?: boolean;
    /** of equals the last, not the first; false. */
    selectLastIndex?: boolean;
  } = {},
): Tensor {
  return applyOne(137, [data], valuesOf('ArgMax', options, ['axis', 'keepdims', 'selectLastIndex']));
}

/**
 * position of the smallest element along an axis.
 * ONNX ArgMin, opset 13.
 * Dtypes: numeric.
 * ArgMin of float32[2, 3, 2] gives int64[1, 3, 2].
 * @param data values of rank 1 or more
 */
export function argMin(
  data: Operand,
  options: {
    /** axis to search along; 0. */
    axis?: number;
    /** the axis stays with extent 1; true. */
    keepdims?: boolean;
    /** of equals the last, not the first; false. */
    selectLastIndex?: boolean;
  } = {},
): Tensor {
  return applyOne(138, [data], valuesOf('ArgMin', options, ['axis', 'keepdims', 'selectLastIndex']));
}

/**
 * the K largest or smallest elements along an axis, and where they are.
 * ONNX TopK, opset 11.
 * Dtypes: numeric.
 * TopK of float32[2, 4, 3], [2] gives float32[2, 4, 2], int64[2, 4, 2].
 * @param x values of rank 1 or more
 * @param k how many elements
 * @param outputs how many results are wanted
 */
export function topK(
  x: Operand,
  k: IntegerOperand,
  options: {
    /** axis to sort along; -1. */
    axis?: number;
    /** the largest elements, else the smallest; true. */
    largest?: boolean;
    /** the order matters; it is always kept; true. */
    sorted?: boolean;
  } = {},
  outputs = 2,
): Tensor[] {
  return applyOperator(139, [x, k], outputs, valuesOf('TopK', options, ['axis', 'largest', 'sorted']));
}

/**
 * running sums along an axis; integers wrap.
 * ONNX CumSum, opset 14.
 * Dtypes: numeric.
 * CumSum of float32[2, 3, 2], 1 gives float32[2, 3, 2].
 * @param x values of rank 1 or more
 * @param axis axis to sum along
 */
export function cumSum(
  x: Operand,
  axis: IndexOperand,
  options: {
    /** each sum leaves its own element out; false. */
    exclusive?: boolean;
    /** sums go from the end; false. */
    reverse?: boolean;
  } = {},
): Tensor {
  return applyOne(140, [x, oneInteger(axis)], valuesOf('CumSum', options, ['exclusive', 'reverse']));
}

/**
 * the identity; in training mode a product with a random mask.
 * ONNX Dropout, opset 13.
 * Dtypes: data, ratio: floating; training_mode: bool.
 * Dropout of float32[2, 3] gives float32[2, 3].
 * @param data values
 * @param ratio probability of dropping, 0.5 when absent (optional)
 * @param trainingMode whether to drop, false when absent (optional)
 * @param outputs how many results are wanted, at most 2; the first alone when absent
 */
export function dropout<N extends number | undefined = undefined>(
  data: Operand,
  ratio?: Operand,
  trainingMode?: Operand,
  options: {
    /** drops the same in every evaluation; others when absent; none. */
    seed?: number;
  } = {},
  outputs?: N,
): Wanted<N> {
  return applyWanted(141, [data, ratio, trainingMode], outputs, valuesOf('Dropout', options, ['seed']));
}

/**
 * saturate(round(x / y_scale) + y_zero_point), halves rounded to even.
 * ONNX QuantizeLinear, opset 25.
 * Dtypes: x: float32, float64, float16, bfloat16, int32; y_scale: floating, float8e8m0; y_zero_point: int8, int16, uint8, uint16, float8e4m3fn, float8e4m3fnuz, float8e5m2, float8e5m2fnuz, uint4, int4, float4e2m1, uint2, int2.
 * QuantizeLinear of float32[2, 3, 4], float32[] gives uint8[2, 3, 4].
 * @param x values
 * @param yScale the step between two integers
 * @param yZeroPoint the integer that stands for 0 (optional)
 */
export function quantizeLinear(
  x: Operand,
  yScale: Operand,
  yZeroPoint?: Operand,
  options: {
    /** axis of the scales, when there is more than one; 1. */
    axis?: number;
    /** places along the axis that share a scale; absent or 0 without blocks; none. */
    blockSize?: number;
    /** element type of the result; default that of y_zero_point; undefined. */
    outputDtype?: DType;
    /** element type of the quotient; default that of y_scale; undefined. */
    precision?: DType;
    /** to 8-bit floats: out of range becomes the largest number; true. */
    saturate?: boolean;
  } = {},
): Tensor {
  return applyOne(
    143,
    [x, yScale, yZeroPoint],
    valuesOf('QuantizeLinear', options, ['axis', 'blockSize', 'outputDtype', 'precision', 'saturate']),
  );
}

/**
 * (x - x_zero_point) * x_scale.
 * ONNX DequantizeLinear, opset 25.
 * Dtypes: x, x_zero_point: int8, int16, int32, uint8, uint16, float8e4m3fn, float8e4m3fnuz, float8e5m2, float8e5m2fnuz, uint4, int4, float4e2m1, uint2, int2; x_scale: floating, float8e8m0.
 * DequantizeLinear of int8[2, 3, 4], float32[] gives float32[2, 3, 4].
 * @param x integers
 * @param xScale the step between two integers
 * @param xZeroPoint the integer that stands for 0 (optional)
 */
export function dequantizeLinear(
  x: Operand,
  xScale: Operand,
  xZeroPoint?: Operand,
  options: {
    /** axis of the scales, when there is more than one; 1. */
    axis?: number;
    /** places along the axis that share a scale; absent or 0 without blocks; none. */
    blockSize?: number;
    /** element type of the result; default that of x_scale; undefined. */
    outputDtype?: DType;
  } = {},
): Tensor {
  return applyOne(
    144,
    [x, xScale, xZeroPoint],
    valuesOf('DequantizeLinear', options, ['axis', 'blockSize', 'outputDtype']),
  );
}

/**
 * x as uint8, with the scale and zero point of its own range.
 * ONNX DynamicQuantizeLinear, opset 11.
 * Dtypes: float32, float64.
 * DynamicQuantizeLinear of float32[2, 3, 4] gives uint8[2, 3, 4], float32[], uint8[].
 * @param x values
 * @param outputs how many results are wanted
 */
export function dynamicQuantizeLinear(x: Operand, outputs = 3): Tensor[] {
  return applyOperator(145, [x], outputs);
}

/**
 * matrix product of 8-bit integers less their zero points, as int32.
 * ONNX MatMulInteger, opset 10.
 * Dtypes: int8, uint8.
 * MatMulInteger of uint8[2, 3], int8[3, 4] gives int32[2, 4].
 * @param a [..., m, k] or [k]
 * @param b [..., k, n] or [k]
 * @param aZeroPoint of A, or of each of its rows (optional)
 * @param bZeroPoint of B, or of each of its columns (optional)
 */
export function matMulInteger(a: Operand, b: Operand, aZeroPoint?: Operand, bZeroPoint?: Operand): Tensor {
  return applyOne(146, [a, b, aZeroPoint, bZeroPoint]);
}

/**
 * matrix product of quantised numbers, quantised.
 * ONNX QLinearMatMul, opset 21.
 * Dtypes: a, a_zero_point, b, b_zero_point, y_zero_point: int8, uint8; a_scale, b_scale, y_scale: floating.
 * QLinearMatMul of uint8[2, 3], float32[], uint8[], int8[3, 4], float32[], int8[], float32[], uint8[] gives uint8[2, 4].
 * @param a [..., m, k] or [k]
 * @param aScale of a, or of each of its rows
 * @param aZeroPoint of a, or of each of its rows
 * @param b [..., k, n] or [k]
 * @param bScale of b, or of each of its columns
 * @param bZeroPoint of b, or of each of its columns
 * @param yScale of the result
 * @param yZeroPoint of the result
 */
export function qLinearMatMul(
  a: Operand,
  aScale: Operand,
  aZeroPoint: Operand,
  b: Operand,
  bScale: Operand,
  bZeroPoint: Operand,
  yScale: Operand,
  yZeroPoint: Operand,
): Tensor {
  return applyOne(147, [a, aScale, aZeroPoint, b, bScale, bZeroPoint, yScale, yZeroPoint]);
}

/**
 * convolution of 8-bit integers less their zero points, as int32.
 * ONNX ConvInteger, opset 10.
 * Dtypes: int8, uint8.
 * ConvInteger of uint8[1, 2, 5, 4], int8[3, 2, 3, 3] gives int32[1, 3, 3, 2].
 * @param x [batch, channels, spatial...]
 * @param w weights [out_channels, channels / group, kernel...]
 * @param xZeroPoint of x (optional)
 * @param wZeroPoint of w, or of each output channel (optional)
 */
export function convInteger(
  x: Operand,
  w: Operand,
  xZeroPoint?: Operand,
  wZeroPoint?: Operand,
  options: {
    /** NOTSET, SAME_UPPER, SAME_LOWER or VALID; "NOTSET". */
    autoPad?: 'NOTSET' | 'SAME_UPPER' | 'SAME_LOWER' | 'VALID';
    /** step between kernel elements; default 1; []. */
    dilations?: number | readonly number[];
    /** number of separate channel groups; 1. */
    group?: number;
    /** spatial extents of the weights; default those they have; []. */
    kernelShape?: number | readonly number[];
    /** places before each axis, then after each; default 0; []. */
    pads?: number | readonly number[];
    /** step between windows; default 1; []. */
    strides?: number | readonly number[];
  } = {},
): Tensor {
  return applyOne(
    149,
    [x, w, xZeroPoint, wZeroPoint],
    valuesOf('ConvInteger', options, ['autoPad', 'dilations', 'group', 'kernelShape', 'pads', 'strides']),
  );
}

/**
 * convolution of quantised numbers, quantised.
 * ONNX QLinearConv, opset 10.
 * Dtypes: x, x_zero_point, w, w_zero_point, y_zero_point: int8, uint8; x_scale, w_scale, y_scale: floating; B: int32.
 * QLinearConv of uint8[1, 2, 5, 4], float32[], uint8[], int8[4, 2, 3, 3], float32[], int8[], float32[], uint8[] gives uint8[1, 4, 3, 2].
 * @param x [batch, channels, spatial...]
 * @param xScale of x
 * @param xZeroPoint of x
 * @param w weights [out_channels, channels / group, kernel...]
 * @param wScale of w, or of each output channel
 * @param wZeroPoint of w, or of each output channel
 * @param yScale of the result
 * @param yZeroPoint of the result
 * @param b bias [out_channels] in steps of x_scale * w_scale (optional)
 */
export function qLinearConv(
  x: Operand,
  xScale: Operand,
  xZeroPoint: Operand,
  w: Operand,
  wScale: Operand,
  wZeroPoint: Operand,
  yScale: Operand,
  yZeroPoint: Operand,
  b?: Operand,
  options: {
    /** NOTSET, SAME_UPPER, SAME_LOWER or VALID; "NOTSET". */
    autoPad?: 'NOTSET' | 'SAME_UPPER' | 'SAME_LOWER' | 'VALID';
    /** step between kernel elements; default 1; []. */
    dilations?: number | readonly number[];
    /** number of separate channel groups; 1. */
    group?: number;
    /** spatial extents of the weights; default those they have; []. */
    kernelShape?: number | readonly number[];
    /** places before each axis, then after each; default 0; []. */
    pads?: number | readonly number[];
    /** step between windows; default 1; []. */
    strides?: number | readonly number[];
  } = {},
): Tensor {
  return applyOne(
    150,
    [x, xScale, xZeroPoint, w, wScale, wZeroPoint, yScale, yZeroPoint, b],
    valuesOf('QLinearConv', options, ['autoPad', 'dilations', 'group', 'kernelShape', 'pads', 'strides']),
  );
}

/**
 * x + bias below -lambd, x - bias above lambd, else 0.
 * ONNX Shrink, opset 9.
 * Dtypes: numeric.
 * Shrink of float32[3, 5] gives float32[3, 5].
 * @param input values
 */
export function shrink(
  input: Operand,
  options: {
    /** how far values move toward 0; 0. */
    bias?: number;
    /** values up to it in magnitude become 0; 0.5. */
    lambd?: number;
  } = {},
): Tensor {
  return applyOne(151, [input], valuesOf('Shrink', options, ['bias', 'lambd']));
}

/**
 * local response normalisation across channels.
 * ONNX LRN, opset 13.
 * Dtypes: floating.
 * LRN(alpha=0.5, size=3) of float32[2, 5, 3, 2] gives float32[2, 5, 3, 2].
 * @param x [batch, channels, spatial...]
 */
export function lRN(
  x: Operand,
  options: {
    /** scale of the mean square; 9.999999747378752e-05. */
    alpha?: number;
    /** exponent of the divisor; 0.75. */
    beta?: number;
    /** added to the scaled mean square; 1. */
    bias?: number;
    /** number of channels to sum over; required. */
    size: number;
  },
): Tensor {
  return applyOne(152, [x], valuesOf('LRN', options, ['alpha', 'beta', 'bias', 'size']));
}

/**
 * determinants of square matrices.
 * ONNX Det, opset 11.
 * Dtypes: floating.
 * Det of float32[3, 3] gives float32[].
 * @param x square matrices
 */
export function det(x: Operand): Tensor {
  return applyOne(153, [x]);
}

/**
 * elements at the places from which MaxPool took them, 0 elsewhere.
 * ONNX MaxUnpool, opset 11.
 * Dtypes: X: floating; I: int64.
 * MaxUnpool(kernel_shape=[2, 2], strides=[2, 2]) of float32[1, 1, 2, 2], int64[1, 1, 2, 2] gives float32[1, 1, 4, 4].
 * @param x [batch, channels, spatial...]
 * @param i places of the elements, int64
 * @param outputShape extents of the result, int64 (optional)
 */
export function maxUnpool(
  x: Operand,
  i: IntegerOperand,
  outputShape?: IntegerOperand,
  options: {
    /** extents of the window; required; []. */
    kernelShape?: number | readonly number[];
    /** padding before each axis, then after each; default 0; []. */
    pads?: number | readonly number[];
    /** step between windows; default 1; []. */
    strides?: number | readonly number[];
  } = {},
): Tensor {
  return applyOne(155, [x, i, outputShape], valuesOf('MaxUnpool', options, ['kernelShape', 'pads', 'strides']));
}

/**
 * interpolates at places that a grid names.
 * ONNX GridSample, opset 20.
 * Dtypes: floating.
 * GridSample of float32[2, 3, 4, 5], float32[2, 3, 2, 2] gives float32[2, 3, 3, 2].
 * @param x [batch, channels, spatial...]
 * @param grid [batch, places..., spatial rank]
 */
export function gridSample(
  x: Operand,
  grid: Operand,
  options: {
    /** -1 and 1 are the centres of the outer elements, not their edges; false. */
    alignCorners?: boolean;
    /** linear, nearest, cubic, bilinear or bicubic; the last two are of older files; "linear". */
    mode?: 'linear' | 'nearest' | 'cubic' | 'bilinear' | 'bicubic';
    /** what lies outside: zeros, border or reflection; "zeros". */
    paddingMode?: 'zeros' | 'border' | 'reflection';
  } = {},
): Tensor {
  return applyOne(156, [x, grid], valuesOf('GridSample', options, ['alignCorners', 'mode', 'paddingMode']));
}

/**
 * pools regions of images to one size.
 * ONNX RoiAlign, opset 16.
 * Dtypes: X, rois: floating; batch_indices: int32, int64.
 * RoiAlign(output_height=2, output_width=3, spatial_scale=0.75) of float32[2, 3, 6, 7], float32[3, 4], int64[3] gives float32[3, 3, 2, 3].
 * @param x [batch, channels, height, width]
 * @param rois [regions, 4] as x1, y1, x2, y2
 * @param batchIndices the image of each region
 */
export function roiAlign(
  x: Operand,
  rois: Operand,
  batchIndices: IntegerOperand,
  options: {
    /** half_pixel or output_half_pixel; the latter is not shifted, and at least one large; "half_pixel". */
    coordinateTransformationMode?: 'half_pixel' | 'output_half_pixel';
    /** avg or max; "avg". */
    mode?: 'avg' | 'max';
    /** bins along the height; 1. */
    outputHeight?: number;
    /** bins along the width; 1. */
    outputWidth?: number;
    /** samples along each axis of a bin; 0: as many as it spans elements; 0. */
    samplingRatio?: number;
    /** from the regions' coordinates to those of X; 1. */
    spatialScale?: number;
  } = {},
): Tensor {
  return applyOne(
    158,
    [x, rois, batchIndices],
    valuesOf('RoiAlign', options, [
      'coordinateTransformationMode',
      'mode',
      'outputHeight',
      'outputWidth',
      'samplingRatio',
      'spatialScale',
    ]),
  );
}

/**
 * leaves out boxes that overlap a better one.
 * ONNX NonMaxSuppression, opset 11.
 * Dtypes: boxes, scores, iou_threshold, score_threshold: floating; max_output_boxes_per_class: int64.
 * NonMaxSuppression of float32[1, 6, 4], float32[1, 2, 6], int64[], float64[] gives int64[6, 3].
 * @param boxes [batch, boxes, 4]
 * @param scores [batch, classes, boxes]
 * @param maxOutputBoxesPerClass how many of a class, int64; 0 when absent (optional)
 * @param iouThreshold the overlap above which a box is left out; 0 when absent (optional)
 * @param scoreThreshold scores must be above it (optional)
 */
export function nonMaxSuppression(
  boxes: Operand,
  scores: Operand,
  maxOutputBoxesPerClass?: IntegerOperand,
  iouThreshold?: Operand,
  scoreThreshold?: Operand,
  options: {
    /** boxes are x, y of the centre, width, height; else y1, x1, y2, x2 of opposite corners; false. */
    centerPointBox?: boolean;
  } = {},
): Tensor {
  return applyOne(
    159,
    [boxes, scores, maxOutputBoxesPerClass, iouThreshold, scoreThreshold],
    valuesOf('NonMaxSuppression', options, ['centerPointBox']),
  );
}

/**
 * how often sequences of a pool occur.
 * ONNX TfIdfVectorizer, opset 9.
 * Dtypes: int32, int64, string.
 * TfIdfVectorizer(max_gram_length=2, max_skip_count=5, min_gram_length=1, mode="TF", ngram_counts=[0, 4], ngram_indexes=[0, 1, 2, 3, 4, 5, 6], pool_int64s=[2, 3, 5, 4, 5, 6, 7, 8, 6, 7]) of int32[2, 6] gives float32[2, 7].
 * @param x rows of integers or strings
 */
export function tfIdfVectorizer(
  x: IntegerOperand,
  options: {
    /** longest sequence that is counted; required. */
    maxGramLength: number;
    /** most items left out between two of a sequence; required. */
    maxSkipCount: number;
    /** shortest sequence that is counted; required. */
    minGramLength: number;
    /** TF, IDF or TFIDF; required. */
    mode: 'TF' | 'IDF' | 'TFIDF';
    /** where in the pool the sequences of 1, 2, … items begin; required. */
    ngramCounts: number | readonly number[];
    /** the column of each sequence of the pool; required. */
    ngramIndexes: number | readonly number[];
    /** the items of all sequences; []. */
    poolInt64s?: number | readonly number[];
    /** the items when they are strings; none. */
    poolStrings?: Tensor;
    /** a factor for each column; 1 when absent; []. */
    weights?: number | readonly number[];
  },
): Tensor {
  return applyOne(
    160,
    [x],
    valuesOf('TfIdfVectorizer', options, [
      'maxGramLength',
      'maxSkipCount',
      'minGramLength',
      'mode',
      'ngramCounts',
      'ngramIndexes',
      'poolInt64s',
      'poolStrings',
      'weights',
    ]),
  );
}

/**
 * leaves out stopwords and changes the case of letters.
 * ONNX StringNormalizer, opset 10.
 * Dtypes: string.
 * StringNormalizer of string[4] gives string[4].
 * @param x strings
 */
export function stringNormalizer(
  x: Operand,
  options: {
    /** LOWER, UPPER or NONE; "NONE". */
    caseChangeAction?: 'LOWER' | 'UPPER' | 'NONE';
    /** whether stopwords match in their case only; false. */
    isCaseSensitive?: boolean;
    /** a locale's name; without effect here; "". */
    locale?: string;
    /** a list of strings to leave out; none. */
    stopwords?: Tensor;
  } = {},
): Tensor {
  return applyOne(
    161,
    [x],
    valuesOf('StringNormalizer', options, ['caseChangeAction', 'isCaseSensitive', 'locale', 'stopwords']),
  );
}

/**
 * joins strings element by element.
 * ONNX StringConcat, opset 20.
 * Dtypes: string.
 * StringConcat of string[3], string[2, 1] gives string[2, 3].
 * @param x first strings
 * @param y second strings
 */
export function stringConcat(x: Operand, y: Operand): Tensor {
  return applyOne(162, [x, y]);
}

/**
 * cuts strings at delimiters.
 * ONNX StringSplit, opset 20.
 * Dtypes: string.
 * StringSplit(delimiter=",") of string[2, 2] gives string[2, 2, 4], int64[2, 2].
 * @param x strings
 * @param outputs how many results are wanted
 */
export function stringSplit(
  x: Operand,
  options: {
    /** what separates; white space when absent or empty; none. */
    delimiter?: string;
    /** most cuts, from the left; any number when absent; none. */
    maxsplit?: number;
  } = {},
  outputs = 2,
): Tensor[] {
  return applyOperator(163, [x], outputs, valuesOf('StringSplit', options, ['delimiter', 'maxsplit']));
}

/**
 * discrete Fourier transform along an axis.
 * ONNX DFT, opset 20.
 * Dtypes: floating.
 * DFT of float32[2, 6, 1] gives float32[2, 6, 2].
 * @param input signals; the last axis is 1 (real) or 2 (real and imaginary part)
 * @param dftLength length of the transform; the axis's when absent (optional)
 * @param axis axis of the signals; -2 when absent (optional)
 */
export function dFT(
  input: Operand,
  dftLength?: IndexOperand,
  axis?: IndexOperand,
  options: {
    /** the inverse transform; false. */
    inverse?: boolean;
    /** only the first n / 2 + 1 of a real input; false. */
    onesided?: boolean;
  } = {},
): Tensor {
  return applyOne(
    164,
    [input, oneInteger(dftLength), oneInteger(axis)],
    valuesOf('DFT', options, ['inverse', 'onesided']),
  );
}

/**
 * Fourier transforms of the frames of signals.
 * ONNX STFT, opset 17.
 * Dtypes: floating.
 * STFT of float32[2, 12, 1], 3, float32[5] gives float32[2, 3, 3, 2].
 * @param signal [batch, length, 1 or 2]
 * @param frameStep distance of the frames
 * @param window a factor for each element of a frame; 1 when absent (optional)
 * @param frameLength elements of a frame (optional)
 */
export function sTFT(
  signal: Operand,
  frameStep: IndexOperand,
  window?: Operand,
  frameLength?: IntegerOperand,
  options: {
    /** only the first frame_length / 2 + 1 bins, of a real signal; true. */
    onesided?: boolean;
  } = {},
): Tensor {
  return applyOne(165, [signal, oneInteger(frameStep), window, frameLength], valuesOf('STFT', options, ['onesided']));
}

/**
 * weights from a spectrum to bins on the mel scale.
 * ONNX MelWeightMatrix, opset 17.
 * Dtypes: int32, int64.
 * MelWeightMatrix of 8, 16, 8192, 0, 4096 gives float32[9, 8].
 * @param numMelBins columns, an integer
 * @param dftLength length of the transform, an integer
 * @param sampleRate samples a second, an integer
 * @param lowerEdgeHertz begin of the first bin
 * @param upperEdgeHertz end of the last bin
 */
export function melWeightMatrix(
  numMelBins: IndexOperand,
  dftLength: IndexOperand,
  sampleRate: IndexOperand,
  lowerEdgeHertz: Operand,
  upperEdgeHertz: Operand,
  options: {
    /** dtype of the result; float32. */
    outputDatatype?: DType;
  } = {},
): Tensor {
  return applyOne(
    166,
    [oneInteger(numMelBins), oneInteger(dftLength), oneInteger(sampleRate), lowerEdgeHertz, upperEdgeHertz],
    valuesOf('MelWeightMatrix', options, ['outputDatatype']),
  );
}

/**
 * adds blocks up to the image that they cover.
 * ONNX Col2Im, opset 18.
 * Dtypes: floating.
 * Col2Im of float32[2, 12, 6], [3, 4], [2, 2] gives float32[2, 3, 3, 4].
 * @param input [batch, channels * block elements, blocks]
 * @param imageShape spatial extents of the result
 * @param blockShape extents of a block
 */
export function col2Im(
  input: Operand,
  imageShape: IntegerOperand,
  blockShape: IntegerOperand,
  options: {
    /** step between block elements; default 1; []. */
    dilations?: number | readonly number[];
    /** padding before each axis, then after each; default 0; []. */
    pads?: number | readonly number[];
    /** step between blocks; default 1; []. */
    strides?: number | readonly number[];
  } = {},
): Tensor {
  return applyOne(167, [input, imageShape, blockShape], valuesOf('Col2Im', options, ['dilations', 'pads', 'strides']));
}

/**
 * a convolution whose window places are moved by offsets.
 * ONNX DeformConv, opset 19.
 * Dtypes: floating.
 * DeformConv(group=2, offset_group=2) of float32[2, 4, 5, 4], float32[6, 2, 2, 2], float32[2, 16, 4, 3] gives float32[2, 6, 4, 3].
 * @param x [batch, channels, height, width]
 * @param w [outputs, channels / group, kernel height, kernel width]
 * @param offset [batch, offset_group * kernel elements * 2, out height, out width]
 * @param b [outputs], added (optional)
 * @param mask factors, [batch, offset_group * kernel elements, out height, out width] (optional)
 */
export function deformConv(
  x: Operand,
  w: Operand,
  offset: Operand,
  b?: Operand,
  mask?: Operand,
  options: {
    /** step between window elements; default 1; []. */
    dilations?: number | readonly number[];
    /** groups of channels that are convolved apart; 1. */
    group?: number;
    /** extents of the window; those of W when absent; []. */
    kernelShape?: number | readonly number[];
    /** groups of channels with offsets of their own; 1. */
    offsetGroup?: number;
    /** zeros before each axis, then after each; default 0; []. */
    pads?: number | readonly number[];
    /** step between windows; default 1; []. */
    strides?: number | readonly number[];
  } = {},
): Tensor {
  return applyOne(
    168,
    [x, w, offset, b, mask],
    valuesOf('DeformConv', options, ['dilations', 'group', 'kernelShape', 'offsetGroup', 'pads', 'strides']),
  );
}

/**
 * normally distributed numbers.
 * ONNX RandomNormal, opset 1.
 * RandomNormal(seed=3.5, shape=[2, 3]) gives float32[2, 3].
 */
export function randomNormal(options: {
  /** dtype of the result; float32. */
  dtype?: DType;
  /** mean; 0. */
  mean?: number;
  /** standard deviation; 1. */
  scale?: number;
  /** the same numbers in every evaluation; others each time when absent; none. */
  seed?: number;
  /** extents of the result; required. */
  shape: number | readonly number[];
}): Tensor {
  return applyOne(169, [], valuesOf('RandomNormal', options, ['dtype', 'mean', 'scale', 'seed', 'shape']));
}

/**
 * uniformly distributed numbers.
 * ONNX RandomUniform, opset 1.
 * RandomUniform(seed=3.5, shape=[2, 3]) gives float32[2, 3].
 */
export function randomUniform(options: {
  /** dtype of the result; float32. */
  dtype?: DType;
  /** numbers are below it; 1. */
  high?: number;
  /** the least number; 0. */
  low?: number;
  /** the same numbers in every evaluation; others each time when absent; none. */
  seed?: number;
  /** extents of the result; required. */
  shape: number | readonly number[];
}): Tensor {
  return applyOne(170, [], valuesOf('RandomUniform', options, ['dtype', 'high', 'low', 'seed', 'shape']));
}

/**
 * normally distributed numbers in the input's shape.
 * ONNX RandomNormalLike, opset 1.
 * Dtypes: any.
 * RandomNormalLike(seed=3.5) of float32[2, 3] gives float32[2, 3].
 * @param input any values, for their shape
 */
export function randomNormalLike(
  input: Operand,
  options: {
    /** dtype of the result; the input's when absent; none. */
    dtype?: DType;
    /** mean; 0. */
    mean?: number;
    /** standard deviation; 1. */
    scale?: number;
    /** the same numbers in every evaluation; others each time when absent; none. */
    seed?: number;
  } = {},
): Tensor {
  return applyOne(171, [input], valuesOf('RandomNormalLike', options, ['dtype', 'mean', 'scale', 'seed']));
}

/**
 * uniformly distributed numbers in the input's shape.
 * ONNX RandomUniformLike, opset 1.
 * Dtypes: any.
 * RandomUniformLike(seed=3.5) of float32[2, 3] gives float32[2, 3].
 * @param input any values, for their shape
 */
export function randomUniformLike(
  input: Operand,
  options: {
    /** dtype of the result; the input's when absent; none. */
    dtype?: DType;
    /** numbers are below it; 1. */
    high?: number;
    /** the least number; 0. */
    low?: number;
    /** the same numbers in every evaluation; others each time when absent; none. */
    seed?: number;
  } = {},
): Tensor {
  return applyOne(172, [input], valuesOf('RandomUniformLike', options, ['dtype', 'high', 'low', 'seed']));
}

/**
 * 1 with the given probability, else 0.
 * ONNX Bernoulli, opset 15.
 * Dtypes: floating.
 * Bernoulli(seed=2) of float32[4, 5] gives float32[4, 5].
 * @param input probabilities
 */
export function bernoulli(
  input: Operand,
  options: {
    /** dtype of the result; the input's when absent; none. */
    dtype?: DType;
    /** the same numbers in every evaluation; others each time when absent; none. */
    seed?: number;
  } = {},
): Tensor {
  return applyOne(173, [input], valuesOf('Bernoulli', options, ['dtype', 'seed']));
}

/**
 * classes drawn by the logarithms of their probabilities.
 * ONNX Multinomial, opset 7.
 * Dtypes: floating.
 * Multinomial(sample_size=5, seed=2) of float32[3, 4] gives int32[3, 5].
 * @param input logarithms of probabilities, [batch, classes]
 */
export function multinomial(
  input: Operand,
  options: {
    /** int32 or int64; int32. */
    dtype?: DType;
    /** how many classes of each row; 1. */
    sampleSize?: number;
    /** the same numbers in every evaluation; others each time when absent; none. */
    seed?: number;
  } = {},
): Tensor {
  return applyOne(174, [input], valuesOf('Multinomial', options, ['dtype', 'sampleSize', 'seed']));
}
