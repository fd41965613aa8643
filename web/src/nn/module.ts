/** Modules: classes whose tensor and module fields are parameters and children, as in PyTorch. */

import { ArgumentError, ModelError } from '../errors.js';
import { native } from '../native.js';
import { Tensor, zeros } from '../tensor.js';

/** What a tensor of a module is. */
export type TensorKind = 'parameter' | 'buffer' | 'non_persistent_buffer';

/** A tensor of a module by its state-dict path. */
export interface NamedTensor {
  path: string;
  kind: TensorKind;
  tensor: Tensor;
}

const join = (prefix: string, name: string) => (prefix ? `${prefix}.${name}` : name);

/**
 * The base of all modules. A subclass assigns its parts to fields: a `Parameter` (see `parameter`) is trained, a tensor
 * registered by `registerBuffer` is saved but not trained, a module or an array of modules is a child. Paths are those
 * of PyTorch's state dict (`layers.0.weight`).
 */
export abstract class Module {
  #training = true;
  #buffers = new Map<string, boolean>();

  /** The computation. */
  abstract forward(...inputs: Tensor[]): unknown;

  get training(): boolean {
    return this.#training;
  }

  /** Sets the mode of this module and all below it. */
  train(mode = true): this {
    this.#training = mode;
    for (const [, child] of this.children()) child.train(mode);
    return this;
  }

  eval(): this {
    return this.train(false);
  }

  /** Makes `tensor` a buffer in field `name`; a persistent one is in the state dict. */
  registerBuffer(name: string, tensor: Tensor, { persistent = true } = {}): Tensor {
    this.#buffers.set(name, persistent);
    (this as unknown as Record<string, Tensor>)[name] = tensor.keep();
    return tensor;
  }

  /** Modules in this one's fields, by name. */
  children(): [string, Module][] {
    const found: [string, Module][] = [];
    for (const [name, value] of Object.entries(this)) {
      if (value instanceof Module) found.push([name, value]);
      else if (Array.isArray(value)) {
        value.forEach((item, i) => {
          if (item instanceof Module) found.push([`${name}.${i}`, item]);
        });
      }
    }
    return found;
  }

  /** Tensors in this module's own fields. */
  ownTensors(): NamedTensor[] {
    const found: NamedTensor[] = [];
    for (const [path, value] of Object.entries(this)) {
      if (!(value instanceof Tensor) || value.isDisposed) continue;
      const persistent = this.#buffers.get(path);
      if (persistent === undefined && !value.requiresGrad) continue;
      const kind: TensorKind = persistent === undefined ? 'parameter' : persistent ? 'buffer' : 'non_persistent_buffer';
      found.push({ path, kind, tensor: value });
    }
    return found;
  }

  /** Parameters and buffers of this module and all below it; a shared tensor once. */
  namedTensors(prefix = '', seen: Set<Tensor> = new Set()): NamedTensor[] {
    const found: NamedTensor[] = [];
    for (const named of this.ownTensors()) {
      if (seen.has(named.tensor)) continue;
      seen.add(named.tensor);
      found.push({ ...named, path: join(prefix, named.path) });
    }
    for (const [name, child] of this.children()) found.push(...child.namedTensors(join(prefix, name), seen));
    return found;
  }

  /** This module ("") and all below it, by path. */
  namedModules(prefix = ''): [string, Module][] {
    const found: [string, Module][] = [[prefix, this]];
    for (const [name, child] of this.children()) found.push(...child.namedModules(join(prefix, name)));
    return found;
  }

  namedParameters(): [string, Tensor][] {
    return this.namedTensors()
      .filter((named) => named.kind === 'parameter')
      .map((named) => [named.path, named.tensor]);
  }

  parameters(): Tensor[] {
    return this.namedParameters().map(([, tensor]) => tensor);
  }

  /** Parameters and persistent buffers by path: the module's own tensors, not copies. */
  stateDict(): Record<string, Tensor> {
    const state: Record<string, Tensor> = {};
    for (const { path, kind, tensor } of this.namedTensors()) {
      if (kind !== 'non_persistent_buffer') state[path] = tensor;
    }
    return state;
  }

