/** The base of the losses as modules. */

import { checkedOptions } from '../arguments.js';
import { Tensor } from '../tensor.js';
import { Module } from './module.js';

/** What losses take beside their input: a target and, of sequences, lengths. */
type LossInput = Tensor | number | readonly number[];

// biome-ignore lint/suspicious/noExplicitAny: each loss has options of its own
type Loss = (...inputs: any[]) => Tensor;

/** A loss with its options; tensors among these are buffers (`weight`, `pos_weight`). */
export class LossModule extends Module {
  readonly #loss: Loss;
  readonly #options: object;

  /** @internal */
  constructor(loss: Loss, options: object, known: readonly string[]) {
    super();
    this.#loss = loss;
    this.#options = { ...checkedOptions(new.target.name, options, known) };
    for (const [name, value] of Object.entries(this.#options)) {
      if (value instanceof Tensor) this.registerBuffer(name === 'posWeight' ? 'pos_weight' : name, value);
    }
  }

  /** The loss of what its function takes. Throws as that does. */
  override forward(input: Tensor, target: Tensor, ...lengths: LossInput[]): Tensor {
    return this.#loss(input, target, ...lengths, this.#options);
  }

  /** @internal */
  override headText(): string {
    const given = Object.entries(this.#options).filter(([, value]) => !(value instanceof Tensor));
    return `${this.constructor.name}(${given.map(([name, value]) => `${name}=${value}`).join(', ')})`;
  }
}
