/** Starts the engine: chooses the WebAssembly file for this machine and says why. */

import { relaxedSimd, simd, threads as threadSupport } from 'wasm-feature-detect';
import { checkedOptions, isExactOf } from './arguments.js';
import { ArgumentError } from './errors.js';
import { declarations } from './generated/declarations.js';
import { addFormatter } from './inspect.js';
import { errorOfEngine, type Native, native, setNative } from './native.js';
import { Tensor } from './tensor.js';

const variants = ['simd', 'simd-threads', 'relaxed', 'relaxed-threads'] as const;

/** How many threads run at most unless more are asked for. */
const mostByDefault = 4;

/** The WebAssembly files that exist: SIMD, with threads, and each with relaxed SIMD (fused multiply-add). */
export type Variant = (typeof variants)[number];

/** How the engine starts. */
export interface InitOptions {
  /** How many threads compute, this one included: 1 to 64. Default: the machine's cores, at most 4. */
  threads?: number;
  /** Folder that holds `onemodel-<variant>.mjs` and `.wasm`. Default: beside this package. */
  wasmBaseUrl?: string | URL;
  /** Takes this file without detection; fails where the machine cannot run it. */
  variant?: Variant;
}

/** What runs, and why not more. */
export interface Environment {
  /** The WebAssembly file that runs. */
  variant: Variant;
  /** How many threads compute, this one included. */
  threads: number;
  /** Whether relaxed SIMD is used: multiplication and addition are fused. */
  relaxedSimd: boolean;
  /** Why there is one thread, or why fewer than cores; null when there are several, as many as cores or as asked for. */
  threadsReason: string | null;
  /** Why relaxed SIMD is not used; null when it is. */
  simdReason: string | null;
}

/** What the loader is given, to which it adds what it exports; `PThread` is there in variants with threads. */
interface ModuleOptions {
  poolSize: number;
  makeError: typeof errorOfEngine;
  locateFile?: (file: string) => string;
  PThread?: { terminateAllThreads(): void };
}

type Factory = (options: ModuleOptions) => Promise<Native>;

let current: Environment | undefined;
let starting: { promise: Promise<Environment>; options: InitOptions } | undefined;

const isNode = typeof process !== 'undefined' && Boolean(process.versions?.node);

function cores(): number {
  return globalThis.navigator?.hardwareConcurrency ?? nodeCores();
}

function nodeCores(): number {
  const os = isNode ? process.getBuiltinModule?.('node:os') : undefined;
  return os?.availableParallelism() ?? 1;
}

function checkOptions(options: InitOptions): void {
  const { threads, variant } = checkedOptions('init', options, ['threads', 'wasmBaseUrl', 'variant']);
  if (variant !== undefined && !variants.includes(variant)) {
    throw new ArgumentError(`init: unknown variant '${variant}' (known: ${variants.join(', ')})`, 'Argument');
  }
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1 && threads <= 64)) {
    throw new ArgumentError(`init: threads expects an integer from 1 to 64, got ${threads}`, 'Argument');
  }
}

async function whyOneThread(options: InitOptions, wanted: number): Promise<string | null> {
  if (options.variant && !options.variant.endsWith('threads')) return `variant '${options.variant}' was asked for`;
  if (wanted === 1) return options.threads === 1 ? 'one thread was asked for' : 'the machine has one core';
  if (!isNode && !globalThis.crossOriginIsolated) {
    return (
      'the page is not cross-origin isolated: serve it with the headers ' +
      'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp'
    );
  }
  if (!(await threadSupport())) return 'this browser has no WebAssembly threads';
  return null;
}

/** Why several threads are not more, given how many there are. */
function whyNotMore(options: InitOptions, threads: number): string | null {
  if (options.threads !== undefined || threads >= cores()) return null;
  return `the default is at most ${mostByDefault}: pass \`threads\` to use all ${cores()} cores`;
}

async function whyPlainSimd(options: InitOptions): Promise<string | null> {
  if (options.variant && !options.variant.startsWith('relaxed')) return `variant '${options.variant}' was asked for`;
  if (options.variant || (await relaxedSimd())) return null;
  return isNode
    ? 'this Node has no relaxed SIMD: version 20 needs --experimental-wasm-relaxed-simd'
    : 'this browser has no relaxed SIMD';
}

/** Bundlers find the files through these literal addresses. */
function importPackaged(variant: Variant): Promise<{ default: Factory }> {
  switch (variant) {
    case 'simd':
      return import('./wasm/onemodel-simd.mjs' as string);
    case 'simd-threads':
      return import('./wasm/onemodel-simd-threads.mjs' as string);
    case 'relaxed':
      return import('./wasm/onemodel-relaxed.mjs' as string);
    case 'relaxed-threads':
      return import('./wasm/onemodel-relaxed-threads.mjs' as string);
  }
}

