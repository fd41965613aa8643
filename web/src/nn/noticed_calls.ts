/** Calls of modules by a function that is traced: it is not known before which modules it will call. */

import { native } from '../native.js';
import type { Module } from './module.js';
import { joinPath } from './paths.js';
import { Snapshot } from './unchanged.js';

/** What `forward` of a module is called as. */
export type Forward = (...inputs: unknown[]) => unknown;
/** Calls a `forward` of `target` in the caller's place. */
type Observer = (target: Module, forward: Forward, inputs: readonly unknown[]) => unknown;

/** Who wants to know of calls now; none while one of them runs. */
let observer: Observer | null = null;

/** Whether somebody wants to know of a call that begins now. */
export function isNoticing(): boolean {
  return observer !== null;
}

/** Lets who wants to know of calls make this one; of those within it nobody is told. */
export function notice(target: Module, forward: Forward, inputs: readonly unknown[]): unknown {
  const observe = observer as Observer;
  observer = null;
  try {
    return observe(target, forward, inputs);
  } finally {
    observer = observe;
  }
}

/** Paths of the modules that a trace has met. */
class Met {
  readonly #paths = new Map<Module, string>();
  readonly #named = new Set<unknown>();
  readonly #roots = new Set<string>();

  has(module: Module): boolean {
    return this.#paths.has(module);
  }

  /** Where the module is: below one that was called before, or at a root of its own, whose weights get their names. */
  pathOf(module: Module): string {
    const known = this.#paths.get(module);
    if (known !== undefined) return known;
    const root = this.#newRoot(module);
    for (const [path, each] of module.namedModules())
      if (!this.#paths.has(each)) this.#paths.set(each, joinPath(root, path));
    for (const { path, kind, tensor } of module.namedTensors()) {
      if (this.#named.has(tensor)) continue;
      this.#named.add(tensor);
      native().traceParameter(joinPath(root, path), tensor.handle, kind);
    }
    return root;
  }

  /** Nothing before the paths of the first module, as when it is traced itself; the class before those of others. */
  #newRoot(module: Module): string {
    const { name } = module.constructor;
    let root = this.#roots.size === 0 ? '' : name;
    for (let i = 1; this.#isTaken(root); i++) root = `${name}_${i}`;
    this.#roots.add(root);
    return root;
  }

  #isTaken(root: string): boolean {
    return this.#roots.has(root) || [...this.#paths.values()].some((path) => path.split('.')[0] === root);
  }
}

/**
 * Runs `fn`, which is traced, so that each module which it calls has its paths on nodes and in errors and its weights named:
 * those of the first as if it was traced itself, those of others below the name of their class. Their modes and fields are as
 * before afterwards; errors as of `unchanged`. `withPaths` runs a call of a module that is at a path.
 */
export function withModulesMet<R>(
  fn: () => R,
  advice: string,
  withPaths: (target: Module, path: string, call: (asRoot: (forward: Forward) => Forward) => unknown) => unknown,
): R {
  const met = new Met();
  const snapshots: Snapshot[] = [];
  observer = (target, forward, inputs) => {
    if (!met.has(target)) snapshots.push(new Snapshot(target));
    return withPaths(target, met.pathOf(target), (asRoot) => asRoot(forward)(...inputs));
  };
  try {
    const result = fn();
    for (const each of snapshots) each.check(advice);
    return result;
  } finally {
    observer = null;
    for (const each of snapshots) each.restore();
  }
}
