/** Stacks of errors: the caller's lines in them. */

/** Where the package's own files are; null when a bundler has put them into one file with the caller's. No `new URL`,
 * which bundlers take for a file. */
const own = import.meta.url.endsWith('/stack.js') ? import.meta.url.slice(0, -'stack.js'.length) : null;

/** The address, line and column in "at f (file:///a.mjs:1:2)", "at file:///a.mjs:1:2" or "f@http://host/a.mjs:1:2". */
const place = /((?:file|https?|blob|data|webpack|node):[^\s()]*?:\d+:\d+)\)?$/;

/** As V8, Firefox and Safari write frames of WebAssembly. */
const wasmFrame = /wasm-function\[|wasm:\/\/|wasm-stub|\[wasm code\]/;

const placeIn = (line: string): string | undefined => place.exec(line.trim())?.[1];

const isOwn = (line: string): boolean =>
  wasmFrame.test(line) || (own !== null && (placeIn(line)?.startsWith(own) ?? false));

/** Where the package is, bundled or not: code of a page that is run from elsewhere is the caller's in both cases. */
const folder = import.meta.url.replace(/[^/]*$/, '');

/** The innermost line of a stack that is the caller's, as "file:///model.mjs:12:5"; null when there is none. */
export function callSite(stack: string | undefined): string | null {
  for (const line of (stack ?? '').split('\n')) {
    const found = placeIn(line);
    if (found && !found.startsWith('node:') && !found.startsWith(folder) && !wasmFrame.test(line)) return found;
  }
  return null;
}

const hasLimit = () => typeof Error.stackTraceLimit === 'number' && Error.stackTraceLimit > 0;

/** Lets stacks have `limit` frames where the program wants any; gives the limit until now, for `restoreLimit`. */
export function raiseLimit(limit: number): number | undefined {
  if (!hasLimit()) return undefined;
  const before = Error.stackTraceLimit;
  Reflect.set(Error, 'stackTraceLimit', Math.max(before, limit));
  return before;
}

export function restoreLimit(before: number | undefined): void {
  if (before !== undefined) Reflect.set(Error, 'stackTraceLimit', before);
}

/** Leaves the caller's frames, `most` at most, in the stack of `error`, so that the caller's line is the first; all where
 * none is. */
export function dropOwnFrames(error: Error, most = Number.POSITIVE_INFINITY): void {
  const { stack, message } = error;
  if (typeof stack !== 'string') return; // as some prepareStackTrace makes them
  const at = message ? stack.indexOf(message) : -1;
  const begin = at < 0 ? 0 : at + message.length;
  const lines = stack.slice(begin).split('\n');
  const left = lines.filter((line) => !isOwn(line));
  if (!left.some(placeIn)) return;
  const short = left.slice(0, most + 1); // the first is what follows the message
  Object.defineProperty(error, 'stack', { value: stack.slice(0, begin) + short.join('\n') });
}

/** Gives `error` another message, which its stack begins with too. One that cannot be changed stays as it is. */
export function setMessage(error: Error, message: string): void {
  const { message: before, stack } = error;
  Reflect.defineProperty(error, 'message', { value: message, writable: true, configurable: true });
  if (typeof stack !== 'string' || !before) return;
  const value = stack.replace(before, () => message);
  Reflect.defineProperty(error, 'stack', { value, writable: true, configurable: true });
}
