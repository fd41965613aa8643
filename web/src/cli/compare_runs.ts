/** What is different between what two models give for the same inputs. */

import { manualSeed } from '../checkpoint.js';
import { scope } from '../memory.js';
import type { Session } from '../session.js';
import type { ItemMap, TensorMap } from '../session_feeds.js';
import type { Tensor } from '../tensor.js';
import { numbersOf } from './elements.js';
import { tensorsOf } from './items.js';
import { inFile } from './files.js';
import { shapeText } from './model.js';
import { largestDifference } from './statistics.js';

/** One output of both. */
export interface OutputDifference {
  name: string;
  /** Dtype and shape, null when the model has no such output. */
  first: string | null;
  second: string | null;
  /** The largest absolute difference, over the largest finite element of the first; null when they cannot be compared. */
  difference: number | null;
  equal: boolean;
}

const typeOf = (tensor: Tensor | undefined) => (tensor ? `${tensor.dtype}${shapeText(tensor.shape)}` : null);

function scaledDifference(a: Float64Array, b: Float64Array): number {
  const largest = a.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
  return largestDifference(a, b) / (largest || 1);
}

function compareOutput(
  name: string,
  a: Tensor | undefined,
  b: Tensor | undefined,
  tolerance: number,
): OutputDifference {
  const [first, second] = [typeOf(a), typeOf(b)];
  if (!a || !b || first !== second) return { name, first, second, difference: null, equal: false };
  const difference = scaledDifference(numbersOf(a), numbersOf(b));
  const most = a.dtype.includes('float') ? tolerance : 0;
  return {
    name,
    first,
    second,
    difference: Number.isFinite(difference) ? difference : null,
    equal: difference <= most,
  };
}

/** A session, and the file of its model. */
interface Model {
  session: Session;
  path: string;
}

function resultsOf({ session, path }: Model, feeds: TensorMap): Map<string, Tensor> {
  manualSeed(0); // operators that draw numbers draw the same ones in both
  try {
    return new Map(tensorsOf(session.runSync<ItemMap>(feeds)));
  } catch (error) {
    throw inFile(path, error);
  }
}

/**
 * Runs both models on the same feeds and compares outputs of one name. Floats may differ by `tolerance` of the largest
 * element of the output, others not at all. Throws what `Session.run` throws, naming the file, when the second does not take the feeds.
 */
export function compareRuns(
  first: Model,
  second: Model,
  makeFeeds: () => TensorMap,
  tolerance: number,
): OutputDifference[] {
  return scope(() => {
    const feeds = makeFeeds();
    const [a, b] = [resultsOf(first, feeds), resultsOf(second, feeds)];
    const names = new Set([...a.keys(), ...b.keys()]);
    return [...names].map((name) => compareOutput(name, a.get(name), b.get(name), tolerance));
  });
}
