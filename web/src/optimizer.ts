/** Optimizers change parameters by their gradients. */

import { type Attribute, writeCall } from './call.js';
import { forget, live, watch } from './memory.js';
import { native } from './native.js';
import { handleOf, Tensor } from './tensor.js';

function release(handle: number): void {
  native().optimizerRelease(handle);
}

/**
 * The base of the generated classes `SGD`, `Adam`, …. Parameters are float32 or float64 tensors, at least one. Those
 * without a gradient, such as frozen ones, are left alone.
 */
export class Optimizer {
  #handle: number;

  /** @internal */
  constructor(index: number, parameters: readonly Tensor[], args: readonly Attribute[]) {
    writeCall(new.target.name, parameters, args);
    this.#handle = native().optimizerMake(index, parameters.length);
    watch(this, this.#handle, release);
  }

  /** One update of every parameter that has a gradient. */
  step(): void {
    native().optimizerStep(this.#live());
  }

  /** Forgets the gradients of all parameters. */
  zeroGrad(): void {
    native().optimizerZeroGrad(this.#live());
  }

  /** The learning rate, 0 or more. */
  get lr(): number {
    return native().optimizerRate(this.#live());
  }

  set lr(rate: number) {
    native().optimizerSetRate(this.#live(), rate);
  }

  /**
   * What a resumed run needs besides the parameters, as copies: `lr` (float64 []), and for each parameter that was updated
   * `state.0.step` (int64 []) and tensors of the parameter's shape, such as `state.0.exp_avg`.
   */
  stateDict(): Record<string, Tensor> {
    const state: Record<string, Tensor> = {};
    for (const [name, handle] of Object.entries(native().optimizerState(this.#live()))) {
      state[name] = new Tensor(handle);
    }
    return state;
  }

  /** Takes over what `stateDict` gave. Throws ModelError naming every missing or unexpected entry and wrong shape, before anything is changed. */
  loadStateDict(state: Record<string, Tensor>): void {
    const handles: Record<string, number> = {};
    for (const [name, tensor] of Object.entries(state)) handles[name] = handleOf(`loadStateDict: '${name}'`, tensor);
    native().optimizerLoadState(this.#live(), handles);
  }

  #live(): number {
    return live(this.#handle, 'optimizer');
  }

  /** Frees the optimizer's state; the parameters stay. A second call does nothing. */
  dispose(): void {
    if (this.#handle === 0) return;
    forget(this);
    release(this.#handle);
    this.#handle = 0;
  }

  /** As `dispose`, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
