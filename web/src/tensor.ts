/** Tensors: handles to typed, strided views of the engine's memory. */

import { checkedOptions, handleOf, integerOf, listOf, unexpected } from './arguments.js';
import type { Size } from './call.js';
import { full } from './create.js';
import { type DType, dtypeCode } from './dtype.js';
import { DTypeError, ShapeError } from './errors.js';
import { normOf, stdOf, varOf } from './generated/methods.js';
import * as ops from './generated/operators.js';
import { scope } from './memory.js';
import { native } from './native.js';
import { spellingNames } from './script_names.js';
import { axisList, axisOf, checkTwoAxes, onlyList, reduction, type SpreadOptions, spread } from './tensor_arguments.js';
import { WritableTensor } from './tensor_writing.js';

/**
 * An n-dimensional array in the engine's memory, of rank 0 to 8. Made by `tensor`, `zeros`, …, by operators, modules and
 * sessions; freed by `dispose`, by the end of a `scope`, or when collected.
 *
 * Methods that compute return new tensors and are recorded where a gradient or a trace needs it. Two operands broadcast
 * as in NumPy and have one dtype; a number takes the dtype of the tensor. Axes may be negative. They throw ShapeError for
 * shapes, axes and indices that do not fit, DTypeError for a dtype that the operator does not take, ArgumentError for
 * other arguments and for a tensor that was disposed of, and TraceError while tracing.
 */
export class Tensor extends WritableTensor {
  /** A copy; recorded as the same value. */
  clone(): Tensor {
    return new Tensor(native().tensorClone(this.handleFor('clone')));
  }

  /** The same elements without record: no gradient flows through. A traced tensor gives itself. */
  detach(): Tensor {
    return new Tensor(native().tensorDetach(this.handleFor('detach')));
  }

  /**
   * Whether a gradient will reach this tensor. True while traced. Settable: DTypeError unless the dtype is floating,
   * GradientError unless the tensor is a leaf (made by no recorded operator).
   */
  get requiresGrad(): boolean {
    return native().tensorRequiresGrad(this.handleFor('requiresGrad'));
  }

  set requiresGrad(required: boolean) {
    const handle = this.handleFor('requiresGrad');
    spellingNames(['requires_grad'], () => native().tensorSetRequiresGrad(handle, required));
  }

  /** The summed gradient of this leaf, of its shape, or null; a new handle at every call. Settable, also to null. */
  get grad(): Tensor | null {
    const handle = native().tensorGrad(this.handleFor('grad'));
    return handle === 0 ? null : new Tensor(handle);
  }

  set grad(gradient: Tensor | null) {
    const given = gradient ? handleOf('grad: gradient', gradient) : 0;
    const handle = this.handleFor('grad');
    spellingNames(
      ['set_grad'],
      () => native().tensorSetGrad(handle, given),
      () => 'grad',
    );
  }

  /**
   * Adds the gradients of this tensor to its leaves. `gradient` has this tensor's shape and dtype; it may be left out for
   * a single element (1). `retainGraph` keeps the records for another call; `createGraph` records the gradient's own
   * operators. Throws GradientError when nothing requires a gradient or an operator on the way has none.
   */
  backward(gradient?: Tensor | null, options: { retainGraph?: boolean; createGraph?: boolean } = {}): void {
    const names = ['retainGraph', 'createGraph'];
    const { retainGraph = false, createGraph = false } = checkedOptions('backward', options, names);
    const given = gradient ? handleOf('backward: gradient', gradient) : 0;
    const handle = this.handleFor('backward');
    spellingNames(['retain_graph'], () => native().tensorBackward(handle, given, retainGraph, createGraph));
  }

