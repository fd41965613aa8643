/** What tensors are to the engine: a number that is freed once, with shape and dtype. */

import { type DType, dtypeOfCode } from './dtype.js';
import { ArgumentError } from './errors.js';
import { enroll, forget, made, watch } from './memory.js';
import { callBuffer, native } from './native.js';

function release(handle: number): void {
  native()._tensorRelease(handle);
}

/** The base of `Tensor`: its life, its shape and its dtype. */
export class TensorHandle {
  /** The engine's number for this tensor; 0 after `dispose`. */
  #handle: number;
  #shape: readonly number[] | undefined;
  #dtype: DType | undefined;
  #kept = false;
  #isWatched = false;

  /** @internal */
  constructor(handle: number) {
    this.#handle = made(handle, 'a Tensor', 'om.tensor([1, 2]) of values, om.zeros([2, 3]) of a shape');
    enroll(this);
  }

  /** @internal The engine's number, for a caller that adds to the error where the tensor was used. */
  get handle(): number {
    if (this.#handle === 0) throw new ArgumentError('this tensor was disposed of', 'Disposed');
    return this.#handle;
  }

  /** @internal The engine's number; the error for a tensor that was disposed of names `operation`. */
  handleFor(operation: string): number {
    if (this.#handle === 0) throw new ArgumentError(`${operation}: this tensor was disposed of`, 'Disposed');
    return this.#handle;
  }

  /** @internal Lets the collector free the handle. */
  watch(): void {
    watch(this, this.#handle, release);
    this.#isWatched = true;
  }

  /** Frees the handle; the memory goes when nothing else (a view, a record) uses it. A second call does nothing. */
  dispose(): void {
    if (this.#handle === 0) return;
    release(this.#handle); // may refuse
    if (this.#isWatched) forget(this);
    this.#handle = 0;
  }

  /** As `dispose`, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Whether `dispose` was called, by hand or by a scope. */
  get isDisposed(): boolean {
    return this.#handle === 0;
  }

  /** Lets the tensor outlive scopes. Returns it. */
  keep(): this {
    this.#kept = true;
    return this;
  }

  /** Whether the tensor outlives scopes. */
  get isKept(): boolean {
    return this.#kept;
  }

  /** Asks for shape and dtype; an error names `operation`. */
  #info(operation: string): void {
    native().tensorInfo(this.handleFor(operation));
    const info = callBuffer();
    this.#dtype = dtypeOfCode(info[0] as number);
    this.#shape = Object.freeze(Array.from(info.subarray(2, 2 + (info[1] as number))));
  }

  /** The extent of each axis; frozen. */
  get shape(): readonly number[] {
    if (!this.#shape) this.#info('shape');
    return this.#shape as readonly number[];
  }

  /** The type of the elements. */
  get dtype(): DType {
    return this.dtypeFor('dtype');
  }

  /** @internal The type of the elements; the error for a tensor that was disposed of names `operation`. */
  dtypeFor(operation: string): DType {
    if (!this.#dtype) this.#info(operation);
    return this.#dtype as DType;
  }

  /** Number of axes. */
  get rank(): number {
    return this.shape.length;
  }

  /** Number of elements. */
  get size(): number {
    return this.shape.reduce((product, extent) => product * extent, 1);
  }
}
