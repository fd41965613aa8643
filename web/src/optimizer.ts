/** Optimizers change parameters by their gradients. */

import { type Attribute, writeCall } from './call.js';
import { forget, watch } from './memory.js';
import { native } from './native.js';
import { Tensor } from './tensor.js';

function release(handle: number): void {
  native().optimizerRelease(handle);
}

/** The base of the generated classes `SGD`, `Adam`, …. Parameters without a gradient are left alone. */
export class Optimizer {
  #handle: number;

  /** @internal */
  constructor(index: number, parameters: readonly Tensor[], args: readonly Attribute[]) {
    writeCall(parameters, args);
    this.#handle = native().optimizerMake(index, parameters.length);
    watch(this, this.#handle, release);
  }

  /** One update of every parameter. */
  step(): void {
    native().optimizerStep(this.#handle);
  }

  zeroGrad(): void {
    native().optimizerZeroGrad(this.#handle);
  }

  /** The learning rate. */
  get lr(): number {
    return native().optimizerRate(this.#handle);
  }

  set lr(rate: number) {
    native().optimizerSetRate(this.#handle, rate);
  }

  /** What a resumed run needs besides the parameters, as copies. */
  stateDict(): Record<string, Tensor> {
    const state: Record<string, Tensor> = {};
    for (const [name, handle] of Object.entries(native().optimizerState(this.#handle))) {
      state[name] = new Tensor(handle);
    }
    return state;
  }

  /** Throws ModelError naming every missing or unexpected entry and wrong shape, before anything is changed. */
  loadStateDict(state: Record<string, Tensor>): void {
    const handles: Record<string, number> = {};
    for (const [name, tensor] of Object.entries(state)) handles[name] = tensor.handle;
    native().optimizerLoadState(this.#handle, handles);
  }

  dispose(): void {
    if (this.#handle === 0) return;
    forget(this);
    release(this.#handle);
    this.#handle = 0;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
