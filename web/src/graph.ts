/** Graphs: what traces and readers make, files keep and sessions run. */

import { checkedOptions, integerOf, isExactOf, textOf } from './arguments.js';
import { join } from './bytes.js';
import type { DType } from './dtype.js';
import { ArgumentError } from './errors.js';
import { Handle, made } from './memory.js';
import { native } from './native.js';
import { Session, type SessionOptions } from './session.js';
import { type ByteSink, writeThrough } from './sinks.js';

/** A size: a number, or the name or formula of a symbolic one. */
export type Extent = number | string;

/** A graph as data, for pictures and tools. Values are referred to by index, -1 for none. */
export interface GraphView {
  /** Name of the graph. */
  name: string;
  /**
   * Inputs, constants and results of nodes. `hasRank` is false where only a run tells the shape; `kind` is what a constant
   * was ("parameter", "buffer", …), else null.
   */
  values: { name: string; dtype: DType; shape: Extent[]; hasRank: boolean; kind: string | null }[];
  /** Nodes in an order in which they can run. */
  nodes: {
    name: string;
    /** The operator: "Softmax". */
    op: string;
    /** The operator with its attributes: "Softmax(axis=1)". */
    label: string;
    /** Path of the module that the node was recorded in: "blocks.0.fc". */
    modulePath: string;
    inputs: number[];
    outputs: number[];
  }[];
  /** Values that are the graph's inputs, in order. */
  inputs: number[];
  /** Constants that are inputs with a default: a run may feed others in their place. */
  optionalInputs: number[];
  /** Values that are its outputs, in order. */
  outputs: number[];
  /** What an exported program demands of its sizes: "2 <= batch <= 16", "n = 2*m + 1". */
  sizes: string[];
  /** What the file says besides. */
  metadata: Record<string, string>;
}

/** Weights in a file beside a `.onnx` model (external data), without which a model ends at 2 GiB. */
export interface ExternalDataOptions {
  /** The file's name as the model gives it; it is looked for in the model's own folder. */
  file: string;
  /** Gets that file's bytes. What it throws ends the writing. */
  write: ByteSink;
  /** Weights of fewer bytes stay in the model. Default: 1024. */
  leastBytes?: number;
}

/** How a `.onnx` file is written. */
export interface OnnxOptions {
  /** Default: everything is in the model. */
  externalData?: ExternalDataOptions;
}

function release(handle: number): void {
  native().graphRelease(handle);
}

/** The options of `toOnnx`. Throws ArgumentError for unknown ones; one that asks for an opset is told which it is. */
export function onnxOptions<T extends object>(options: T, known: readonly string[]): T {
  if (typeof options === 'object' && options !== null && 'opset' in options) {
    const which = 'it is 20, or the lowest above that the graph needs';
    throw new ArgumentError(`toOnnx: the opset cannot be chosen: ${which}`, 'Argument');
  }
  return checkedOptions('toOnnx', options, known);
}

/** An immutable graph in the engine's memory. */
export class Graph {
  readonly #handle: Handle;

  /** @internal */
  constructor(handle: number) {
    const own = made(handle, 'a Graph', 'om.trace(model, inputs) or await om.loadGraph(…)');
    this.#handle = new Handle(this, own, 'graph', release);
  }

  /** @internal */
  get handle(): number {
    return this.#handle.value;
  }

  /**
   * A `.onnx` file of opset 20, or the lowest above that the graph needs; equal graphs give equal bytes. Throws
   * ModelError(TooLarge) above 2 GiB, which `externalData` avoids: then only the model is given back, and the weights go to
   * `write` before. Throws ArgumentError for a file name that leads out of the folder.
   */
  toOnnx(options: OnnxOptions = {}): Uint8Array {
    const { externalData } = onnxOptions(options, ['externalData']);
    if (externalData === undefined) return native().writeOnnx(this.handle);
    const what = 'toOnnx: externalData';
    const { file, write, leastBytes = 1024 } = checkedOptions(what, externalData, ['file', 'write', 'leastBytes']);
    const name = textOf(`${what}.file`, file);
    const least = integerOf(`${what}.leastBytes`, leastBytes, 0);
    return writeThrough(`${what}.write`, write, (module, sink) =>
      module.writeOnnxBeside(this.handle, name, least, sink),
    );
  }

  /** A `.onemodel` file (docs/format.md). There are no options yet: ArgumentError for any. */
  toOneModel(options: Record<string, never> = {}): Uint8Array {
    checkedOptions('toOneModel', options, []);
    const pieces: Uint8Array[] = [];
    this.writeOneModel((bytes) => pieces.push(bytes.slice()));
    return join(pieces);
  }

  /** The same file in pieces, for one that is too large to be in memory twice. What `write` throws ends the writing. */
  writeOneModel(write: ByteSink): void {
    writeThrough('writeOneModel', write, (module, sink) => module.writeOneModel(this.handle, sink));
  }

  /** A session that runs this graph; it keeps what it needs. Errors as of `Session.fromGraph`. */
  createSession(options: SessionOptions = {}): Session {
    return Session.fromGraph(this, options);
  }

  /**
   * A new graph after the passes that a session would run first: constants folded, activations and biases fused. With
   * `exact` those only that keep every bit. Fused operators that ONNX does not have are kept by `toOneModel`, and
   * written by `toOnnx` as those that they stand for. Inputs that had a default are constants. Throws ArgumentError for
   * other arithmetic, and when types inside are known only while running.
   */
  optimize(options: Pick<SessionOptions, 'arithmetic'> = {}): Graph {
    const { arithmetic = 'fast' } = checkedOptions('optimize', options, ['arithmetic']);
    return new Graph(native().graphOptimize(this.handle, isExactOf('optimize: arithmetic', arithmetic)));
  }

  /** The graph as data. */
  view(): GraphView {
    return native().graphView(this.handle) as GraphView;
  }

  /** One line per input, constant, node and output. */
  toString(): string {
    return native().graphText(this.handle);
  }

  /** Frees the graph; sessions made from it go on. A second call does nothing. */
  dispose(): void {
    this.#handle.free();
  }

  /** As `dispose`, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
