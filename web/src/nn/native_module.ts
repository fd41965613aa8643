/** Modules that the engine implements. */

import { checkedOptions, checkPositional, handleOf, unexpected } from '../arguments.js';
import { type Attribute, takeTensors, writeCall } from '../call.js';
import { ArgumentError } from '../errors.js';
import { Handle } from '../memory.js';
import { native } from '../native.js';
import { renaming, spellingArguments, spellingNames, withScriptOptions } from '../script_names.js';
import { Tensor } from '../tensor.js';
import { Module, type NamedTensor, type TensorKind } from './module.js';

function release(handle: number): void {
  native().moduleRelease(handle);
}

/** What errors of a forward may name; other words in them may be paths of the caller's modules. */
const forwardNames = ['attn_mask', 'key_padding_mask', 'output_size', 'scale_factor'];

/** Functions of the engine that modules call, whose names their errors may begin with. */
const functions =
  '(?:batch|layer|group|instance|rms)_norm(?:2d)?|interpolate|pad|prelu|glu|(?:max|avg|adaptive_(?:avg|max)|global_avg)_pool[123]d';

function makeModule(name: string, index: number, args: readonly Attribute[]): number {
  checkPositional(name, args);
  if (args[2] === null && /^InstanceNorm[123]d$/.test(name)) {
    throw new ArgumentError(`${name}: momentum cannot be null: there is no average of all batches`, 'Argument');
  }
  writeCall(name, [], args);
  return spellingArguments(() => native().moduleMake(index));
}

/** What modules of the engine share; their tensors are those of the engine's module. */
export abstract class EngineModule extends Module {
  readonly #handle: Handle;
  readonly #made: readonly [index: number, args: readonly Attribute[] | null];
  #tensors: NamedTensor[];

