/** How much there is in a graph. */

import { arrayType } from '../dtype.js';
import type { GraphView } from '../graph.js';

/** How many constants there are, how many elements they have, and how many bytes these take. */
export function sizeOfConstants(view: GraphView): { tensors: number; elements: number; bytes: number } {
  const sum = { tensors: 0, elements: 0, bytes: 0 };
  for (const { kind, dtype, shape } of view.values) {
    if (kind === null) continue;
    const elements = (shape as number[]).reduce((product, extent) => product * extent, 1);
    sum.tensors++;
    sum.elements += elements;
    sum.bytes += elements * arrayType(dtype).BYTES_PER_ELEMENT;
  }
  return sum;
}

/** How often each operator occurs, the most frequent first. */
export function countOperators(view: GraphView): [string, number][] {
  const counts = new Map<string, number>();
  for (const { op } of view.nodes) counts.set(op, (counts.get(op) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
