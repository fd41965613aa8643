/** Modules: classes whose tensor and module fields are parameters and children, as in PyTorch. */

import { checkedOptions, flagOf, handleOf, recordOf, textOf, unexpected } from '../arguments.js';
import { zeros } from '../create.js';
import { describe } from '../describe.js';
import { ArgumentError, ModelError, type OneModelError } from '../errors.js';
import { inspectedText, inspectSymbol } from '../inspect.js';
import { native } from '../native.js';
import { refuseCheckpoint } from '../state.js';
import { Tensor } from '../tensor.js';
import { surroundForward } from './class_forward.js';
import { whileTracked } from './error_path.js';
import { warnOfHiddenParts } from './hidden_parts.js';
import type { Forward } from './noticed_calls.js';
import { joinPath } from './paths.js';

/** What a tensor of a module is. */
export type TensorKind = 'parameter' | 'buffer' | 'non_persistent_buffer';

/** A tensor of a module by its state-dict path. */
export interface NamedTensor {
  path: string;
  kind: TensorKind;
  tensor: Tensor;
}

const containsItself = (where: string) => new ArgumentError(`${where}: a module contains itself`, 'Argument');

/** Whether an entry of a state is the record of tensors that `loadSafetensors` gives. */
const isRecord = (path: string, value: unknown): boolean =>
  path === 'tensors' && typeof value === 'object' && value !== null && !(value instanceof Tensor);

const parameters = new WeakSet<Tensor>();

/** Whether a field with that value has a part of its module. */
const isPart = (value: unknown): boolean =>
  value instanceof Module || (value instanceof Tensor && parameters.has(value) && !value.isDisposed);

/** A field's name as part of a path. Throws ArgumentError for one with a dot, which would make two paths one. */
export function partOfPath(name: string): string {
  if (name !== '' && !name.includes('.')) return name;
  const why = 'of a parameter, buffer or module must not be empty or have a dot, which separates the parts of a path';
  throw new ArgumentError(`field '${name}': the name ${why}`, 'Argument');
}

/**
 * The base of all modules. A subclass assigns its parts to fields: a tensor made by `parameter` is trained, also while
 * it is frozen (`requiresGrad` false); a tensor registered by `registerBuffer` is saved but not trained; a module or an
 * array of modules is a child. Other tensors are of no concern to the module. Paths are those of PyTorch's state dict
 * (`layers.0.weight`).
 */
export abstract class Module {
  #training = true;
  #entered = false;
  #buffers = new Map<string, boolean>();

  constructor() {
    surroundForward(Object.getPrototypeOf(this), Module.prototype);
  }

  /** The computation. Subclasses say what it takes and gives. */
  // biome-ignore lint/suspicious/noExplicitAny: with anything narrower a subclass could take tensors only
  abstract forward(...inputs: any[]): unknown;

  /** Whether the module is in training mode, as it is when made; dropout and batch norm differ by it. */
  get training(): boolean {
    return this.#training;
  }

