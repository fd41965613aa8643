/** Bytes in the engine's heap. */

import { describe } from './describe.js';
import { ArgumentError, MemoryError } from './errors.js';
import { type Native, native } from './native.js';

/** Memory of the engine's heap. Throws MemoryError saying how many bytes were asked for. */
function allocate(module: Native, bytes: number): number {
  const failed = (why: string) => new MemoryError(`cannot take ${bytes} bytes: ${why}`, 'OutOfMemory');
  if (bytes > 0xffffffff) throw failed('WebAssembly has 4 GiB of memory at most');
  try {
    return module.heapAllocate(bytes);
  } catch (error) {
    throw error instanceof MemoryError ? failed(error.message) : error;
  }
}

/** Bytes that come one after the other, in the engine's heap. */
export class HeapBuffer {
  #pointer: number;
  #capacity: number;
  #length = 0;

  /** `capacity`: how many bytes are expected. */
  constructor(capacity: number) {
    this.#capacity = Math.max(1, capacity);
    this.#pointer = allocate(native(), this.#capacity);
  }

  /** Throws MemoryError when they do not fit. */
  append(bytes: Uint8Array): void {
    const length = this.#length + bytes.byteLength;
    if (length > this.#capacity) this.#grow(Math.max(length, 2 * this.#capacity));
    native().HEAPU8.set(bytes, this.#pointer + this.#length);
    this.#length = length;
  }

  #grow(capacity: number): void {
    const module = native();
    const pointer = allocate(module, capacity);
    module.HEAPU8.copyWithin(pointer, this.#pointer, this.#pointer + this.#length);
    module.heapFree(this.#pointer);
    [this.#pointer, this.#capacity] = [pointer, capacity];
  }

  /** Gives `use` the place and the number of the bytes. */
  with<R>(use: (pointer: number, length: number) => R): R {
    return use(this.#pointer, this.#length);
  }

  /** Once. */
  free(): void {
    native().heapFree(this.#pointer);
  }
}

const pieceBytes = 1 << 20;

/** As `withHeapBytes`, a part at a time, so that little is twice in memory; `at` is where the part begins. */
export function withHeapPieces(bytes: Uint8Array, use: (pointer: number, length: number, at: number) => void): void {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    withHeapBytes(bytes.subarray(at, at + pieceBytes), (pointer, length) => use(pointer, length, at));
  }
}

/** Throws ArgumentError, whose message begins with `caller`, for what are no bytes. */
export function checkBytes(caller: string, bytes: Uint8Array): void {
  if (bytes instanceof Uint8Array) return;
  const remedy = 'in Node readFileSync(path), in a page new Uint8Array(await response.arrayBuffer())';
  throw new ArgumentError(`${caller}expected the file as a Uint8Array (${remedy}), got ${describe(bytes)}`, 'Argument');
}

/**
 * Copies bytes to the engine's heap for the time of `use`. Throws MemoryError when they do not fit, ArgumentError for
 * another kind of value.
 */
export function withHeapBytes<R>(bytes: Uint8Array, use: (pointer: number, length: number) => R, caller = ''): R {
  checkBytes(caller, bytes);
  const module = native();
  const pointer = allocate(module, bytes.byteLength);
  try {
    module.HEAPU8.set(bytes, pointer);
    return use(pointer, bytes.byteLength);
  } finally {
    module.heapFree(pointer);
  }
}
