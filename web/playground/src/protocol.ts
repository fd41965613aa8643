/** What the page and the worker say to each other. Everything here can be cloned. */

import type { DType, Environment, Extent, GraphView, InitOptions, Memory, ValueInfo } from 'onemodel';

export type ModelFormat = 'onnx' | 'onemodel';

/** What the code of an example defined. */
export interface Preparation {
  steps: number;
  /** Number of trained values. */
  parameters: number;
  hasAccuracy: boolean;
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

export interface DigitSample {
  /** 784 grey levels in [0, 1]. */
  image: Float32Array<ArrayBuffer>;
  label: number;
}

/** An image, what is to be found in it, and how likely the model finds each pixel to be part of it. */
export interface Segmentation {
  height: number;
  width: number;
  image: Float32Array<ArrayBuffer>;
  mask: Float32Array<ArrayBuffer>;
  found: Float32Array<ArrayBuffer>;
  /** What is in both as a share of what is in either. */
  overlap: number;
}

/** A letter, and how likely a word begins there. */
export interface TaggedLetter {
  letter: string;
  begins: number;
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
  /** Further runs of the same sizes, which only compute: their mean. */
  againMilliseconds: number;
  description: string;
  /** Largest difference from the module trained in this page; null for other files. */
  eagerDifference: number | null;
}

/** How much of the engine's file has arrived, in bytes; `total` is 0 when unknown. */
export interface Download {
  received: number;
  total: number;
}

export type ReportDownload = (download: Download) => void;

export interface PlaygroundWorker {
  start(options: InitOptions, onDownload: ReportDownload): Promise<Environment>;
  memory(): Promise<Memory>;
  /** Evaluates the code as a module and frees what the code before it made. */
  prepare(code: string): Promise<Preparation>;
  train(onProgress: ReportProgress): Promise<TrainingResult>;
  /** Ends `train` after the step that runs. Answers when the code was evaluated. */
  cancel(): Promise<void>;
  /** Probabilities of the classes. */
  classify(image: Float32Array<ArrayBuffer>): Promise<number[]>;
  /** What the model writes after `prompt`; the same for the same seed. */
  write(prompt: string, seed: number): Promise<string>;
  /** Images, the same for the same seed, and what the model finds in them. */
  segment(seed: number): Promise<Segmentation[]>;
  tag(text: string): Promise<TaggedLetter[]>;
  /** One of the digits that training does not see. */
  heldOutDigit(): Promise<DigitSample>;
  trace(): Promise<TraceReport>;
  save(format: ModelFormat): Promise<Uint8Array<ArrayBuffer>>;
  /** Frees what the code made. */
  forget(): Promise<void>;
  openModel(name: string, file: Uint8Array): Promise<ModelReport>;
  runModel(feeds: Feed[]): Promise<ModelRun>;
  closeModel(): Promise<void>;
}

/** An extent as text. */
export const extentText = (extent: Extent): string => String(extent);

/** "float32 [batch, 10]" */
export function typeText({ dtype, shape }: { dtype: string; shape: readonly Extent[] }): string {
  return `${dtype} [${shape.map(extentText).join(', ')}]`;
}
