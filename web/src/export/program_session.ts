/** Sessions of exported programs: weights are constants, and what the program updates is kept between runs. */

import { checkedOptions, foreignHint, isPlainObject } from '../arguments.js';
import { takeTensors, writeCall } from '../call.js';
import { describe } from '../describe.js';
import { ArgumentError } from '../errors.js';
import { Handle, made } from '../memory.js';
import { native } from '../native.js';
import { renaming } from '../script_names.js';
import { optionNames, type SessionOptions, sessionArguments } from '../session.js';
import type { TensorMap, ValueInfo } from '../session_feeds.js';
import { handlesOf, takeState } from '../state.js';
import { Tensor } from '../tensor.js';
import { throughCallbacks } from './callback.js';

/** How a session runs its program. */
export interface ProgramSessionOptions extends SessionOptions {
  /** A session of the same program, whose state this one shares; by default it has its own. */
  shareStateWith?: ProgramSession;
}

function release(handle: number): void {
  native().programSessionRelease(handle);
}

/** A program ready to run, with its state. */
export class ProgramSession {
  readonly #handle: Handle;
  /** The caller's inputs, in their flat order. */
  readonly inputs: readonly ValueInfo[];
  /** The caller's outputs, in their flat order. */
  readonly outputs: readonly ValueInfo[];

  private constructor(handle: number) {
    this.#handle = new Handle(this, made(handle, 'a ProgramSession', 'program.createSession()'), 'session', release);
    const { inputs, outputs } = native().programSessionValues(handle);
    this.inputs = inputs;
    this.outputs = outputs;
  }

  /** @internal */
  static of(program: number, options: ProgramSessionOptions): ProgramSession {
    checkedOptions('createSession', options, [...optionNames, 'shareStateWith']);
    const { shareStateWith: other, ...others } = options;
    if (other !== undefined && !(other instanceof ProgramSession)) {
      throw new ArgumentError(`createSession: shareStateWith expects a session, got ${describe(other)}`, 'Argument');
    }
    const shared = other ? other.#handle.value : 0;
    return new ProgramSession(
      native().programSessionMake(program, shared, ...sessionArguments('createSession', others)),
    );
  }

  /**
   * Runs the program: feeds by name, or a list in the order of `inputs`; a program of one input takes the tensor alone.
   * Afterwards the state has its new values. Results are typed as `run<{ y: Tensor }>(…)` says. Throws ArgumentError, DTypeError, ShapeError or ConstraintsError, naming
   * input, expected and got, before anything is computed; a run that fails changes nothing.
   */
  async run<Results extends Record<keyof Results, Tensor> = TensorMap>(
    feeds: TensorMap | readonly Tensor[] | Tensor,
    ...none: never[]
  ): Promise<Results> {
    return this.runSync<Results>(feeds, ...none);
  }

  /** As `run`, without a promise. */
  runSync<Results extends Record<keyof Results, Tensor> = TensorMap>(
    feeds: TensorMap | readonly Tensor[] | Tensor,
    ...none: never[]
  ): Results {
    if (none.length > 0) {
      throw new ArgumentError(
        `run: expected one argument, tensors by name or in a list ([a, b]), got ${none.length + 1}`,
        'Argument',
      );
    }
    const given = feeds instanceof Tensor ? [feeds] : feeds;
    if (!Array.isArray(given) && !isPlainObject(given)) {
      throw new ArgumentError(`run: expected tensors by name or in a list, got ${describe(given)}`, 'Argument');
    }
    const names = Array.isArray(given) ? null : Object.keys(given);
    const tensors: unknown[] = Object.values(given);
    tensors.forEach((each, i) => {
      if (each instanceof Tensor) return;
      const name = names?.[i] ?? this.inputs[i]?.name ?? i;
      throw new ArgumentError(
        `run: input '${name}' is no tensor but ${describe(each)}${foreignHint(each)}`,
        'Argument',
      );
    });
    writeCall('run', tensors as Tensor[]);
    const results = renaming('Session::run', 'run', () =>
      takeTensors(native().programSessionRun(this.#handle.value, tensors.length, names)),
    );
    return Object.fromEntries(results.map((result, i) => [(this.outputs[i] as ValueInfo).name, result])) as Results;
  }

  /** Parameters and persistent buffers by path, as they are now. */
  stateDict(): Record<string, Tensor> {
    return takeState(native().programSessionState(this.#handle.value));
  }

  /**
   * Replaces parameters and persistent buffers, for this session and those that share its state. Throws ModelError listing every
   * problem, before anything is changed.
   */
  loadStateDict(state: Record<string, Tensor>): void {
    const handles = handlesOf(state);
    throughCallbacks([], () => native().programSessionLoadState(this.#handle.value, handles));
  }

  /** The passes that were applied, and every plan: which kernel each node got, and why others refused. */
  describe(): string {
    return native().programSessionDescribe(this.#handle.value);
  }

  /** Frees the session with its plans; a state that others share stays. A second call does nothing. */
  dispose(): void {
    this.#handle.free();
  }

  /** As `dispose`, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
