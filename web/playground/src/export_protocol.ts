/** What the page and the worker say to each other of exported programs. Everything here can be cloned. */

import type { DraftFailureKind, DType, Extent, GraphView, InputKind, OutputKind } from 'onemodel';

export interface FailureReport {
  kind: DraftFailureKind;
  message: string;
  /** Path of the module that it happened in; '' at the root. */
  modulePath: string;
  /** Where in the code of the editor, when known. */
  line: number | null;
}

/** An input or output of the program's graph. */
export interface SignatureRow {
  direction: 'input' | 'output';
  kind: InputKind | OutputKind;
  name: string;
  /** Path of state, or what an update or gradient is of; '' for what is the caller's. */
  target: string;
  dtype: DType;
  shape: Extent[];
  /** Of a buffer: whether it is in the state dict. Else null. */
  persistent: boolean | null;
}

export interface SizeRow {
  /** A name, or the formula of a derived size: "2*d + 2". */
  label: string;
  min: number;
  /** null: any. */
  max: number | null;
  /** Axes of the caller's inputs that have this size: "input, axis 0". */
  places: string[];
}

/** A module that was called. */
export interface ModuleRow {
  /** '' for the root. */
  path: string;
  /** Position of the module around it in the list; -1 for the root. */
  parent: number;
  calls: number;
  /** Nodes of the graph that were recorded in it, or in modules below. */
  nodes: number[];
}

export interface ProgramReport {
  /** For the drawing: state that is only read is constant in it. */
  view: GraphView;
  text: string;
  signature: SignatureRow[];
  sizes: SizeRow[];
  /** As `ExportedProgram.equalityConstraints` has them. */
  relations: string[];
  /** The root first, each before those below it. */
  modules: ModuleRow[];
  warnings: string[];
}

export interface ExportReport {
  failures: FailureReport[];
  /** All of the draft for a person. */
  text: string;
  /** The sizes that the model can keep, as code for the editor; null when none are suggested. */
  suggested: string | null;
  program: ProgramReport | null;
}

/** How a program is written to a file. */
export interface ProgramFileOptions {
  format: 'onnx' | 'onemodel';
  /** In `.onnx`: whether state that changes is an extra input and output, and not a constant. */
  stateInputs: boolean;
}

/** What a session has written. */
export interface StreamProgress {
  /** What came last. */
  text: string;
  tokens: number;
  seconds: number;
}

export type ReportStream = (progress: StreamProgress) => void | Promise<void>;

export interface StreamResult {
  outcome: 'finished' | 'stopped';
  tokens: number;
  seconds: number;
}
