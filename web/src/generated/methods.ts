// Generated from src/nn by scripts/generate; do not edit.
//
// What methods of tensors call.

import { applyFunction } from '../apply_function.js';
import type { Tensor } from '../tensor.js';

/**
 * (Σ |x|^p)^(1/p) over axes.
 * @param input values
 */
export function normOf(
  input: Tensor,
  options: {
    /** exponent, or infinity; 2. */
    p?: number;
    /** axes; all when empty; []. */
    dim?: number | readonly number[];
    /** whether the axes stay with extent 1; false. */
    keepdim?: boolean;
  } = {},
): Tensor {
  return applyFunction(30, { name: 'norm', inputs: ['input'], options: ['p', 'dim', 'keepdim'] }, [input], options);
}

/**
 * the mean square distance from the mean over axes.
 * @param input values
 */
export function varOf(
  input: Tensor,
  options: {
    /** axes; all when empty; []. */
    dim?: number | readonly number[];
    /** by which the divisor is less than the count; 1. */
    correction?: number;
    /** whether the axes stay with extent 1; false. */
    keepdim?: boolean;
  } = {},
): Tensor {
  return applyFunction(
    31,
    { name: 'var', inputs: ['input'], options: ['dim', 'correction', 'keepdim'] },
    [input],
    options,
  );
}

/**
 * the square root of var.
 * @param input values
 */
export function stdOf(
  input: Tensor,
  options: {
    /** axes; all when empty; []. */
    dim?: number | readonly number[];
    /** by which the divisor is less than the count; 1. */
    correction?: number;
    /** whether the axes stay with extent 1; false. */
    keepdim?: boolean;
  } = {},
): Tensor {
  return applyFunction(
    32,
    { name: 'std', inputs: ['input'], options: ['dim', 'correction', 'keepdim'] },
    [input],
    options,
  );
}
