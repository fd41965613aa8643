/** What the page shows of an output. */

import * as om from 'onemodel';
import { statisticsOf } from '../../../src/cli/statistics';
import type { OutputReport, Scores } from '../protocol';
import { pictureOf } from './picture';

const shownValues = 30;
const shownBest = 5;
/** Vectors longer than this are no scores. */
const longestScores = 25_000;
const mostVectors = 4;

/** The elements as numbers, in row-major order. */
export const numbersOf = (tensor: om.Tensor): Float64Array =>
  om.scope(() => tensor.cast('float64').data as Float64Array);

function firstValues(tensor: om.Tensor): string[] {
  const flat = tensor.reshape([tensor.size]).slice(0, 0, shownValues);
  const elements = flat.toArray() as (number | bigint | boolean | string)[];
  return elements.map((each) => {
    if (typeof each === 'string') return JSON.stringify(each);
    return typeof each === 'number' ? String(Number(each.toPrecision(7))) : String(each);
  });
}

function scoresOfVector(vector: Float64Array, place: string): Scores {
  const order = Array.from(vector.keys()).sort((a, b) => (vector[b] as number) - (vector[a] as number));
  const best = order.slice(0, shownBest).map((index) => ({ index, value: vector[index] as number }));
  const least = vector[order.at(-1) as number] as number;
  const sum = vector.reduce((total, value) => total + value, 0);
  return { place, best, areShares: least >= 0 && Math.abs(sum - 1) < 1e-3, least };
}

/** Of one vector, or of the rows of a small matrix. */
function scoresOf({ dtype, shape, size }: om.Tensor, numbers: Float64Array): Scores[] {
  const length = shape.at(-1) ?? 0;
  const count = length > 0 ? size / length : 0;
  const isMatrix = shape.length === 2 && count <= mostVectors;
  if (!dtype.includes('float') || length < 2 || length > longestScores || !(count === 1 || isMatrix)) return [];
  if (!numbers.every(Number.isFinite)) return [];
  return Array.from({ length: count }, (_, row) =>
    scoresOfVector(numbers.subarray(row * length, (row + 1) * length), count > 1 ? `[${row}]` : ''),
  );
}

export function outputReport(name: string, tensor: om.Tensor): OutputReport {
  const { dtype, shape, size } = tensor;
  const numbers = dtype === 'string' ? new Float64Array() : numbersOf(tensor);
  return {
    name,
    dtype,
    shape: [...shape],
    size,
    values: firstValues(tensor),
    statistics: statisticsOf(numbers),
    scores: scoresOf(tensor, numbers),
    picture: dtype === 'string' ? null : pictureOf(shape, numbers),
  };
}
