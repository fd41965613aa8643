/** Sessions run graphs. */

import { takeTensors, writeCall } from './call.js';
import type { DType } from './dtype.js';
import { ArgumentError } from './errors.js';
import type { Extent, Graph } from './graph.js';
import { type LoadOptions, loadGraph, type ModelSource } from './load.js';
import { forget, watch } from './memory.js';
import { native } from './native.js';
import { Tensor } from './tensor.js';

export interface SessionOptions {
  /** `exact`: the same bits on every machine, with any number of threads. Default: `fast`. */
  arithmetic?: 'fast' | 'exact';
  /** Whether passes rewrite the graph first. Default: true. */
  optimize?: boolean;
  /** Values inside the graph that become outputs as well. */
  intermediates?: readonly string[];
}

/** An input or output; symbolic sizes carry their names. */
export interface ValueInfo {
  name: string;
  dtype: DType;
  shape: Extent[];
}

/** Tensors by input or output name. */
export type TensorMap = Record<string, Tensor>;

function release(handle: number): void {
  native().sessionRelease(handle);
}

/** A model ready to run. One plan is kept per combination of input sizes, so later runs of the same sizes only compute. */
export class Session {
  #handle: number;
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];

  private constructor(handle: number) {
    this.#handle = handle;
    watch(this, handle, release);
    this.inputs = native().sessionInputs(handle) as ValueInfo[];
    this.outputs = native().sessionOutputs(handle) as ValueInfo[];
  }

  /** The session keeps what it needs: the graph may be disposed of. */
  static fromGraph(graph: Graph, options: SessionOptions = {}): Session {
    const { arithmetic = 'fast', optimize = true, intermediates = [] } = options;
    if (arithmetic !== 'fast' && arithmetic !== 'exact') {
      throw new ArgumentError(`Session: arithmetic expects 'fast' or 'exact', got '${arithmetic}'`, 'Argument');
    }
    return new Session(native().sessionMake(graph.handle, arithmetic === 'exact', optimize, [...intermediates]));
  }

  /** Loads `.onnx` or `.onemodel` (told by the content) from bytes, an address, a Response or a Blob. */
  static async load(source: ModelSource, options: SessionOptions & LoadOptions = {}): Promise<Session> {
    const graph = await loadGraph(source, options);
    try {
      return Session.fromGraph(graph, options);
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

  /** As `run`, at once. */
  runSync(feeds: TensorMap | readonly Tensor[] | Tensor): TensorMap {
    writeCall(this.#ordered(feeds));
    const results = takeTensors(native().sessionRun(this.#live()));
    const named: TensorMap = {};
    for (let i = 0; i < results.length; i++) named[(this.outputs[i] as ValueInfo).name] = results[i] as Tensor;
    return named;
  }

  #live(): number {
    if (this.#handle === 0) throw new ArgumentError('this session was disposed of', 'Disposed');
    return this.#handle;
  }

  #ordered(feeds: TensorMap | readonly Tensor[] | Tensor): readonly Tensor[] {
    const { inputs } = this;
    const given = feeds instanceof Tensor ? [feeds] : feeds;
    if (Array.isArray(given)) {
      if (given.length === inputs.length) return given;
      throw new ArgumentError(
        `run: the model has ${inputs.length} inputs (${inputs.map((each) => each.name).join(', ')}), got ${given.length}`,
        'Argument',
      );
    }
    const named = given as TensorMap;
    const ordered: Tensor[] = [];
    for (const { name } of inputs) {
      const feed = named[name];
      if (!(feed instanceof Tensor)) {
        throw new ArgumentError(`run: input '${name}' is missing`, 'Argument');
      }
      ordered.push(feed);
    }
    if (Object.keys(named).length > inputs.length) {
      const extra = Object.keys(named).filter((name) => !inputs.some((each) => each.name === name));
      throw new ArgumentError(
        `run: no input is called ${extra.map((name) => `'${name}'`).join(', ')} (inputs: ${inputs.map((each) => each.name).join(', ')})`,
        'Argument',
      );
    }
    return ordered;
  }

  /** The passes that were applied, and every plan: which kernel each node got, and why others refused. */
  describe(): string {
    return native().sessionDescribe(this.#live());
  }

  /** Runs the model `runs` times and returns a table of the time of each step. */
  profile(feeds: TensorMap | readonly Tensor[] | Tensor, runs = 10): string {
    writeCall(this.#ordered(feeds));
    return native().sessionProfile(this.#live(), runs);
  }

  /** Bytes of scratch memory that all plans share. */
  get arenaBytes(): number {
    return native().sessionArenaBytes(this.#live());
  }

  dispose(): void {
    if (this.#handle === 0) return;
    forget(this);
    release(this.#handle);
    this.#handle = 0;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
