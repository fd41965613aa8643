/** Modules that the engine implements. */

import { type Attribute, takeTensors, writeCall } from '../call.js';
import { forget, live, watch } from '../memory.js';
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
    writeCall(new.target.name, [], args);
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

  /** The parameters and buffers of the engine's module. */
  override ownTensors(): NamedTensor[] {
    return this.#tensors;
  }

  /** @internal */
  override setMode(mode: boolean): void {
    native().moduleTrain(this.#live(), mode);
    super.setMode(mode);
  }

  /** The computation, on one tensor. Throws ShapeError or DTypeError for an input that does not fit. */
  override forward(input: Tensor): Tensor {
    const handle = this.#live();
    writeCall(this, [input]);
    return takeTensors(native().moduleForward(handle, 1))[0] as Tensor;
  }

  /** "Linear(in_features=4, out_features=2, bias=1)". */
  override toString(): string {
    return native().moduleDescribe(this.#live());
  }

  #live(): number {
    return live(this.#handle, 'module');
  }

  /** Frees the module and its tensors. A second call does nothing. */
  override dispose(): void {
    if (this.#handle === 0) return;
    super.dispose();
    this.#tensors = [];
    forget(this);
    release(this.#handle);
    this.#handle = 0;
  }
}
