/** Graphs: what traces and readers make, files keep and sessions run. */

import { checkedOptions } from './arguments.js';
import type { DType } from './dtype.js';
import { ArgumentError } from './errors.js';
import { Handle } from './memory.js';
import { native } from './native.js';
import { Session, type SessionOptions } from './session.js';

/** A size: a number, or the name or formula of a symbolic one. */
export type Extent = number | string;

/** A graph as data, for pictures and tools. Values are referred to by index, -1 for none. */
export interface GraphView {
  /** Name of the graph. */
  name: string;
  /** Inputs, constants and results of nodes. `kind` is what a constant was ("parameter", "buffer", …), else null. */
  values: { name: string; dtype: DType; shape: Extent[]; kind: string | null }[];
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
    this.#handle = new Handle(this, handle, 'graph', release);
  }

  /** @internal */
  get handle(): number {
    return this.#handle.value;
  }

  /**
   * A `.onnx` file of opset 20, or the lowest above that the graph needs; equal graphs give equal bytes. There are
   * no options yet: ArgumentError for any, such as another opset.
   */
  toOnnx(options: Record<string, never> = {}): Uint8Array {
    onnxOptions(options, []);
    return native().writeOnnx(this.handle);
  }

  /** A `.onemodel` file (docs/format.md). Options as of `toOnnx`: none. */
  toOneModel(options: Record<string, never> = {}): Uint8Array {
    checkedOptions('toOneModel', options, []);
    return native().writeOneModel(this.handle);
  }

  /** A session that runs this graph; it keeps what it needs. Errors as of `Session.fromGraph`. */
  createSession(options: SessionOptions = {}): Session {
    return Session.fromGraph(this, options);
  }

  /**
   * A new graph after the passes that a session would run first: constants folded, activations and biases fused. With
   * `exact` those only that keep every bit. Fused operators that ONNX does not have are kept by `toOneModel`, and
   * written by `toOnnx` as those that they stand for. Inputs that had a default are constants. Throws ArgumentError when
   * types inside are known only while running.
   */
  optimize(options: Pick<SessionOptions, 'arithmetic'> = {}): Graph {
    const { arithmetic = 'fast' } = checkedOptions('optimize', options, ['arithmetic']);
    return new Graph(native().graphOptimize(this.handle, arithmetic === 'exact'));
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