  /** Sets the mode of this module and all below it. Throws ArgumentError for a module that contains itself. */
  train(mode = true): this {
    flagOf('train: mode', mode);
    if (this.#entered) throw containsItself('train');
    this.#enter(() => {
      this.setMode(mode);
      for (const [, child] of this.children()) child.train(mode);
    });
    return this;
  }

  /** Runs `visit`, which goes on to the modules below, with a mark by which it would notice that it came back. */
  #enter(visit: () => void): void {
    this.#entered = true;
    try {
      visit();
    } finally {
      this.#entered = false;
    }
  }

  /** `train(false)`. */
  eval(): this {
    return this.train(false);
  }

  /** @internal Sets the mode of this module alone. */
  setMode(mode: boolean): void {
    this.#training = mode;
  }

  /**
   * Makes `tensor` a buffer in field `name` that outlives scopes; a persistent one is in the state dict. Returns it. Throws
   * ArgumentError for a name with a dot, where the field has something other than a buffer, and for an expanded tensor, whose
   * elements share memory.
   */
  registerBuffer(name: string, tensor: Tensor, options: { persistent?: boolean } = {}): Tensor {
    const { persistent = true } = checkedOptions('registerBuffer', options, ['persistent']);
    const who = `registerBuffer: '${textOf('registerBuffer: name', name)}'`;
    native().tensorCheckDistinct(handleOf(who, tensor), who);
    partOfPath(name);
    const now = (this as unknown as Record<string, unknown>)[name];
    if (now !== undefined && now !== null && !this.#buffers.has(name)) {
      const what = now instanceof Tensor && parameters.has(now) ? 'a parameter' : describe(now);
      throw new ArgumentError(`registerBuffer: the module's '${name}' is there already, ${what}`, 'Argument');
    }
    this.#buffers.set(name, persistent);
    (this as unknown as Record<string, Tensor>)[name] = tensor.keep();
    return tensor;
  }

  /** Modules in this one's fields, by name: `fc`, or `blocks.0` for those in an array. */
  children(): [string, Module][] {
    const found: [string, Module][] = [];
    for (const [name, value] of Object.entries(this)) {
      if (value instanceof Module) found.push([partOfPath(name), value]);
      else if (Array.isArray(value)) {
        value.forEach((item, i) => {
          if (item instanceof Module) found.push([`${partOfPath(name)}.${i}`, item]);
        });
      }
    }
    return found;
  }

  /** Parameters and buffers in this module's own fields. */
  ownTensors(): NamedTensor[] {
    const found: NamedTensor[] = [];
    for (const [name, value] of Object.entries(this)) {
      const kind = this.#kindOf(name, value);
      const tensor = value as Tensor;
      if (kind && !tensor.isDisposed) found.push({ path: partOfPath(name), kind, tensor });
    }
    return found;
  }

  #kindOf(name: string, value: unknown): TensorKind | undefined {
    if (!(value instanceof Tensor)) return undefined;
    const persistent = this.#buffers.get(name);
    if (persistent !== undefined) return persistent ? 'buffer' : 'non_persistent_buffer';
    return parameters.has(value) ? 'parameter' : undefined;
  }

  /** @internal The name of what this module itself has and was disposed of, "" for all of it; undefined for none. */
  disposedPart(): string | undefined {
    const isGone = ([name, value]: [string, unknown]) => this.#kindOf(name, value) && (value as Tensor).isDisposed;
    return Object.entries(this).find(isGone)?.[0];
  }

  /** @internal Throws ArgumentError naming `who` when a tensor of this module or of one below it was disposed of. */
  checkAlive(who: string): void {
    for (const [prefix, module] of this.#walk('', [])) {
      const part = module.disposedPart();
      if (part === undefined) continue;
      const path = part ? joinPath(prefix, part) : prefix;
      throw new ArgumentError(`${who}: ${path ? `'${path}' of ` : ''}the module was disposed of`, 'Disposed');
    }
  }

  /** This module and all below it by path, a shared one under each of its paths. */
  *#walk(prefix: string, above: readonly Module[]): Generator<[string, Module]> {
    if (above.includes(this)) throw containsItself(`field '${prefix}'`);
    yield [prefix, this];
    for (const [name, child] of this.children()) yield* child.#walk(joinPath(prefix, name), [...above, this]);
  }

  /**
   * Parameters and buffers of this module and all below it; a module's own come before those of its children. A shared
   * tensor is there once, under its first path, or under each of its paths when `removeDuplicate` is false. Warns on the
   * console of modules and parameters in plain objects, Maps and the like, which are not found. Throws ArgumentError for a
   * module that contains itself.
   */
  namedTensors(options: { removeDuplicate?: boolean } = {}): NamedTensor[] {
    const { removeDuplicate = true } = checkedOptions('namedTensors', options, ['removeDuplicate']);
    const found: NamedTensor[] = [];
    const modules = [...this.#walk('', [])];
    for (const [prefix, module] of modules) {
      for (const named of module.ownTensors()) found.push({ ...named, path: joinPath(prefix, named.path) });
    }
    const parts = modules.map(([, module]) => module);
    warnOfHiddenParts(parts, () => new Set<unknown>([...parts, ...found.map(({ tensor }) => tensor)]), isPart);
    return removeDuplicate ? firstOfEach(found, (named) => named.tensor) : found;
  }

  /** This module ("") and all below it by path; a shared one once, under its first path. */
  namedModules(): [string, Module][] {
    return firstOfEach([...this.#walk('', [])], ([, module]) => module);
  }

  /** Parameters of this module and all below it by path, frozen ones too; a shared one once, under its first path. */
  namedParameters(): [string, Tensor][] {
    return this.namedTensors()
      .filter((named) => named.kind === 'parameter')
      .map((named) => [named.path, named.tensor]);
  }

  /** The parameters of `namedParameters`: what optimizers take. */
  parameters(): Tensor[] {
    return this.namedParameters().map(([, tensor]) => tensor);
  }

  /**
   * Parameters and persistent buffers by path: the module's own tensors, not copies. A shared tensor is there under each
   * of its paths.
   */
  stateDict(): Record<string, Tensor> {
    const all = this.namedTensors({ removeDuplicate: false });
    const saved = all.filter(({ kind }) => kind !== 'non_persistent_buffer');
    return Object.fromEntries(saved.map(({ path, tensor }) => [path, tensor]));
  }

  /** What `loadStateDict` would complain of: every missing and unexpected path, and every shape that differs. */
  stateProblems(state: Record<string, Tensor>, options: { strict?: boolean } = {}): string[] {
    const { strict = true } = checkedOptions('loadStateDict', options, ['strict']);
    for (const [path, each] of Object.entries(recordOf('loadStateDict', state, 'tensors by path'))) {
      if (isRecord(path, each)) throw unexpected('loadStateDict', 'tensors by path (give its `.tensors`)', state);
      handleOf(`loadStateDict: '${path}'`, each);
    }
    const own = this.stateDict();
    const problems: string[] = [];
    for (const [path, tensor] of Object.entries(own)) {
      const given = Object.hasOwn(state, path) ? state[path] : undefined;
      if (!given) {
        if (strict) problems.push(`missing '${path}'`);
      } else if (String(given.shape) !== String(tensor.shape)) {
        problems.push(`'${path}' has shape [${given.shape}], expected [${tensor.shape}]`);
      } else if ((given.dtype === 'string') !== (tensor.dtype === 'string')) {
        problems.push(`'${path}' is ${given.dtype}, expected ${tensor.dtype}`);
      }
    }
    if (!strict) return problems;
    const unknown = Object.keys(state).filter((path) => !Object.hasOwn(own, path));
    return [...problems, ...unknown.map((path) => `unexpected '${path}'`)];
  }

  /**
   * Copies `state` into the module's tensors, converting dtypes. Throws ModelError listing every problem, before
   * anything is changed; without `strict`, missing and unexpected paths are ignored.
   */
  loadStateDict(state: Record<string, Tensor>, options: { strict?: boolean } = {}): void {
    const problems = this.stateProblems(state, options);
    if (problems.length > 0) {
      refuseCheckpoint(state);
      throw new ModelError(`loadStateDict: ${problems.join('; ')}`, 'Malformed');
    }
    for (const [path, tensor] of Object.entries(this.stateDict())) {
      const given = Object.hasOwn(state, path) ? state[path] : undefined;
      if (given) copyValues(tensor, given);
    }
  }

  /** Forgets the gradients of all parameters. */
  zeroGrad(): void {
    for (const parameter of this.parameters()) parameter.grad = null;
  }

  /** The class with its arguments and, where there are some, a tree of the modules below, as PyTorch prints them. */
  toString(): string {
    return treeText(this, []);
  }

  /** @internal This module without those below it: "Net()", "Linear(inFeatures=4, outFeatures=2, bias=true)". */
  headText(): string {
    return `${this.constructor.name}()`;
  }

  /** @internal What Node's console shows. */
  [inspectSymbol](): string {
    return inspectedText(this);
  }

  /** Frees the tensors of this module and of all below it. A second call does nothing. */
  dispose(): void {
    if (this.#entered) return;
    this.#enter(() => {
      for (const { tensor } of this.ownTensors()) tensor.dispose();
      for (const [, child] of this.children()) child.dispose();
    });
  }

  /** As `dispose`, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** A module and those below it, a line each; one that contains itself is not followed. */
function treeText(module: Module, above: readonly Module[]): string {
  const head = module.headText();
  const children = above.includes(module) ? [] : module.children();
  if (children.length === 0) return head;
  const options = head.slice(head.indexOf('(') + 1, -1);
  const lines = children.map(([name, child]) => `(${name}): ${treeText(child, [...above, module])}`);
  const inside = [...(options ? [options] : []), ...lines].join('\n').replaceAll('\n', '\n  ');
  return `${head.slice(0, head.indexOf('('))}(\n  ${inside}\n)`;
}

/** Copies the elements alone, whether or not a gradient is wanted of `source`. */
function copyValues(target: Tensor, source: Tensor): void {
  const values = source.detach();
  try {
    target.copyFrom(values);
  } finally {
    values.dispose();
  }
}

/** The first of the items that have the same key. */
function firstOfEach<T>(items: readonly T[], key: (item: T) => object): T[] {
  const seen = new Set<object>();
  return items.filter((item) => !seen.has(key(item)) && seen.add(key(item)));
}

/**
 * Makes a tensor that training changes: a parameter of the module whose field it is assigned to. It requires a gradient
 * and outlives scopes. Given a floating tensor, it is that one; given a shape, it is float32 zeros. Throws ArgumentError
 * for an expanded tensor, whose elements share memory, DTypeError for another dtype, GradientError for the result of a
 * recorded operator.
 */
export function parameter(values: Tensor | readonly number[]): Tensor {
  const isShape = Array.isArray(values) && values.every((extent) => Number.isInteger(extent));
  if (!(isShape || values instanceof Tensor)) {
    throw unexpected('parameter', 'a shape, or a tensor of values (om.tensor makes one)', values);
  }
  const tensor = values instanceof Tensor ? values : zeros(values);
  native().tensorCheckDistinct(handleOf('parameter', tensor), 'parameter');
  tensor.requiresGrad = true;
  parameters.add(tensor);
  return tensor.keep();
}

/** Sets the mode of a module, unless that was disposed of. */
function setModeOfLiving(module: Module, training: boolean): void {
  try {
    module.setMode(training);
  } catch (error) {
    if ((error as Partial<OneModelError>)?.kind !== 'Disposed') throw error;
  }
}

/** Runs `fn` with `root` and all below it in evaluation mode; then each has the mode it had, also when `fn` throws. */
export function inEvaluation<R>(root: Module, fn: () => R): R {
  const modes = root.namedModules().map(([, module]) => ({ module, training: module.training }));
  try {
    root.eval();
    return fn();
  } finally {
    for (const { module, training } of modes) setModeOfLiving(module, training);
  }
}

/** What a module at `path` adds to the path of the one that calls it: more than its name when it calls past a list. */
function stepTo(path: string, name: string, caller: string): string {
  if (caller === '') return path;
  return path.startsWith(`${caller}.`) ? path.slice(caller.length + 1) : name;
}

/** Is told of calls of modules, and says of each whether it wants to hear of its result and its end. */
export interface CallListener {
  begin(target: Module, path: string, inputs: readonly unknown[]): boolean;
  finish(result: unknown): void;
  end(): void;
}

/**
 * Runs `fn` with every `forward` of the modules in `root`, which is at `rootPath`, putting itself on the module path, which
 * errors and traces show, and telling `listener`. The instances are as before afterwards. `fn` is given what makes a function do the
 * same in the place of the root's own `forward`.
 */
export function withModulePaths<R>(
  root: Module,
  fn: (asRoot: (forward: Forward) => Forward) => R,
  listener?: CallListener,
  rootPath = '',
): R {
  const module = native();
  const wrapped = new Map<Module, PropertyDescriptor | undefined>();
  const running: string[] = [];
  const scoped = (target: Module, name: string, path: string, forward: Forward): Forward => {
    return (...inputs) => {
      native().pushModule(stepTo(path, name, running.at(-1) ?? ''));
      running.push(path);
      let isHeard = false;
      try {
        isHeard = listener?.begin(target, path, inputs) ?? false;
        const result = forward.apply(target, inputs);
        if (isHeard) listener?.finish(result);
        return result;
      } finally {
        if (isHeard) listener?.end();
        running.pop();
        module.popModule();
      }
    };
  };
  const wrap = (target: Module, name: string, path: string): void => {
    const own = Object.getOwnPropertyDescriptor(target, 'forward'); // as of a class with `forward = (x) => …`
    if (wrapped.has(target)) return;
    if (own ? own.configurable : Object.isExtensible(target)) {
      const value = scoped(target, name, path, target.forward as Forward);
      Object.defineProperty(target, 'forward', { value, configurable: true, enumerable: false });
      wrapped.set(target, own);
    }
    for (const [childName, child] of target.children()) wrap(child, childName, joinPath(path, childName));
  };
  try {
    wrap(root, rootPath, rootPath);
    return whileTracked(() => fn((forward) => scoped(root, rootPath, rootPath, forward)));
  } finally {
    for (const [target, own] of wrapped) {
      if (own) Object.defineProperty(target, 'forward', own);
      else Reflect.deleteProperty(target, 'forward');
    }
  }
}
