/** A model as the engine exports it: its state, its modules, and a call that leaves everything as it was. */

import { describe } from '../describe.js';
import { ArgumentError, TraceError } from '../errors.js';
import { native } from '../native.js';
import { type CallListener, Module, type NamedTensor, withModulePaths } from '../nn/module.js';
import { engineHandleOf } from '../nn/native_module.js';
import { Tensor } from '../tensor.js';
import { type Argument, encodeLoosely, isPlainObject } from './argument.js';
import type { CallSites } from './call_site.js';
import { Callback, thrownOf } from './callback.js';

/** What can be exported: a module, or a function of the example arguments in their order. */
// biome-ignore lint/suspicious/noExplicitAny: a function of any arguments
export type Exportable = Module | ((...args: any[]) => unknown);

/** What the engine is given of a model. */
export interface NativeModel {
  name: string;
  state: { path: string; kind: string; handle: number }[];
  modules: { path: string; handle: number }[];
  run: Callback['run'];
}

type Named = Omit<NamedTensor, 'kind'> & { kind: string };

/** The order of a module's own tensors. */
const places: Record<string, number> = { parameter: 0, buffer: 1, non_persistent_buffer: 1, plain: 2 };

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

/** State in the order of flat inputs: module by module parameters, buffers, and tensors that are neither. */
export function stateOf(root: Module): Named[] {
  const found = new Map<Tensor, Named>();
  for (const [prefix, module] of root.namedModules()) {
    const join = (name: string) => (prefix ? `${prefix}.${name}` : name);
    const own: Named[] = module.ownTensors().map((named) => ({ ...named, path: join(named.path) }));
    const known = new Set(own.map(({ tensor }) => tensor));
    for (const [name, value] of Object.entries(module)) {
      if (!(value instanceof Tensor) || value.isDisposed || known.has(value)) continue;
      own.push({ path: join(name), kind: 'plain', tensor: value });
    }
    const parents = [...new Set(own.map(({ path }) => parentOf(path)))];
    const rank = ({ path, kind }: Named) => 3 * parents.indexOf(parentOf(path)) + (places[kind] as number);
    own.sort((a, b) => rank(a) - rank(b));
    for (const named of own) if (!found.has(named.tensor)) found.set(named.tensor, named);
  }
  return [...found.values()];
}

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

/** Modes and fields of all modules, and the contents of arrays, plain objects, Maps and Sets in these, to be put back. */
class Snapshot {
  readonly #modules: { path: string; module: Module; training: boolean; fields: Contents }[];
  readonly #containers: Contents[] = [];
  readonly #registered: ReadonlySet<unknown>;

  constructor(root: Module) {
    this.#registered = new Set(root.namedTensors().map(({ tensor }) => tensor));
    this.#modules = root
      .namedModules()
      .map(([path, module]) => ({ path, module, training: module.training, fields: new Contents(module) }));
    const found = new Set<object>();
    const add = (contents: Contents) => {
      for (const value of contents.values()) if (isContainer(value)) found.add(value);
    };
    for (const { fields } of this.#modules) add(fields);
    for (const container of found) {
      const contents = new Contents(container);
      this.#containers.push(contents);
      add(contents); // the loop comes to what this finds
    }
  }

  /** Throws TraceError(InPlaceMutation) when a field with a parameter or buffer has something else. */
  check(): void {
    for (const { path, fields } of this.#modules) {
      for (const name of fields.replaced(this.#registered)) {
        const where = path ? `module '${path}': ` : '';
        throw new TraceError(
          `${where}the tensor in field '${name}' was replaced by another while the model was captured: ` +
            'parameters and buffers are updated in place (copy_, add_, sliceScatter_, …)',
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

/** Tells the engine of the calls of modules written in JavaScript; its own tell it themselves. */
function callLog(sites: CallSites | undefined): CallListener {
  return {
    begin(target, path, inputs) {
      sites?.called(path);
      if (path === '' || engineHandleOf(target) !== 0) return false;
      native().callBegin(path, encodeLoosely(inputs));
      return true;
    },
    finish(result) {
      native().callFinish(encodeLoosely(result));
    },
    end() {
      native().callEnd();
    },
  };
}

function checkResult(result: unknown): void {
  const wrong = (what: string): never => {
    throw new TraceError(`export: ${what}`, 'InvalidUsage');
  };
  if (result instanceof Promise) wrong('the function is asynchronous');
  if (!(result instanceof Tensor || Array.isArray(result) || isPlainObject(result))) {
    wrong(`the function returned no tensor but ${describe(result)}`);
  }
}

/** Calls the model on traced arguments; afterwards its modules are as before. */
function call(target: Exportable, args: Argument[], sites?: CallSites): unknown {
  if (!(target instanceof Module)) return target(...args);
  const snapshot = new Snapshot(target);
  try {
    const result = withModulePaths(target, () => target.forward(...(args as Tensor[])), callLog(sites));
    snapshot.check();
    return result;
  } finally {
    snapshot.restore();
  }
}

/** Tells `sites` of an error, as the engine has its message; one whose stack cannot be read is of no use there. */
function tellOf(error: unknown, sites: CallSites | undefined): void {
  try {
    if (!sites || !(error instanceof Error) || typeof error.stack !== 'string') return;
    sites.threw(Object.assign(new Error(thrownOf(error).message), { stack: error.stack }));
  } catch {
    // A getter of the error throws.
  }
}

/**
 * Runs `use`, which makes the engine call the model. What the model throws comes out unless the engine makes more of it.
 * `sites` learns where in the caller's code that was, and where modules were called.
 */
export function capture<R>(who: string, target: Exportable, use: (model: NativeModel) => R, sites?: CallSites): R {
  if (typeof target !== 'function' && !(target instanceof Module)) {
    throw new ArgumentError(`${who}: expected a module or a function, got ${describe(target)}`, 'Argument');
  }
  const callback = new Callback(`${who}: result`, (args) => {
    try {
      const result = call(target, args, sites);
      checkResult(result);
      return result;
    } catch (error) {
      tellOf(error, sites);
      throw error;
    }
  });
  const isModule = target instanceof Module;
  const state = isModule ? stateOf(target) : [];
  const modules = isModule ? target.namedModules() : [];
  const model: NativeModel = {
    name: (isModule ? target.constructor.name : target.name) || 'program',
    state: state.map(({ path, kind, tensor }) => ({ path, kind, handle: tensor.handleFor(`${who}: '${path}'`) })),
    modules: modules.map(([path, each]) => ({ path, handle: engineHandleOf(each) })),
    run: callback.run,
  };
  try {
    return use(model);
  } catch (error) {
    throw callback.original(error);
  }
}
