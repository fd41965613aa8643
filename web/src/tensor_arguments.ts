/** Checks of what the methods of tensors take. */

import { checkedOptions, unexpected } from './arguments.js';
import type { Size } from './call.js';
import { describe } from './describe.js';
import { ArgumentError, ShapeError } from './errors.js';

/** The error for numbers where a list was expected: `others` followed the first one. */
function noList(who: string, what: string, first: unknown, others: readonly unknown[]): ArgumentError {
  const numbers = [first, ...others];
  if (!numbers.every((each) => typeof each === 'number')) return unexpected(who, `a list of ${what}`, first);
  const given = numbers.join(', ');
  return new ArgumentError(
    `${who}: expected a list of ${what}, ${who}([${given}]), got numbers: ${who}(${given})`,
    'Argument',
  );
}

/** The list that `who` takes. Throws ArgumentError, saying how it is written, for numbers that are none. */
export function onlyList<List extends readonly Size[]>(
  who: string,
  what: string,
  list: List,
  others: readonly unknown[],
): List {
  if (typeof list === 'number' || others.length > 0) throw noList(who, what, list, others);
  return list;
}

/** One axis or several as a list; undefined for all. Throws ArgumentError for anything else. */
export function axisList(who: string, axes: number | readonly number[] | undefined): readonly number[] | undefined {
  if (axes === undefined || axes === null) return axes;
  const list = typeof axes === 'number' ? [axes] : axes;
  if (!Array.isArray(list)) throw unexpected(`${who}: axes`, 'an axis or a list of axes', axes);
  for (const axis of list) if (!Number.isInteger(axis)) throw unexpected(`${who}: axes`, 'integers', axis);
  return list;
}

/** What `var` and `std` take besides the axes. */
export interface SpreadOptions {
  /** By which the divisor is less than the count; 1. */
  correction?: number;
  /** Whether the axes stay with extent 1; false. */
  keepdims?: boolean;
}

/** What `var` and `std` give their function. Throws ArgumentError naming the argument. */
export function spread(who: string, axes: number | readonly number[] | undefined, options: SpreadOptions) {
  const { correction = 1, keepdims = false } = checkedOptions(who, options, ['correction', 'keepdims']);
  return { dim: axisList(who, axes) ?? [], correction, keepdim: keepdims };
}

/** What `sum` and its kin give their operator. Throws ArgumentError naming the argument. */
export function reduction(
  who: string,
  axes: number | readonly number[] | undefined,
  keepdims: boolean,
): [axes: readonly number[] | undefined, options: { keepdims: boolean }] {
  const list = axisList(who, axes);
  if (typeof keepdims === 'object') throw unexpected(`${who}: keepdims`, 'true or false', keepdims);
  return [list, { keepdims }];
}

/** The axis counted from the front. Throws ArgumentError for what is no number, ShapeError when it is out of range. */
export function axisOf(who: string, axis: number, rank: number): number {
  if (typeof axis !== 'number') throw unexpected(`${who}: axis`, 'an integer', axis);
  const index = axis < 0 ? axis + rank : axis;
  if (Number.isInteger(index) && index >= 0 && index < rank) return index;
  throw new ShapeError(`${who}: axis ${axis} is out of range for rank ${rank}`, 'Shape');
}

/** Throws ArgumentError for a list in the place of the two axes of `transpose`. */
export function checkTwoAxes(axes: unknown): void {
  if (!Array.isArray(axes)) return;
  const order = `permute([${axes.join(', ')}])`;
  throw new ArgumentError(
    `transpose: expected two axes, transpose(0, 1), got ${describe(axes)}; all axes in an order: ${order}`,
    'Argument',
  );
}
