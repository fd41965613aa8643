/** Modules that the engine implements. */

import { type Attribute, takeTensors, writeCall } from '../call.js';
import { forget, watch } from '../memory.js';
import { native } from '../native.js';
import { Tensor } from '../tensor.js';
import { Module, type NamedTensor, type TensorKind } from './module.js';

function release(handle: number): void {
  native().moduleRelease(handle);
}

/** The base of the generated classes; its tensors are those of the engine's module. */
export class NativeModule extends Module {
  #handle: number;
  #tensors: NamedTensor[];

  /** @internal */
  constructor(index: number, args: readonly Attribute[]) {
    super();
    const module = native();
    writeCall([], args);
    this.#handle = module.moduleMake(index);
    watch(this, this.#handle, release);
    this.#tensors = module.moduleTensors(this.#handle).map(({ path, kind, handle }) => ({
      path,
      kind: kind as TensorKind,
      tensor: new Tensor(handle).keep(),
    }));
    for (const { path, tensor } of this.#tensors) {
      Object.defineProperty(this, path, { value: tensor, enumerable: false });
    }
  }

  override ownTensors(): NamedTensor[] {
    return this.#tensors;
  }

  override train(mode = true): this {
    native().moduleTrain(this.#handle, mode);
    return super.train(mode);
  }

  override forward(input: Tensor): Tensor {
    writeCall([input]);
    return takeTensors(native().moduleForward(this.#handle, 1))[0] as Tensor;
  }

  override toString(): string {
    return native().moduleDescribe(this.#handle);
  }

  override dispose(): void {
    if (this.#handle === 0) return;
    super.dispose();
    this.#tensors = [];
    forget(this);
    release(this.#handle);
    this.#handle = 0;
  }
}
