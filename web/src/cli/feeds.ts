/** What a model is fed with: `--input` and `--dim`. */

import { manualSeed } from '../checkpoint.js';
import { full, rand, tensor } from '../create.js';
import { floor } from '../generated/operators.js';
import type { Extent } from '../graph.js';
import { scope } from '../memory.js';
import type { Session } from '../session.js';
import type { TensorMap, ValueInfo } from '../session_feeds.js';
import type { Tensor } from '../tensor.js';
import { type Arguments, type Option, UsageError } from './command.js';
import { about, readBytes } from './files.js';
import { shapeText } from './model.js';
import { type NpyArray, readNpy } from './npy.js';

/** Options of the commands that feed a model. */
export const feedOptions: Record<string, Option> = {
  input: { value: 'NAME=WHAT', multiple: true, help: 'What an input gets; see above. Default: random.' },
  dim: { value: 'NAME=SIZE', multiple: true, help: 'The size of a symbolic dimension.' },
  seed: { value: 'N', help: 'Of the random numbers. Default: 0.' },
};

/** Paragraph of the help. */
export const feedHelp = `An input gets
  random           floats from -1 to 1, integers and bools 0 or 1
  random:LOW:HIGH  numbers from LOW up to, not including, HIGH
  zeros, ones, inf, -inf, nan, or a number for all its elements
  FILE.npy         an array that NumPy wrote
Without NAME= it goes to every input that has no default; one that has is fed only when it is named. The same seed
gives the same numbers on every machine. Sizes that a .npy file shows need no --dim.`;

interface ArraySource {
  kind: 'array';
  file: string;
  array: NpyArray;
}

type Source =
  | { kind: 'fill'; value: number | bigint }
  | { kind: 'random'; low: number | undefined; high: number | undefined }
  | ArraySource;

const numeral = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const words: Readonly<Record<string, number>> = {
  zeros: 0,
  ones: 1,
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};

/** The number, exactly when it is an integer. Throws UsageError for one that is larger than any. */
function numberOf(text: string): number | bigint {
  const value = Number(text);
  if (!Number.isFinite(value))
    throw new UsageError(`--input: ${text} is beyond the largest number (for infinity: inf)`);
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^[-+]?\d+$/.test(text) ? BigInt(text) : value;
}

function randomSource(spec: string): Source {
  const [, ...bounds] = spec.split(':');
  if (bounds.length === 0) return { kind: 'random', low: undefined, high: undefined };
  const [low, high] = bounds.map(Number);
  const areNumbers = bounds.every((bound) => numeral.test(bound) && Number.isFinite(Number(bound)));
  if (bounds.length === 2 && areNumbers && (low as number) < (high as number)) {
    return { kind: 'random', low, high };
  }
  throw new UsageError(`--input: '${spec}' expects random or random:LOW:HIGH with LOW below HIGH`);
}

async function sourceOf(spec: string): Promise<Source> {
  if (Object.hasOwn(words, spec)) return { kind: 'fill', value: words[spec] as number };
  if (numeral.test(spec)) return { kind: 'fill', value: numberOf(spec) };
  if (spec === 'random' || spec.startsWith('random:')) return randomSource(spec);
  if (!spec.endsWith('.npy')) {
    throw new UsageError(
      `--input: '${spec}' is not random, random:LOW:HIGH, zeros, ones, a number or a file that ends with .npy`,
    );
  }
  const content = await readBytes(spec);
  return { kind: 'array', file: spec, array: await about(spec, () => readNpy(content)) };
}

/** What each input gets, by name; later options win over earlier ones. */
async function readSources(inputs: readonly ValueInfo[], specs: readonly string[]): Promise<Map<string, Source>> {
  const sources = new Map<string, Source>();
  for (const spec of specs) {
    const owner = inputs.find(({ name }) => spec.startsWith(`${name}=`));
    if (owner) {
      sources.set(owner.name, await sourceOf(spec.slice(owner.name.length + 1)));
    } else if (spec.includes('=')) {
      const known = inputs.map(({ name }) => name).join(', ') || 'none';
      throw new UsageError(`--input: the model has no input '${spec.split('=')[0]}' (inputs: ${known})`);
    } else {
      const source = await sourceOf(spec);
      for (const { name, optional } of inputs) if (!optional) sources.set(name, source);
    }
  }
  return sources;
}

const isSymbol = (extent: Extent): extent is string => typeof extent === 'string';

function readSizes(inputs: readonly ValueInfo[], specs: readonly string[]): Map<string, number> {
  const symbols = new Set(inputs.flatMap(({ shape }) => shape.filter(isSymbol)));
  const sizes = new Map<string, number>();
  for (const spec of specs) {
    const at = spec.lastIndexOf('=');
    const [name, size] = [spec.slice(0, Math.max(0, at)), spec.slice(at + 1)];
    if (at < 1 || !/^\d+$/.test(size)) throw new UsageError(`--dim expects NAME=SIZE, got '${spec}'`);
    if (!symbols.has(name)) {
      const known = [...symbols].join(', ') || 'none';
      throw new UsageError(`--dim: no input has a dimension '${name}' (dimensions: ${known})`);
    }
    sizes.set(name, Number(size));
  }
  return sizes;
}