  /** @internal A module of that kind; without arguments, the one that has the number `index` and its own tensors alone. */
  constructor(index: number, args: readonly Attribute[] | null) {
    super();
    const module = native();
    this.#made = [index, args];
    this.#handle = new Handle(this, args ? makeModule(new.target.name, index, args) : index, 'module', release);
    const tensors = module.moduleTensors(this.#handle.value, args !== null);
    this.#tensors = tensors.map(({ path, kind, handle }) => ({
      path,
      kind: kind as TensorKind,
      tensor: new Tensor(handle).keep(),
    }));
    for (const { path, tensor } of this.#tensors) {
      Object.defineProperty(this, path, { value: tensor, enumerable: false });
    }
  }

  /** @internal Another module of this class with the same arguments, values and mode. */
  copy(): EngineModule {
    const made: EngineModule = Reflect.construct(EngineModule, this.#made, this.constructor);
    made.loadStateDict(this.stateDict());
    return made.train(this.training);
  }

  /** @internal */
  get engineHandle(): number {
    return this.#handle.value;
  }

  /** The parameters and buffers of the engine's module, and of a class that extends it. */
  override ownTensors(): NamedTensor[] {
    return [...this.#tensors, ...super.ownTensors()];
  }

  /** @internal */
  override disposedPart(): string | undefined {
    return this.#handle.isFree ? '' : this.#tensors.find(({ tensor }) => tensor.isDisposed)?.path;
  }

  /** @internal */
  override setMode(mode: boolean): void {
    native().moduleTrain(this.#handle.value, mode);
    super.setMode(mode);
  }

  /** @internal The computation on tensors, where null stands for one that is left out. */
  protected run(inputs: readonly (Tensor | null)[]): Tensor[] {
    return this.#called(inputs, (handle) => native().moduleForward(handle, inputs.length));
  }

  /** Calls `forward` with the module's number and the inputs in the buffer. Errors say this module's name. */
  #called(inputs: readonly (Tensor | null)[], forward: (handle: number) => number): Tensor[] {
    const handle = this.#handle.value;
    const { name } = this.constructor;
    inputs.forEach((each, i) => {
      if (each instanceof Tensor || (i > 0 && (each === null || each === undefined))) return; // the usual, without a text
      handleOf(`${name}: input ${i}`, each as unknown as Tensor);
    });
    writeCall(name, inputs);
    return takeTensors(renaming(functions, name, () => spellingNames(forwardNames, () => forward(handle))));
  }

  /** @internal As `run`, of attention, with its weights. */
  protected runWithWeights(inputs: readonly (Tensor | null)[], average: boolean): Tensor[] {
    return this.#called(inputs, (handle) => native().attentionForward(handle, inputs.length, average));
  }

  /** @internal */
  override headText(): string {
    return withScriptOptions(native().moduleDescribe(this.#handle.value));
  }

  /** Frees the module and its tensors. A second call does nothing. */
  override dispose(): void {
    if (this.#handle.isFree) return;
    super.dispose();
    this.#tensors = [];
    this.#handle.free();
  }
}

/** The engine's number of `module`; 0 when it is written in JavaScript. */
export function engineHandleOf(module: Module): number {
  return module instanceof EngineModule ? module.engineHandle : 0;
}

/** The base of the generated classes with one input and one output. */
export class NativeLayer extends EngineModule {
  /** The computation. Throws ShapeError or DTypeError for an input that does not fit. */
  override forward(input: Tensor): Tensor;
  override forward(...inputs: Tensor[]): Tensor {
    return this.run(inputs)[0] as Tensor;
  }
}

/** The base of the generated classes with several inputs and one output. */
export class NativeModule extends EngineModule {
  /**
   * The computation, where null stands for an input that is left out. Throws ShapeError or DTypeError for one that does
   * not fit.
   */
  override forward(input: Tensor, ...others: (Tensor | null)[]): Tensor {
    return this.run([input, ...others])[0] as Tensor;
  }
}

/** The base of the generated classes with several outputs: recurrent layers give [y, h], LSTM [y, h, c]. */
export class NativeModuleOfSeveral<Results extends Tensor[] = Tensor[]> extends EngineModule {
  /**
   * The computation, of the input and, where given, the first states, where null stands for zeros. After the input or the
   * states may come how many steps each row has, int64 or int32 [batch]: outputs after them are 0, the last states are
   * those of a row's last step, and the reverse way starts there, as of PyTorch's packed sequences. Throws as
   * NativeLayer does.
   */
  override forward(input: Tensor, ...statesAndLengths: (Tensor | null)[]): Results {
    const tuple: unknown = statesAndLengths[0];
    if (Array.isArray(tuple) && tuple[0] instanceof Tensor) {
      const meant = tuple.length === 2 ? 'x, h, c' : 'x, h';
      throw unexpected(this.constructor.name, `the states one by one, forward(${meant})`, tuple);
    }
    return this.run([input, ...statesAndLengths]) as Results;
  }
}

/** What attention takes beside query, key and value. */
export interface AttentionInputs {
  /** [batch, S]: true for keys that must not be seen, or what is added to their scores. */
  keyPaddingMask?: Tensor | null;
  /** [L, S], [batch, L, S] or [batch * heads, L, S]: true where a key must not be seen, or what is added to the scores. */
  attnMask?: Tensor | null;
  /** Whether the attention weights are the second result; false. */
  needWeights?: boolean;
  /** Whether these are the mean over the heads, [batch, L, S], instead of [batch, heads, L, S]; true. */
  averageAttnWeights?: boolean;
}

const attentionInputs = ['keyPaddingMask', 'attnMask', 'needWeights', 'averageAttnWeights'];

/** The base of `MultiheadAttention`. */
export class NativeAttention extends EngineModule {
  /**
   * The computation of query [L, batch, E], key and value [S, batch, …] (or batch first): of the query's shape, and the
   * attention weights, after dropout, where they are asked for. One tensor alone is all three; masks may also follow the
   * value: keyPaddingMask, attnMask. Throws ShapeError or DTypeError for an input that does not fit.
   */
  override forward(query: Tensor, ...others: (Tensor | null)[]): Tensor;
  override forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    inputs: AttentionInputs & { needWeights: true },
  ): [Tensor, Tensor];
  override forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    inputs: AttentionInputs & { needWeights?: false },
  ): Tensor;
  override forward(query: Tensor, ...others: (Tensor | null | AttentionInputs)[]): Tensor | [Tensor, Tensor] {
    const last = others[2];
    if (others.length !== 3 || !isInputs(last)) return this.run([query, ...(others as Tensor[])])[0] as Tensor;
    const given = checkedOptions('MultiheadAttention', last, attentionInputs);
    const { keyPaddingMask = null, attnMask = null, needWeights = false, averageAttnWeights = true } = given;
    const inputs = [query, ...(others.slice(0, 2) as Tensor[]), keyPaddingMask, attnMask];
    if (!needWeights) return this.run(inputs)[0] as Tensor;
    return this.runWithWeights(inputs, averageAttnWeights) as [Tensor, Tensor];
  }
}

function isInputs(value: Tensor | null | undefined | AttentionInputs): value is AttentionInputs {
  return typeof value === 'object' && value !== null && !(value instanceof Tensor);
}
