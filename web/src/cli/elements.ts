/** What is in tensors, and how far apart it is. */

import { isBigInt } from '../dtype.js';
import { scope } from '../memory.js';
import type { Tensor } from '../tensor.js';
import { largestDifference } from './statistics.js';

/** The elements as numbers, in row-major order. */
export const numbersOf = (tensor: Tensor): Float64Array => scope(() => tensor.cast('float64').data as Float64Array);

/** Integers of 64 bits. */
export type BigIntegers = BigInt64Array | BigUint64Array;

const magnitude = (value: bigint) => (value < 0n ? -value : value);

/** The largest of the values that `of` gives for the elements; 0 for none. */
function largestOf(values: BigIntegers, of: (value: bigint, i: number) => bigint): bigint {
  let largest = 0n;
  for (let i = 0; i < values.length; i++) {
    const value = magnitude(of(values[i] as bigint, i));
    if (value > largest) largest = value;
  }
  return largest;
}

/** The largest |a - b| of two equally long arrays, exactly. */
export const largestBigDifference = (a: BigIntegers, b: BigIntegers): bigint =>
  largestOf(a, (value, i) => value - (b[i] as bigint));

/**
 * The largest difference of two tensors of numbers, of one dtype and shape, as a share of the largest finite element of the
 * first; 0 only when none differ.
 */
export function scaledDifference(a: Tensor, b: Tensor): number {
  if (isBigInt(a.dtype)) {
    const [first, second] = [a.data as BigIntegers, b.data as BigIntegers];
    return Number(largestBigDifference(first, second)) / (Number(largestOf(first, (value) => value)) || 1);
  }
  const first = numbersOf(a);
  const largest = first.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
  const difference = largestDifference(first, numbersOf(b));
  return difference === 0 ? 0 : difference / (largest || 1) || Number.MIN_VALUE;
}