/** Takes sizes that nobody gave from the arrays. Throws UsageError for an array that shows another than `given` has. */
function learnSizes(
  { shape }: ValueInfo,
  { file, array }: ArraySource,
  sizes: Map<string, number>,
  given: ReadonlyMap<string, number>,
): void {
  if (array.shape.length !== shape.length) return; // the run will say so
  shape.forEach((extent, axis) => {
    if (!isSymbol(extent)) return;
    const size = array.shape[axis] as number;
    const wanted = given.get(extent);
    if (wanted !== undefined && wanted !== size) {
      throw new UsageError(`--dim ${extent}=${wanted}: ${file} shows ${extent} = ${size}`);
    }
    if (!sizes.has(extent)) sizes.set(extent, size);
  });
}

function checkRanks(inputs: readonly ValueInfo[]): void {
  const open = inputs.find(({ hasRank }) => !hasRank);
  if (!open) return;
  const { name, dtype } = open;
  throw new UsageError(
    `the model does not say which shape input '${name}' (${dtype}) has: give --input '${name}=FILE.npy'`,
  );
}

function checkSizes(inputs: readonly ValueInfo[], sizes: Map<string, number>): void {
  const missing = new Set(inputs.flatMap(({ shape }) => shape.filter(isSymbol).filter((name) => !sizes.has(name))));
  if (missing.size === 0) return;
  const shown = inputs.map(({ name, dtype, shape }) => `${name} ${dtype}${shapeText(shape)}`).join(', ');
  const needed = [...missing].map((name) => `--dim '${name}=SIZE'`).join(' ');
  throw new UsageError(`the model takes ${shown}: give ${needed}`);
}

function randomTensor(shape: readonly number[], { dtype }: ValueInfo, low?: number, high?: number): Tensor {
  const isFloat = dtype.includes('float');
  const values = rand(shape, low ?? (isFloat ? -1 : 0), high ?? (isFloat ? 1 : 2));
  return (isFloat ? values : floor(values)).cast(dtype);
}

/** From where to where, both included, the elements of integers and truths go: random ones no further than numbers are exact. */
function rangeOf(dtype: string, isRandom: boolean): [least: bigint, most: bigint] | null {
  if (dtype === 'bool') return [0n, 1n];
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(dtype) ?? [];
  if (bits === undefined) return null;
  const count = 2n ** BigInt(Math.min(Number(bits) - (unsigned ? 0 : 1), isRandom ? 53 : 64));
  return [unsigned ? 0n : -count, count - 1n];
}

/** Throws UsageError for numbers that the input's elements cannot be. */
function checkNumbers({ name, dtype }: ValueInfo, source: Source): void {
  const range = rangeOf(dtype, source.kind === 'random');
  if (source.kind === 'array' || range === null) return;
  const isWhole = (value: number | bigint) => typeof value === 'bigint' || Number.isInteger(value);
  const { low = 0, high = 2 } = source.kind === 'random' ? source : { low: source.value, high: source.value };
  const end = source.kind === 'random' ? 1n : 0n;
  if (isWhole(low) && isWhole(high) && BigInt(low) >= range[0] && BigInt(high) - end <= range[1]) return;
  const got = source.kind === 'fill' ? source.value : `numbers from ${low} up to ${high}`;
  const kind = source.kind === 'random' ? 'random integers' : 'integers';
  throw new UsageError(`--input: '${name}' is ${dtype}, ${kind} from ${range[0]} to ${range[1]}; got ${got}`);
}

function makeTensor(info: ValueInfo, source: Source, sizes: Map<string, number>): Tensor {
  if (source.kind === 'array') {
    const { data, dtype, shape } = source.array;
    const made = tensor(data, { dtype, shape });
    return info.dtype === 'bfloat16' && made.dtype === 'float32' ? made.cast('bfloat16') : made;
  }
  const shape = info.shape.map((extent) => (isSymbol(extent) ? (sizes.get(extent) as number) : extent));
  if (source.kind === 'random') return randomTensor(shape, info, source.low, source.high);
  return typeof source.value === 'number'
    ? full(shape, source.value, info.dtype)
    : tensor([source.value], info.dtype).reshape([]).expand(shape).clone();
}

/** Makes the feeds that the options ask for, anew at every call; the same ones each time. */
export type FeedMaker = () => TensorMap;

/**
 * Reads the options for a model with these inputs. Throws UsageError for what does not fit them, naming the sizes that are
 * missing.
 */
export async function readFeeds(session: Pick<Session, 'inputs'>, args: Arguments): Promise<FeedMaker> {
  const sources = await readSources(session.inputs, args.list('input'));
  const inputs = session.inputs.filter(({ name, optional }) => !optional || sources.has(name));
  for (const { name, holds } of inputs) {
    if (holds !== 'tensor') throw new UsageError(`input '${name}' is no tensor, and only tensors can be given here`);
  }
  const given = readSizes(inputs, args.list('dim'));
  const sizes = new Map(given);
  const seed = args.integer('seed', 0, Number.MAX_SAFE_INTEGER, 0);
  const open: ValueInfo[] = [];
  for (const info of inputs) {
    const source = sources.get(info.name);
    if (source) checkNumbers(info, source);
    if (source?.kind === 'array') learnSizes(info, source, sizes, given);
    else open.push(info);
  }
  checkRanks(open);
  checkSizes(open, sizes);
  const random: Source = { kind: 'random', low: undefined, high: undefined };
  return () => {
    manualSeed(seed);
    return scope(() =>
      Object.fromEntries(inputs.map((info) => [info.name, makeTensor(info, sources.get(info.name) ?? random, sizes)])),
    );
  };
}
