/** Modules made of other modules. */

import { listOf, unexpected } from '../arguments.js';
import { ArgumentError } from '../errors.js';
import type { Tensor } from '../tensor.js';
import { Module } from './module.js';

/** What a container wants in the place of `given`. */
function wantedFor(given: unknown): string {
  if (Array.isArray(given)) return 'modules, not a list of them';
  const isClass = typeof given === 'function' && given.prototype instanceof Module;
  return isClass ? `modules, new ${given.name}(…), not their class` : 'modules';
}

/** Modules in order, whose names are "0", "1", …. */
abstract class Container<M extends Module> extends Module {
  readonly #modules: readonly M[];

  /** Throws ArgumentError for what is no module. */
  constructor(modules: readonly M[]) {
    super();
    for (const each of listOf(new.target.name, modules, 'modules')) {
      if (!(each instanceof Module)) throw unexpected(new.target.name, wantedFor(each), each);
    }
    this.#modules = [...modules];
  }

  override children(): [string, Module][] {
    return this.#modules.map((each, i) => [String(i), each]);
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
