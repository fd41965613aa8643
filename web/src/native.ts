/** The WebAssembly module: what it exports, and the one instance that this page runs. */

import { ArgumentError, makeError, type OneModelError } from './errors.js';
import type { Encoded } from './export/argument.js';
import type { Callback } from './export/callback.js';
import type { NativeModel } from './export/capture.js';
import type { DraftFailure } from './export/draft.js';
import type { Replacement } from './export/program_module.js';
import type { ProgramParts } from './export/program_parts.js';
import type { ProfileStep } from './profile.js';
import type { ValueInfo } from './session_feeds.js';
import type { VerifyReport } from './verify.js';

/** Functions and heap views of the WebAssembly module; bindings/ says what each does. */
export interface Native {
  readonly HEAPU8: Uint8Array;
  readonly HEAPF64: Float64Array;

  callBuffer(): number;
  tensorEmpty(dtype: number): number;
  tensorFull(dtype: number): number;
  tensorInfo(handle: number): void;
  tensorData(handle: number): number;
  tensorRead(handle: number, how: string): number;
  tensorFromStrings(bytes: number): number;
  tensorReadable(handle: number, how: string): number;
  tensorRelease(handle: number): void;
  tensorText(handle: number): string;
  tensorFill(handle: number, value: number): void;
  tensorCopyFrom(target: number, source: number): void;
  tensorUpdate(how: string, operands: number, first: number, second: number, third: number): void;
  tensorClone(handle: number): number;
  tensorDetach(handle: number): number;
  tensorDim(handle: number, axis: number): number;
  tensorSetRequiresGrad(handle: number, required: boolean): void;
  tensorRequiresGrad(handle: number): boolean;
  tensorGrad(handle: number): number;
  tensorSetGrad(handle: number, gradient: number): void;
  tensorBackward(handle: number, gradient: number, retainGraph: boolean, createGraph: boolean): void;

  applyOperator(index: number, inputs: number, outputs: number): number;
  setArithmetic(exact: boolean): void;
  isExact(): boolean;
  setGradEnabled(enabled: boolean): void;
  gradEnabled(): boolean;

  moduleMake(index: number): number;
  moduleForward(handle: number, inputs: number): number;
  attentionForward(handle: number, inputs: number, average: boolean): number;
  moduleChildren(handle: number): [string, number][];
  moduleTensors(handle: number, below: boolean): { path: string; kind: string; handle: number }[];
  moduleTrain(handle: number, mode: boolean): void;
  moduleDescribe(handle: number): string;
  moduleRelease(handle: number): void;
  moduleCount(): number;
  optimizerMake(index: number, parameters: number): number;
  optimizerAddGroup(handle: number, parameters: number): void;
  optimizerStep(handle: number): void;
  optimizerZeroGrad(handle: number): void;
  optimizerOptions(handle: number, group: number): unknown[];
  optimizerSetOptions(handle: number, group: number): void;
  optimizerState(handle: number): Record<string, number>;
  optimizerStateProblems(handle: number, state: Record<string, number>): string;
  optimizerLoadState(handle: number, state: Record<string, number>): void;
  optimizerRelease(handle: number): void;
  optimizerCount(): number;
  scheduleMake(index: number, optimizer: number): number;
  scheduleStep(handle: number): void;
  scheduleEpoch(handle: number): number;
  scheduleRates(handle: number): number[];
  scheduleState(handle: number): Record<string, number>;
  scheduleStateProblems(handle: number, state: Record<string, number>): string;
  scheduleLoadState(handle: number, state: Record<string, number>): void;
  scheduleRelease(handle: number): void;
  scheduleCount(): number;
  writeSafetensors(state: Record<string, number>, metadata: Record<string, string>): Uint8Array;
  readSafetensors(data: number, bytes: number): { tensors: Record<string, number>; metadata: Record<string, string> };
  callFunction(index: number, inputs: number): number;
  clipGradNorm(parameters: number, maxNorm: number, normType: number): number;
  clipGradValue(parameters: number, clipValue: number): void;
  manualSeed(low: number, high: number): void;
  randomTensor(normal: boolean, low: number, high: number): number;
  permutation(n: number): number;
  dropout(handle: number, p: number): number;
  generatorState(): void;
  setGeneratorState(): void;

