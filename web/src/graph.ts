/** Graphs: what traces and readers make, files keep and sessions run. */

import type { DType } from './dtype.js';
import { forget, watch } from './memory.js';
import { native } from './native.js';
import { Session, type SessionOptions } from './session.js';

/** A size: a number, or the name or formula of a symbolic one. */
export type Extent = number | string;

/** A graph as data, for pictures and tools. Values are referred to by index, -1 for none. */
export interface GraphView {
  name: string;
  values: { name: string; dtype: DType; shape: Extent[]; kind: string | null }[];
  nodes: {
    name: string;
    op: string;
    /** The operator with its attributes: "Softmax(axis=1)". */
    label: string;
    modulePath: string;
    inputs: number[];
    outputs: number[];
  }[];
  inputs: number[];
  outputs: number[];
  metadata: Record<string, string>;
}

function release(handle: number): void {
  native().graphRelease(handle);
}

/** An immutable graph in the engine's memory. */
export class Graph {
  #handle: number;

  /** @internal */
  constructor(handle: number) {
    this.#handle = handle;
    watch(this, handle, release);
  }

  /** @internal */
  get handle(): number {
    return this.#handle;
  }

  /** A `.onnx` file (opset 20, IR version 9); equal graphs give equal bytes. */
  toOnnx(): Uint8Array {
    return native().writeOnnx(this.#handle);
  }

  /** A `.onemodel` file (docs/format.md). */
  toOneModel(): Uint8Array {
    return native().writeOneModel(this.#handle);
  }

  createSession(options: SessionOptions = {}): Session {
    return Session.fromGraph(this, options);
  }

  view(): GraphView {
    return native().graphView(this.#handle) as GraphView;
  }

  /** One line per input, constant, node and output. */
  toString(): string {
    return native().graphText(this.#handle);
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
