/** Tensors: handles to typed, strided views of the engine's memory. */

import { writeNumbers } from './call.js';
import {
  arrayType,
  type DType,
  dtypeCode,
  dtypeOfArray,
  dtypeOfCode,
  fromBFloat16,
  fromFloat16,
  isBigInt,
  type TypedArray,
} from './dtype.js';
import { ArgumentError, ShapeError } from './errors.js';
import * as ops from './generated/operators.js';
import { enroll, forget, watch } from './memory.js';
import { callBuffer, native } from './native.js';

export type NestedNumbers = number | bigint | boolean | readonly NestedNumbers[];
export type NestedArray = number | bigint | boolean | NestedArray[];

function release(handle: number): void {
  native().tensorRelease(handle);
}

/**
 * An n-dimensional array in the engine's memory. Made by `tensor`, `zeros`, …, by operators, modules and sessions; freed
 * by `dispose`, by the end of a `scope`, or when collected. Methods that compute return new tensors and are recorded
 * where a gradient or a trace needs it. Axes may be negative. Errors: ShapeError, DTypeError, ArgumentError; TraceError
 * while tracing.
 */
export class Tensor {
  /** The engine's number for this tensor; 0 after `dispose`. */
  #handle: number;
  #shape: readonly number[] | undefined;
  #dtype: DType | undefined;
  #kept = false;

  /** @internal */
  constructor(handle: number) {
    this.#handle = handle;
    watch(this, handle, release);
    enroll(this);
  }

