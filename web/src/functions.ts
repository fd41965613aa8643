/** Functions of several tensors. */

import { tensorsOf } from './arguments.js';
import * as ops from './generated/operators.js';
import { scope } from './memory.js';
import type { Tensor } from './tensor.js';

/** Joins tensors of one dtype along `axis`, whose extents add up; the other extents are equal. */
export function concat(tensors: readonly Tensor[], axis = 0): Tensor {
  return ops.concat(tensors, { axis });
}

/** Joins n tensors of one shape and dtype along a new axis of extent n, at the place `axis` of the result. */
export function stack(tensors: readonly Tensor[], axis = 0): Tensor {
  return scope(() =>
    concat(
      tensorsOf('stack: tensors', tensors).map((each) => each.unsqueeze(axis)),
      axis,
    ),
  );
}

/** `a` where the condition (bool) holds, else `b`; all three broadcast, `a` and `b` have one dtype. */
export function where(condition: Tensor, a: Tensor | number, b: Tensor | number): Tensor {
  return ops.where(condition, a, b);
}
