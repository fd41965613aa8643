/** Lines of the caller's code. */

/** Where the package's own files are; frames in them are no call sites. No `new URL`, which bundlers take for a file. */
const own = import.meta.url.replace(/[^/]*\/[^/]*$/, '');

/** The address, line and column in "at f (file:///a.mjs:1:2)", "at file:///a.mjs:1:2" or "f@http://host/a.mjs:1:2". */
const place = /((?:file|https?|blob|data|webpack|node):[^\s()]*?:\d+:\d+)\)?$/;

/** The innermost line of a stack that is the caller's, as "file:///model.mjs:12:5"; null when there is none. */
export function callSite(stack: string | undefined): string | null {
  for (const line of (stack ?? '').split('\n')) {
    const found = place.exec(line.trim())?.[1];
    if (found && !found.startsWith(own) && !found.startsWith('node:') && !line.includes('wasm')) return found;
  }
  return null;
}

/** Runs `fn` with stacks long enough to reach the caller from within the engine. */
export function withLongStacks<R>(fn: () => R): R {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  try {
    return fn();
  } finally {
    Error.stackTraceLimit = before;
  }
}

/** Where errors were thrown, and where modules were called. */
export class CallSites {
  readonly #errors: { message: string; site: string | null }[] = [];
  readonly #modules = new Map<string, string | null>();
  /** Where the caller asked for all this. */
  readonly #caller = callSite(new Error().stack);

  /** The model threw this. */
  threw(error: unknown): void {
    if (error instanceof Error) this.#errors.unshift({ message: error.message, site: callSite(error.stack) });
  }

  /** The module at `path` is being called. */
  called(path: string): void {
    if (!this.#modules.has(path)) this.#modules.set(path, callSite(new Error().stack));
  }

  /**
   * The line that a failure is about: where its message was thrown, else where its module was called, else where the
   * caller is; null: not known.
   */
  of(message: string, modulePath: string): string | null {
    const thrown = this.#errors.find((each) => each.message !== '' && message.includes(each.message));
    if (thrown?.site) return thrown.site;
    for (let path = modulePath; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) {
      const site = this.#modules.get(path);
      if (site) return site;
    }
    return this.#caller;
  }
}
