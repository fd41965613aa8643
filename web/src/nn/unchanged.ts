/** Calls of models that leave them as they were. */

import { isPlainObject } from '../arguments.js';
import { TraceError } from '../errors.js';
import type { Module } from './module.js';

/** What an object has, to be put back: its own properties, of which accessors are not called, and items of a Map or Set. */
class Contents {
  readonly #target: object;
  readonly #properties: ReadonlyMap<PropertyKey, PropertyDescriptor>;
  readonly #items: readonly unknown[];

  constructor(target: object) {
    this.#target = target;
    this.#properties = new Map(
      Reflect.ownKeys(target).map((key) => [key, Object.getOwnPropertyDescriptor(target, key) as PropertyDescriptor]),
    );
    this.#items = itemsOf(target);
  }

  /** Values of properties and items: keys and values of a Map in turn. */
  values(): unknown[] {
    return [...[...this.#properties.values()].map(({ value }) => value), ...this.#items];
  }

  /** Properties with one of `values` that have another one now. */
  replaced(values: ReadonlySet<unknown>): string[] {
    const isReplaced = ([key, { value }]: [PropertyKey, PropertyDescriptor]) =>
      values.has(value) && Object.getOwnPropertyDescriptor(this.#target, key)?.value !== value;
    return [...this.#properties].filter(isReplaced).map(([key]) => String(key));
  }

  restore(): void {
    const [target, before] = [this.#target, [...this.#properties.keys()]];
    const now = Reflect.ownKeys(target);
    if (now.length !== before.length || now.some((key, i) => key !== before[i])) {
      // To have their order again, properties are made anew; those of an array have none of their own.
      const all = !Array.isArray(target) && Object.isExtensible(target);
      for (const key of now) if (all || !this.#properties.has(key)) Reflect.deleteProperty(target, key);
    }
    for (const [key, property] of this.#properties) {
      if (!isSame(Object.getOwnPropertyDescriptor(target, key), property)) {
        Reflect.defineProperty(target, key, property);
      }
    }
    const items = itemsOf(target);
    const isEqual = items.length === this.#items.length && items.every((item, i) => Object.is(item, this.#items[i]));
    if (!isEqual) this.#refill();
  }

  #refill(): void {
    if (this.#target instanceof Set) {
      this.#target.clear();
      for (const item of this.#items) this.#target.add(item);
    } else if (this.#target instanceof Map) {
      this.#target.clear();
      for (let i = 0; i < this.#items.length; i += 2) this.#target.set(this.#items[i], this.#items[i + 1]);
    }
  }
}

/** What has no parts but a content of its own, to be put back: a Date, or the bytes of a typed array. */
class Value {
  readonly restore: () => void;

  constructor(target: Date | ArrayBufferView) {
    if (target instanceof Date) {
      const time = target.getTime();
      this.restore = () => void target.setTime(time);
    } else {
      const before = bytesOf(target).slice();
      this.restore = () => {
        const now = bytesOf(target);
        if (now.length === before.length) now.set(before);
      };
    }
  }
}

/** The bytes themselves; none of a buffer that was transferred. */
function bytesOf(view: ArrayBufferView): Uint8Array {
  const { buffer, byteOffset, byteLength } = view;
  return byteLength === 0 ? new Uint8Array() : new Uint8Array(buffer, byteOffset, byteLength);
}

function itemsOf(target: object): unknown[] {
  if (target instanceof Set) return [...target];
  return target instanceof Map ? [...target].flat() : [];
}

function isSame(now: PropertyDescriptor | undefined, before: PropertyDescriptor): boolean {
  const names = ['value', 'get', 'set', 'writable', 'enumerable', 'configurable'] as const;
  return now !== undefined && names.every((name) => Object.is(now[name], before[name]));
}

/** Whether what is in `value` is put back: it holds parts, and is nothing that looks after itself. */
function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isPlainObject(value) || value instanceof Map || value instanceof Set;
}

function isValue(value: unknown): value is Date | ArrayBufferView {
  return value instanceof Date || ArrayBuffer.isView(value);
}

/**
 * Modes and fields of all modules, and the contents of arrays, plain objects, Maps, Sets, typed arrays and Dates in these, to be put
 * back.
 */
export class Snapshot {
  readonly #modules: { path: string; module: Module; training: boolean; fields: Contents }[];
  readonly #containers: (Contents | Value)[] = [];
  readonly #registered: ReadonlySet<unknown>;

  constructor(root: Module) {
    this.#registered = new Set(root.namedTensors().map(({ tensor }) => tensor));
    this.#modules = root
      .namedModules()
      .map(([path, module]) => ({ path, module, training: module.training, fields: new Contents(module) }));
    const found = new Set<object>();
    const add = (contents: Contents) => {
      for (const value of contents.values()) if (isContainer(value) || isValue(value)) found.add(value);
    };
    for (const { fields } of this.#modules) add(fields);
    for (const container of found) {
      const contents = isValue(container) ? new Value(container) : new Contents(container);
      this.#containers.push(contents);
      if (contents instanceof Contents) add(contents); // the loop comes to what this finds
    }
  }

  /** Throws TraceError(InPlaceMutation), with `advice`, when a field with a parameter or buffer has something else. */
  check(advice: string): void {
    for (const { path, fields } of this.#modules) {
      for (const name of fields.replaced(this.#registered)) {
        const where = path ? `module '${path}': ` : '';
        throw new TraceError(
          `${where}the tensor in field '${name}' was replaced by another while the model was recorded: ${advice}`,
          'InPlaceMutation',
        );
      }
    }
  }

  restore(): void {
    for (const { module, training, fields } of this.#modules) {
      if (module.training !== training) module.setMode(training);
      fields.restore();
    }
    for (const contents of this.#containers) contents.restore();
  }
}

/** What puts modes and fields of all modules back, as they are now. */
export function restoring(root: Module): () => void {
  const snapshot = new Snapshot(root);
  return () => snapshot.restore();
}

/**
 * Runs `fn`, a recorded call of `root`. Modes and fields of all modules are as before afterwards, also when it throws.
 * Throws TraceError(InPlaceMutation), with `advice`, when `fn` gave the place of a parameter or buffer to something else.
 */
export function unchanged<R>(root: Module, advice: string, fn: () => R): R {
  const snapshot = new Snapshot(root);
  try {
    const result = fn();
    snapshot.check(advice);
    return result;
  } finally {
    snapshot.restore();
  }
}
