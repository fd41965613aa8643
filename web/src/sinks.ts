/** Files that are written piece by piece, so that large ones need not be in memory as a whole. */

import { checkFunction } from './arguments.js';
import { ArgumentError } from './errors.js';
import { type Native, whileBusy } from './native.js';

/**
 * Takes a file's bytes, front to back. Each array is a view of the engine's memory that is good for the call only, in which
 * the engine cannot be used.
 */
export type ByteSink = (bytes: Uint8Array) => void;

/** Throws ArgumentError naming `what` for what an async function returns: its bytes are gone before it has gone on. */
function checkDone(what: string, returned: unknown): void {
  if (typeof (returned as PromiseLike<unknown> | null | undefined)?.then !== 'function') return;
  Promise.resolve(returned).catch(() => {}); // what fails later has nobody to tell
  throw new ArgumentError(
    `${what} must not be async: the bytes are good for the call only; copy them (bytes.slice()) and await afterwards`,
    'Argument',
  );
}

/** Calls the module with a sink that gives pieces to `write`; what `write` throws ends the call and is thrown again. */
export function writeThrough<R>(
  what: string,
  write: ByteSink,
  use: (module: Native, sink: (bytes: Uint8Array) => boolean) => R,
): R {
  checkFunction(what, write);
  const failures: unknown[] = [];
  const sink = (bytes: Uint8Array): boolean => {
    try {
      checkDone(what, write(bytes));
    } catch (error) {
      failures.push(error);
    }
    return failures.length === 0;
  };
  try {
    return whileBusy((module) => use(module, sink));
  } catch (error) {
    throw failures.length > 0 ? failures[0] : error;
  }
}
