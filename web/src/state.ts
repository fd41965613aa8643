/** State dicts of optimizers and schedules on their way to and from the engine. */

import { handleOf, recordOf } from './arguments.js';
import { ModelError } from './errors.js';
import { Tensor } from './tensor.js';

export const optimizerPrefix = 'optimizer.';
export const schedulePrefix = 'schedule.';
export const generatorName = 'generator';

/** Whether a checkpoint has something else than a tensor of its module by that name. */
export function isReserved(path: string): boolean {
  return path === generatorName || path.startsWith(optimizerPrefix) || path.startsWith(schedulePrefix);
}

/** Throws ModelError when `state`, which does not fit a module, optimizer or schedule, is all that a checkpoint has. */
export function refuseCheckpoint(state: Record<string, Tensor>): void {
  if (!Object.keys(state).some(isReserved)) return;
  const remedy = 'om.loadCheckpoint(file, module, optimizer, schedule) restores it';
  throw new ModelError(`loadStateDict: this is the content of a checkpoint: ${remedy}`, 'Malformed');
}

/** The engine's copies as tensors. */
export function takeState(handles: Record<string, number>): Record<string, Tensor> {
  return Object.fromEntries(Object.entries(handles).map(([name, handle]) => [name, new Tensor(handle)]));
}

/** Of an optimizer or a schedule. Throws as `handlesOf` and `refuseCheckpoint` do. */
export function partHandlesOf(state: Record<string, Tensor>): Record<string, number> {
  const handles = handlesOf(state);
  refuseCheckpoint(state);
  return handles;
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
