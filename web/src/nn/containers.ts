/** Modules made of other modules. */

import { listOf, recordOf, unexpected } from '../arguments.js';
import { ArgumentError } from '../errors.js';
import type { Tensor } from '../tensor.js';
import { Module, partOfPath } from './module.js';

/** What a container wants in the place of `given`. */
function wantedFor(given: unknown): string {
  if (Array.isArray(given)) return 'modules, not a list of them';
  const isClass = typeof given === 'function' && given.prototype instanceof Module;
  return isClass ? `modules, new ${given.name}(…), not their class` : 'modules';
}

/** Throws ArgumentError naming `who` for what is no module. */
function checkModules(who: string, modules: readonly unknown[]): void {
  for (const each of modules) if (!(each instanceof Module)) throw unexpected(who, wantedFor(each), each);
}

/** Modules in order, whose names are "0", "1", …. */
abstract class Container<M extends Module> extends Module {
  readonly #modules: readonly M[];

  /** Throws ArgumentError for what is no module. */
  constructor(modules: readonly M[]) {
    super();
    checkModules(new.target.name, listOf(new.target.name, modules, 'modules'));
    this.#modules = [...modules];
  }

  override children(): [string, Module][] {
    return [...this.#modules.map((each, i): [string, Module] => [String(i), each]), ...super.children()];
  }

  /** How many modules there are. */
  get length(): number {
    return this.#modules.length;
  }

  /** The module at `index`, from the end when negative; undefined outside. */
  at(index: number): M | undefined {
    return this.#modules.at(index);
  }

  /** The modules in order. */
  [Symbol.iterator](): Iterator<M> {
    return this.#modules[Symbol.iterator]();
  }
}

/** Modules run one after the other, each on the output of the one before; children are named "0", "1", …. */
export class Sequential extends Container<Module> {
  /** Throws ArgumentError for what is no module. */
  constructor(...modules: Module[]) {
    super(modules);
  }

  /** The output of the last module, or the input when there is none. */
  override forward(input: Tensor): Tensor {
    let x = input;
    for (const each of this) x = each.forward(x) as Tensor;
    return x;
  }
}

/** A list of modules without a forward of its own; children are named "0", "1", …. */
export class ModuleList<M extends Module = Module> extends Container<M> {
  /** Throws ArgumentError: the owner calls the modules. */
  override forward(): never {
    throw new ArgumentError('ModuleList has no forward: call its modules', 'Argument');
  }
}

/** Modules by name, without a forward of its own; children have these names. */
export class ModuleDict<M extends Module = Module> extends Module {
  readonly #modules: Map<string, M>;

  /** Throws ArgumentError for what is no module, and for a name that is empty or has a dot. */
  constructor(modules: Readonly<Record<string, M>> = {}) {
    super();
    this.#modules = new Map(Object.entries(recordOf('ModuleDict', modules, 'modules by name')));
    checkModules('ModuleDict', [...this.#modules.values()]);
    for (const name of this.#modules.keys()) partOfPath(name);
  }

  override children(): [string, Module][] {
    return [...this.#modules, ...super.children()];
  }

  /** How many modules there are. */
  get size(): number {
    return this.#modules.size;
  }

  /** The module of that name; undefined when there is none. */
  get(name: string): M | undefined {
    return this.#modules.get(name);
  }

  /** Whether there is a module of that name. */
  has(name: string): boolean {
    return this.#modules.has(name);
  }

  /** The names in order. */
  keys(): IterableIterator<string> {
    return this.#modules.keys();
  }

  /** The modules in order. */
  values(): IterableIterator<M> {
    return this.#modules.values();
  }

  /** Names and modules in order. */
  [Symbol.iterator](): Iterator<[string, M]> {
    return this.#modules[Symbol.iterator]();
  }

  /** Throws ArgumentError: the owner calls the modules. */
  override forward(): never {
    throw new ArgumentError('ModuleDict has no forward: call its modules', 'Argument');
  }
}