  traceBegin(): void;
  traceInput(name: string, example: number, axes: string[]): number;
  traceParameter(name: string, tensor: number, kind: string): void;
  traceFinish(outputs: number[], names: string[]): { graph: number; warnings: string[] };
  traceAbandon(): void;
  isTracing(): boolean;
  pushModule(name: string): void;
  popModule(): void;
  modulePath(): string;
  verifyInputs(graph: number, names: string[], sizes: number[]): Record<string, number>;
  verifyCompare(
    first: number,
    second: number,
    names: string[],
    sizes: number[],
  ): Omit<VerifyReport, 'sizes' | 'toString'>;

  exportProgram(
    model: NativeModel,
    examples: [string, Encoded][],
    shapes: Encoded,
    preserved: string[],
    strict: boolean,
    trains: boolean,
  ): number;
  exportDraft(
    model: NativeModel,
    examples: [string, Encoded][],
    shapes: Encoded,
    preserved: string[],
    strict: boolean,
    siteOf: (message: string, modulePath: string) => string | null,
  ): { failures: DraftFailure[]; program: number; shapes: Encoded | null; text: string };
  callbackResult(result: Encoded): void;
  callBegin(path: string, inputs: Encoded): void;
  callFinish(result: Encoded): void;
  callEnd(): void;
  shapesOfTensors(parts: (readonly [number, Encoded])[], examples: [string, Encoded][]): Encoded;
  shapesOfExamples(others: [string, Encoded][][], examples: [string, Encoded][]): Encoded;
  refineShapes(message: string, shapes: Encoded, argumentNames: string[]): Encoded;

  programParts(handle: number): ProgramParts;
  programGraph(handle: number): number;
  programCall(handle: number, positional: Encoded[], named: [string, Encoded][]): Encoded;
  programVerify(handle: number, examples: [string, Encoded][][]): void;
  programState(handle: number): Record<string, number>;
  programLoadState(handle: number, state: Record<string, number>): void;
  programConstants(handle: number): Record<string, number>;
  programExamples(handle: number): Record<string, number>;
  programDecompose(handle: number, names: string[] | null, run: Callback['run'] | null): number;
  programForwardBackward(handle: number, loss: string, inputs: string[]): number;
  programModuleStacks(handle: number): string[][];
  programValidate(handle: number): void;
  programText(handle: number): string;
  programOnnxGraph(handle: number, stateInputs: boolean): number;
  programsWrite(named: [string, number][], examples: boolean): Uint8Array;
  programsRead(data: number, bytes: number): Record<string, number>;
  programRelease(handle: number): void;
  programCount(): number;
  programModule(handle: number): { module: number; form: number };
  programUnflatten(handle: number, replacements: Replacement[]): { module: number; form: number };
  programModuleForward(form: number, module: number, positional: Encoded[]): Encoded;
  programPartCall(module: number, positional: Encoded[]): Encoded;
  programSessionMake(
    program: number,
    shared: number,
    exact: boolean,
    optimize: boolean,
    intermediates: string[],
  ): number;
  programSessionValues(handle: number): { inputs: ValueInfo[]; outputs: ValueInfo[] };
  programSessionRun(handle: number, count: number, names: string[] | null): number;
  programSessionState(handle: number): Record<string, number>;
  programSessionLoadState(handle: number, state: Record<string, number>): void;
  programSessionDescribe(handle: number): string;
  programSessionRelease(handle: number): void;
  programSessionCount(): number;

  graphView(handle: number): unknown;
  graphText(handle: number): string;
  graphOptimize(graph: number, exact: boolean): number;
  graphRelease(handle: number): void;
  graphCount(): number;
  writeOnnx(handle: number): Uint8Array;
  /** The sink gives false to end it. */
  writeOnnxBeside(handle: number, file: string, leastBytes: number, sink: (bytes: Uint8Array) => boolean): Uint8Array;
  writeOneModel(handle: number, sink: (bytes: Uint8Array) => boolean): void;
  onnxReaderMake(data: number, bytes: number, files: { get(name: string): Uint8Array | undefined }): number;
  onnxReaderMissing(handle: number): string[];
  onnxReaderFeed(handle: number, name: string, offset: number, data: number, bytes: number): void;
  onnxReaderFinish(handle: number): number;
  onnxReaderRelease(handle: number): void;
  readOneModel(data: number, bytes: number): number;
  readerMake(length: number): number;
  readerFeed(handle: number, data: number, bytes: number): void;
  readerFinish(handle: number): number;
  readerRelease(handle: number): void;

