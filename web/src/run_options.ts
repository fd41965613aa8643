/** What a run takes besides its feeds. */

import { checkAbortSignal, checkedOptions, unexpected, textOf } from './arguments.js';
import { type Item, takeItems } from './call.js';
import { ArgumentError, CancelledError } from './errors.js';
import { type Native, native, whileBusy } from './native.js';
import { renaming } from './script_names.js';
import { Tensor } from './tensor.js';

/** How a session runs once. */
export interface RunOptions {
  /** Names of the outputs that are wanted; only steps that these need are run. Default: all. */
  outputs?: readonly string[];
  /**
   * Ends the run with a CancelledError. A run computes without a pause, so that nothing but `onProgress` can abort the
   * signal while it goes on; it is looked at before the first step and between steps.
   */
  signal?: AbortSignal;
  /**
   * The same for another thread: any other number than 0 in its first element ends the run between two steps. On a
   * SharedArrayBuffer, a page can thus stop a run in a worker with `Atomics.store(flag, 0, 1)`.
   */
  cancelFlag?: Int32Array;
  /**
   * Told after each step how many of the plan's steps are done. A model with control flow, or with sizes that depend on
   * values, has several plans, each of which counts anew. It must not use the engine; what it throws ends the run.
   */
  onProgress?: (done: number, steps: number) => void;
}

const optionNames = ['outputs', 'signal', 'cancelFlag', 'onProgress'];

/** Throws ArgumentError for an unknown option, and for one of another kind. */
export function checkRunOptions(options: RunOptions): void {
  const { outputs, signal, cancelFlag, onProgress } = checkedOptions('run', options, optionNames);
  if (outputs && !(Array.isArray(outputs) && outputs.length > 0)) {
    throw unexpected('run: outputs', 'a list of at least one name', outputs);
  }
  for (const name of outputs ?? []) textOf('run: outputs', name);
  checkAbortSignal('run: signal', signal);
  if (cancelFlag && !(cancelFlag instanceof Int32Array && cancelFlag.length > 0)) {
    throw new ArgumentError('run: cancelFlag expects an Int32Array of at least one element', 'Argument');
  }
  if (onProgress && typeof onProgress !== 'function') {
    throw new ArgumentError('run: onProgress expects a function', 'Argument');
  }
}

const isCancelled = ({ signal, cancelFlag }: RunOptions): boolean =>
  signal?.aborted || (cancelFlag !== undefined && Atomics.load(cancelFlag, 0) !== 0);

/** Throws CancelledError when the options say so already. */
export function checkCancelled(options: RunOptions): void {
  if (isCancelled(options)) throw new CancelledError('the run was cancelled before it began', 'Cancelled');
}

function dispose(item: Item): void {
  for (const tensor of item instanceof Tensor ? [item] : (item ?? [])) tensor.dispose();
}

/** Runs `call`, in which the engine runs a session; its errors name that as script does. */
export const running = <R>(call: () => R, name = 'run'): R => renaming('Session::run', name, call);

/**
 * Runs the session of that handle on what the call buffer holds; gives its `count` results. What `onProgress` throws is
 * thrown again.
 */
export function runWatched(handle: number, names: string[], count: number, options: RunOptions): Item[] {
  const { signal, cancelFlag, onProgress } = options;
  if (!signal && !cancelFlag && !onProgress) {
    if (names.length > 0) native().sessionRun(handle, names, null, null);
    else native()._sessionRunAll(handle);
    return takeItems(count);
  }
  const failures: unknown[] = [];
  const cancelled = () => failures.length > 0 || isCancelled(options);
  const progress = onProgress
    ? (done: number, steps: number) => {
        try {
          onProgress(done, steps);
        } catch (error) {
          failures.push(error);
        }
      }
    : null;
  const run = (module: Native) => module.sessionRun(handle, names, cancelled, progress);
  try {
    whileBusy(run);
  } catch (error) {
    throw failures.length > 0 ? failures[0] : error;
  }
  const results = takeItems(count);
  if (failures.length === 0) return results;
  results.forEach(dispose);
  throw failures[0];
}