  /** this + other. Numeric dtypes; integers wrap. */
  add(other: Tensor | number): Tensor {
    return ops.add(this, other);
  }
  /** this - other. Numeric dtypes; integers wrap. */
  sub(other: Tensor | number): Tensor {
    return ops.sub(this, other);
  }
  /** this · other, element by element. Numeric dtypes; integers wrap. */
  mul(other: Tensor | number): Tensor {
    return ops.mul(this, other);
  }
  /** this / other. Numeric dtypes; integers truncate toward 0, and n / 0 is 0. */
  div(other: Tensor | number): Tensor {
    return ops.div(this, other);
  }
  /** this to the power of `exponent`, in the dtype of this; the exponent may have another numeric dtype. */
  pow(exponent: Tensor | number): Tensor {
    return ops.pow(this, exponent);
  }
  /** -this. Floating and signed integer dtypes. */
  neg(): Tensor {
    return ops.neg(this);
  }
  /** |this|. Numeric dtypes. */
  abs(): Tensor {
    return ops.abs(this);
  }
  /** e to the power of this. Floating dtypes. */
  exp(): Tensor {
    return ops.exp(this);
  }
  /** The natural logarithm; NaN below 0. Floating dtypes. */
  log(): Tensor {
    return ops.log(this);
  }
  /** The square root; NaN below 0. Floating dtypes. */
  sqrt(): Tensor {
    return ops.sqrt(this);
  }
  /** The error function. Floating dtypes. */
  erf(): Tensor {
    return ops.erf(this);
  }
  /** max(this, 0); NaN stays. Numeric dtypes. */
  relu(): Tensor {
    return ops.relu(this);
  }
  /** this where it is >= 0, `negativeSlope` · this below. Floating dtypes. */
  leakyRelu(negativeSlope = 0.01): Tensor {
    return ops.leakyRelu(this, { alpha: negativeSlope });
  }
  /** 1 / (1 + exp(-this)). Floating dtypes. */
  sigmoid(): Tensor {
    return ops.sigmoid(this);
  }
  /** The hyperbolic tangent. Floating dtypes. */
  tanh(): Tensor {
    return ops.tanh(this);
  }
  /** this · Φ(this), exactly by erf, or approximated by tanh. Floating dtypes. */
  gelu(options: { approximate?: 'none' | 'tanh' } = {}): Tensor {
    return ops.gelu(this, options);
  }
  /** exp(this) / sum(exp(this)) along `axis`; a scalar is as one element along an axis. Floating dtypes. */
  softmax(axis = -1): Tensor {
    return this.rank > 0 ? ops.softmax(this, { axis }) : scope(() => this.reshape([1]).softmax(axis).reshape([]));
  }
  /** The logarithm of `softmax`, without its underflow. Floating dtypes. */
  logSoftmax(axis = -1): Tensor {
    return this.rank > 0 ? ops.logSoftmax(this, { axis }) : scope(() => this.reshape([1]).logSoftmax(axis).reshape([]));
  }
  /** min(max(this, min), max); either bound, a number or a tensor of one element, may be left out. Numeric dtypes. */
  clip(min?: number | Tensor | null, max?: number | Tensor | null): Tensor {
    // In ONNX an absent bound is the largest finite number; here, as in PyTorch, infinities stay.
    const most = this.dtype.includes('float') ? Number.POSITIVE_INFINITY : undefined;
    return ops.clip(this, min ?? (most && -most), max ?? most);
  }
  /** `clip` by PyTorch's name. */
  clamp(min?: number | Tensor | null, max?: number | Tensor | null): Tensor {
    return this.clip(min, max);
  }
  /** Where this = other, as bool. */
  equal(other: Tensor | number): Tensor {
    return ops.equal(this, other);
  }
  /** Where this > other, as bool. Numeric dtypes. */
  greater(other: Tensor | number): Tensor {
    return ops.greater(this, other);
  }
  /** Where this < other, as bool. Numeric dtypes. */
  less(other: Tensor | number): Tensor {
    return ops.less(this, other);
  }

