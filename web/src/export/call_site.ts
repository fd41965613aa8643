/** Lines of the caller's code. */

import { callSite, raiseLimit, restoreLimit } from '../stack.js';

/** Runs `fn` with stacks long enough to reach the caller from within the engine. */
export function withLongStacks<R>(fn: () => R): R {
  const before = raiseLimit(100);
  try {
    return fn();
  } finally {
    restoreLimit(before);
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
