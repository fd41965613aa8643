/** What the page and the worker say to each other. Everything here can be cloned. */

import type { DType, Environment, Extent, GraphView, InitOptions, Memory, ValueInfo } from 'onemodel';

export type ModelFormat = 'onnx' | 'onemodel';

/** What the code of an example defined. */
export interface Preparation {
  steps: number;
  /** Number of trained values. */
  parameters: number;
  canClassify: boolean;
  hasAccuracy: boolean;
  canTrace: boolean;
}

export interface TrainingProgress {
  step: number;
  steps: number;
  seconds: number;
  /** Losses since the last report. */
  losses: number[];
}

export type ReportProgress = (progress: TrainingProgress) => void | Promise<void>;

export interface TrainingResult {
  outcome: 'finished' | 'cancelled';
  step: number;
  steps: number;
  seconds: number;
  /** Share of held-out examples that are right; null when the code does not say. */
  accuracy: number | null;
}

export interface TraceReport {
  view: GraphView;
  text: string;
  warnings: string[];
  /** Sizes at which the graph was run again and agreed, or what differed; null when it was not checked. */
  verification: { ok: boolean; message: string } | null;
}

export interface ModelReport {
  name: string;
  bytes: number;
  view: GraphView;
  inputs: ValueInfo[];
  outputs: ValueInfo[];
  /** Whether the file holds the model that was trained in this page, as it is now. */
  isTrainedModel: boolean;
}

/** How to fill one input. */
export interface Feed {
  name: string;
  dtype: DType;
  shape: number[];
  fill: 'uniform' | 'normal' | 'constant' | 'values';
  /** The constant, or the upper bound of random integers. */
  value: number;
  /** For 'values': repeated to fill the shape. */
  values: number[];
}

export interface OutputReport {
  name: string;
  dtype: DType;
  shape: number[];
  size: number;
  /** The first ones, as text. */
  values: string[];
}

export interface ModelRun {
  outputs: OutputReport[];
  firstMilliseconds: number;
  /** A second run of the same sizes, which only computes. */
  againMilliseconds: number;
  description: string;
  /** Largest difference from the module trained in this page; null for other files. */
  eagerDifference: number | null;
}

export interface PlaygroundWorker {
  start(options: InitOptions): Promise<Environment>;
  memory(): Promise<Memory>;
  /** Evaluates the code as a module and frees what the code before it made. */
  prepare(code: string): Promise<Preparation>;
  train(onProgress: ReportProgress): Promise<TrainingResult>;
  /** Ends `train` after the step that runs. */
  cancel(): Promise<void>;
  /** Probabilities of the classes. */
  classify(image: Float32Array<ArrayBuffer>): Promise<number[]>;
  trace(): Promise<TraceReport>;
  save(format: ModelFormat): Promise<Uint8Array<ArrayBuffer>>;
  openModel(name: string, file: Uint8Array): Promise<ModelReport>;
  runModel(feeds: Feed[]): Promise<ModelRun>;
  dispose(): Promise<void>;
}

/** An extent as text. */
export const extentText = (extent: Extent): string => String(extent);

/** "float32 [batch, 10]" */
export function typeText({ dtype, shape }: { dtype: string; shape: readonly Extent[] }): string {
  return `${dtype} [${shape.map(extentText).join(', ')}]`;
}
