/** What the page and the worker say to each other. Everything here can be cloned. */

import type { DType, Environment, Extent, GraphView, InitOptions, Memory, ValueInfo } from 'onemodel';
import type { Statistics } from '../../src/cli/statistics';
import type { ExportReport, ProgramFileOptions, ReportStream, StreamResult } from './export_protocol';

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
  /** Number of constant values: mostly weights. */
  constants: number;
  inputs: ValueInfo[];
  outputs: ValueInfo[];
  /** What inputs with a default have, as text, where it is short. */
  defaults: Record<string, string>;
  /** Whether the file holds the model that was trained in this page, as it is now. */
  isTrainedModel: boolean;
}

/** What an input is filled with. */
export type Fill =
  /** From `low` up to `high`: for integers included. */
  | { kind: 'uniform'; low: number; high: number }
  | { kind: 'normal' }
  | { kind: 'constant'; value: number | bigint | string }
  /** As many as the shape holds, in row-major order. */
  | { kind: 'values'; values: (number | bigint)[] | string[] | Float32Array<ArrayBuffer> };

export interface TensorFeed {
  dtype: DType;
  shape: number[];
  fill: Fill;
}

/** What an input gets: a tensor, a list of tensors, or null for nothing. What keeps its default has no feed. */
export interface Feed {
  name: string;
  item: TensorFeed | TensorFeed[] | null;
}

/** The largest of a vector. */
export interface Scores {
  /** The vector's place, when there are several: "[1]". */
  place: string;
  best: { index: number; value: number }[];
  /** Whether the vector is of probabilities, which are 1 together. */
  areShares: boolean;
  /** The smallest of the vector. */
  least: number;
}

/** The last two axes, or three of a coloured image, as levels from the smallest to the largest element. */
export interface Picture {
  width: number;
  height: number;
  /** Red, green and blue; or one level for each pixel. */
  channels: 1 | 3;
  levels: Uint8ClampedArray<ArrayBuffer>;
  /** How many such pictures the output holds; this is the first. */
  count: number;
}

export interface OutputReport {
  name: string;
  dtype: DType;
  shape: number[];
  size: number;
  /** The first ones, as text. */
  values: string[];
  statistics: Statistics;
  /** Of vectors that may be scores. */
  scores: Scores[];
  picture: Picture | null;
}

export interface ModelRun {
  outputs: OutputReport[];
  firstMilliseconds: number;
  /** Further runs of the same sizes, which only compute: their mean. Null when the first took long. */
  againMilliseconds: number | null;
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
  /** Exports the model anew, and says what is wrong with it. */
  draftExport(): Promise<ExportReport>;
  applySuggestedFixes(): Promise<ExportReport>;
  saveProgram(options: ProgramFileOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** What a session of the exported program writes after `prompt`; the same for the same seed. */
  stream(prompt: string, seed: number, onText: ReportStream): Promise<StreamResult>;
  /** Ends `stream` after the text that comes next. */
  stopStream(): Promise<void>;
  /** Frees what the code made. */
  forget(): Promise<void>;
  /** `data`: files with the model's weights, by name. */
  openModel(name: string, file: Uint8Array, data: Record<string, Blob>): Promise<ModelReport>;
  /** `seed` is that of the random numbers. */
  runModel(feeds: Feed[], seed: number): Promise<ModelRun>;
  closeModel(): Promise<void>;
}

/** An extent as text. */
export const extentText = (extent: Extent): string => String(extent);

type TypeOfValue = Pick<ValueInfo, 'dtype' | 'shape'> & Partial<Pick<ValueInfo, 'holds' | 'hasRank'>>;

/** "float32 [batch, 10]" */
export function typeText({ dtype, shape, holds = 'tensor', hasRank = true }: TypeOfValue): string {
  if (holds === 'tensor') return hasRank ? `${dtype} [${shape.map(extentText).join(', ')}]` : `${dtype}, of any rank`;
  const inside = holds === 'optional_tensor' ? `a ${dtype} tensor` : `a list of ${dtype} tensors`;
  return holds === 'sequence' ? inside : `${inside}, or nothing`;
}
