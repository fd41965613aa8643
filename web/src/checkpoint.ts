/** Checkpoints as safetensors files, and the generator's state. */

import { native, withHeapBytes } from './native.js';
import { callBuffer } from './native.js';
import type { Module } from './nn/module.js';
import type { Optimizer } from './optimizer.js';
import { Tensor } from './tensor.js';

/** A safetensors file of named tensors; the bytes depend only on the arguments. */
export function saveSafetensors(tensors: Record<string, Tensor>, metadata: Record<string, string> = {}): Uint8Array {
  const handles: Record<string, number> = {};
  for (const [name, tensor] of Object.entries(tensors)) handles[name] = tensor.handle;
  return native().writeSafetensors(handles, metadata);
}

/** The tensors of a safetensors file, by whomever it was written. Throws ModelError naming the tensor. */
export function loadSafetensors(file: Uint8Array): {
  tensors: Record<string, Tensor>;
  metadata: Record<string, string>;
} {
  const { tensors, metadata } = withHeapBytes(file, (data, bytes) => native().readSafetensors(data, bytes));
  const named: Record<string, Tensor> = {};
  for (const [name, handle] of Object.entries(tensors)) named[name] = new Tensor(handle);
  return { tensors: named, metadata };
}

/** Starts the generator anew: the same seed gives the same weights, masks and shuffles on every machine. */
export function manualSeed(seed: number | bigint): void {
  const bits = BigInt.asUintN(64, BigInt(seed));
  native().manualSeed(Number(bits & 0xffffffffn), Number(bits >> 32n));
}

/** The generator's state as int64 [2]: seed and numbers drawn. */
export interface GeneratorState {
  seed: bigint;
  offset: bigint;
}

export function generatorState(): GeneratorState {
  native().generatorState();
  const [a, b, c, d] = Array.from(callBuffer().subarray(0, 4), BigInt) as [bigint, bigint, bigint, bigint];
  return { seed: a | (b << 32n), offset: c | (d << 32n) };
}

export function setGeneratorState({ seed, offset }: GeneratorState): void {
  const halves = [seed, offset].flatMap((value) => [Number(value & 0xffffffffn), Number(value >> 32n)]);
  callBuffer().set(halves);
  native().setGeneratorState();
}

const optimizerPrefix = 'optimizer.';
const generatorKey = 'generator';

/** The state of a training run: module, optimizer and generator, so that a resumed run gives the bits of an unbroken one. */
export function saveCheckpoint(module: Module, optimizer?: Optimizer): Uint8Array {
  const { seed, offset } = generatorState();
  const state: Record<string, string> = { [generatorKey]: `${seed},${offset}` };
  const tensors = { ...module.stateDict() };
  const copies = optimizer?.stateDict() ?? {};
  for (const [name, tensor] of Object.entries(copies)) tensors[optimizerPrefix + name] = tensor;
  const file = saveSafetensors(tensors, state);
  for (const copy of Object.values(copies)) copy.dispose();
  return file;
}

/** Restores what `saveCheckpoint` wrote. Throws ModelError before the module is changed when something does not fit. */
export function loadCheckpoint(file: Uint8Array, module: Module, optimizer?: Optimizer): void {
  const { tensors, metadata } = loadSafetensors(file);
  try {
    const own: Record<string, Tensor> = {};
    const rest: Record<string, Tensor> = {};
    for (const [name, tensor] of Object.entries(tensors)) {
      if (name.startsWith(optimizerPrefix)) rest[name.slice(optimizerPrefix.length)] = tensor;
      else own[name] = tensor;
    }
    module.loadStateDict(own);
    optimizer?.loadStateDict(rest);
    const generator = metadata[generatorKey]?.split(',').map(BigInt);
    if (generator?.length === 2) {
      setGeneratorState({ seed: generator[0] as bigint, offset: generator[1] as bigint });
    }
  } finally {
    for (const tensor of Object.values(tensors)) tensor.dispose();
  }
}
