/** Optimizers change parameters by their gradients. */

import { isPlainObject, valuesOf } from './arguments.js';
import { type Attribute, writeCall } from './call.js';
import { describe } from './describe.js';
import { ArgumentError } from './errors.js';
import { inspectedText, inspectSymbol } from './inspect.js';
import { Handle } from './memory.js';
import { native } from './native.js';
import { spellingArguments, spellingNames, spellingOptions } from './script_names.js';
import { handlesOf, partHandlesOf, problemsOf, takeState } from './state.js';
import { Tensor } from './tensor.js';

function release(handle: number): void {
  native().optimizerRelease(handle);
}

/** Parameters with options of their own. */
export type ParamGroup<Options> = { readonly params: readonly Tensor[] } & Options;
/** What optimizers take: parameters, or groups of them. */
export type OptimizerParameters<Options> = readonly Tensor[] | readonly ParamGroup<Options>[];

function notSet(owner: string, name: string, value: null | undefined): ArgumentError {
  return new ArgumentError(`${owner}: ${name} cannot be ${value}`, 'Argument');
}

/** One group for a list of tensors. Throws ArgumentError for anything else. */
function groupsOf<Options>(owner: string, given: OptimizerParameters<Options>): readonly ParamGroup<Options>[] {
  const refuse = (what: string, got: unknown, is: string | null = null) =>
    new ArgumentError(`${owner}: ${what} expected, got ${is ?? describe(got)}`, 'Argument');
  if (!Array.isArray(given)) {
    const hasParameters = typeof (given as { parameters?: unknown } | null)?.parameters === 'function';
    const remedy = hasParameters ? ' (its parameters(), for example)' : '';
    throw refuse(`a list of tensors or of groups { params: […] }${remedy} was`, given);
  }
  const isGroup = (each: unknown) => Array.isArray((each as ParamGroup<Options> | null)?.params);
  const groups = given.some((each) => isGroup(each) || isPlainObject(each)) ? given : [{ params: given }];
  for (const group of groups) {
    if (!isGroup(group)) {
      const has = isPlainObject(group) ? `one without a list of params (${Object.keys(group).join(', ')})` : null;
      throw refuse('a group { params: […] } was', group, has);
    }
    for (const each of group.params) {
      if (each instanceof Tensor) continue;
      throw refuse(`tensors${Array.isArray(each) ? ', as parameters() gives them,' : ''} were`, each);
    }
  }
  return groups;
}

/**
 * The base of the generated classes `SGD`, `Adam`, …. Parameters are float32 or float64 tensors, each in one group. Those
 * without a gradient, such as frozen ones, are left alone.
 */
export class Optimizer<Options extends object = object> {
  readonly #handle: Handle;
  readonly #names: readonly string[];
  readonly #defaults: readonly Attribute[];
  #groups: readonly ParamGroup<Required<Options>>[] = Object.freeze([]);

  /** @internal Makes the engine's optimizer of that index, whose options are called `names`. */
  constructor(index: number, names: readonly string[], parameters: OptimizerParameters<Options>, options: Options) {
    const [first, ...others] = groupsOf(new.target.name, parameters);
    this.#names = names;
    this.#defaults = valuesOf(new.target.name, options, names);
    const { params } = first as ParamGroup<Options>;
    this.#write(first as ParamGroup<Options>);
    const handle = spellingArguments(() => native().optimizerMake(index, params.length));
    this.#handle = new Handle(this, handle, 'optimizer', release);
    this.#append(params);
    try {
      for (const group of others) this.addParamGroup(group);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** @internal */
  get handle(): number {
    return this.#handle.value;
  }

  /**
   * The groups: their parameters, and their options, which may be set, lists as a whole. The list
   * itself is as it is now: `addParamGroup` makes another. Throws ArgumentError for a value out of range.
   */
  get paramGroups(): readonly ParamGroup<Required<Options>>[] {
    return this.#groups;
  }

  /**
   * Adds parameters; options that the group leaves out are those of the constructor. Throws ArgumentError for no
   * parameters, one that is there already and options out of range or unknown, DTypeError for another dtype, GradientError
   * for a tensor that is no leaf.
   */
  addParamGroup(group: ParamGroup<Options>): void {
    const [only] = groupsOf(this.constructor.name, [group]) as [ParamGroup<Options>];
    const { handle } = this;
    this.#write(only);
    spellingArguments(() => native().optimizerAddGroup(handle, only.params.length));
    this.#append(only.params);
  }

  #append(params: readonly Tensor[]): void {
    const groups = [...this.#groups, this.#view(this.#groups.length, params)];
    const push = () => {
      const why = 'paramGroups cannot be added to; call addParamGroup(group)';
      throw new ArgumentError(`${this.constructor.name}: ${why}`, 'Argument');
    };
    this.#groups = Object.freeze(Object.defineProperty(groups, 'push', { value: push }));
  }

  /** One update of every parameter that has a gradient. */
  step(): void {
    native().optimizerStep(this.handle);
  }

  /** Forgets the gradients of all parameters. Throws TraceError(UnsupportedOperation) while tracing. */
  zeroGrad(): void {
    const { handle } = this;
    spellingNames(['zero_grad'], () => native().optimizerZeroGrad(handle));
  }

  /** The learning rate, 0 or more: that of the first group. Setting it sets it for all. */
  get lr(): number {
    return this.#options(0)[0] as number;
  }

  set lr(rate: number) {
    this.#groups.forEach((_, i) => {
      this.#setOption(i, 'lr', rate);
    });
  }

