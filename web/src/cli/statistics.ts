/** Many numbers in a few. */

/** Of the finite elements; null when there are none. */
export interface Statistics {
  min: number | null;
  max: number | null;
  mean: number | null;
  /** How many elements are NaN or infinite. */
  nonFinite: number;
}

/** Smallest, largest and mean element. */
export function statisticsOf(numbers: Float64Array): Statistics {
  let [min, max, sum, finite] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (const value of numbers) {
    if (!Number.isFinite(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
    sum += value;
    finite++;
  }
  const nonFinite = numbers.length - finite;
  return finite === 0 ? { min: null, max: null, mean: null, nonFinite } : { min, max, mean: sum / finite, nonFinite };
}

/** The value below which a share of the sorted numbers lies, between neighbours by proportion. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const [low, high] = [sorted[below] as number, sorted[Math.ceil(place)] as number];
  return low + (high - low) * (place - below);
}

/** The largest |a - b| of two equally long arrays; equal infinities and two NaN do not differ, one NaN differs infinitely. */
export function largestDifference(a: Float64Array, b: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] as number, b[i] as number];
    if (Object.is(x, y) || x === y) continue;
    const difference = Math.abs(x - y);
    largest = Math.max(largest, Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference);
  }
  return largest;
}
