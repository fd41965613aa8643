/** Sessions run graphs. */

import { checkedOptions, integerOf, listOf, picked, textOf } from './arguments.js';
import { takeTensors, writeCall } from './call.js';
import { describe } from './describe.js';
import type { DType } from './dtype.js';
import { ArgumentError } from './errors.js';
import type { Extent, Graph } from './graph.js';
import { type LoadOptions, loadGraph, loadOptionNames, type ModelSource } from './load.js';
import { Handle } from './memory.js';
import { native } from './native.js';
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

const optionNames = ['arithmetic', 'optimize', 'intermediates'];

/** An input or output; symbolic sizes carry their names. */
export interface ValueInfo {
  name: string;
  dtype: DType;
  shape: Extent[];
}

/** Tensors by input or output name. */
export type TensorMap = Record<string, Tensor>;

/** "float32[batch, 4]". */
function typeText({ dtype, shape }: ValueInfo): string {
  return `${dtype}[${shape.join(', ')}]`;
}

function describeInput(info: ValueInfo): string {
  return `${info.name} ${typeText(info)}`;
}

function release(handle: number): void {
  native().sessionRelease(handle);
}

/** A model ready to run. One plan is kept per combination of input sizes, so later runs of the same sizes only compute. */
export class Session {
  readonly #handle: Handle;
  /** What `run` takes, in order. */
  readonly inputs: readonly ValueInfo[];
  /** What `run` gives, in order. */
  readonly outputs: readonly ValueInfo[];

  private constructor(handle: number) {
    this.#handle = new Handle(this, handle, 'session', release);
    this.inputs = native().sessionInputs(handle) as ValueInfo[];
    this.outputs = native().sessionOutputs(handle) as ValueInfo[];
  }

  /**
   * The session keeps what it needs: the graph may be disposed of. Throws ArgumentError for an option out of its range.
   * Every operator has an exact kernel.
   */
  static fromGraph(graph: Graph, options: SessionOptions = {}): Session {
    const {
      arithmetic = 'fast',
      optimize = true,
      intermediates = [],
    } = checkedOptions('Session', options, optionNames);
    if (arithmetic !== 'fast' && arithmetic !== 'exact') {
      throw new ArgumentError(`Session: arithmetic expects 'fast' or 'exact', got '${arithmetic}'`, 'Argument');
    }
    const names = listOf('Session: intermediates', intermediates, 'names').map((name) =>
      textOf('Session: intermediates', name),
    );
    return new Session(native().sessionMake(graph.handle, arithmetic === 'exact', optimize, names));
  }

  /**
   * Loads `.onnx` or `.onemodel` (told by the content) from bytes, an address, a Response or a Blob. Errors as of
   * `loadGraph` and `fromGraph`.
   */
  static async load(source: ModelSource, options: SessionOptions & LoadOptions = {}): Promise<Session> {
    checkedOptions('Session.load', options, [...optionNames, ...loadOptionNames]);
    const graph = await loadGraph(source, picked(options, loadOptionNames));
    try {
      return Session.fromGraph(graph, picked(options, optionNames));
    } finally {
      graph.dispose();
    }
  }

  /**
   * Runs the model. Feeds by name, or a list in the order of `inputs`; a model of one input takes the tensor alone.
   * Throws ShapeError, DTypeError or ArgumentError, naming input, expected and got, before anything is computed.
   */
  async run(feeds: TensorMap | readonly Tensor[] | Tensor): Promise<TensorMap> {
    return this.runSync(feeds);
  }

  /** As `run`, without a promise. */
  runSync(feeds: TensorMap | readonly Tensor[] | Tensor): TensorMap {
    writeCall('run', this.#ordered(feeds));
    const results = takeTensors(native().sessionRun(this.#handle.value));
    // Own properties whatever their names, `__proto__` included.
    return Object.fromEntries(results.map((result, i) => [(this.outputs[i] as ValueInfo).name, result]));
  }

  #known(): string {
    return this.inputs.map(describeInput).join(', ');
  }

  /** Throws ArgumentError unless `feed` is a tensor that can be used for input `info`. */
  #checked(info: ValueInfo, feed: Tensor | undefined): Tensor {
    const name = `run: input '${info.name}'`;
    if (feed instanceof Tensor) {
      feed.handleFor(name);
      return feed;
    }
    const got = feed === undefined ? 'is missing' : `is no tensor but ${describe(feed)}`;
    throw new ArgumentError(`${name} ${got}: expected ${typeText(info)} (inputs: ${this.#known()})`, 'Argument');
  }

  #ordered(feeds: TensorMap | readonly Tensor[] | Tensor): readonly Tensor[] {
    const { inputs } = this;
    const given = feeds instanceof Tensor ? [feeds] : feeds;
    if (Array.isArray(given)) {
      if (given.length === inputs.length) return inputs.map((info, i) => this.#checked(info, given[i]));
      throw new ArgumentError(
        `run: the model has ${inputs.length} inputs (${this.#known()}), got ${given.length}`,
        'Argument',
      );
    }
    const named = (given ?? {}) as TensorMap;
    const ordered = inputs.map((info) => this.#checked(info, named[info.name]));
    if (Object.keys(named).length > inputs.length) {
      const extra = Object.keys(named).filter((name) => !inputs.some((each) => each.name === name));
      throw new ArgumentError(
        `run: no input is called ${extra.map((name) => `'${name}'`).join(', ')} (inputs: ${this.#known()})`,
        'Argument',
      );
    }
    return ordered;
  }

  /** The passes that were applied, and every plan: which kernel each node got, and why others refused. */
  describe(): string {
    return native().sessionDescribe(this.#handle.value);
  }

  /** Runs the model `runs` times, 1 or more, and returns a table of the time of each step. Errors as of `run`. */
  profile(feeds: TensorMap | readonly Tensor[] | Tensor, runs = 10): string {
    const count = integerOf('profile: runs', runs, 1);
    writeCall('run', this.#ordered(feeds));
    return native().sessionProfile(this.#handle.value, count);
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
