/** Checkpoints as safetensors files, and the generator's state. */

import { handleOf, recordOf, textOf, unexpected } from './arguments.js';
import { tensor } from './create.js';
import { ArgumentError, ModelError } from './errors.js';
import { scope } from './memory.js';
import { checkBytes, withHeapBytes } from './heap.js';
import { callBuffer, native } from './native.js';
import { Module } from './nn/module.js';
import { Optimizer } from './optimizer.js';
import { LRScheduler } from './schedule.js';
import { renaming, spellingNames } from './script_names.js';
import { generatorName, isReserved, optimizerPrefix, schedulePrefix, takeState } from './state.js';
import type { Tensor } from './tensor.js';

/** What `of` makes of each value, by the same names, of which `__proto__` is one like any other. */
function mapped<A, B>(record: Record<string, A>, of: (value: A, name: string) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, of(value, name)]));
}

/**
 * A safetensors file of named tensors of any dtype; the bytes depend only on the arguments. Throws ArgumentError for a
 * tensor named `__metadata__`.
 */
export function saveSafetensors(tensors: Record<string, Tensor>, metadata: Record<string, string> = {}): Uint8Array {
  recordOf('saveSafetensors', tensors, 'tensors by name');
  const handles = mapped(tensors, (each, name) => handleOf(`saveSafetensors: '${name}'`, each));
  for (const [name, text] of Object.entries(recordOf('saveSafetensors: metadata', metadata, 'texts by name'))) {
    textOf(`saveSafetensors: metadata '${name}'`, text);
  }
  return renaming('write_safetensors', 'saveSafetensors', () => native().writeSafetensors(handles, metadata));
}

/**
 * The tensors of a safetensors file, by whomever it was written, as copies. Throws ModelError naming the tensor:
 * Truncated, TooLarge, Malformed, or Unsupported for an element type other than F64 F32 F16 BF16 I64 I32 I16 I8 U64 U32
 * U16 U8 BOOL.
 */
export function loadSafetensors(file: Uint8Array): {
  tensors: Record<string, Tensor>;
  metadata: Record<string, string>;
} {
  const { tensors, metadata } = withHeapBytes(
    file,
    (data, bytes) => native().readSafetensors(data, bytes),
    'loadSafetensors: ',
  );
  return { tensors: takeState(tensors), metadata: mapped(metadata, (text) => text) };
}

/**
 * Starts the generator anew: the same seed gives the same weights, masks and shuffles on every machine. Seeds are integers
 * modulo 2^64; throws ArgumentError for another number, and TraceError(UnsupportedOperation) while tracing.
 */
export function manualSeed(seed: number | bigint): void {
  const halves = halvesOf('manualSeed', seed);
  spellingNames(['manual_seed'], () => native().manualSeed(...halves));
}

/** The state of the random number generator, in integers from 0 to 2^64 - 1. */
export interface GeneratorState {
  seed: bigint;
  /** How many 32-bit numbers were drawn since the seed. */
  offset: bigint;
}

/** The low and the high 32 bits of an integer modulo 2^64. Throws ArgumentError naming `use` for anything else. */
function halvesOf(use: string, value: number | bigint): [number, number] {
  if (typeof value !== 'bigint' && !Number.isInteger(value)) throw unexpected(use, 'an integer', value);
  const bits = BigInt.asUintN(64, BigInt(value));
  return [Number(bits & 0xffffffffn), Number(bits >> 32n)];
}

/** The generator's state now. */
export function generatorState(): GeneratorState {
  native().generatorState();
  const [a, b, c, d] = Array.from(callBuffer().subarray(0, 4), BigInt) as [bigint, bigint, bigint, bigint];
  return { seed: a | (b << 32n), offset: c | (d << 32n) };
}

/** Makes the generator go on from `state`. Throws ArgumentError unless both are integers, and while tracing as `manualSeed`. */
export function setGeneratorState(state: GeneratorState): void {
  const { seed, offset } = recordOf('setGeneratorState', state, 'seed and offset');
  const halves = [...halvesOf('setGeneratorState: seed', seed), ...halvesOf('setGeneratorState: offset', offset)];
  callBuffer().set(halves);
  spellingNames(['set_generator_state'], () => native().setGeneratorState());
}

