// Random shapes and tensors.

import { Random } from '../shape_chains/random.mjs';
import { arrayOf, countOf, dtypes, isFloating, tensor } from './numbers.mjs';

const specials = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

export class Draw extends Random {
  /** A shape of that many axes, now and then with an axis of extent 0. */
  shape(least = 0, most = 4, empty = 0.06) {
    const dims = Array.from({ length: this.from(least, most) }, () => this.from(1, 4));
    if (dims.length && this.chance(empty)) dims[this.from(0, dims.length - 1)] = 0;
    return dims;
  }

  /** A shape that broadcasts to `dims`. */
  narrower(dims) {
    return dims.slice(this.chance(0.4) ? this.from(0, dims.length) : 0).map((size) => (this.chance(0.25) ? 1 : size));
  }

  /** Two shapes that broadcast with each other. */
  broadcast() {
    const dims = this.shape();
    const pair = [this.narrower(dims), this.chance(0.5) ? dims : this.narrower(dims)];
    return this.chance(0.5) ? pair : pair.reverse();
  }

  /** An axis of that rank, counted from either end. */
  axis(rank) {
    return this.from(-rank, rank - 1);
  }

  /** Some of the axes of that rank, in any order and from either end. */
  axes(rank, least = 0) {
    const chosen = this.shuffled([...Array(rank).keys()]).slice(0, this.from(Math.min(least, rank), rank));
    return chosen.map((axis) => (this.chance(0.3) ? axis - rank : axis));
  }

  /** The value, or undefined for an attribute left out. */
  maybe(value, probability = 0.5) {
    return this.chance(probability) ? value : undefined;
  }

  /** An operand that is an initializer more often than an input. */
  operand(dtype, values, dims) {
    return { ...tensor(dtype, values, dims), constant: this.chance(0.7) };
  }

  #float({ low = -3, high = 3, special = 0 }) {
    return this.chance(special) ? this.pick(specials) : low + (high - low) * this.next();
  }

  #integer(dtype, { low = -6, high = 6, extreme = 0 }) {
    const [least, most] = dtypes[dtype].range;
    if (this.chance(extreme)) return this.pick([least, most, least + 1n, most - 1n]);
    const value = BigInt(this.from(Math.ceil(low), Math.floor(high)));
    return value < least ? -value : value > most ? most : value;
  }

  /**
   * A random tensor. `low`, `high`: the range of ordinary values; `special`: how often a float is NaN, infinite or 0;
   * `extreme`: how often an integer is at an end of its range.
   */
  tensor(dtype, dims, options = {}) {
    const next = isFloating(dtype) ? () => this.#float(options) : () => this.#integer(dtype, options);
    const bit = () => this.from(0, 1);
    const data = arrayOf(dtype, Array.from({ length: countOf(dims) }, dtype === 'bool' ? bit : next));
    return { dtype, dims, data, constant: this.chance(options.constant ?? 0.1) };
  }
}