/** The loader of a variant; where its files are goes into the options. */
async function factoryOf(variant: Variant, options: ModuleOptions, base?: string | URL): Promise<Factory> {
  if (base === undefined) return (await importPackaged(variant)).default;
  const folder = new URL(String(base).replace(/\/?$/, '/'), globalThis.location?.href ?? import.meta.url);
  options.locateFile = (file: string) => new URL(file, folder).href;
  const url = new URL(`onemodel-${variant}.mjs`, folder).href;
  return ((await import(/* webpackIgnore: true */ /* @vite-ignore */ url)) as { default: Factory }).default;
}

/** A module of another build would take the calls of this package for others. */
function checkModule(module: Native, variant: Variant): void {
  if (module.declarations?.() === declarations) return;
  throw new ArgumentError(
    `init: onemodel-${variant}.wasm is of another version than this package: its operators and modules are others; ` +
      'build all variants (`npm start`), or reinstall the package',
    'Version',
  );
}

/** The error of a `.wasm` file that is missing, or of another build than its loader. */
function startError(variant: Variant, error: unknown): ArgumentError {
  const cause = error instanceof Error ? error.message : String(error);
  const remedy = 'the .wasm file has to be there, and of the same build as the .mjs file';
  return new ArgumentError(`init: onemodel-${variant} does not start: ${remedy}: ${cause}`, 'Start');
}

async function load(variant: Variant, poolSize: number, base?: string | URL): Promise<Native> {
  const options: ModuleOptions = { poolSize, makeError: errorOfEngine };
  const create = await factoryOf(variant, options, base);
  try {
    const module = await create(options).catch((error: unknown) => {
      throw startError(variant, error);
    });
    checkModule(module, variant);
    return module;
  } catch (error) {
    options.PThread?.terminateAllThreads(); // waiting workers keep Node from ending
    throw error;
  }
}

async function start(options: InitOptions): Promise<Environment> {
  if (!(await simd())) throw new ArgumentError('init: this machine has no WebAssembly SIMD', 'Unsupported');
  const wanted = options.threads ?? Math.min(mostByDefault, cores());
  const oneThreadReason = await whyOneThread(options, wanted);
  const simdReason = await whyPlainSimd(options);
  const threads = oneThreadReason === null ? wanted : 1;
  const kind = simdReason === null ? 'relaxed' : 'simd';
  const variant = options.variant ?? (threads > 1 ? `${kind}-threads` : kind);
  const module = await load(variant, threads - 1, options.wasmBaseUrl);
  setNative(module);
  if (!isNode) addFormatter(Tensor);
  module.setThreads(threads);
  current = {
    variant,
    threads: module.threads(),
    relaxedSimd: variant.startsWith('relaxed'),
    threadsReason: oneThreadReason ?? whyNotMore(options, threads),
    simdReason,
  };
  return current;
}

/** Throws ArgumentError naming an option that asks for another engine than runs, or than was asked for. */
function checkSame(options: InitOptions, first: InitOptions, runs: Environment): void {
  const facts: InitOptions = { threads: runs.threads, variant: runs.variant };
  for (const name of ['threads', 'variant', 'wasmBaseUrl'] as const) {
    const wanted = options[name];
    if (wanted === undefined || [first[name], facts[name]].some((each) => String(each) === String(wanted))) continue;
    const is = facts[name] ?? first[name] ?? 'the default';
    throw new ArgumentError(
      `init: the engine runs already, with ${name} ${is}, and cannot change to ${wanted}: give the first call of init the options`,
      'Running',
    );
  }
}

/** Starts the engine unless something has: for those who take it as it is. */
export function ensureStarted(options: InitOptions = {}): Promise<Environment> {
  if (starting) return starting.promise;
  const promise = start(options).catch((error: unknown) => {
    starting = undefined;
    throw error;
  });
  starting = { promise, options: { ...options } };
  return promise;
}

/**
 * Starts the engine, once: later calls return what runs. Throws ArgumentError for bad options, for a machine without
 * WebAssembly SIMD, and with kind Running for a later call whose options ask for another engine; a failed start can be
 * tried again.
 */
export async function init(options: InitOptions = {}): Promise<Environment> {
  checkOptions(options);
  const first = starting?.options;
  const runs = await ensureStarted(options);
  if (first) checkSame(options, first, runs);
  return runs;
}

/** What runs: which file, how many threads, and why not more. Throws before `init`. */
export function environment(): Environment {
  native();
  return { ...(current as Environment) };
}

/**
 * Arithmetic of eager operators: `exact` gives the same bits on every machine, with any number of threads; `fast`, which
 * holds from the start, is faster. Throws ArgumentError for another word.
 */
export function setArithmetic(arithmetic: 'fast' | 'exact'): void {
  native().setArithmetic(isExactOf('setArithmetic', arithmetic));
}
