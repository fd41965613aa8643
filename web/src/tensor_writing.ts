/** Writes to tensors, in place. */

import { checkedOptions, handleOf, numberOf } from './arguments.js';
import { type Operand, writeCall } from './call.js';
import { tensor } from './create.js';
import { integerRange, isBigInt } from './dtype.js';
import { ArgumentError } from './errors.js';
import { scope } from './memory.js';
import { native } from './native.js';
import { scriptName, spellingNames, withScriptNames } from './script_names.js';
import type { Tensor } from './tensor.js';
import { ReadableTensor } from './tensor_reading.js';

/** The part of `Tensor` that changes its elements. */
export class WritableTensor extends ReadableTensor {
  /**
   * Sets every element to `value`, converted as by `cast`, also where a gradient is recorded. Returns the tensor. Throws
   * ArgumentError for a number beyond an integer dtype.
   */
  fill(value: number): this {
    native().tensorFill(this.handleFor('fill'), numberOf('fill: value', value));
    return this;
  }

  /**
   * Copies the elements of `source`, of the same shape and any dtype. Returns the tensor. Throws GradientError for a source
   * that requires a gradient, which would be lost, unless inside `noGrad`.
   */
  copyFrom(source: Tensor): this {
    const [target, from] = [this.handleFor('copyFrom'), handleOf('copyFrom: source', source)];
    spellingNames(['copy_from'], () => native().tensorCopyFrom(target, from));
    return this;
  }

  #update(how: string, operands: readonly Operand[], ...numbers: number[]): this {
    const [first = 0, second = 0, third = 0] = numbers.map((each) => numberOf(`${scriptName(how)}: argument`, each));
    writeCall(scriptName(how), [this as unknown as Tensor, ...operands]);
    try {
      native().tensorUpdate(how, operands.length + 1, first, second, third);
    } catch (error) {
      throw withScriptNames(error, [how, 'slice_scatter_', 'copy_from']);
    }
    return this;
  }

  /**
   * Copies the elements of `source`, broadcast and converted, into this tensor, and returns it. As every method whose name
   * ends in `_`, it changes the tensor in place and keeps shape and dtype; an exported program records that as a new value
   * (see `exportProgram`). They throw GradientError for a tensor with a history or that requires a gradient itself, unless
   * inside `noGrad`, and TraceError(InPlaceMutation) for a tensor that is being traced otherwise.
   */
  copy_(source: Tensor | number): this {
    return this.#update('copy_', [source]);
  }
  /**
   * Sets every element to `value`, in place; of a bigint an int64 or uint64 tensor keeps every digit. Throws ArgumentError
   * for a number that an integer dtype does not have.
   */
  fill_(value: number | bigint): this {
    if (typeof value !== 'bigint') return this.#update('fill_', [value]);
    const { dtype } = this;
    if (!isBigInt(dtype)) return this.#update('fill_', [Number(value)]);
    const [low, high] = integerRange(dtype);
    if (value < low || value > high) {
      throw new ArgumentError(`fill_: value: expected ${dtype}, ${low} to ${high}, got ${value}`, 'Argument');
    }
    return scope(() => this.#update('fill_', [tensor(value, dtype)]));
  }
  /** Sets every element to 0, in place. */
  zero_(): this {
    return this.#update('zero_', [0]);
  }
  /** this + alpha · other, in place. */
  add_(other: Tensor | number, options: { alpha?: number } = {}): this {
    const { alpha = 1 } = checkedOptions('add_', options, ['alpha']);
    return this.#update('add_', [other], alpha);
  }
  /** this - other, in place. */
  sub_(other: Tensor | number): this {
    return this.#update('sub_', [other]);
  }
  /** this · other, in place. */
  mul_(other: Tensor | number): this {
    return this.#update('mul_', [other]);
  }
  /** this / other, in place. */
  div_(other: Tensor | number): this {
    return this.#update('div_', [other]);
  }
  /** Elements start, start + 1, … before `end` along `axis`, as Python clamps them, become `source`. */
  sliceScatter_(source: Tensor | number, axis: number, start = 0, end = Number.MAX_SAFE_INTEGER): this {
    return this.#update('slice_scatter_', [source], axis, start, end);
  }
  /** Element `index` along `axis` becomes `source`, which lacks that axis. */
  selectScatter_(source: Tensor | number, axis: number, index: number): this {
    return this.#update('select_scatter_', [source], axis, index);
  }
  /**
   * Elements index[i] (int32 or int64, [n]) along `axis` become element i of `source`, of which there are n. Throws
   * ShapeError for sizes that differ and for an index out of range, which an exported program checks when it runs.
   */
  indexCopy_(axis: number, index: Tensor, source: Tensor): this {
    return this.#update('index_copy_', [index, source], axis);
  }
}
