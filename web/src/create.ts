/** Functions that make tensors of values. */

import { checkedOptions, integerOf, numberOf, unexpected } from './arguments.js';
import { type Size, writeNumbers } from './call.js';
import { describe } from './describe.js';
import {
  arrayType,
  bitsOf,
  type DType,
  dtypeCode,
  dtypeOfArray,
  holdsBits,
  integerRange,
  isBigInt,
  type TypedArray,
} from './dtype.js';
import { ArgumentError, MemoryError, ShapeError } from './errors.js';
import { constantOfShape, range } from './generated/operators.js';
import { scope } from './memory.js';
import { native } from './native.js';
import { encodeStrings } from './strings.js';
import { Tensor } from './tensor.js';

/** Numbers, or arrays of arrays of them, of the same length along each axis. */
export type NestedNumbers = number | bigint | boolean | readonly NestedNumbers[];

/** Texts, or arrays of arrays of them, of the same length along each axis. */
export type NestedStrings = string | readonly NestedStrings[];

type Element = number | bigint | boolean | string;
type Nested = Element | readonly Nested[];

const largestRank = 8;

/** Float64Array of 4 GiB. */
const mostElements = 2 ** 29;

const isHandle = (size: Size): size is Tensor => size instanceof Tensor;

function checkShape(who: string, shape: readonly Size[]): void {
  if (!Array.isArray(shape)) {
    throw unexpected(who, `a shape, a list of extents, ${who}([2, 3])`, shape);
  }
  if (shape.length > largestRank) {
    throw new ShapeError(`${who}: rank ${shape.length} is above the largest supported, ${largestRank}`, 'Shape');
  }
  for (const extent of shape) {
    if (isHandle(extent)) continue;
    if (!Number.isInteger(extent) || extent < 0) {
      throw new ShapeError(`${who}: shape [${shape}] has an extent that is no size: ${extent}`, 'Shape');
    }
  }
}

/** The elements in row-major order, and the shape of the nesting. */
function flatten(nested: Nested): { elements: Element[]; shape: number[] } {
  const elements: Element[] = [];
  const shape: number[] = [];
  const path: number[] = [];
  const expected = (what: string, item: unknown): string => {
    const at = path.length > 0 ? ` at ${path.map((index) => `[${index}]`).join('')} (axis ${path.length})` : '';
    const remedy = path.length > 0 ? ': om.stack joins tensors' : ': its clone() is another';
    if ((item as unknown) instanceof ArrayBuffer)
      return `tensor: expected ${what}, got ArrayBuffer: give a typed array on it`;
    return `tensor: expected ${what}${at}, got ${describe(item)}${item instanceof Tensor ? remedy : ''}`;
  };
  const isElement = (item: unknown): boolean =>
    typeof elements[0] === 'string' ? typeof item === 'string' : ['number', 'bigint', 'boolean'].includes(typeof item);
  const visit = (item: Nested): void => {
    const axis = path.length;
    if (!Array.isArray(item)) {
      const isFirstText = elements.length === 0 && typeof item === 'string';
      if (!isFirstText && !isElement(item)) {
        throw new ArgumentError(expected(typeof elements[0] === 'string' ? 'a string' : 'a number', item), 'Argument');
      }
      if (axis < shape.length) throw new ShapeError(expected(`an array of length ${shape[axis]}`, item), 'Shape');
      elements.push(item as Element);
      return;
    }
    if (elements.length === 0 && axis === shape.length) shape.push(item.length);
    if (shape[axis] !== item.length) {
      const what = axis < shape.length ? `an array of length ${shape[axis]}` : 'a number';
      throw new ShapeError(expected(what, item), 'Shape');
    }
    for (let i = 0; i < item.length; i++) {
      path[axis] = i;
      visit(item[i]);
    }
    path.length = axis;
  };
  visit(nested);
  return { elements, shape };
}

function toBigInt(value: Element): bigint {
  if (typeof value !== 'number') return BigInt(value);
  if (!Number.isFinite(value)) throw new ArgumentError(`tensor: ${value} is no 64-bit integer`, 'Argument');
  return BigInt(Math.trunc(value));
}

/** The elements in the array of `dtype`, which does not hold bits. */
function toArray(elements: readonly Element[], dtype: DType): TypedArray {
  const type = arrayType(dtype);
  if (dtype === 'bool') return (type as Uint8ArrayConstructor).from(elements, (value) => (value ? 1 : 0));
  if (dtype === 'float32' || dtype === 'float64') return (type as Float64ArrayConstructor).from(elements, Number);
  const whole = isBigInt(dtype) ? elements.map(toBigInt) : elements.map((value) => Math.trunc(Number(value)));
  const array = (type as { from(values: readonly (number | bigint)[]): TypedArray }).from(whole);
  const [low, high] = integerRange(dtype);
  const few = bitsOf(dtype) < 8;
  const wrong = whole.findIndex((value, i) => value !== array[i] || (few && (value < low || value > high)));
  if (wrong < 0) return array;
  throw new ArgumentError(
    `tensor: element ${wrong} is ${elements[wrong]}, expected ${dtype}, ${low} to ${high}`,
    'Argument',
  );
}