  sessionMake(graph: number, exact: boolean, optimize: boolean, intermediates: string[]): number;
  sessionInputs(handle: number): unknown;
  sessionName(handle: number): string;
  sessionOutputs(handle: number): unknown;
  sessionRun(
    handle: number,
    outputs: string[],
    cancelled: (() => boolean) | null,
    progress: ((done: number, steps: number) => void) | null,
  ): void;
  sessionProfile(handle: number, runs: number): { steps: ProfileStep[]; text: string };
  sessionDefault(handle: number, name: string): number;
  sessionDescribe(handle: number): string;
  sessionArenaBytes(handle: number): number;
  sessionRelease(handle: number): void;
  sessionCount(): number;

  stackSave(): number;
  stackRestore(pointer: number): void;
  heapAllocate(bytes: number): number;
  heapFree(pointer: number): void;
  /** Absent in modules that are older than it. */
  declarations?(): number;
  setThreads(threads: number): void;
  threads(): number;
  tensorCount(): number;
  storageCount(): number;
  storageBytes(): number;
}

let instance: Native | undefined;
let bufferIndex = 0;
let restingStack = 0;
let leftByError = false;
let isBusy = false;
let isCalledBack = false;

/** A frame of some 200 bytes for each of `frames`. Throws RangeError when the stack has no room for them. */
function reserveStack(frames: number, ...room: number[]): number {
  const [a = 0, b = 0, c = 0, d = 0] = room;
  return frames === 0 ? a : reserveStack(frames - 1, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d) + 1;
}

/**
 * The running module; throws when `init` was not awaited, and from what a run calls on its way. In a model that the engine
 * calls it throws RangeError already where the stack could end within the engine, whose frames would be cut off with all they hold.
 */
export function native(): Native {
  if (isBusy) throw new ArgumentError('the engine cannot be used by a callback of a run', 'Busy');
  if (!instance) throw new ArgumentError('the engine is not running: `await init()` first', 'NotInitialized');
  if (leftByError) {
    leftByError = false;
    instance.stackRestore(restingStack);
  }
  if (isCalledBack) reserveStack(256);
  return instance;
}

/**
 * Makes an error that leaves the engine's functions as they are: none of them gives its part of the stack back, which the
 * next call therefore puts to rest.
 */
export function errorOfEngine(name: string, kind: string, message: string): OneModelError {
  leftByError = true;
  return makeError(name, kind, message);
}

/** Calls the module with functions of the caller that it calls back: until it returns, `native` gives it to nobody. */
export function whileBusy<R>(use: (module: Native) => R): R {
  const module = native();
  isBusy = true;
  try {
    return use(module);
  } finally {
    isBusy = false;
  }
}

/**
 * Runs `fn`, which the engine called: its stack rests where it is now meanwhile, so that errors inside leave the frames of
 * the caller alone. `fn` does not throw.
 */
export function calledBack<R>(fn: () => R): R {
  const module = native();
  const before = restingStack;
  const wasCalledBack = isCalledBack;
  restingStack = module.stackSave();
  isCalledBack = true;
  try {
    return fn();
  } finally {
    isCalledBack = wasCalledBack;
    native();
    restingStack = before;
  }
}

/** Whether `init` was awaited. */
export function isRunning(): boolean {
  return instance !== undefined;
}

/** Makes `module` the one that runs. */
export function setNative(module: Native | undefined): void {
  instance = module;
  if (!module) return;
  bufferIndex = module.callBuffer() / 8;
  restingStack = module.stackSave();
  leftByError = false;
}

/** Doubles in the call buffer; bindings/call_buffer.h has the same number. */
export const callBufferLength = 1 << 16;

/** The call buffer. The view is good until the engine's memory grows: take it anew for every call. */
export function callBuffer(): Float64Array {
  return native().HEAPF64.subarray(bufferIndex, bufferIndex + callBufferLength);
}

/** Where the call buffer begins in `HEAPF64`. */
export function callBufferIndex(): number {
  return bufferIndex;
}
