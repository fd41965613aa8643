/** Modules that run exported programs eagerly: with gradients, and with errors and traces as of any module. */

import { recordOf, unexpected } from '../arguments.js';
import { describe } from '../describe.js';
import { ArgumentError } from '../errors.js';
import { Handle, made, scope } from '../memory.js';
import { native } from '../native.js';
import { Module } from '../nn/module.js';
import { EngineModule, engineHandleOf, NativeModuleOfSeveral } from '../nn/native_module.js';
import { joinPath } from '../nn/paths.js';
import type { Tensor } from '../tensor.js';
import { type Argument, decode, type Encoded, encode, fits, inOrderOf, type Structure } from './argument.js';
import { Callback, type Thrown, throughCallbacks } from './callback.js';
import type { ExportedProgram } from './exported_program.js';
import type { ModuleCall, ProgramArgument } from './program_parts.js';
import type { InputSpec } from './signature.js';

/** A module in the place of one of a program's, for the engine: its number, or what calls it. */
export type Replacement = [path: string, handle: number, run: ((args: never[]) => Thrown | null) | null, name: string];

/** What a tree has beside the engine's modules: those in the place of some by path, what calls them, and the program's calls. */
interface Tree {
  others: Readonly<Record<string, Module>>;
  callbacks: readonly Callback[];
  calls: readonly ModuleCall[];
  inputs: readonly InputSpec[];
}

/** Arguments for the engine, keys in the order of `structures`. */
function encodeForward(args: readonly Argument[], structures: readonly (Structure | undefined)[]): Encoded[] {
  return args.map((each, i) => encode(`forward: argument ${i}`, inOrderOf(structures[i], each)));
}

/** The modules below `handle`. */
function childrenOf(handle: number, path: string, tree: Tree): [string, Module][] {
  const { others } = tree;
  return native()
    .moduleChildren(handle)
    .map(([name, child]) => {
      const full = joinPath(path, name);
      const other = Object.hasOwn(others, full) ? others[full] : undefined;
      if (!other) return [name, new ProgramPart(child, full, tree)];
      native().moduleRelease(child);
      return [name, other];
    });
}

/**
 * A module inside of what `unflatten` gives. Called alone it runs its first call: in the form of that where it was preserved, else on
 * the tensors recorded for it. Values that only crossed its boundary come last.
 */
class ProgramPart extends NativeModuleOfSeveral {
  readonly #tree: Tree;
  readonly #children: [string, Module][];
  readonly #structure: Structure | null;

  constructor(handle: number, path: string, tree: Tree) {
    super(handle, null);
    this.#tree = tree;
    this.#children = childrenOf(handle, path, tree);
    this.#structure = tree.calls.find((call) => call.path === path && call.index === 0)?.inputStructure ?? null;
  }