  /**
   * Copies `state` into the module's tensors. Throws ModelError listing every missing and unexpected path and every shape
   * that differs, before anything is changed; without `strict`, missing and unexpected paths are ignored.
   */
  loadStateDict(state: Record<string, Tensor>, { strict = true } = {}): void {
    const own = this.stateDict();
    const problems: string[] = [];
    for (const [path, tensor] of Object.entries(own)) {
      const given = state[path];
      if (!given) {
        if (strict) problems.push(`missing '${path}'`);
      } else if (String(given.shape) !== String(tensor.shape)) {
        problems.push(`'${path}' has shape [${given.shape}], expected [${tensor.shape}]`);
      }
    }
    if (strict) {
      for (const path of Object.keys(state)) if (!(path in own)) problems.push(`unexpected '${path}'`);
    }
    if (problems.length > 0) throw new ModelError(`loadStateDict: ${problems.join('; ')}`, 'Malformed');
    for (const [path, tensor] of Object.entries(own)) {
      const given = state[path];
      if (given) tensor.copyFrom(given);
    }
  }

  zeroGrad(): void {
    for (const parameter of this.parameters()) parameter.grad = null;
  }

  /** Frees the tensors of this module and of all below it. */
  dispose(): void {
    for (const { tensor } of this.ownTensors()) tensor.dispose();
    for (const [, child] of this.children()) child.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** A tensor that training changes: it requires a gradient and outlives scopes. */
export function parameter(values: Tensor | readonly number[]): Tensor {
  const tensor = values instanceof Tensor ? values : zeros(values);
  tensor.requiresGrad = true;
  return tensor.keep();
}

/**
 * Runs `fn` with every `forward` of the modules in `root` putting its name on the module path, which errors and traces
 * show. The instances are as before afterwards.
 */
export function withModulePaths<R>(root: Module, fn: () => R): R {
  const module = native();
  const wrapped: Module[] = [];
  const wrap = (target: Module, name: string): void => {
    if (Object.hasOwn(target, 'forward')) return;
    const { forward } = target;
    const scoped = (...inputs: Tensor[]): unknown => {
      module.pushModule(name);
      try {
        return forward.apply(target, inputs);
      } finally {
        module.popModule();
      }
    };
    Object.defineProperty(target, 'forward', { value: scoped, configurable: true, enumerable: false });
    wrapped.push(target);
    for (const [childName, child] of target.children()) wrap(child, childName);
  };
  wrap(root, '');
  try {
    return fn();
  } finally {
    for (const target of wrapped) delete (target as unknown as Record<string, unknown>).forward;
  }
}

/** Modules run one after the other; children are named "0", "1", …. */
export class Sequential extends Module {
  readonly #modules: Module[];

  constructor(...modules: Module[]) {
    super();
    for (const each of modules) {
      if (!(each instanceof Module)) throw new ArgumentError('Sequential takes modules', 'Argument');
    }
    this.#modules = modules;
  }

  override children(): [string, Module][] {
    return this.#modules.map((each, i) => [String(i), each]);
  }

  override forward(input: Tensor): Tensor {
    let x = input;
    for (const each of this.#modules) x = each.forward(x) as Tensor;
    return x;
  }

  get length(): number {
    return this.#modules.length;
  }

  at(index: number): Module | undefined {
    return this.#modules.at(index);
  }
}

/** A list of modules without a forward of its own. */
export class ModuleList extends Module {
  readonly #modules: Module[];

  constructor(modules: readonly Module[]) {
    super();
    this.#modules = [...modules];
  }

  override children(): [string, Module][] {
    return this.#modules.map((each, i) => [String(i), each]);
  }

  override forward(): never {
    throw new ArgumentError('ModuleList has no forward: call its modules', 'Argument');
  }

  [Symbol.iterator](): Iterator<Module> {
    return this.#modules[Symbol.iterator]();
  }
}