/** The state with a prefix before each name. */
function under(prefix: string, state: Record<string, Tensor> = {}): Record<string, Tensor> {
  return Object.fromEntries(Object.entries(state).map(([name, each]) => [prefix + name, each]));
}

/** What has that prefix, without it. */
function below(prefix: string, state: Record<string, Tensor>): Record<string, Tensor> {
  const own = Object.entries(state).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, each]) => [name.slice(prefix.length), each]));
}

/** Throws ArgumentError naming `who` for what is no module, optimizer or schedule. */
function checkParts(who: string, module: Module, optimizer?: Optimizer, schedule?: LRScheduler): void {
  if (!(module instanceof Module)) throw unexpected(who, 'a module', module);
  module.checkAlive(who);
  if (!((optimizer ?? null) === null || optimizer instanceof Optimizer))
    throw unexpected(who, 'an optimizer', optimizer);
  if (!((schedule ?? null) === null || schedule instanceof LRScheduler)) throw unexpected(who, 'a schedule', schedule);
}

/**
 * The state of a training run: module, optimizer, schedule and generator, so that a resumed run gives the bits of an
 * unbroken one. A safetensors file of the module's state dict, `optimizer.` with the optimizer's, `schedule.` with the
 * schedule's, and `generator`, uint64 [2]: seed and offset. Throws ArgumentError when the module has such names itself.
 */
export function saveCheckpoint(module: Module, optimizer?: Optimizer, schedule?: LRScheduler): Uint8Array {
  checkParts('saveCheckpoint', module, optimizer, schedule);
  return scope(() => {
    const own = module.stateDict();
    const taken = Object.keys(own).find(isReserved);
    if (taken !== undefined) {
      throw new ArgumentError(
        `saveCheckpoint: the module's '${taken}' has a name that the file needs itself`,
        'Argument',
      );
    }
    const { seed, offset } = generatorState();
    return saveSafetensors({
      ...own,
      ...under(optimizerPrefix, optimizer?.stateDict()),
      ...under(schedulePrefix, schedule?.stateDict()),
      [generatorName]: tensor(BigUint64Array.of(seed, offset)),
    });
  });
}

/** The generator's state in a checkpoint. */
function readGeneratorState(stored: Tensor): GeneratorState {
  if (stored.dtype !== 'uint64' || String(stored.shape) !== '2') {
    const got = `${stored.dtype}[${stored.shape.join(', ')}]`;
    throw new ModelError(`loadCheckpoint: '${generatorName}': expected uint64[2], got ${got}`, 'Malformed');
  }
  const [seed, offset] = stored.data as BigUint64Array;
  return { seed: seed as bigint, offset: offset as bigint };
}

/**
 * Restores what `saveCheckpoint` wrote; without an optimizer or a schedule, or a generator in the file, only the rest.
 * Throws ModelError before anything is changed when something does not fit.
 */
export function loadCheckpoint(file: Uint8Array, module: Module, optimizer?: Optimizer, schedule?: LRScheduler): void {
  checkBytes('loadCheckpoint: ', file);
  checkParts('loadCheckpoint', module, optimizer, schedule);
  scope(() => {
    const { [generatorName]: generator, ...tensors } = loadSafetensors(file).tensors;
    const own = Object.fromEntries(Object.entries(tensors).filter(([name]) => !isReserved(name)));
    const optimizerState = below(optimizerPrefix, tensors);
    const scheduleState = below(schedulePrefix, tensors);
    const problems = [
      ...module.stateProblems(own),
      ...(optimizer?.stateProblems(optimizerState) ?? []),
      ...(schedule?.stateProblems(scheduleState) ?? []),
    ];
    if (problems.length > 0) throw new ModelError(`loadCheckpoint: ${problems.join('; ')}`, 'Malformed');
    const state = generator && readGeneratorState(generator);
    module.loadStateDict(own); // first: a trace refuses it
    schedule?.loadStateDict(scheduleState);
    optimizer?.loadStateDict(optimizerState); // after the schedule, which sets rates: they may have been set by hand since
    if (state) setGeneratorState(state);
  });
}
