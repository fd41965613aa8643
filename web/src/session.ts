/** Sessions run graphs. */

import { checkedOptions, flagOf, integerOf, isExactOf, listOf, picked, textOf, unexpected } from './arguments.js';
import { type Item, writeItems } from './call.js';
import { ArgumentError } from './errors.js';
import { Graph } from './graph.js';
import { type LoadOptions, loadGraph, loadOptionNames } from './load.js';
import { Handle, made } from './memory.js';
import type { ModelSource } from './model_source.js';
import { native } from './native.js';
import { makeProfile, type Profile } from './profile.js';
import { checkCancelled, checkRunOptions, type RunOptions, running, runWatched } from './run_options.js';
import { type Feeds, orderedFeeds, type TensorMap, type ValueInfo } from './session_feeds.js';
import { Tensor } from './tensor.js';

/** How a session runs its graph. */
export interface SessionOptions {
  /** `exact`: the same bits on every machine, with any number of threads. Default: `fast`. */
  arithmetic?: 'fast' | 'exact';
  /** Whether passes rewrite the graph first. Default: true. */
  optimize?: boolean;
  /** Names of values inside the graph that become outputs as well. */
  intermediates?: readonly string[];
}

export const optionNames = ['arithmetic', 'optimize', 'intermediates'];

function release(handle: number): void {
  native().sessionRelease(handle);
}

/** A model ready to run. One plan is kept per combination of input sizes, so later runs of the same sizes only compute. */
export class Session {
  readonly #handle: Handle;
  /** The model's name, which errors begin with. */
  readonly name: string;
  /** What `run` takes, in order: first what it has to be fed, then optional inputs. */
  readonly inputs: readonly ValueInfo[];
  /** What `run` gives, in order. */
  readonly outputs: readonly ValueInfo[];

  private constructor(handle: number) {
    const own = made(
      handle,
      'a Session',
      'await om.Session.load(…), Session.fromGraph(graph) or graph.createSession()',
    );
    this.#handle = new Handle(this, own, 'session', release);
    this.name = native().sessionName(handle);
    this.inputs = native().sessionInputs(handle) as ValueInfo[];
    this.outputs = native().sessionOutputs(handle) as ValueInfo[];
  }

  /**
   * The session keeps what it needs: the graph may be disposed of. Throws ArgumentError for what is no graph, and for an
   * option out of its range. Every operator has an exact kernel.
   */
  static fromGraph(graph: Graph, options: SessionOptions = {}): Session {
    if (!(graph instanceof Graph)) {
      const { message, kind } = unexpected('fromGraph', 'a Graph', graph);
      throw new ArgumentError(`${message}; Session.load takes bytes and addresses`, kind);
    }
    return new Session(native().sessionMake(graph.handle, ...sessionArguments('Session', options)));
  }

  /**
   * Loads `.onnx` or `.onemodel` (told by the content) from bytes, an address, a Response or a Blob. Errors as of
   * `loadGraph` and `fromGraph`.
   */
  static async load(source: ModelSource, options: SessionOptions & LoadOptions = {}): Promise<Session> {
    checkedOptions('Session.load', options, [...optionNames, ...loadOptionNames]);
    sessionArguments('Session.load', picked(options, optionNames)); // before anything is fetched
    const graph = await loadGraph(source, picked(options, loadOptionNames));
    try {
      return Session.fromGraph(graph, picked(options, optionNames));
    } finally {
      graph.dispose();
    }
  }

  /**
   * Runs the model. A model that takes or gives sequences or optionals takes lists of tensors and null, and its results are
   * typed as `run<{ y: Tensor[] }>(…)` says. Throws ShapeError, DTypeError or ArgumentError, naming input, expected and got,
   * before anything is computed; CancelledError when the options say so.
   */
  async run<Results extends Record<keyof Results, Item> = TensorMap>(
    feeds: Feeds,
    options: RunOptions = {},
  ): Promise<Results> {
    return this.runSync<Results>(feeds, options);
  }

  /** As `run`, without a promise. */
  runSync<Results extends Record<keyof Results, Item> = TensorMap>(feeds: Feeds, options: RunOptions = {}): Results {
    const handle = this.#handle.value;
    checkRunOptions(options);
    checkCancelled(options);
    writeItems(orderedFeeds(this, feeds));
    const names = options.outputs ?? this.outputs.map(({ name }) => name);
    const results = running(() => runWatched(handle, [...(options.outputs ?? [])], names.length, options));
    // Own properties whatever their names, `__proto__` included.
    return Object.fromEntries(results.map((result, i) => [names[i] as string, result])) as Results;
  }

  /** A copy of what an optional input has when it is not fed. Throws ArgumentError for any other name. */
  defaultOf(name: string): Tensor {
    return new Tensor(native().sessionDefault(this.#handle.value, textOf('defaultOf: name', name)));
  }

  /** The passes that were applied, and every plan: which kernel each node got, and why others refused. */
  describe(): string {
    return native().sessionDescribe(this.#handle.value);
  }

  /** Runs the model `runs` times, 1 or more, and tells the time of each step. Errors as of `run`. */
  profile(feeds: Feeds, runs = 10): Profile {
    const handle = this.#handle.value;
    const count = integerOf('profile: runs', runs, 1);
    writeItems(orderedFeeds(this, feeds));
    return makeProfile(running(() => native().sessionProfile(handle, count), 'profile'));
  }

  /** Bytes of scratch memory that all plans share. */
  get arenaBytes(): number {
    return native().sessionArenaBytes(this.#handle.value);
  }

  /** Frees the session with its plans; the tensors that it gave stay. A second call does nothing. */
  dispose(): void {
    this.#handle.free();
  }

  /** As `dispose`, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** Options for the engine. Throws ArgumentError for one that is unknown, or out of its range. */
export function sessionArguments(
  who: string,
  options: SessionOptions,
): [exact: boolean, optimize: boolean, intermediates: string[]] {
  const { arithmetic = 'fast', optimize = true, intermediates = [] } = checkedOptions(who, options, optionNames);
  const isExact = isExactOf(`${who}: arithmetic`, arithmetic);
  const use = `${who}: intermediates`;
  return [
    isExact,
    flagOf(`${who}: optimize`, optimize),
    listOf(use, intermediates, 'names').map((name) => textOf(use, name)),
  ];
}
