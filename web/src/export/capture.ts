/** A model as the engine exports it: its state, its modules, and a call that leaves everything as it was. */

import { isPlainObject } from '../arguments.js';
import { describe } from '../describe.js';
import { ArgumentError, TraceError } from '../errors.js';
import { openScope } from '../memory.js';
import { calledBack, native } from '../native.js';
import { type CallListener, Module, type NamedTensor, withModulePaths } from '../nn/module.js';
import { engineHandleOf } from '../nn/native_module.js';
import { joinPath } from '../nn/paths.js';
import { restoring, unchanged } from '../nn/unchanged.js';
import { Tensor } from '../tensor.js';
import { type Argument, encodeLoosely } from './argument.js';
import type { CallSites } from './call_site.js';
import { Callback, throughCallbacks, thrownOf } from './callback.js';

/** What can be exported: a module, or a function of the example arguments in their order. */
// biome-ignore lint/suspicious/noExplicitAny: a function of any arguments
export type Exportable = Module | ((...args: any[]) => unknown);

/** What the engine is given of a model. */
export interface NativeModel {
  name: string;
  state: { path: string; kind: string; handle: number }[];
  modules: { path: string; handle: number }[];
  run: Callback['run'];
  /** Whether fields of modules stay, from now on, as a run leaves them; when that ends they are as they were before. */
  hold: (on: boolean) => void;
}

type Named = Omit<NamedTensor, 'kind'> & { kind: string };

/** The order of a module's own tensors. */
const places: Record<string, number> = { parameter: 0, buffer: 1, non_persistent_buffer: 1, plain: 2 };

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

/**
 * State in the order of flat inputs: module by module parameters, buffers, and tensors that are neither. Then other paths of tied
 * tensors. A tensor that some path saves is there under such ones only.
 */
export function stateOf(root: Module): Named[] {
  const found = new Map<Tensor, Named>();
  const saved = root.stateDict();
  const isSaved = new Set(Object.values(saved));
  const registered = new Set(root.namedTensors().map(({ tensor }) => tensor)); // anywhere below: no constants of others
  for (const [prefix, module] of root.namedModules()) {
    const own: Named[] = module.ownTensors().map((named) => ({ ...named, path: joinPath(prefix, named.path) }));
    for (const [name, value] of Object.entries(module)) {
      if (!(value instanceof Tensor) || value.isDisposed || registered.has(value)) continue;
      own.push({ path: joinPath(prefix, name), kind: 'plain', tensor: value });
    }
    const parents = [...new Set(own.map(({ path }) => parentOf(path)))];
    const rank = ({ path, kind }: Named) => 3 * parents.indexOf(parentOf(path)) + (places[kind] as number);
    own.sort((a, b) => rank(a) - rank(b));
    for (const named of own) {
      const isLess = named.kind === 'non_persistent_buffer' && isSaved.has(named.tensor);
      if (!isLess && !found.has(named.tensor)) found.set(named.tensor, named);
    }
  }
  const paths = new Set([...found.values()].map(({ path }) => path));
  const tied = Object.entries(saved).flatMap(([path, tensor]) => {
    const first = found.get(tensor);
    return first && !paths.has(path) ? [{ ...first, path }] : [];
  });
  return [...found.values(), ...tied];
}

/** Tells the engine of the calls of modules written in JavaScript; its own tell it themselves. */
function callLog(sites: CallSites | undefined): CallListener {
  return {
    begin(target, path, inputs) {
      sites?.called(path);
      if (path === '' || engineHandleOf(target) !== 0) return false;
      native().callBegin(path, encodeLoosely(inputs));
      return true;
    },
    finish(result) {
      native().callFinish(encodeLoosely(result));
    },
    end() {
      native().callEnd();
    },
  };
}

function checkResult(result: unknown): void {
  const wrong = (what: string): never => {
    throw new TraceError(`export: ${what}`, 'InvalidUsage');
  };
  if (result instanceof Promise) wrong('the function is asynchronous');
  if (!(result instanceof Tensor || Array.isArray(result) || isPlainObject(result))) {
    wrong(`the function returned no tensor but ${describe(result)}`);
  }
}

/** Calls the model on traced arguments; afterwards its modules are as before, unless that `isHeld`. */
function call(target: Exportable, args: Argument[], isHeld: boolean, sites?: CallSites): unknown {
  if (!(target instanceof Module)) return target(...args);
  const run = () => withModulePaths(target, () => target.forward(...(args as Tensor[])), callLog(sites));
  if (isHeld) return run();
  return unchanged(target, 'parameters and buffers are updated in place (copy_, add_, sliceScatter_, …)', run);
}

/** Tells `sites` of an error, as the engine has its message; one whose stack cannot be read is of no use there. */
function tellOf(error: unknown, sites: CallSites | undefined): void {
  try {
    if (!sites || !(error instanceof Error) || typeof error.stack !== 'string') return;
    sites.threw(Object.assign(new Error(thrownOf(error).message), { stack: error.stack }));
  } catch {
    // A getter of the error throws.
  }
}

/** What puts fields back, as they are now, and frees the tensors made until then, which they may have had meanwhile. */
function holding(target: Module): () => void {
  const [restore, close] = [restoring(target), openScope()];
  return () => {
    restore();
    close();
  };
}

/**
 * Runs `use`, which makes the engine call the model. What the model throws comes out unless the engine makes more of it.
 * `sites` learns where in the caller's code that was, and where modules were called.
 */
export function capture<R>(who: string, target: Exportable, use: (model: NativeModel) => R, sites?: CallSites): R {
  if (typeof target !== 'function' && !(target instanceof Module)) {
    throw new ArgumentError(`${who}: expected a module or a function, got ${describe(target)}`, 'Argument');
  }
  let restore: (() => void) | null = null;
  const hold = (on: boolean) =>
    calledBack(() => {
      restore?.();
      restore = on && target instanceof Module ? holding(target) : null;
      callback.keepsTensors = restore !== null;
    });
  const callback = new Callback(`${who}: result`, (args) => {
    try {
      const result = call(target, args, restore !== null, sites);
      checkResult(result);
      return result;
    } catch (error) {
      tellOf(error, sites);
      throw error;
    }
  });
  const isModule = target instanceof Module;
  const state = isModule ? stateOf(target) : [];
  const modules = isModule ? target.namedModules() : [];
  const model: NativeModel = {
    name: (isModule ? target.constructor.name : target.name) || 'program',
    state: state.map(({ path, kind, tensor }) => ({ path, kind, handle: tensor.handleFor(`${who}: '${path}'`) })),
    modules: modules.map(([path, each]) => ({ path, handle: engineHandleOf(each) })),
    run: callback.run,
    hold,
  };
  return throughCallbacks([callback], () => use(model));
}