  /**
   * The matrix product over the last two axes, as NumPy's matmul: [..., m, k] by [..., k, n] gives [..., m, n], and a
   * vector [k] loses its axis. Floating and 32-bit or 64-bit integer dtypes.
   */
  matmul(other: Tensor): Tensor {
    return ops.matMul(this, other);
  }

  /** Sum over `axes`, all by default; `keepdims` leaves them with extent 1. Numeric dtypes; 0 over no elements. */
  sum(axes?: number | readonly number[], keepdims = false): Tensor {
    return ops.reduceSum(this, ...reduction('sum', axes, keepdims));
  }
  /** Mean over `axes`, as `sum`. Floating dtypes, and DTypeError for others; NaN over no elements. */
  mean(axes?: number | readonly number[], keepdims = false): Tensor {
    if (!this.dtype.includes('float')) {
      const why = `expected a floating dtype, got ${this.dtype}, whose mean need not be an integer`;
      throw new DTypeError(`mean: ${why}; convert first, as in x.cast('float32').mean()`, 'DType');
    }
    return ops.reduceMean(this, ...reduction('mean', axes, keepdims));
  }
  /** The largest element over `axes`, as `sum`. Numeric dtypes and bool. */
  max(axes?: number | readonly number[], keepdims = false): Tensor {
    return ops.reduceMax(this, ...reduction('max', axes, keepdims));
  }

  /** The smallest element over `axes`, as `sum`. Numeric dtypes and bool. */
  min(axes?: number | readonly number[], keepdims = false): Tensor {
    return ops.reduceMin(this, ...reduction('min', axes, keepdims));
  }
  /** The place of the first largest element along `axis`, int64; without an axis, among all elements in order. */
  argmax(axis?: number | null, keepdims = false): Tensor {
    return placeOf(ops.argMax, this, axis, keepdims);
  }
  /** As `argmax`, of the smallest element. */
  argmin(axis?: number | null, keepdims = false): Tensor {
    return placeOf(ops.argMin, this, axis, keepdims);
  }
  /** (Σ |x|^p)^(1/p) over `axes`, all by default; p is positive and may be infinity. Floating dtypes. */
  norm(p = 2, axes?: number | readonly number[], keepdims = false): Tensor {
    return normOf(this, { p, dim: axisList('norm', axes) ?? [], keepdim: keepdims });
  }
  /**
   * The mean square distance from the mean over `axes`, all by default, with the count less `correction` (1: unbiased) for
   * a divisor; infinite where that is 0, or NaN. Floating dtypes.
   */
  var(axes?: number | readonly number[], options: SpreadOptions = {}): Tensor {
    return varOf(this, spread('var', axes, options));
  }
  /** The square root of `var`. */
  std(axes?: number | readonly number[], options: SpreadOptions = {}): Tensor {
    return stdOf(this, spread('std', axes, options));
  }
  /** log(Σ exp(x)) over `axes`, all by default, without overflow. Floating dtypes. */
  logsumexp(axes?: number | readonly number[], keepdims = false): Tensor {
    return ops.reduceLogSumExp(this, ...reduction('logsumexp', axes, keepdims));
  }

