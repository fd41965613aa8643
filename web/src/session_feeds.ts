/** What a run is fed with, checked against what the model takes. */

import { foreignHint } from './arguments.js';
import type { Item } from './call.js';
import { describe } from './describe.js';
import type { DType } from './dtype.js';
import { ArgumentError } from './errors.js';
import type { Extent } from './graph.js';
import { Tensor } from './tensor.js';

/** An input or output; symbolic sizes carry their names. */
export interface ValueInfo {
  name: string;
  /** Of the tensors inside, when it holds no tensor. `'undefined'` when only a run tells. */
  dtype: DType;
  /** Empty when `hasRank` is false, for lists, and for an optional tensor of which only the element type is declared. */
  shape: Extent[];
  /** False: only a run tells the rank. */
  hasRank: boolean;
  /** What it is: one tensor, a list of tensors, or one of both or nothing. */
  holds: 'tensor' | 'sequence' | 'optional_tensor' | 'optional_sequence';
  /** An input that has a default, which is used where it is not fed (`Session.defaultOf`). */
  optional: boolean;
}

/** Tensors by input or output name. */
export type TensorMap = Record<string, Tensor>;
/** The same where a model takes or gives sequences of tensors, or optionals: null for nothing. */
export type ItemMap = Record<string, Item>;
/** Feeds by name, or a list in the order of the inputs; a model of one input takes the tensor alone. */
export type Feeds = ItemMap | readonly (Item | undefined)[] | Tensor;

/** "float32[batch, 4]". */
function typeText({ dtype, shape, holds, hasRank }: ValueInfo): string {
  if (holds === 'tensor') return hasRank ? `${dtype}[${shape.join(', ')}]` : `${dtype} of any rank`;
  const inside = holds === 'optional_tensor' ? `a ${dtype} tensor` : `a list of ${dtype} tensors`;
  return holds === 'sequence' ? inside : `${inside} or null`;
}

const describeInput = (info: ValueInfo) => `${info.name} ${typeText(info)}${info.optional ? ' (optional)' : ''}`;

const known = (inputs: readonly ValueInfo[]) => inputs.map(describeInput).join(', ');

function isFit({ holds }: ValueInfo, feed: unknown): feed is Item {
  if (feed === null) return holds.startsWith('optional');
  if (Array.isArray(feed)) return holds.endsWith('sequence') && feed.every((each) => each instanceof Tensor);
  return feed instanceof Tensor && holds.endsWith('tensor');
}

/** What is fed. */
interface Model {
  readonly name: string;
  readonly inputs: readonly ValueInfo[];
}

/** "'a' and 'b'": what is fed by names that the model does not have. */
function unknownIn(named: ItemMap, inputs: readonly ValueInfo[]): string {
  const unknown = Object.keys(named).filter((name) => !inputs.some((each) => each.name === name));
  return unknown.map((name) => `'${name}'`).join(', ');
}

/** Throws ArgumentError unless `feed`, which is one of `named`, can be used for input `info`. */
function checked({ name: model, inputs }: Model, info: ValueInfo, feed: Item | undefined, named: ItemMap = {}): Item {
  const name = `model '${model}': input '${info.name}'`;
  if (feed === undefined && info.optional) return null;
  if (isFit(info, feed)) {
    for (const tensor of feed instanceof Tensor ? [feed] : (feed ?? [])) tensor.handleFor(name);
    return feed;
  }
  const unknown = unknownIn(named, inputs);
  const missing = unknown === '' ? 'is missing' : `is missing, and there is no input ${unknown}`;
  const got = feed === undefined ? missing : `is ${info.holds === 'tensor' ? 'no tensor but ' : ''}${describe(feed)}`;
  const hint = Array.isArray(feed) && info.holds !== 'tensor' ? '' : foreignHint(feed);
  throw new ArgumentError(`${name} ${got}${hint}: expected ${typeText(info)} (inputs: ${known(inputs)})`, 'Argument');
}

/** An item per input, in order; null for what is optional and not fed. Throws ArgumentError naming model and input. */
export function orderedFeeds(model: Model, feeds: Feeds): Item[] {
  const { name: of, inputs } = model;
  const given = feeds instanceof Tensor ? [feeds] : feeds;
  if (given instanceof Map) {
    const what = 'an object of tensors by name (Object.fromEntries makes one), or a list of them';
    throw new ArgumentError(`model '${of}': expected ${what}, got Map (inputs: ${known(inputs)})`, 'Argument');
  }
  const areNumbers = Array.isArray(given) && typeof given[0] === 'number';
  if (Array.isArray(given) && !areNumbers) {
    const required = inputs.filter(({ optional }) => !optional).length;
    if (given.length >= required && given.length <= inputs.length) {
      return inputs.map((info, i) => checked(model, info, given[i]));
    }
    const count = required === inputs.length ? `${required}` : `${required} to ${inputs.length}`;
    throw new ArgumentError(`model '${of}' has ${count} inputs (${known(inputs)}), got ${given.length}`, 'Argument');
  }
  if (foreignHint(given) !== '' && inputs[0]) checked(model, inputs[0], given as unknown as Tensor);
  const named = (given ?? {}) as ItemMap;
  const ordered = inputs.map((info) => checked(model, info, named[info.name], named));
  const keys = Object.keys(named);
  if (keys.length <= inputs.filter(({ name }) => Object.hasOwn(named, name)).length) return ordered;
  throw new ArgumentError(
    `model '${of}' has no input ${unknownIn(named, inputs)} (inputs: ${known(inputs)})`,
    'Argument',
  );
}
