// Generated from src/ops by scripts/generate; do not edit.
//
// Each function throws ShapeError, DTypeError or ArgumentError, which name the operator, the argument, what was
// expected and what was got. Dtypes are those of the first operand and of all that must share its dtype:
// `floating` is float16, bfloat16, float32 and float64; `numeric` is everything but bool.

import { applyOne, type IntegerOperand, type Operand } from '../call.js';
import { type DType, dtypeCode } from '../dtype.js';
import type { Tensor } from '../tensor.js';

function code(dtype: DType | undefined): number | undefined {
  return dtype === undefined ? undefined : dtypeCode(dtype);
}

/** Every operator's index, and the names of its inputs and attributes in order. */
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
  Add: { index: 20, inputs: ['A', 'B'], attributes: [] },
  Sub: { index: 21, inputs: ['A', 'B'], attributes: [] },
  Mul: { index: 22, inputs: ['A', 'B'], attributes: [] },
  Div: { index: 23, inputs: ['A', 'B'], attributes: [] },
  Pow: { index: 24, inputs: ['X', 'Y'], attributes: [] },
  Clip: { index: 25, inputs: ['input', 'min', 'max'], attributes: [] },
  MatMul: { index: 26, inputs: ['A', 'B'], attributes: [] },
  Gemm: { index: 27, inputs: ['A', 'B', 'C'], attributes: ['alpha', 'beta', 'transA', 'transB'] },
  Softmax: { index: 29, inputs: ['input'], attributes: ['axis'] },
  LogSoftmax: { index: 30, inputs: ['input'], attributes: ['axis'] },
  Reshape: { index: 31, inputs: ['data', 'shape'], attributes: ['allowzero'] },
  Squeeze: { index: 32, inputs: ['data', 'axes'], attributes: [] },
  Unsqueeze: { index: 33, inputs: ['data', 'axes'], attributes: [] },
  Flatten: { index: 34, inputs: ['input'], attributes: ['axis'] },
  Identity: { index: 35, inputs: ['input'], attributes: [] },
  Expand: { index: 36, inputs: ['input', 'shape'], attributes: [] },
  Transpose: { index: 37, inputs: ['data'], attributes: ['perm'] },
  Concat: { index: 38, inputs: ['inputs'], attributes: ['axis'] },
  Slice: { index: 39, inputs: ['data', 'starts', 'ends', 'axes', 'steps'], attributes: [] },
  Gather: { index: 41, inputs: ['data', 'indices'], attributes: ['axis'] },
  Shape: { index: 43, inputs: ['data'], attributes: ['start', 'end'] },
  ConstantOfShape: { index: 44, inputs: ['input'], attributes: ['value'] },
  Constant: { index: 45, inputs: [], attributes: ['value', 'value_int', 'value_ints', 'value_float', 'value_floats'] },
  Where: { index: 46, inputs: ['condition', 'X', 'Y'], attributes: [] },
  Equal: { index: 47, inputs: ['A', 'B'], attributes: [] },
  Less: { index: 48, inputs: ['A', 'B'], attributes: [] },
  LessOrEqual: { index: 49, inputs: ['A', 'B'], attributes: [] },
  Greater: { index: 50, inputs: ['A', 'B'], attributes: [] },
  GreaterOrEqual: { index: 51, inputs: ['A', 'B'], attributes: [] },
  And: { index: 52, inputs: ['A', 'B'], attributes: [] },
  Or: { index: 53, inputs: ['A', 'B'], attributes: [] },
  Not: { index: 54, inputs: ['X'], attributes: [] },
  Cast: { index: 55, inputs: ['input'], attributes: ['to', 'saturate'] },
  Conv: {
    index: 56,
    inputs: ['X', 'W', 'B'],
    attributes: ['auto_pad', 'dilations', 'group', 'kernel_shape', 'pads', 'strides'],
  },
  ConvTranspose: {
    index: 57,
    inputs: ['X', 'W', 'B'],
    attributes: ['auto_pad', 'dilations', 'group', 'kernel_shape', 'output_padding', 'output_shape', 'pads', 'strides'],
  },
  MaxPool: {
    index: 59,
    inputs: ['X'],
    attributes: ['auto_pad', 'ceil_mode', 'dilations', 'kernel_shape', 'pads', 'storage_order', 'strides'],
  },
  AveragePool: {
    index: 61,
    inputs: ['X'],
    attributes: ['auto_pad', 'ceil_mode', 'count_include_pad', 'dilations', 'kernel_shape', 'pads', 'strides'],
  },
  GlobalAveragePool: { index: 63, inputs: ['X'], attributes: [] },
  BatchNormalization: {
    index: 64,
    inputs: ['X', 'scale', 'B', 'input_mean', 'input_var'],
    attributes: ['epsilon', 'momentum', 'training_mode'],
  },
  ReduceSum: { index: 65, inputs: ['data', 'axes'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  ReduceMean: { index: 66, inputs: ['data', 'axes'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  ReduceMax: { index: 67, inputs: ['data', 'axes'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  ReduceMin: { index: 68, inputs: ['data', 'axes'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  ReduceProd: { index: 69, inputs: ['data', 'axes'], attributes: ['keepdims', 'noop_with_empty_axes'] },
  Dropout: { index: 70, inputs: ['data', 'ratio', 'training_mode'], attributes: ['seed'] },
};

/**
 * max(x, 0); NaN stays NaN.
 * ONNX Relu, opset 14.
 * Dtypes: numeric.
 * Relu of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function relu(x: Operand): Tensor {
  return applyOne(0, [x], []);
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
  return applyOne(1, [x], [options.alpha]);
}

/**
 * -x.
 * ONNX Neg, opset 13.
 * Dtypes: float32, float64, float16, bfloat16, int8, int16, int32, int64.
 * Neg of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function neg(x: Operand): Tensor {
  return applyOne(2, [x], []);
}

/**
 * |x|; the gradient at 0 is 0.
 * ONNX Abs, opset 13.
 * Dtypes: numeric.
 * Abs of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function abs(x: Operand): Tensor {
  return applyOne(3, [x], []);
}

/**
 * -1, 0 or 1; NaN stays NaN; the gradient is 0.
 * ONNX Sign, opset 13.
 * Dtypes: numeric.
 * Sign of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function sign(x: Operand): Tensor {
  return applyOne(4, [x], []);
}

/**
 * 1 / x.
 * ONNX Reciprocal, opset 13.
 * Dtypes: floating.
 * Reciprocal of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function reciprocal(x: Operand): Tensor {
  return applyOne(5, [x], []);
}

/**
 * e to the power of x.
 * ONNX Exp, opset 13.
 * Dtypes: floating.
 * Exp of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function exp(x: Operand): Tensor {
  return applyOne(6, [x], []);
}

/**
 * natural logarithm; NaN below 0.
 * ONNX Log, opset 13.
 * Dtypes: floating.
 * Log of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function log(x: Operand): Tensor {
  return applyOne(7, [x], []);
}

/**
 * square root; NaN below 0.
 * ONNX Sqrt, opset 13.
 * Dtypes: floating.
 * Sqrt of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function sqrt(x: Operand): Tensor {
  return applyOne(8, [x], []);
}

/**
 * sine of x in radians.
 * ONNX Sin, opset 7.
 * Dtypes: floating.
 * Sin of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function sin(x: Operand): Tensor {
  return applyOne(9, [x], []);
}

/**
 * cosine of x in radians.
 * ONNX Cos, opset 7.
 * Dtypes: floating.
 * Cos of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function cos(x: Operand): Tensor {
  return applyOne(10, [x], []);
}

/**
 * largest integer <= x; the gradient is 0.
 * ONNX Floor, opset 13.
 * Dtypes: floating.
 * Floor of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function floor(x: Operand): Tensor {
  return applyOne(11, [x], []);
}

/**
 * smallest integer >= x; the gradient is 0.
 * ONNX Ceil, opset 13.
 * Dtypes: floating.
 * Ceil of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function ceil(x: Operand): Tensor {
  return applyOne(12, [x], []);
}

/**
 * nearest integer, halves to even; the gradient is 0.
 * ONNX Round, opset 11.
 * Dtypes: floating.
 * Round of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function round(x: Operand): Tensor {
  return applyOne(13, [x], []);
}

/**
 * error function, 2/sqrt(pi) times the integral of exp(-t^2).
 * ONNX Erf, opset 13.
 * Dtypes: floating.
 * Erf of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function erf(x: Operand): Tensor {
  return applyOne(14, [x], []);
}

/**
 * 1 / (1 + exp(-x)).
 * ONNX Sigmoid, opset 13.
 * Dtypes: floating.
 * Sigmoid of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function sigmoid(x: Operand): Tensor {
  return applyOne(15, [x], []);
}

/**
 * hyperbolic tangent.
 * ONNX Tanh, opset 13.
 * Dtypes: floating.
 * Tanh of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function tanh(x: Operand): Tensor {
  return applyOne(16, [x], []);
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
  return applyOne(17, [x], [options.alpha, options.beta]);
}

/**
 * x * clip(x / 6 + 1/2, 0, 1).
 * ONNX HardSwish, opset 14.
 * Dtypes: floating.
 * HardSwish of float32[2, 3] gives float32[2, 3].
 * @param x values
 */
export function hardSwish(x: Operand): Tensor {
  return applyOne(18, [x], []);
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
    approximate?: string;
  } = {},
): Tensor {
  return applyOne(19, [x], [options.approximate]);
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
  return applyOne(20, [a, b], []);
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
  return applyOne(21, [a, b], []);
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
  return applyOne(22, [a, b], []);
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
  return applyOne(23, [a, b], []);
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
  return applyOne(24, [x, y], []);
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
  return applyOne(25, [input, min, max], []);
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
  return applyOne(26, [a, b], []);
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
  return applyOne(27, [a, b, c], [options.alpha, options.beta, options.transA, options.transB]);
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
  return applyOne(29, [input], [options.axis]);
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
  return applyOne(30, [input], [options.axis]);
}

/**
 * the same elements in another shape.
 * ONNX Reshape, opset 19.
 * Dtypes: any.
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
  return applyOne(31, [data, shape], [options.allowzero]);
}

/**
 * removes axes of extent 1.
 * ONNX Squeeze, opset 13.
 * Dtypes: any.
 * Squeeze of float32[1, 3, 1] gives float32[3].
 * @param data values
 * @param axes axes to remove; all of extent 1 when absent (optional)
 */
export function squeeze(data: Operand, axes?: IntegerOperand): Tensor {
  return applyOne(32, [data, axes], []);
}

/**
 * inserts axes of extent 1.
 * ONNX Unsqueeze, opset 13.
 * Dtypes: any.
 * Unsqueeze of float32[2, 3], [0, -1] gives float32[1, 2, 3, 1].
 * @param data values
 * @param axes places of the new axes in the result
 */
export function unsqueeze(data: Operand, axes: IntegerOperand): Tensor {
  return applyOne(33, [data, axes], []);
}

/**
 * joins the axes before `axis`, and those from it on.
 * ONNX Flatten, opset 13.
 * Dtypes: any.
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
  return applyOne(34, [input], [options.axis]);
}

/**
 * the input itself.
 * ONNX Identity, opset 19.
 * Dtypes: any.
 * Identity of float32[2, 3] gives float32[2, 3].
 * @param input values
 */
export function identity(input: Operand): Tensor {
  return applyOne(35, [input], []);
}

/**
 * broadcasts to a shape.
 * ONNX Expand, opset 13.
 * Dtypes: any.
 * Expand of float32[3, 1], [2, 3, 4] gives float32[2, 3, 4].
 * @param input values
 * @param shape extents to broadcast with
 */
export function expand(input: Operand, shape: IntegerOperand): Tensor {
  return applyOne(36, [input, shape], []);
}

/**
 * permutes the axes.
 * ONNX Transpose, opset 13.
 * Dtypes: any.
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
  return applyOne(37, [data], [options.perm]);
}

/**
 * joins tensors along an axis.
 * ONNX Concat, opset 13.
 * Dtypes: any.
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
  return applyOne(38, [...inputs], [options.axis]);
}

/**
 * ranges with steps along axes, as Python's x[a:b:c].
 * ONNX Slice, opset 13.
 * Dtypes: any.
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
  return applyOne(39, [data, starts, ends, axes, steps], []);
}

/**
 * picks entries along an axis by index.
 * ONNX Gather, opset 13.
 * Dtypes: any.
 * Gather of float32[4, 3], int64[2, 2] gives float32[2, 2, 3].
 * @param data values
 * @param indices positions along the axis; negative ones count from the end
 */
export function gather(
  data: Operand,
  indices: Operand,
  options: {
    /** axis of data that the indices count along; 0. */
    axis?: number;
  } = {},
): Tensor {
  return applyOne(41, [data, indices], [options.axis]);
}

/**
 * the extents of a tensor as int64.
 * ONNX Shape, opset 19.
 * Dtypes: any.
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
  return applyOne(43, [data], [options.start, options.end]);
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
  return applyOne(44, [input], [options.value]);
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
    valueFloats?: readonly number[];
  } = {},
): Tensor {
  return applyOne(
    45,
    [],
    [options.value, options.valueInt, options.valueInts, options.valueFloat, options.valueFloats],
  );
}

/**
 * X where the condition is true, else Y.
 * ONNX Where, opset 16.
 * Dtypes: bool.
 * Where of bool[2, 3], float32[2, 3], float32[3] gives float32[2, 3].
 * @param condition bool
 * @param x values where it is true
 * @param y values where it is false
 */
export function where(condition: Operand, x: Operand, y: Operand): Tensor {
  return applyOne(46, [condition, x, y], []);
}

/**
 * A = B.
 * ONNX Equal, opset 19.
 * Dtypes: any.
 * Equal of float32[2, 3], float32[2, 3] gives bool[2, 3].
 * @param a left values
 * @param b right values
 */
export function equal(a: Operand, b: Operand): Tensor {
  return applyOne(47, [a, b], []);
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
  return applyOne(48, [a, b], []);
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
  return applyOne(49, [a, b], []);
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
  return applyOne(50, [a, b], []);
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
  return applyOne(51, [a, b], []);
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
  return applyOne(52, [a, b], []);
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
  return applyOne(53, [a, b], []);
}

/**
 * not X.
 * ONNX Not, opset 1.
 * Dtypes: bool.
 * Not of bool[3] gives bool[3].
 * @param x bool
 */
export function not(x: Operand): Tensor {
  return applyOne(54, [x], []);
}

/**
 * converts to another element type.
 * ONNX Cast, opset 19.
 * Dtypes: any.
 * Cast(to=1) of float32[2, 3] gives float32[2, 3].
 * @param input values
 */
export function cast(
  input: Operand,
  options: {
    /** the new element type; undefined. */
    to?: DType;
    /** for 8-bit floats in ONNX; without effect here; true. */
    saturate?: boolean;
  } = {},
): Tensor {
  return applyOne(55, [input], [code(options.to), options.saturate]);
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
    autoPad?: string;
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
    56,
    [x, w, b],
    [options.autoPad, options.dilations, options.group, options.kernelShape, options.pads, options.strides],
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
    /** NOTSET, SAME_UPPER, SAME_LOWER (output = input * stride) or VALID; "NOTSET". */
    autoPad?: string;
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
    57,
    [x, w, b],
    [
      options.autoPad,
      options.dilations,
      options.group,
      options.kernelShape,
      options.outputPadding,
      options.outputShape,
      options.pads,
      options.strides,
    ],
  );
}

/**
 * maximum over windows; the gradient goes to the first of equals.
 * ONNX MaxPool, opset 12.
 * Dtypes: float32, float64, float16, bfloat16, int8, uint8.
 * MaxPool(kernel_shape=[2, 2], strides=[2, 2]) of float32[1, 2, 5, 4] gives float32[1, 2, 2, 2].
 * @param x [batch, channels, spatial...]
 */
export function maxPool(
  x: Operand,
  options: {
    /** NOTSET, SAME_UPPER, SAME_LOWER or VALID; "NOTSET". */
    autoPad?: string;
    /** round the output extents up; false. */
    ceilMode?: boolean;
    /** step between window elements; default 1; []. */
    dilations?: number | readonly number[];
    /** extents of the window; required; []. */
    kernelShape?: number | readonly number[];
    /** padding before each axis, then after each; default 0; []. */
    pads?: number | readonly number[];
    /** order of Indices; only 0, row-major; 0. */
    storageOrder?: number;
    /** step between windows; default 1; []. */
    strides?: number | readonly number[];
  } = {},
): Tensor {
  return applyOne(
    59,
    [x],
    [
      options.autoPad,
      options.ceilMode,
      options.dilations,
      options.kernelShape,
      options.pads,
      options.storageOrder,
      options.strides,
    ],
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
    autoPad?: string;
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
    61,
    [x],
    [
      options.autoPad,
      options.ceilMode,
      options.countIncludePad,
      options.dilations,
      options.kernelShape,
      options.pads,
      options.strides,
    ],
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
  return applyOne(63, [x], []);
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
  return applyOne(64, [x, scale, b, inputMean, inputVar], [options.epsilon, options.momentum, options.trainingMode]);
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
  return applyOne(65, [data, axes], [options.keepdims, options.noopWithEmptyAxes]);
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
  return applyOne(66, [data, axes], [options.keepdims, options.noopWithEmptyAxes]);
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
  return applyOne(67, [data, axes], [options.keepdims, options.noopWithEmptyAxes]);
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
  return applyOne(68, [data, axes], [options.keepdims, options.noopWithEmptyAxes]);
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
  return applyOne(69, [data, axes], [options.keepdims, options.noopWithEmptyAxes]);
}

/**
 * the identity: dropping is a product with a random mask while training.
 * ONNX Dropout, opset 13.
 * Dtypes: floating.
 * Dropout of float32[2, 3] gives float32[2, 3].
 * @param data values
 * @param ratio not read in inference (optional)
 * @param trainingMode only false (optional)
 */
export function dropout(
  data: Operand,
  ratio?: Operand,
  trainingMode?: Operand,
  options: {
    /** not read in inference; none. */
    seed?: number;
  } = {},
): Tensor {
  return applyOne(70, [data, ratio, trainingMode], [options.seed]);
}
