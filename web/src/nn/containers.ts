/** Modules made of other modules. */

import { listOf, unexpected } from '../arguments.js';
import { ArgumentError } from '../errors.js';
import type { Tensor } from '../tensor.js';
import { Module } from './module.js';

/** Modules run one after the other, each on the output of the one before; children are named "0", "1", …. */
export class Sequential extends Module {
  readonly #modules: Module[];

  /** Throws ArgumentError for what is no module. */
  constructor(...modules: Module[]) {
    super();
    this.#modules = checked('Sequential', modules);
  }

  override children(): [string, Module][] {
    return this.#modules.map((each, i) => [String(i), each]);
  }

  /** The output of the last module, or the input when there is none. */
  override forward(input: Tensor): Tensor {
    let x = input;
    for (const each of this.#modules) x = each.forward(x) as Tensor;
    return x;
  }

  /** How many modules there are. */
  get length(): number {
    return this.#modules.length;
  }

  /** The module at `index`, from the end when negative; undefined outside. */
  at(index: number): Module | undefined {
    return this.#modules.at(index);
  }
}

/** A list of modules without a forward of its own; children are named "0", "1", …. */
export class ModuleList extends Module {
  readonly #modules: Module[];

  /** Throws ArgumentError for what is no module. */
  constructor(modules: readonly Module[]) {
    super();
    this.#modules = checked('ModuleList', modules);
  }

  override children(): [string, Module][] {
    return this.#modules.map((each, i) => [String(i), each]);
  }

  /** Throws ArgumentError: the owner calls the modules. */
  override forward(): never {
    throw new ArgumentError('ModuleList has no forward: call its modules', 'Argument');
  }

  /** The modules in order. */
  [Symbol.iterator](): Iterator<Module> {
    return this.#modules[Symbol.iterator]();
  }
}

function checked(owner: string, modules: readonly Module[]): Module[] {
  for (const each of listOf(owner, modules, 'modules')) {
    if (!(each instanceof Module)) throw unexpected(owner, 'modules', each);
  }
  return [...modules];
}