/** What `tensor` takes besides the values. */
export interface TensorOptions {
  /** Element type of the result. Default: follows the values. */
  dtype?: DType;
  /** Of as many elements as there are values. Default: one axis for a typed array, else the nesting. */
  shape?: readonly number[];
  /** Whether gradients are wanted; floating dtypes only. Default: false. */
  requiresGrad?: boolean;
}

/**
 * A tensor from a typed array, nested arrays, a number or a string. The dtype follows the values: a typed array keeps its
 * own (Uint8ClampedArray, of a canvas, is uint8), bigint gives int64, boolean bool, number float32, string string; `dtype` converts (a Uint16Array with dtype float16
 * or bfloat16, and a Uint8Array with a float dtype of 8 or 4 bits, is taken as bits). Throws ShapeError saying where nested
 * arrays differ in length or depth, or when `shape` does not fit; ArgumentError for what is no number, or no string among
 * strings, for one that an integer dtype of nested arrays cannot hold (fractions are cut off), for an unknown dtype and for
 * bits that the dtype does not have.
 */
export function tensor(
  values: NestedNumbers | NestedStrings | TypedArray | Uint8ClampedArray,
  options: TensorOptions | DType = {},
): Tensor {
  const names = ['dtype', 'shape', 'requiresGrad'];
  if (Array.isArray(options)) throw unexpected('tensor', `an object of options, { shape: [${options}] }`, options);
  const given = typeof options === 'string' ? { dtype: options } : checkedOptions('tensor', options, names);
  const { dtype, shape, requiresGrad = false } = given;
  return scope(() => {
    const made =
      ArrayBuffer.isView(values) && !(values instanceof DataView)
        ? fromTypedArray(withDtype(values), shape ?? [values.length], dtype)
        : fromNested(values as Nested, shape, dtype);
    if (requiresGrad) made.requiresGrad = true;
    return made;
  });
}

/** The pixels of a canvas as what they are. */
function withDtype(values: TypedArray | Uint8ClampedArray): TypedArray {
  return values instanceof Uint8ClampedArray ? new Uint8Array(values.buffer, values.byteOffset, values.length) : values;
}

/** Whether the elements of `dtype` are bytes of the array as they are. */
function isHeld(dtype: DType, values: TypedArray): boolean {
  const own = dtypeOfArray(values);
  if (dtype === own) return true;
  if (!holdsBits(dtype) || arrayType(dtype) !== arrayType(own)) return false;
  const wrong = bitsOf(dtype) < 8 ? (values as Uint8Array).find((bits) => bits >> bitsOf(dtype) !== 0) : undefined;
  if (wrong === undefined) return true;
  throw new ArgumentError(`tensor: ${wrong} is not the bits of a ${dtype}`, 'Argument');
}

function checkCount(shape: readonly number[], length: number): void {
  checkShape('tensor', shape);
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (count === length) return;
  throw new ShapeError(`tensor: shape [${shape}] holds ${count} elements, got ${length}`, 'Shape');
}

function fromTypedArray(values: TypedArray, shape: readonly number[], dtype?: DType): Tensor {
  const own = dtypeOfArray(values);
  const wanted = dtype ?? own;
  const code = dtypeCode(wanted);
  checkCount(shape, values.length);
  const fits = isHeld(wanted, values);
  const module = native();
  writeNumbers([shape.length, ...shape]);
  const made = new Tensor(module.tensorEmpty(fits ? code : dtypeCode(own)));
  const pointer = module.tensorData(made.handle);
  module.HEAPU8.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), pointer);
  return fits ? made : made.cast(wanted);
}

function fromStrings(texts: readonly string[], shape: readonly number[]): Tensor {
  checkCount(shape, texts.length);
  const encoded = encodeStrings(texts);
  const bytes = fromTypedArray(encoded, [encoded.length]);
  writeNumbers([shape.length, ...shape]);
  return new Tensor(native().tensorFromStrings(bytes.handle));
}