  /**
   * What a resumed run needs besides the parameters, as copies. For each group its options (`param_groups.0.lr`, float64
   * []; lists are float64 [n], truth values bool []) and the numbers of its parameters (`param_groups.0.params`, int64
   * [n]); for each parameter that was updated `state.0.step` (int64 []) and tensors of the parameter's shape, such as
   * `state.0.exp_avg`.
   */
  stateDict(): Record<string, Tensor> {
    return takeState(native().optimizerState(this.handle));
  }

  /** What `loadStateDict` would complain of. */
  stateProblems(state: Record<string, Tensor>): string[] {
    return problemsOf(native().optimizerStateProblems(this.handle, handlesOf(state)));
  }

  /**
   * Takes over what `stateDict` gave, options too. Throws ModelError naming every missing or unexpected entry, wrong
   * shape, other numbers of parameters, a count of steps that is none and options out of range, before anything is changed.
   */
  loadStateDict(state: Record<string, Tensor>): void {
    const handles = partHandlesOf(state);
    spellingOptions(() => spellingNames(['load_state_dict'], () => native().optimizerLoadState(this.handle, handles)));
  }

  /** Writes a group's parameters and options into the call buffer. */
  #write(group: ParamGroup<Options>): void {
    const owner = this.constructor.name;
    const { params, ...options } = group;
    const own = valuesOf(`${owner}: a group`, options, this.#names);
    for (const values of [this.#defaults, own]) {
      values.forEach((value, i) => {
        if (value === null) throw notSet(owner, this.#names[i] as string, value);
      });
    }
    writeCall(
      owner,
      params,
      own.map((value, i) => value ?? this.#defaults[i]),
    );
  }

  /** Lists are frozen: an option changes when it is set. */
  #options(group: number): unknown[] {
    return native()
      .optimizerOptions(this.handle, group)
      .map((value) => Object.freeze(value));
  }

  #setOption(group: number, name: string, value: Attribute): void {
    const owner = this.constructor.name;
    if (value === null || value === undefined) throw notSet(owner, name, value);
    const { handle } = this;
    writeCall(
      owner,
      [],
      this.#names.map((each) => (each === name ? value : undefined)),
    );
    spellingArguments(() => native().optimizerSetOptions(handle, group));
  }

  /** A group as an object whose options are those of the engine. */
  #view(group: number, params: readonly Tensor[]): ParamGroup<Required<Options>> {
    const view = { params: Object.freeze([...params]) };
    this.#names.forEach((name, i) => {
      Object.defineProperty(view, name, {
        enumerable: true,
        get: () => this.#options(group)[i],
        set: (value: Attribute) => this.#setOption(group, name, value),
      });
    });
    return Object.freeze(view) as unknown as ParamGroup<Required<Options>>;
  }

  /** The class and the options of each group, a line each. */
  toString(): string {
    const optionsOf = (group: number) => this.#options(group).map((value, i) => [this.#names[i], value]);
    const lines = this.#groups.flatMap(({ params }, group) => [
      `  group ${group}: ${params.length} ${params.length === 1 ? 'parameter' : 'parameters'}`,
      ...optionsOf(group).map(
        ([name, value]) => `    ${name}: ${Array.isArray(value) ? `[${value.join(', ')}]` : value}`,
      ),
    ]);
    return [`${this.constructor.name}(`, ...lines, ')'].join('\n');
  }

  /** @internal What Node's console shows. */
  [inspectSymbol](): string {
    return inspectedText(this);
  }

  /** Frees the optimizer's state; the parameters stay. A second call does nothing. */
  dispose(): void {
    this.#handle.free();
  }

  /** As `dispose`, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