  /** @internal */
  get handle(): number {
    if (this.#handle === 0) throw new ArgumentError('this tensor was disposed of', 'Disposed');
    return this.#handle;
  }

  /** Frees the handle; the memory goes when nothing else (a view, a record) uses it. A second call does nothing. */
  dispose(): void {
    if (this.#handle === 0) return;
    forget(this);
    release(this.#handle);
    this.#handle = 0;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  get isDisposed(): boolean {
    return this.#handle === 0;
  }

  /** Lets the tensor outlive scopes. Returns it. */
  keep(): this {
    this.#kept = true;
    return this;
  }

  get isKept(): boolean {
    return this.#kept;
  }

  #info(): void {
    native().tensorInfo(this.handle);
    const info = callBuffer();
    this.#dtype = dtypeOfCode(info[0] as number);
    this.#shape = Object.freeze(Array.from(info.subarray(2, 2 + (info[1] as number))));
  }

  get shape(): readonly number[] {
    if (!this.#shape) this.#info();
    return this.#shape as readonly number[];
  }

  get dtype(): DType {
    if (!this.#dtype) this.#info();
    return this.#dtype as DType;
  }

  get rank(): number {
    return this.shape.length;
  }

  /** Number of elements. */
  get size(): number {
    return this.shape.reduce((product, extent) => product * extent, 1);
  }

  #read(how: string): TypedArray {
    const module = native();
    const pointer = module.tensorRead(this.handle, how);
    const rows = callBuffer()[0] as number;
    const ArrayType = arrayType(this.dtype) as unknown as new (
      buffer: ArrayBufferLike,
      offset: number,
      length: number,
    ) => TypedArray;
    const copy = new ArrayType(module.HEAPU8.buffer, pointer, this.size).slice();
    if (rows !== 0) module.tensorRelease(rows);
    return copy;
  }

  /** A copy of the elements in row-major order. float16 and bfloat16 come as their bits, bool as 0 and 1. */
  get data(): TypedArray {
    return this.#read('data');
  }

  #numbers(how: string): ArrayLike<number | bigint> {
    const data = this.#read(how);
    if (this.dtype === 'float16') return Array.from(data as Uint16Array, fromFloat16);
    if (this.dtype === 'bfloat16') return Array.from(data as Uint16Array, fromBFloat16);
    return data as ArrayLike<number | bigint>;
  }

  /** The elements as nested arrays: bigint for int64 and uint64, boolean for bool, else number. A scalar comes bare. */
  toArray(): NestedArray {
    const numbers = this.#numbers('toArray');
    const shape = this.shape;
    const isBool = this.dtype === 'bool';
    let next = 0;
    const build = (axis: number): NestedArray => {
      if (axis === shape.length) {
        const value = numbers[next++] as number | bigint;
        return isBool ? value !== 0 : value;
      }
      return Array.from({ length: shape[axis] as number }, () => build(axis + 1));
    };
    return build(0);
  }

  /** The only element. Throws ShapeError when there is not exactly one. int64 comes as a number: see `data` for all bits. */
  item(): number {
    if (this.size !== 1) {
      throw new ShapeError(`item: the tensor has shape [${this.shape}], expected exactly one element`, 'Shape');
    }
    return Number(this.#numbers('item')[0]);
  }

  /** Reading a traced tensor by conversion is refused like every other read. */
  valueOf(): number {
    return this.item();
  }

  /** "float32[2, 2] [[1, 2], [3, 4]]"; long axes are shortened. */
  toString(): string {
    return `${this.dtype}[${this.shape.join(', ')}] ${native().tensorText(this.handle)}`;
  }

  /** Sets every element. */
  fill(value: number): this {
    native().tensorFill(this.handle, value);
    return this;
  }

  /** Copies the elements of `source`, of the same shape and any dtype. */
  copyFrom(source: Tensor): this {
    native().tensorCopyFrom(this.handle, source.handle);
    return this;
  }

  /** A copy; recorded as the same value. */
  clone(): Tensor {
    return new Tensor(native().tensorClone(this.handle));
  }

  /** The same elements without record: no gradient flows through. A traced tensor gives itself. */
  detach(): Tensor {
    return new Tensor(native().tensorDetach(this.handle));
  }

  /** Whether a gradient will reach this tensor; settable on leaves of floating-point dtype. True while traced. */
  get requiresGrad(): boolean {
    return native().tensorRequiresGrad(this.handle);
  }

  set requiresGrad(required: boolean) {
    native().tensorSetRequiresGrad(this.handle, required);
  }

  /** The summed gradient of this leaf, or null; a new handle at every call. */
  get grad(): Tensor | null {
    const handle = native().tensorGrad(this.handle);
    return handle === 0 ? null : new Tensor(handle);
  }

  set grad(gradient: Tensor | null) {
    native().tensorSetGrad(this.handle, gradient ? gradient.handle : 0);
  }

  /** Adds the gradients of this tensor to its leaves. `gradient` may be left out for a single element. */
  backward(
    gradient?: Tensor,
    { retainGraph = false, createGraph = false }: { retainGraph?: boolean; createGraph?: boolean } = {},
  ): void {
    native().tensorBackward(this.handle, gradient?.handle ?? 0, retainGraph, createGraph);
  }

  add(other: Tensor | number): Tensor {
    return ops.add(this, other);
  }
  sub(other: Tensor | number): Tensor {
    return ops.sub(this, other);
  }
  mul(other: Tensor | number): Tensor {
    return ops.mul(this, other);
  }
  div(other: Tensor | number): Tensor {
    return ops.div(this, other);
  }
  pow(exponent: Tensor | number): Tensor {
    return ops.pow(this, exponent);
  }
  neg(): Tensor {
    return ops.neg(this);
  }
  abs(): Tensor {
    return ops.abs(this);
  }
  exp(): Tensor {
    return ops.exp(this);
  }
  log(): Tensor {
    return ops.log(this);
  }
  sqrt(): Tensor {
    return ops.sqrt(this);
  }
  erf(): Tensor {
    return ops.erf(this);
  }
  relu(): Tensor {
    return ops.relu(this);
  }
  leakyRelu(negativeSlope = 0.01): Tensor {
    return ops.leakyRelu(this, { alpha: negativeSlope });
  }
  sigmoid(): Tensor {
    return ops.sigmoid(this);
  }
  tanh(): Tensor {
    return ops.tanh(this);
  }
  gelu({ approximate = 'none' }: { approximate?: 'none' | 'tanh' } = {}): Tensor {
    return ops.gelu(this, { approximate });
  }
  softmax(axis = -1): Tensor {
    return ops.softmax(this, { axis });
  }
  logSoftmax(axis = -1): Tensor {
    return ops.logSoftmax(this, { axis });
  }
  /** min(max(x, min), max); either bound may be left out. */
  clip(min?: number | Tensor | null, max?: number | Tensor | null): Tensor {
    return ops.clip(this, min, max);
  }
  equal(other: Tensor | number): Tensor {
    return ops.equal(this, other);
  }
  greater(other: Tensor | number): Tensor {
    return ops.greater(this, other);
  }
  less(other: Tensor | number): Tensor {
    return ops.less(this, other);
  }

  /** The matrix product over the last two axes, as numpy's matmul. */
  matmul(other: Tensor): Tensor {
    return ops.matMul(this, other);
  }

  /** Sum over `axes` (all by default). */
  sum(axes?: number | readonly number[], keepdims = false): Tensor {
    return ops.reduceSum(this, axisList(axes), { keepdims });
  }
  mean(axes?: number | readonly number[], keepdims = false): Tensor {
    return ops.reduceMean(this, axisList(axes), { keepdims });
  }
  max(axes?: number | readonly number[], keepdims = false): Tensor {
    return ops.reduceMax(this, axisList(axes), { keepdims });
  }

  /** The same elements as `shape`; one extent may be -1. */
  reshape(shape: readonly number[]): Tensor {
    return ops.reshape(this, shape, { allowzero: true });
  }
  /** Joins the axes from `startAxis` on. */
  flatten(startAxis = 1): Tensor {
    const start = startAxis < 0 ? startAxis + this.rank : startAxis;
    const joined = this.shape.slice(start).reduce((product, extent) => product * extent, 1);
    return this.reshape([...this.shape.slice(0, start), joined]);
  }
  squeeze(axes?: number | readonly number[]): Tensor {
    return ops.squeeze(this, axisList(axes));
  }
  unsqueeze(axes: number | readonly number[]): Tensor {
    return ops.unsqueeze(this, axisList(axes) as readonly number[]);
  }
  expand(shape: readonly number[]): Tensor {
    return ops.expand(this, shape);
  }
  /** Axis i of the result is axis `axes[i]`. */
  permute(axes: readonly number[]): Tensor {
    const rank = this.rank;
    return ops.transpose(this, { perm: axes.map((axis) => (axis < 0 ? axis + rank : axis)) });
  }
  /** Swaps two axes; the last two by default. */
  transpose(axisA = -2, axisB = -1): Tensor {
    const axes = this.shape.map((_, i) => i);
    const a = axisA < 0 ? axisA + this.rank : axisA;
    const b = axisB < 0 ? axisB + this.rank : axisB;
    if (!(a in axes) || !(b in axes)) {
      throw new ShapeError(`transpose: axes ${axisA} and ${axisB} are out of range for rank ${this.rank}`, 'Shape');
    }
    axes[a] = b;
    axes[b] = a;
    return ops.transpose(this, { perm: axes });
  }
  /** Elements start, start + step, … before `end` along `axis`. */
  slice(axis: number, start: number, end: number = Number.MAX_SAFE_INTEGER, step = 1): Tensor {
    return ops.slice(this, [start], [end], [axis], [step]);
  }
  /** Element `index` along `axis`, which disappears. */
  select(axis: number, index: number): Tensor {
    return ops.gather(this, scalarInt64(index), { axis });
  }
  /** Elements at `indices` (int64) along `axis`. */
  gather(indices: Tensor, axis = 0): Tensor {
    return ops.gather(this, indices, { axis });
  }
  /** Converted to `dtype`: floating to integer truncates and saturates. */
  cast(dtype: DType): Tensor {
    return ops.cast(this, { to: dtype });
  }
}

function axisList(axes: number | readonly number[] | undefined): readonly number[] | undefined {
  return typeof axes === 'number' ? [axes] : axes;
}

function scalarInt64(value: number): Tensor {
  return full([], value, 'int64');
}

function checkShape(who: string, shape: readonly number[]): void {
  for (const extent of shape) {
    if (!Number.isInteger(extent) || extent < 0) {
      throw new ShapeError(`${who}: shape [${shape}] has an extent that is no size: ${extent}`, 'Shape');
    }
  }
}

function flattenInto(values: NestedNumbers, out: (number | bigint | boolean)[], shape: number[], axis: number): void {
  if (!Array.isArray(values)) {
    if (axis !== shape.length) throw new ShapeError('tensor: the nested arrays have different depths', 'Shape');
    out.push(values as number | bigint | boolean);
    return;
  }
  if (out.length === 0 && axis === shape.length) shape.push(values.length);
  if (shape[axis] !== values.length) {
    throw new ShapeError(
      `tensor: nested arrays of different lengths along axis ${axis}: ${shape[axis] ?? 'a number'} and ${values.length}`,
      'Shape',
    );
  }
  for (const value of values) flattenInto(value, out, shape, axis + 1);
}

function isTypedArray(values: unknown): values is TypedArray {
  return ArrayBuffer.isView(values) && !(values instanceof DataView);
}

/** What `tensor` takes besides the values. */
export interface TensorOptions {
  dtype?: DType;
  shape?: readonly number[];
  requiresGrad?: boolean;
}

/**
 * A tensor from a typed array, nested arrays or a number. The dtype follows the values: a typed array keeps its own,
 * bigint gives int64, boolean bool, number float32; `dtype` converts (Uint16Array with dtype float16 or bfloat16 is taken
 * as bits). `shape` defaults to one axis, or to the nesting.
 */
export function tensor(values: NestedNumbers | TypedArray, options: TensorOptions | DType = {}): Tensor {
  const { dtype, shape, requiresGrad } =
    typeof options === 'string' ? { dtype: options, shape: undefined, requiresGrad: false } : options;
  const made = isTypedArray(values)
    ? fromTypedArray(values, shape ?? [values.length], dtype)
    : fromNested(values, shape, dtype);
  if (requiresGrad) made.requiresGrad = true;
  return made;
}

function fromTypedArray(values: TypedArray, shape: readonly number[], dtype?: DType): Tensor {
  const own = dtypeOfArray(values);
  const sameArray = dtype !== undefined && arrayType(dtype) === arrayType(own);
  checkShape('tensor', shape);
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (count !== values.length) {
    throw new ShapeError(`tensor: shape [${shape}] holds ${count} elements, got ${values.length}`, 'Shape');
  }
  const module = native();
  writeNumbers([shape.length, ...shape]);
  const made = new Tensor(module.tensorEmpty(dtypeCode(sameArray ? (dtype as DType) : own)));
  const pointer = module.tensorData(made.handle);
  module.HEAPU8.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), pointer);
  if (dtype === undefined || sameArray) return made;
  const converted = made.cast(dtype);
  made.dispose();
  return converted;
}

function fromNested(values: NestedNumbers, wanted?: readonly number[], dtype?: DType): Tensor {
  const flat: (number | bigint | boolean)[] = [];
  const nesting: number[] = [];
  flattenInto(values, flat, nesting, 0);
  const first = flat[0];
  const natural = typeof first === 'bigint' ? 'int64' : typeof first === 'boolean' ? 'bool' : 'float32';
  const target = dtype ?? natural;
  dtypeCode(target); // throws for an unknown one
  const halves = target === 'float16' || target === 'bfloat16';
  const stored: DType = halves ? 'float32' : target;
  const array = isBigInt(stored)
    ? (arrayType(stored) as BigInt64ArrayConstructor).from(flat, (value) => BigInt(value))
    : (arrayType(stored) as Float64ArrayConstructor).from(flat, Number);
  const made = fromTypedArray(array as TypedArray, wanted ?? nesting, stored);
  if (!halves) return made;
  const converted = made.cast(target);
  made.dispose();
  return converted;
}

/** Every element `value`. */
export function full(shape: readonly number[], value: number, dtype: DType = 'float32'): Tensor {
  checkShape('full', shape);
  writeNumbers([shape.length, ...shape, value]);
  return new Tensor(native().tensorFull(dtypeCode(dtype)));
}

export function zeros(shape: readonly number[], dtype: DType = 'float32'): Tensor {
  return full(shape, 0, dtype);
}

export function ones(shape: readonly number[], dtype: DType = 'float32'): Tensor {
  return full(shape, 1, dtype);
}

/** start, start + step, … before `end`. */
export function arange(start: number, end: number, step = 1, dtype: DType = 'float32'): Tensor {
  const count = Math.max(0, Math.ceil((end - start) / step));
  return tensor(Array.from({ length: count }, (_, i) => start + i * step) as number[], { dtype, shape: [count] });
}

function random(shape: readonly number[], normal: boolean, a: number, b: number): Tensor {
  checkShape('random', shape);
  native().refuseTrace(normal ? 'randn' : 'rand', 'random numbers would be frozen in the graph');
  writeNumbers([shape.length, ...shape]);
  return new Tensor(native().randomTensor(normal, a, b));
}

/** float32, uniform in [low, high), from the engine's generator: the same numbers on every machine. */
export function rand(shape: readonly number[], low = 0, high = 1): Tensor {
  return random(shape, false, low, high);
}

/** float32, normal. */
export function randn(shape: readonly number[], mean = 0, deviation = 1): Tensor {
  return random(shape, true, mean, deviation);
}

/** 0 … n-1 in random order, int64. */
export function randperm(n: number): Tensor {
  native().refuseTrace('randperm', 'random numbers would be frozen in the graph');
  return new Tensor(native().permutation(n));
}

/** Joins tensors along `axis`. */
export function concat(tensors: readonly Tensor[], axis = 0): Tensor {
  return ops.concat(tensors, { axis });
}

/** Joins tensors of one shape along a new axis. */
export function stack(tensors: readonly Tensor[], axis = 0): Tensor {
  const raised = tensors.map((each) => each.unsqueeze(axis));
  const joined = ops.concat(raised, { axis });
  for (const each of raised) each.dispose();
  return joined;
}

/** `a` where the condition (bool) holds, else `b`. */
export function where(condition: Tensor, a: Tensor | number, b: Tensor | number): Tensor {
  return ops.where(condition, a, b);
}
