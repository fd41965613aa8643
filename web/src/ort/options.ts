/** What `InferenceSession.create` and `run` take besides model and feeds, checked as ONNX Runtime checks it. */

import type { InferenceSession } from 'onnxruntime-common';
import { checkedOptions, listOf, recordOf, textOf, unexpected } from '../arguments.js';
import { ArgumentError } from '../errors.js';
import { isModelSource, type ModelSource } from '../model_source.js';
import type { SessionOptions } from '../session.js';

/** The engine as an execution provider with options. */
export interface OneModelProviderOption extends InferenceSession.ExecutionProviderOption {
  readonly name: 'onemodel';
  /** `exact`: the same bits on every machine. Default: `fast`. */
  arithmetic?: 'fast' | 'exact';
}

declare module 'onnxruntime-common' {
  namespace InferenceSession {
    interface ExecutionProviderOptionMap {
      onemodel: OneModelProviderOption;
    }
  }
}

/** The engine's name among the execution providers. */
export const backendName = 'onemodel';

const levels = ['disabled', 'basic', 'extended', 'layout', 'all'];
const modes = ['sequential', 'parallel'];

function checkWord(what: string, value: unknown, known: readonly string[]): void {
  if (value === undefined || known.includes(value as string)) return;
  throw new ArgumentError(`${what} expects ${known.map((word) => `'${word}'`).join(', ')}, got '${value}'`, 'Argument');
}

/** 0 (verbose) to 4 (fatal). */
function checkSeverity(value: unknown): void {
  if (value === undefined || (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 4)) return;
  throw new ArgumentError(`logSeverityLevel expects an integer from 0 to 4, got ${value}`, 'Argument');
}

function checkSizes(sizes: Readonly<Record<string, number>>): void {
  for (const [name, size] of Object.entries(recordOf('freeDimensionOverrides', sizes, 'sizes by name'))) {
    if (Number.isSafeInteger(size) && size >= 0) continue;
    throw new ArgumentError(
      `freeDimensionOverrides: '${name}' expects an integer of 0 or more, got ${size}`,
      'Argument',
    );
  }
}

type Provider = InferenceSession.ExecutionProviderConfig;

const isOwn = (provider: Provider): provider is OneModelProviderOption =>
  typeof provider !== 'string' && provider.name === backendName;

/** Options of other providers are theirs. */
function checkProviders(providers: readonly Provider[]): void {
  listOf('executionProviders', providers, 'names or objects with a name').forEach((provider, i) => {
    const name = typeof provider === 'string' ? provider : provider?.name;
    if (typeof name !== 'string')
      throw unexpected(`executionProviders[${i}]`, 'a name or an object with one', provider);
    if (isOwn(provider)) checkedOptions(`executionProviders[${i}]`, provider, ['name', 'arithmetic']);
  });
}

const places = ['cpu', 'cpu-pinned'];

/** Outputs are where the engine computes. */
function checkPlaces(wanted: InferenceSession.SessionOptions['preferredOutputLocation']): void {
  const what = 'preferredOutputLocation';
  if (typeof wanted !== 'object') {
    checkWord(what, wanted, places);
    return;
  }
  const named = Object.entries(recordOf(what, wanted, 'places by name'));
  for (const [name, place] of named) checkWord(`${what}['${name}']`, place, places);
}

/** Throws ArgumentError for options out of their range, and for those whose effect would be missed. Others are ignored. */
export function checkSessionOptions(options: InferenceSession.SessionOptions): void {
  checkWord('graphOptimizationLevel', options.graphOptimizationLevel, levels);
  checkWord('executionMode', options.executionMode, modes);
  checkSeverity(options.logSeverityLevel);
  checkSizes(options.freeDimensionOverrides ?? {});
  checkProviders(options.executionProviders ?? []);
  checkPlaces(options.preferredOutputLocation);
  if (options.optimizedModelFilePath) {
    throw new ArgumentError('optimizedModelFilePath: the optimised graph cannot be saved', 'Unsupported');
  }
}

/** The part of the options that a session of the engine takes. */
export function sessionOptions(options: InferenceSession.SessionOptions): SessionOptions {
  const own = options.executionProviders?.find(isOwn);
  return {
    optimize: options.graphOptimizationLevel !== 'disabled',
    ...(own?.arithmetic === undefined ? {} : { arithmetic: own.arithmetic }),
  };
}

/** A list of numbers is the bytes that they are, as for ONNX Runtime. */
function sourceOf(what: string, data: unknown): ModelSource {
  if (isModelSource(data)) return data;
  if (Array.isArray(data)) return Uint8Array.from(data);
  throw unexpected(what, 'bytes, an address or a Blob', data);
}

/** The files beside a model that were given as bytes, blobs or addresses, by name; other ones are left to `loadGraph`. */
export function externalData(options: InferenceSession.SessionOptions): Record<string, ModelSource> {
  const files: Record<string, ModelSource> = {};
  listOf('externalData', options.externalData ?? [], 'files').forEach((entry, i) => {
    if (typeof entry === 'string') return;
    const what = `externalData[${i}]`;
    const { path, data } = recordOf(what, entry, 'path and data');
    const name = textOf(`${what}.path`, path).replace(/^\.\//, '');
    files[name] = sourceOf(`${what}.data`, data);
  });
  return files;
}

/** How many threads to start the engine with: as the options say, else `fallback`; a number out of range says nothing. */
export function threadsOf(options: InferenceSession.SessionOptions, fallback: unknown): number | undefined {
  return [options.intraOpNumThreads, fallback].find(
    (count): count is number => Number.isInteger(count) && (count as number) >= 1 && (count as number) <= 64,
  );
}

/** Throws ArgumentError for options of a run that are out of their range. */
export function checkRunOptions(options: InferenceSession.RunOptions): void {
  checkSeverity(options.logSeverityLevel);
}
