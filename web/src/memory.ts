/** Who frees what: scopes, disposal, and the finalization registry as the net below. */

import { checkFunction } from './arguments.js';
import { ArgumentError } from './errors.js';
import { isRunning, native } from './native.js';

/** Something that holds memory of the engine. */
export interface Disposable {
  /** Frees it. A second call does nothing. */
  dispose(): void;
}

interface Scoped extends Disposable {
  readonly isDisposed: boolean;
  readonly isKept: boolean;
  /** Lets the collector free it. */
  watch(): void;
}

const scopes: Set<Scoped>[] = [];

type Release = (handle: number) => void;
const registry = new FinalizationRegistry<{ handle: number; release: Release }>((held) => {
  if (isRunning()) held.release(held.handle);
});

/** Frees `handle` when `owner` is collected, unless `forget` came first. */
export function watch(owner: object, handle: number, release: Release): void {
  registry.register(owner, { handle, release }, owner);
}

/** Undoes `watch`: the owner frees its handle itself. */
export function forget(owner: object): void {
  registry.unregister(owner);
}

// To watch costs more than a small operator, and most tensors are disposed of by the code that made them. The others are
// watched when it has ended: nothing is collected before.
const mostYoung = 128;
let young: Scoped[] = [];
let isSettling = false;

function settle(): void {
  const settled = young;
  young = [];
  for (const item of settled) if (!item.isDisposed) item.watch();
}

/** Leaves an item that no scope holds to the collector. */
function entrust(item: Scoped): void {
  if (young.length === mostYoung) settle();
  young.push(item);
  if (isSettling) return;
  isSettling = true;
  queueMicrotask(() => {
    isSettling = false;
    settle();
  });
}

/** `handle`, the engine's number. Throws ArgumentError for what a program gave to `new NAME`, naming what makes one. */
export function made(handle: number | undefined, name: string, remedy: string): number {
  if (typeof handle === 'number') return handle;
  throw new ArgumentError(`${name} is not made by new: use ${remedy}`, 'Argument');
}

/** The engine's number for one object, freed once: by `free`, or when the object's owner in JavaScript is collected. */
export class Handle {
  #value: number;
  readonly #what: string;
  readonly #release: Release;

  /** `what` names the owner in errors. */
  constructor(owner: object, value: number, what: string, release: Release) {
    this.#value = value;
    this.#what = what;
    this.#release = release;
    registry.register(owner, { handle: value, release }, this);
  }

  /** The number. Throws ArgumentError after `free`. */
  get value(): number {
    if (this.#value === 0) throw new ArgumentError(`this ${this.#what} was disposed of`, 'Disposed');
    return this.#value;
  }

  get isFree(): boolean {
    return this.#value === 0;
  }

  /** Frees the object. A second call does nothing. */
  free(): void {
    if (this.#value === 0) return;
    this.#release(this.#value); // may refuse
    registry.unregister(this);
    this.#value = 0;
  }
}

/** Puts a new tensor into the innermost scope, which then frees it; without one the collector does. */
export function enroll(item: Scoped): void {
  const innermost = scopes[scopes.length - 1];
  if (innermost) innermost.add(item);
  else entrust(item);
}

/** Gives what `result` holds over to the scope around. */
function keepReachable(result: unknown, made: Set<Scoped>): void {
  const seen = new Set<unknown>([result]);
  for (const value of seen) {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    if (made.delete(value as Scoped)) {
      enroll(value as Scoped);
      continue;
    }
    const parts = value instanceof Map || value instanceof Set ? value.values() : Object.values(value);
    for (const part of parts) if (typeof part === 'object') seen.add(part); // the loop comes to it
  }
}

function close(made: Set<Scoped>, result: unknown): void {
  scopes.splice(scopes.indexOf(made), 1);
  try {
    keepReachable(result, made);
  } finally {
    for (const item of made) {
      if (item.isKept) entrust(item);
      else item.dispose();
    }
  }
}

/**
 * Runs `fn` and frees every tensor made inside, but those in its result (also within arrays and objects) and
 * parameters of modules. A promise is awaited first; then nothing else may run beside it that makes tensors.
 */
export function scope<R>(fn: () => R): R {
  checkFunction('scope', fn);
  const made = new Set<Scoped>();
  scopes.push(made);
  let result: R;
  try {
    result = fn();
  } catch (error) {
    close(made, undefined);
    throw error;
  }
  if (result instanceof Promise) {
    return result.then(
      (value) => {
        close(made, value);
        return value;
      },
      (error) => {
        close(made, undefined);
        throw error;
      },
    ) as R;
  }
  close(made, result);
  return result;
}

/** @internal A scope without a function: what is called at its end frees the tensors made meanwhile. */
export function openScope(): () => void {
  const made = new Set<Scoped>();
  scopes.push(made);
  return () => close(made, undefined);
}

/** What is alive now. */
export interface Memory {
  /** Tensors that JavaScript holds. */
  tensors: number;
  /** Modules of the engine: layers and activations. */
  modules: number;
  /** Optimizers. */
  optimizers: number;
  /** Schedules of learning rates. */
  schedules: number;
  /** Graphs, traced models among them. */
  graphs: number;
  /** Exported programs. */
  programs: number;
  /** Sessions, of graphs and of programs. */
  sessions: number;
  /** Buffers of elements, shared by views; gradients, records, graphs and sessions hold some too. */
  storages: number;
  /** Bytes in those buffers. */
  bytes: number;
  /** Size of the WebAssembly memory, which never shrinks. */
  heapBytes: number;
}

/** Counts of what is alive: all zero but `heapBytes` after everything was disposed of. Throws before `init`. */
export function memory(): Memory {
  const module = native();
  return {
    tensors: module.tensorCount(),
    modules: module.moduleCount(),
    optimizers: module.optimizerCount(),
    schedules: module.scheduleCount(),
    graphs: module.graphCount(),
    programs: module.programCount(),
    sessions: module.sessionCount() + module.programSessionCount(),
    storages: module.storageCount(),
    bytes: module.storageBytes(),
    heapBytes: module.HEAPU8.byteLength,
  };
}
