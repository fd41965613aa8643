/** State dicts of optimizers and schedules on their way to and from the engine. */

import { handleOf, recordOf } from './arguments.js';
import { Tensor } from './tensor.js';

/** The engine's copies as tensors. */
export function takeState(handles: Record<string, number>): Record<string, Tensor> {
  return Object.fromEntries(Object.entries(handles).map(([name, handle]) => [name, new Tensor(handle)]));
}

/** Throws ArgumentError naming the entry that is no tensor. */
export function handlesOf(state: Record<string, Tensor>): Record<string, number> {
  const entries = Object.entries(recordOf('loadStateDict', state, 'tensors by name'));
  return Object.fromEntries(entries.map(([name, each]) => [name, handleOf(`loadStateDict: '${name}'`, each)]));
}

/** The engine's lines as a list. */
export function problemsOf(lines: string): string[] {
  return lines.split('\n').flatMap((line) => (line.trim() ? [line.trim()] : []));
}
