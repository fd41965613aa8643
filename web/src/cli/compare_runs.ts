/** What is different between what two models give for the same inputs. */

import { manualSeed } from '../checkpoint.js';
import { scope } from '../memory.js';
import type { Session } from '../session.js';
import type { ItemMap, TensorMap } from '../session_feeds.js';
import type { Tensor } from '../tensor.js';
import type { Item } from '../call.js';
import { scaledDifference } from './elements.js';
import { tensorsOf } from './items.js';
import { inFile } from './files.js';
import { shapeText } from './model.js';

/** One output of both. */
export interface OutputDifference {
  name: string;
  /** Dtype and shape, or what is there instead of a tensor; null when the model has no such output. */
  first: string | null;
  second: string | null;
  /** The largest absolute difference, over the largest finite element of the first; null when they are no numbers that can be compared. */
  difference: number | null;
  equal: boolean;
}

/** A tensor, or in words what is there instead. */
type Result = Tensor | 'nothing' | 'an empty list';

function typeOf(result: Result | undefined): string | null {
  if (result === undefined || typeof result === 'string') return result ?? null;
  return `${result.dtype}${shapeText(result.shape)}`;
}

const areSameTexts = (a: Tensor, b: Tensor) => {
  const texts = b.data as readonly string[];
  return (a.data as readonly string[]).every((text, i) => text === texts[i]);
};

function compareOutput(
  name: string,
  a: Result | undefined,
  b: Result | undefined,
  tolerance: number,
): OutputDifference {
  const [first, second] = [typeOf(a), typeOf(b)];
  const incomparable = { name, first, second, difference: null };
  if (a === undefined || b === undefined || first !== second) return { ...incomparable, equal: false };
  if (typeof a === 'string' || typeof b === 'string') return { ...incomparable, equal: true };
  if (a.dtype === 'string') return { ...incomparable, equal: areSameTexts(a, b) };
  const difference = scaledDifference(a, b);
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

const placeholderOf = (item: Item): Result[] => {
  if (item === null) return ['nothing'];
  return Array.isArray(item) && item.length === 0 ? ['an empty list'] : [];
};

function resultsOf({ session, path }: Model, feeds: TensorMap): Map<string, Result> {
  manualSeed(0); // operators that draw numbers draw the same ones in both
  try {
    const items = session.runSync<ItemMap>(feeds);
    const others = Object.entries(items).flatMap(([name, item]) =>
      placeholderOf(item).map((result): [string, Result] => [name, result]),
    );
    return new Map<string, Result>([...tensorsOf(items), ...others]);
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
