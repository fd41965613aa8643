/** Reads of tensors: their elements as JavaScript has them. */

import { type ArrayOf, arrayType, type DType, dtypeCode, holdsBits, type TypedArray } from './dtype.js';
import { DTypeError, ShapeError } from './errors.js';
import { inspected, inspectSymbol } from './inspect.js';
import { callBuffer, native } from './native.js';
import { decodeStrings } from './strings.js';
import { TensorHandle } from './tensor_handle.js';

/** What `toArray` gives: bigint for int64 and uint64, boolean for bool, string for string, else number. */
export type NestedArray = number | bigint | boolean | string | NestedArray[];

/** The part of `Tensor` that gives its elements. */
export class ReadableTensor extends TensorHandle {
  /** The elements in a form that script reads: strings as their bytes, numbers as float32. */
  #readable(how: string): TypedArray<ArrayBuffer> {
    const made = new ReadableTensor(native().tensorReadable(this.handleFor(how), how));
    try {
      return made.#read(how);
    } finally {
      made.dispose();
    }
  }

  #holdsStrings(how: string): boolean {
    return this.dtypeFor(how) === 'string';
  }

  #strings(how: string): string[] {
    return decodeStrings(this.#readable(how) as Uint8Array, this.size);
  }

  #read(how: string): TypedArray<ArrayBuffer> {
    const module = native();
    const pointer = module.tensorRead(this.handleFor(how), how);
    const rows = callBuffer()[0] as number;
    const ArrayType = arrayType(this.dtype) as unknown as new (
      buffer: ArrayBufferLike,
      offset: number,
      length: number,
    ) => TypedArray;
    const copy = new ArrayType(module.HEAPU8.buffer, pointer, this.size).slice();
    if (rows !== 0) module._tensorRelease(rows);
    return copy;
  }

  /**
   * A copy of the elements in row-major order: an array of strings, or a typed array. float16, bfloat16 and smaller floats
   * come as their bits, bool as 0 and 1. Throws TraceError(DataDependent) for a tensor that is being traced, as do
   * `toArray`, `item` and conversions.
   */
  get data(): TypedArray<ArrayBuffer> | string[] {
    return this.#holdsStrings('data') ? this.#strings('data') : this.#read('data');
  }

  /**
   * `data`, of the type that goes with `dtype`, the tensor's own: `x.dataAs('float32')` is a Float32Array. Throws DTypeError for
   * a tensor of another dtype, otherwise as `data`.
   */
  dataAs<D extends DType>(dtype: D): ArrayOf<D> {
    const own = this.dtypeFor('dataAs');
    dtypeCode(dtype); // throws for an unknown one
    if (own === dtype) return this.data as ArrayOf<D>;
    throw new DTypeError(`dataAs: the tensor is ${own}, not ${dtype}; x.cast('${dtype}') converts`, 'DType');
  }

  #elements(how: string): ArrayLike<number | bigint | string> {
    if (this.#holdsStrings(how)) return this.#strings(how);
    return holdsBits(this.dtype) ? this.#readable(how) : this.#read(how);
  }

  /**
   * The elements as nested arrays: bigint for int64 and uint64, boolean for bool, string for string, else number. A scalar
   * comes bare. The type is what the caller says of them: `toArray<number[][]>()`.
   */
  toArray<Nested extends NestedArray = NestedArray>(): Nested {
    const elements = this.#elements('toArray');
    const shape = this.shape;
    const isBool = this.dtype === 'bool';
    let next = 0;
    const build = (axis: number): NestedArray => {
      if (axis === shape.length) {
        const value = elements[next++] as number | bigint | string;
        return isBool ? value !== 0 : value;
      }
      return Array.from({ length: shape[axis] as number }, () => build(axis + 1));
    };
    return build(0) as Nested;
  }

  /**
   * The only element: a number, or a string of a string tensor (`item<string>()`). Throws ShapeError when there is not
   * exactly one. int64 comes as a number: see `data` for all bits.
   */
  item<Element extends number | string = number>(): Element {
    return this.#single('item') as Element;
  }

  /** As `item`; reading a traced tensor by conversion is refused like every other read. */
  override valueOf(): number | string {
    return this.#single('valueOf');
  }

  #single(how: string): number | string {
    const elements = this.#elements(how); // before the size is asked: a traced tensor refuses whatever its size
    if (elements.length === 1) return typeof elements[0] === 'string' ? elements[0] : Number(elements[0]);
    const hint =
      how === 'valueOf'
        ? '; +, >, … take numbers: use x.add(y), x.greater(y), … of tensors, and x.item() of a single element'
        : '; toArray() gives all';
    throw new ShapeError(`${how}: the tensor has shape [${this.shape}], expected exactly one element${hint}`, 'Shape');
  }

  /** "float32[2, 2] [[1, 2], [3, 4]]"; long axes are shortened. */
  override toString(): string {
    const own = native().tensorText(this.handleFor('toString'));
    const text = this.dtype === 'string' ? own : own.replaceAll('nan', 'NaN').replaceAll('inf', 'Infinity');
    return `${this.dtype}[${this.shape.join(', ')}] ${text}`;
  }

  /** @internal What Node's console shows. */
  [inspectSymbol](): string {
    return inspected(this);
  }
}
