/// <reference lib="esnext.disposable" preserve="true" />
/**
 * OneModel: tensors, training, tracing and inference in one engine.
 *
 * ```ts
 * import * as om from 'onemodel';
 * await om.init();
 * ```
 */

export { noGrad } from './autograd.js';
export type { Attribute, FloatOperand, IntegerOperand, Operand, Size } from './call.js';
export {
  type GeneratorState,
  generatorState,
  loadCheckpoint,
  loadSafetensors,
  manualSeed,
  saveCheckpoint,
  saveSafetensors,
  setGeneratorState,
} from './checkpoint.js';
export {
  arange,
  full,
  type NestedNumbers,
  type NestedStrings,
  ones,
  rand,
  randn,
  randperm,
  type TensorOptions,
  tensor,
  zeros,
} from './create.js';
export type { DType, TypedArray } from './dtype.js';
export { type Environment, environment, type InitOptions, init, setArithmetic, type Variant } from './engine.js';
export * from './errors.js';
export type { Item } from './call.js';
export * from './export/index.js';
export {
  chunk,
  concat,
  cumsum,
  einsum,
  flip,
  type Ordered,
  oneHot,
  scatter,
  sort,
  split,
  stack,
  tile,
  topk,
  tril,
  triu,
  where,
} from './functions.js';
export * as ops from './generated/operators.js';
export * as optim from './optim.js';
export { type Extent, type ExternalDataOptions, Graph, type GraphView, type OnnxOptions } from './graph.js';
export { type LoadOptions, loadGraph } from './load.js';
export { type Memory, memory, scope } from './memory.js';
export type { ModelSource } from './model_source.js';
export * as nn from './nn/index.js';
export type { Profile, ProfileStep } from './profile.js';
export type { RunOptions } from './run_options.js';
export { Optimizer, type OptimizerParameters, type ParamGroup } from './optimizer.js';
export { LRScheduler } from './schedule.js';
export type { ByteSink } from './sinks.js';
export { Session, type SessionOptions } from './session.js';
export type { Feeds, ItemMap, TensorMap, ValueInfo } from './session_feeds.js';
export { Tensor } from './tensor.js';
export type { NestedArray } from './tensor_reading.js';
export { type Axes, type Traceable, TracedModel, type TraceOptions, trace } from './trace.js';
export type { Difference, VerifyReport } from './verify.js';
