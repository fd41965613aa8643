/** Functions of several tensors or with several results, and of the order of elements. */

import { handleOf, integerOf, listOf, tensorsOf, textOf, unexpected } from './arguments.js';
import { arange } from './create.js';
import { DTypeError } from './errors.js';
import * as ops from './generated/operators.js';
import { scope } from './memory.js';
import type { Tensor } from './tensor.js';
import { axisOf } from './tensor_arguments.js';

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

/** Elements along an axis in order, and where they were (int64). */
export interface Ordered {
  values: Tensor;
  indices: Tensor;
}

function ordered(x: Tensor, count: number | Tensor, axis: number, largest: boolean): Ordered {
  const [values, indices] = ops.topK(x, [count], { axis, largest }) as [Tensor, Tensor];
  return { values, indices };
}

/** The `k` largest elements along `axis`, from the largest on, or the smallest; of equals the first. Numeric dtypes. */
export function topk(x: Tensor, k: number, axis = -1, largest = true): Ordered {
  handleOf('topk', x);
  return ordered(x, integerOf('topk: k', k, 0), axis, largest);
}

/** All elements along `axis`, ascending or descending; equals stay in their order. Numeric dtypes, rank 1 or more. */
export function sort(x: Tensor, axis = -1, descending = false): Ordered {
  extentOf('sort', x, axis);
  const extent = x.dim(axis);
  try {
    return ordered(x, extent, axis, descending);
  } finally {
    extent.dispose();
  }
}

/** The order of elements along `axes` turned round. */
export function flip(x: Tensor, axes: number | readonly number[]): Tensor {
  const list = typeof axes === 'number' ? [axes] : listOf('flip: axes', axes, 'axes');
  const all = (value: number) => list.map(() => value);
  return ops.slice(x, all(-1), all(Number.MIN_SAFE_INTEGER), list, all(-1));
}

/** Running sums along `axis`. Numeric dtypes; integers wrap. */
export function cumsum(x: Tensor, axis: number): Tensor {
  return ops.cumSum(x, axis);
}

/** The elements of matrices […, rows, columns] on and below a diagonal, else 0; those above the main one are positive. */
export function tril(x: Tensor, diagonal = 0): Tensor {
  return ops.trilu(x, diagonal, { upper: false });
}

/** As `tril`, on and above the diagonal. */
export function triu(x: Tensor, diagonal = 0): Tensor {
  return ops.trilu(x, diagonal);
}

/** The tensor repeated along its last axes; a longer list adds axes in front. */
export function tile(x: Tensor, repeats: readonly number[]): Tensor {
  handleOf('tile', x);
  const more = listOf('tile: repeats', repeats, 'numbers').length - x.rank;
  const all = [...Array<number>(Math.max(-more, 0)).fill(1), ...repeats];
  if (more <= 0) return ops.tile(x, all);
  return scope(() => ops.tile(x.unsqueeze(Array.from({ length: more }, (_, i) => i)), all));
}

/** The extent of x along `axis`. */
function extentOf(who: string, x: Tensor, axis: number): number {
  handleOf(who, x);
  return x.shape[axisOf(who, axis, x.rank)] as number;
}

/** Parts along `axis`: of the extents of a list, which add up to that of the axis, or of one extent, the last one smaller; 64 at most. */
export function split(x: Tensor, sizes: number | readonly number[], axis = 0): Tensor[] {
  if (typeof sizes !== 'number') return ops.split(x, listOf('split: sizes', sizes, 'extents'), { axis });
  const extent = extentOf('split', x, axis);
  const size = integerOf('split: sizes', sizes, 1);
  const count = Math.max(Math.ceil(extent / size), 1);
  return ops.split(
    x,
    Array.from({ length: count }, (_, i) => Math.min(size, extent - i * size)),
    { axis },
  );
}

/**
 * At most `chunks` parts along `axis`, of extent ceil(extent / chunks) but the last, and 64 at most. A trace keeps a symbolic
 * axis only where it is known to give equal parts.
 */
export function chunk(x: Tensor, chunks: number, axis = 0): Tensor[] {
  const extent = extentOf('chunk', x, axis);
  const size = Math.max(Math.ceil(extent / integerOf('chunk: chunks', chunks, 1)), 1);
  const numOutputs = Math.max(Math.ceil(extent / size), 1);
  return ops.split(x, null, { axis, numOutputs }, numOutputs);
}

/**
 * int64 […, numClasses]: 1 at each index (int32 or int64), else 0; an index out of range, as a negative one is, gives no 1.
 * Throws DTypeError for other indices.
 */
export function oneHot(indices: Tensor, numClasses: number): Tensor {
  handleOf('oneHot: indices', indices);
  const { dtype } = indices;
  if (dtype !== 'int32' && dtype !== 'int64') {
    throw new DTypeError(`oneHot: indices: expected int32 or int64, got ${dtype}`, 'DType');
  }
  const count = integerOf('oneHot: numClasses', numClasses, 1);
  return scope(() =>
    indices
      .unsqueeze(-1)
      .equal(arange(0, count, 1, dtype))
      .cast('int64'),
  );
}

/**
 * A copy of x whose elements that `indices` name along `axis` become those of `src`, or their sum ("add"), product
 * ("mul"), "min" or "max".
 */
export function scatter(
  x: Tensor,
  axis: number,
  indices: Tensor,
  src: Tensor,
  reduction: 'none' | 'add' | 'mul' | 'min' | 'max' = 'none',
): Tensor {
  return ops.scatterElements(x, indices, src, { axis, reduction });
}

/** Sums of products by an equation over named axes: `einsum('ij,jk->ik', a, b)`. */
export function einsum(equation: string, ...operands: Tensor[]): Tensor {
  textOf('einsum: equation', equation);
  if (Array.isArray(operands[0])) {
    throw unexpected('einsum', `tensors one by one, einsum('${equation}', a, b)`, operands[0]);
  }
  return ops.einsum(operands, { equation });
}