function fromNested(values: Nested, shape?: readonly number[], dtype?: DType): Tensor {
  const { elements, shape: nesting } = flatten(values);
  const first = elements[0];
  if (typeof first === 'string' || (first === undefined && dtype === 'string')) {
    const texts = fromStrings(elements as string[], shape ?? nesting);
    return dtype && dtype !== 'string' ? texts.cast(dtype) : texts;
  }
  const natural = typeof first === 'bigint' ? 'int64' : typeof first === 'boolean' ? 'bool' : 'float32';
  const wanted = dtype ?? natural;
  dtypeCode(wanted); // throws for an unknown one
  const held = wanted === 'string' ? natural : holdsBits(wanted) ? 'float32' : wanted;
  return fromTypedArray(toArray(elements, held), shape ?? nesting, wanted);
}

function filled(who: string, shape: readonly Size[], value: number, dtype: DType): Tensor {
  checkShape(who, shape);
  numberOf(`${who}: value`, value);
  if (shape.some(isHandle)) {
    return scope(() => constantOfShape(shape, { value: filled(who, [1], value, dtype) }));
  }
  writeNumbers([shape.length, ...(shape as readonly number[]), Number(value)]);
  return new Tensor(native().tensorFull(dtypeCode(dtype)));
}

/**
 * Every element `value`, converted to `dtype` as by `Tensor.cast`. An extent may be a size made by `Tensor.dim`. Throws
 * ShapeError for an extent that is no size, ArgumentError for a value that is no number, or beyond an integer dtype.
 */
export function full(shape: readonly Size[], value: number, dtype: DType = 'float32'): Tensor {
  return filled('full', shape, value, dtype);
}

/** Every element 0; as `full`. */
export function zeros(shape: readonly Size[], dtype: DType = 'float32'): Tensor {
  return filled('zeros', shape, 0, dtype);
}

/** Every element 1; as `full`. */
export function ones(shape: readonly Size[], dtype: DType = 'float32'): Tensor {
  return filled('ones', shape, 1, dtype);
}

/** Throws MemoryError naming `who` for more elements than memory can hold. */
function checkMemory(who: string, length: number): void {
  if (length <= mostElements) return;
  throw new MemoryError(`${who}: ${length} elements are more than memory can hold, ${mostElements}`, 'OutOfMemory');
}

/**
 * start, start + step, … before `end`: shape [n]. Empty when `end` lies the other way. Bounds may be sizes made by
 * `Tensor.dim`; all are whole numbers then. Throws ArgumentError for a number that is not finite and for step 0.
 */
export function arange(start: Size, end: Size, step: Size = 1, dtype: DType = 'float32'): Tensor {
  if (end === undefined) {
    const meant = typeof start === 'number' ? start : 'end';
    throw new ArgumentError(`arange: end is missing: arange(0, ${meant})`, 'Argument');
  }
  if (isHandle(start) || isHandle(end) || isHandle(step)) {
    const bound = (size: Size) => (isHandle(size) ? size : filled('arange', [], size, 'int64'));
    return scope(() => range(bound(start), bound(end), bound(step)).cast(dtype));
  }
  if (![start, end, step].every(Number.isFinite) || step === 0) {
    throw new ArgumentError(
      `arange: expected finite numbers and a step other than 0, got ${[start, end, step]}`,
      'Argument',
    );
  }
  const length = Math.max(0, Math.ceil((end - start) / step));
  checkMemory('arange', length);
  return tensor(
    Float64Array.from({ length }, (_, i) => start + i * step),
    { dtype },
  );
}

function random(name: 'rand' | 'randn', shape: readonly Size[], a: number, b: number): Tensor {
  checkShape(name, shape);
  const [first, second] = name === 'rand' ? ['low', 'high'] : ['mean', 'deviation'];
  numberOf(`${name}: ${first}`, a);
  numberOf(`${name}: ${second}`, b);
  writeNumbers([shape.length, ...shape.map((size) => (isHandle(size) ? Number(size.item()) : size))]);
  return new Tensor(native().randomTensor(name === 'randn', a, b));
}

/**
 * float32, uniform in [low, high), from the engine's generator: the same numbers on every machine after `manualSeed`.
 * Throws TraceError(UnsupportedOperation) while tracing, as do `randn` and `randperm`.
 */
export function rand(shape: readonly Size[], low = 0, high = 1): Tensor {
  return random('rand', shape, low, high);
}

/** float32, normally distributed; otherwise as `rand`. */
export function randn(shape: readonly Size[], mean = 0, deviation = 1): Tensor {
  return random('randn', shape, mean, deviation);
}

/** 0 … n-1 in random order: int64 [n]. Throws ArgumentError unless n is an integer of 0 or more. */
export function randperm(n: number): Tensor {
  checkMemory('randperm', integerOf('randperm: n', n, 0));
  return new Tensor(native().permutation(n));
}
