/** Schedules change the learning rates of an optimizer from step to step. */

import { checkPositional, unexpected } from './arguments.js';
import { type Attribute, writeCall } from './call.js';
import { inspectedText, inspectSymbol } from './inspect.js';
import { Handle } from './memory.js';
import { native } from './native.js';
import { Optimizer } from './optimizer.js';
import { spellingArguments, spellingNames, spellingOptions } from './script_names.js';
import { handlesOf, partHandlesOf, problemsOf, takeState } from './state.js';
import type { Tensor } from './tensor.js';

function release(handle: number): void {
  native().scheduleRelease(handle);
}

/**
 * The base of the generated classes `StepLR`, `OneCycleLR`, …. A group's rate is a function of the number of steps and
 * of the rate that it had when the schedule was made; making one sets the rates of the first step.
 */
export class LRScheduler {
  readonly #handle: Handle;

  /** @internal */
  constructor(index: number, optimizer: Optimizer, args: readonly Attribute[]) {
    if (!(optimizer instanceof Optimizer)) {
      throw unexpected(new.target.name, 'an optimizer', optimizer);
    }
    const of = optimizer.handle;
    const { name } = new.target;
    checkPositional(name, args);
    writeCall(name, [], args);
    const handle = spellingArguments(() => native().scheduleMake(index, of));
    this.#handle = new Handle(this, handle, 'schedule', release);
  }

  /** Counts a step and sets the learning rates; to be called after the optimizer's own step. */
  step(): void {
    spellingArguments(() => native().scheduleStep(this.#handle.value));
  }

  /** How many steps were counted. */
  get lastEpoch(): number {
    return native().scheduleEpoch(this.#handle.value);
  }

  /** The learning rates of the optimizer's groups now. */
  getLastLr(): number[] {
    return native().scheduleRates(this.#handle.value);
  }

  /** What a resumed run needs, as copies: `last_epoch` (int64 []) and `base_lrs` (float64, one for each group). */
  stateDict(): Record<string, Tensor> {
    return takeState(native().scheduleState(this.#handle.value));
  }

  /** What `loadStateDict` would complain of. */
  stateProblems(state: Record<string, Tensor>): string[] {
    return problemsOf(native().scheduleStateProblems(this.#handle.value, handlesOf(state)));
  }

  /**
   * Takes over what `stateDict` gave, and sets the learning rates. Throws ModelError naming what is missing, unexpected
   * or of another shape, negative rates and a number of steps that is none or beyond the schedule, before anything is
   * changed.
   */
  loadStateDict(state: Record<string, Tensor>): void {
    const handles = partHandlesOf(state);
    const { value } = this.#handle;
    spellingOptions(() => spellingNames(['load_state_dict'], () => native().scheduleLoadState(value, handles)));
  }

  /** "StepLR(lastEpoch=2, lr=[0.05])". */
  toString(): string {
    return `${this.constructor.name}(lastEpoch=${this.lastEpoch}, lr=[${this.getLastLr().join(', ')}])`;
  }

  /** @internal What Node's console shows. */
  [inspectSymbol](): string {
    return inspectedText(this);
  }

  /** Frees the schedule; the optimizer stays. A second call does nothing. */
  dispose(): void {
    this.#handle.free();
  }

  /** As `dispose`, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