  override children(): [string, Module][] {
    return this.#children;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the form is that of the call
  override forward(...args: any[]): any {
    const { callbacks } = this.#tree;
    if (this.#structure === null) {
      return throughCallbacks(callbacks, () => super.forward(args[0], ...args.slice(1)));
    }
    const given = encodeForward(args, this.#structure as readonly Structure[]);
    return throughCallbacks(callbacks, () => decode(native().programPartCall(this.engineHandle, given)));
  }
}

function release(handle: number): void {
  native().programRelease(handle);
}

/** Whether elements are the same; other shapes are another problem. */
function hasEqual(a: Tensor, b: Tensor): boolean {
  if (a === b || String(a.shape) !== String(b.shape)) return true;
  return scope(() => {
    const [own, others] = [a, b].map((each) => each.detach().reshape([-1]).toArray() as unknown[]);
    return (own as unknown[]).every((value, i) => Object.is(value, others?.[i]));
  });
}

/** A module that runs a program on parameters and buffers of its own, which began as copies of the program's. */
export class ProgramModule extends EngineModule {
  readonly #form: Handle;
  readonly #arguments: readonly ProgramArgument[];
  readonly #children: [string, Module][];
  readonly #callbacks: readonly Callback[];
  readonly #inputs: readonly InputSpec[];

  /** @internal */
  constructor(parts: { module: number; form: number }, args: readonly ProgramArgument[], tree: Tree) {
    const module = made(parts?.module, 'a ProgramModule', 'program.module() or om.unflatten(program)');
    super(module, null);
    this.#form = new Handle(this, parts.form, 'module', release);
    this.#arguments = args;
    this.#callbacks = tree.callbacks;
    this.#inputs = tree.inputs;
    this.#children = childrenOf(module, '', tree);
  }

  /** The modules of the program, where `unflatten` made them. */
  override children(): [string, Module][] {
    return this.#children;
  }

  /** As of any module; a tied tensor is there under each of the paths that it had in the exported model. */
  override stateDict(): Record<string, Tensor> {
    const state = super.stateDict();
    for (const { target, aliases } of this.#inputs) {
      const tensor = state[target];
      for (const path of tensor ? aliases : []) state[path] ??= tensor as Tensor;
    }
    return state;
  }

  /**
   * As of any module, but of the paths of one tensor one is enough; another value under another of them is a problem, too, and
   * nothing is changed.
   */
  override stateProblems(state: Record<string, Tensor>, options: { strict?: boolean } = {}): string[] {
    const own = this.stateDict();
    const whole = { ...recordOf('loadStateDict', state, 'tensors by path') };
    const ties: [path: string, other: string][] = [];
    for (const { target, aliases } of this.#inputs) {
      const paths = [target, ...aliases].filter((path) => own[target] && own[path] === own[target]);
      const [first, ...others] = paths.filter((path) => Object.hasOwn(state, path));
      if (first === undefined) continue;
      for (const path of paths) if (!Object.hasOwn(whole, path)) whole[path] = state[first] as Tensor;
      for (const other of others) ties.push([first, other]);
    }
    const problems = super.stateProblems(whole, options);
    const differing = ties.filter(([first, other]) => !hasEqual(state[first] as Tensor, state[other] as Tensor));
    return [
      ...problems,
      ...differing.map((paths) => `'${paths.join("' and '")}' are one tensor, but their values differ`),
    ];
  }

  /** The computation, of arguments in the form they were exported with; buffers are updated at its end. Types and errors as of `ExportedProgram.call`. */
  override forward<Result extends Argument = Tensor>(...args: Argument[]): Result {
    const positional = encodeForward(
      args,
      this.#arguments.map(({ structure }) => structure),
    );
    return throughCallbacks(
      this.#callbacks,
      () => decode(native().programModuleForward(this.#form.value, this.engineHandle, positional)) as Result,
    );
  }

  /** Frees the module and its tensors. A second call does nothing. */
  override dispose(): void {
    super.dispose();
    this.#form.free();
  }
}

/**
 * The module tree that a program was exported from, by its call records; without these one flat module. A module that was
 * called several times is one module. `replacements` take the place of modules by path: they get the arguments and give the result in the
 * form that these had where `preserveModuleCalls` named the path, with null for a tensor that the program does not use, else the tensors
 * that were recorded, and give as many. Throws ArgumentError for what is no module, for a path that was not called, and for one whose
 * other values or whose state are used outside of it.
 */
export function unflatten(
  program: ExportedProgram,
  replacements: Readonly<Record<string, Module>> = {},
): ProgramModule {
  if (program?.moduleCallGraph === undefined) throw unexpected('unflatten', 'a program', program);
  const given = Object.entries(recordOf('unflatten', replacements, 'modules by path'));
  const callbacks: Callback[] = [];
  const others = given.map(([path, other]): Replacement => {
    if (!(other instanceof Module)) {
      throw new ArgumentError(`unflatten: '${path}': expected a module, got ${describe(other)}`, 'Argument');
    }
    const handle = engineHandleOf(other);
    if (handle !== 0) return [path, handle, null, ''];
    const results = program.moduleCallGraph.flatMap((call) => (call.path === path ? [call.outputStructure] : []));
    const callback = new Callback(`unflatten: result of '${path}'`, (args) => {
      const result: unknown = other.forward(...(args as Tensor[]));
      return inOrderOf(results.find((structure) => structure !== null && fits(structure, result)) ?? undefined, result);
    });
    callbacks.push(callback);
    return [path, 0, callback.run, other.constructor.name];
  });
  return new ProgramModule(native().programUnflatten(program.handle, others), program.arguments, {
    others: replacements,
    callbacks,
    calls: program.moduleCallGraph,
    inputs: program.signature.inputs,
  });
}