  /**
   * The extent along `axis` as an int64 scalar that `reshape`, `expand`, `slice`, `zeros`, `arange`, … take as a size. In a
   * trace it keeps a symbolic axis symbolic, as do sums and products of such sizes, where the number `shape[axis]` has to be
   * recognised by its value.
   */
  dim(axis: number): Tensor {
    return new Tensor(native().tensorDim(this.handle, axisOf('dim', axis, this.rank)));
  }
  /** The same elements as `shape`, of the same count; one extent may be -1, and any may be a size made by `dim`. */
  reshape(shape: readonly Size[], ...none: never[]): Tensor {
    return ops.reshape(this, onlyList('reshape', 'sizes', shape, none), { allowzero: true });
  }
  /** `reshape` by PyTorch's name; where elements have to be moved for it, it moves them. */
  view(shape: readonly Size[], ...none: never[]): Tensor {
    return this.reshape(onlyList('view', 'sizes', shape, none));
  }
  /** Joins the axes from `startAxis` on: [n, c, h, w] gives [n, c·h·w]. */
  flatten(startAxis = 1): Tensor {
    const start = axisOf('flatten', startAxis, this.rank);
    const joined = this.shape.slice(start).reduce((product, extent) => product * extent, 1);
    return this.reshape([...this.shape.slice(0, start), joined]);
  }
  /** Removes `axes`, each of extent 1; all such axes by default. */
  squeeze(axes?: number | readonly number[]): Tensor {
    return ops.squeeze(this, axisList('squeeze', axes));
  }
  /** Inserts axes of extent 1, at the places `axes` of the result. */
  unsqueeze(axes: number | readonly number[]): Tensor {
    return ops.unsqueeze(this, axisList('unsqueeze', axes) as readonly number[]);
  }
  /** Broadcast with `shape` as in NumPy: axes of extent 1 are repeated, and new ones come in front. */
  expand(shape: readonly Size[], ...none: never[]): Tensor {
    return ops.expand(this, onlyList('expand', 'sizes', shape, none));
  }
  /** Axis i of the result is axis `axes[i]`; each axis once. */
  permute(axes: readonly number[], ...none: never[]): Tensor {
    const { rank } = this;
    const order = onlyList('permute', 'axes', axes, none);
    return ops.transpose(this, {
      perm: listOf('permute: axes', order, 'axes').map((axis) => axisOf('permute', axis, rank)),
    });
  }
  /** Swaps two axes; the last two by default. */
  transpose(axisA = -2, axisB = -1): Tensor {
    checkTwoAxes(axisA);
    const perm = this.shape.map((_, i) => i);
    const a = axisOf('transpose', axisA, this.rank);
    const b = axisOf('transpose', axisB, this.rank);
    perm[a] = b;
    perm[b] = a;
    return ops.transpose(this, { perm });
  }
  /** A matrix [m, n] as [n, m]. Throws ShapeError for another rank. */
  t(): Tensor {
    if (this.rank === 2) return this.transpose();
    const others = 'transpose(a, b) swaps two axes, permute([…]) orders all';
    throw new ShapeError(`t: expected a matrix, got shape [${this.shape}]: ${others}`, 'Shape');
  }
  /** Elements start, start + step, … before `end` along `axis`, as Python clamps them; `step` is not 0. */
  slice(axis: number, start: Size, end: Size = Number.MAX_SAFE_INTEGER, step = 1): Tensor {
    integerOf('slice: axis', axis);
    return ops.slice(this, [start], [end], [axis], [step]);
  }
  /** Element `index` along `axis`, which disappears; a negative index counts from the end. */
  select(axis: number, index: number): Tensor {
    if ((index as unknown) instanceof Tensor)
      throw unexpected('select: index', 'an integer (gather takes tensors)', index);
    const scalar = full([], integerOf('select: index', index), 'int64');
    try {
      return ops.gather(this, scalar, { axis });
    } finally {
      scalar.dispose();
    }
  }
  /** Elements at `indices` (int64 or int32, of any shape, which replaces the axis) along `axis`. */
  gather(indices: Tensor | readonly number[], axis = 0): Tensor {
    return ops.gather(this, indices, { axis });
  }
  /** Converted to `dtype`: floating to integer truncates and saturates, and NaN gives 0; to bool is other than 0. */
  cast(dtype: DType): Tensor {
    dtypeCode(dtype); // throws for an unknown one
    return ops.cast(this, { to: dtype });
  }
}

/** What `search` finds along an axis or, without one, among all elements in order. */
function placeOf(search: typeof ops.argMax, x: Tensor, axis: number | null | undefined, keepdims: boolean): Tensor {
  if (axis !== undefined && axis !== null) return search(x, { axis, keepdims });
  return scope(() => search(x.reshape([-1]), { keepdims: false }).reshape(keepdims ? x.shape.map(() => 1) : []));
}
