/** Tracing: one recorded run of a function or module becomes a graph. */

import { checkedOptions, handleOf, unexpected } from './arguments.js';
import { describe } from './describe.js';
import { ArgumentError, TraceError } from './errors.js';
import { Graph } from './graph.js';
import { scope } from './memory.js';
import { native } from './native.js';
import { inEvaluation, Module, withModulePaths } from './nn/module.js';
import { withModulesMet } from './nn/noticed_calls.js';
import { unchanged } from './nn/unchanged.js';
import { renaming } from './script_names.js';
import { Tensor } from './tensor.js';
import { type VerifyReport, verifyTrace } from './verify.js';

/** Names of symbolic axes: one per axis (null for a fixed one), or by axis number; `2*batch` for twice a symbol's size. */
export type Axes = readonly (string | null | undefined)[] | Readonly<Record<number, string>>;

/** How `trace` records. */
export interface TraceOptions {
  /** Axes whose size may differ at run time: of the only input, by input name, or for each input in order. Example sizes are
   * at least 2 and differ between symbols. */
  axes?: Axes | Readonly<Record<string, Axes>> | readonly (Axes | null | undefined)[];
  /** Names of the outputs in order. Default: `output`, or the keys of an object result. */
  outputNames?: readonly string[];
  /** Runs the model again at another size of every symbolic axis, or at the sizes given by symbol, and compares the graph
   * with it; the result is in `verification`. */
  verify?: boolean | Readonly<Record<string, number>>;
}

const optionNames = ['axes', 'outputNames', 'verify'];

/** What may be traced: a module, or a function of the inputs in the order of the example. */
export type Traceable = Module | ((...inputs: Tensor[]) => unknown);

/** A finished trace. */
export class TracedModel extends Graph {
  /** Sizes that may have been mistaken for a symbol. */
  readonly warnings: readonly string[];
  /** What `verify` found; null when it was not asked for. */
  verification: VerifyReport | null = null;

  /** @internal */
  constructor(handle: number, warnings: readonly string[]) {
    super(handle);
    this.warnings = warnings;
  }
}

function axisNames(axes: Axes | undefined, rank: number, input: string): string[] {
  if (axes === undefined) return [];
  const where = `trace: axes of input '${input}'`;
  if (typeof axes !== 'object' || axes === null) {
    throw new TraceError(`${where}: expected a list or an object of names, got ${describe(axes)}`, 'InvalidUsage');
  }
  for (const name of Object.values(axes)) {
    if (typeof name === 'string' || name === null || name === undefined) continue;
    throw new TraceError(`${where}: expected names, got ${describe(name)}`, 'InvalidUsage');
  }
  if (Array.isArray(axes)) {
    if (axes.length !== rank) {
      throw new TraceError(`trace: input '${input}' has rank ${rank}, got ${axes.length} axis names`, 'InvalidUsage');
    }
    return axes.map((name) => name ?? '');
  }
  const names = Array<string>(rank).fill('');
  for (const [key, name] of Object.entries(axes as Readonly<Record<number, string>>)) {
    const axis = /^-?\d+$/.test(key) ? Number(key) : Number.NaN;
    const index = axis < 0 ? axis + rank : axis;
    if (!(index >= 0 && index < rank)) {
      throw new TraceError(`trace: axis ${key} of input '${input}' is out of range for rank ${rank}`, 'InvalidUsage');
    }
    if (names[index] !== '') throw new TraceError(`${where}: axis ${index} has two names`, 'InvalidUsage');
    names[index] = name ?? '';
  }
  return names;
}

function namedOutputs(result: unknown, names: readonly string[] | undefined): [string, Tensor][] {
  const wrong = (what: string): never => {
    throw new TraceError(`trace: ${what}`, 'InvalidUsage');
  };
  if (result instanceof Promise) return wrong('the function is asynchronous');
  if (!result || typeof result !== 'object') return wrong(`the function returned no tensor but ${describe(result)}`);
  let found: [string, Tensor][];
  if (result instanceof Tensor) found = [['output', result]];
  else if (Array.isArray(result)) found = result.map((each, i) => [`output_${i}`, each]);
  else found = Object.entries(result as Record<string, Tensor>);
  for (const [name, each] of found) {
    if (!(each instanceof Tensor)) wrong(`result '${name}': expected a tensor, got ${describe(each)}`);
  }
  if (names && !(Array.isArray(names) && names.every((name) => typeof name === 'string'))) {
    wrong(`outputNames: expected a list of names, got ${describe(names)}`);
  }
  if (names && names.length !== found.length) wrong(`${found.length} outputs, got ${names.length} names`);
  return names ? found.map(([, each], i) => [names[i] as string, each]) : found;
}

/** Example inputs by name, in order. */
export type Named = readonly (readonly [string, Tensor])[];

function namedExamples(example: Tensor | readonly Tensor[] | Readonly<Record<string, Tensor>>): Named {
  if (typeof example !== 'object' || example === null) {
    throw unexpected('trace: example', 'a tensor, or a list or an object of tensors', example);
  }
  const named: Named =
    example instanceof Tensor
      ? [['input', example]]
      : Array.isArray(example)
        ? (example as readonly Tensor[]).map((each, i) => [`input_${i}`, each] as const)
        : Object.entries(example as Record<string, Tensor>);
  for (const [name, each] of named) {
    handleOf(`trace: example '${name}'`, each);
  }
  return named;
}

/** Whether names stand for axes, not for inputs. */
const isOfOneInput = (axes: object): boolean =>
  Array.isArray(axes)
    ? axes.every((name) => typeof name !== 'object' || name === null)
    : Object.keys(axes).every((key) => Number.isInteger(Number(key)));

function axesByName(examples: Named, axes: TraceOptions['axes']): Readonly<Record<string, Axes | undefined>> {
  const names = examples.map(([name]) => name);
  if (axes === undefined) return {};
  const isObject = typeof axes === 'object' && axes !== null;
  if (names.length === 1 && (!isObject || isOfOneInput(axes))) return { [names[0] as string]: axes as Axes };
  if (!isObject) {
    throw new TraceError(`trace: axes: expected lists of names by input, got ${describe(axes)}`, 'InvalidUsage');
  }
  if (!Array.isArray(axes)) return axes as Readonly<Record<string, Axes>>;
  if (axes.length !== names.length) {
    throw new TraceError(
      `trace: axes: expected a list of names for each of ${names.length} inputs, got ${axes.length}`,
      'InvalidUsage',
    );
  }
  return Object.fromEntries(names.map((name, i) => [name, axes[i] ?? undefined]));
}

/** The axis names of each input; an unknown input is an error. */
function axesByInput(examples: Named, axes: TraceOptions['axes']): string[][] {
  const byName = axesByName(examples, axes);
  for (const name of Object.keys(byName)) {
    if (!examples.some(([known]) => known === name)) {
      throw new TraceError(
        `trace: axes name an unknown input '${name}' (known: ${examples.map(([known]) => known).join(', ')})`,
        'InvalidUsage',
      );
    }
  }
  return examples.map(([name, each]) =>
    axisNames(Object.hasOwn(byName, name) ? byName[name] : undefined, each.rank, name),
  );
}

const noUpdates = 'a trace has no updates, export the program instead (exportProgram)';

/** The engine's functions that a trace calls. */
const tracer = 'Tracer\\.(?:input|parameter|finish)';

/** Calls the target on traced inputs, makes the graph of the outputs, and calls `use` with both. */
function run<R>(
  target: Traceable,
  examples: Named,
  axes: readonly string[][],
  outputNames: readonly string[] | undefined,
  use: (traced: TracedModel, outputs: Tensor[]) => R,
): R {
  const module = native();
  const inputs = examples.map(
    ([name, each], i) =>
      new Tensor(renaming(tracer, 'trace', () => module.traceInput(name, each.handle, axes[i] as string[]))),
  );
  const result =
    target instanceof Module
      ? unchanged(target, noUpdates, () => withModulePaths(target, () => target.forward(...inputs)))
      : withModulesMet(
          () => target(...inputs),
          noUpdates,
          (met, path, call) => withModulePaths(met, call, undefined, path),
        );
  const outputs = namedOutputs(result, outputNames);
  const handles = outputs.map(([name, each]) => each.handleFor(`trace: output '${name}'`));
  const names = outputs.map(([name]) => name);
  const { graph, warnings } = renaming(tracer, 'trace', () => module.traceFinish(handles, names));
  return use(
    new TracedModel(graph, warnings),
    outputs.map(([, each]) => each),
  );
}

/** Records what `runOnce` does with the target. Modules are in evaluation mode meanwhile. */
function record<R>(target: Traceable, runOnce: () => R): R {
  const module = native();
  module.traceBegin();
  try {
    if (!(target instanceof Module)) return runOnce();
    for (const { path, kind, tensor } of target.namedTensors()) module.traceParameter(path, tensor.handle, kind);
    return inEvaluation(target, runOnce);
  } finally {
    module.traceAbandon();
  }
}

/**
 * Runs a module or function once on example inputs and returns the graph of what it computed. A module is put into
 * evaluation mode meanwhile, and its modes are restored, also when the trace throws. Errors: TraceError with `kind`
 * DataDependent, InPlaceMutation, NoGradInTrace, SymbolicShape, InvalidUsage or UnsupportedOperation.
 */
export function trace(
  target: Traceable,
  example: Tensor | readonly Tensor[] | Readonly<Record<string, Tensor>>,
  options: TraceOptions = {},
): TracedModel {
  if (typeof target !== 'function' && !(target instanceof Module)) {
    throw unexpected('trace', 'a module or a function', target);
  }
  if (typeof target === 'function' && target.prototype instanceof Module) {
    throw new ArgumentError(`trace: expected a module, got the class ${target.name}: make one with new`, 'Argument');
  }
  const { axes: wanted, outputNames, verify = false } = checkedOptions('trace', options, optionNames);
  const examples = namedExamples(example);
  const axes = axesByInput(examples, wanted);
  const again = <R>(others: Named, use: (traced: TracedModel, outputs: Tensor[]) => R): R =>
    record(target, () => scope(() => run(target, others, axes, outputNames, use)));
  const traced = again(examples, (model) => model);
  if (!verify) return traced;
  try {
    traced.verification = verifyTrace(traced, examples, verify === true ? {} : verify, again);
  } catch (error) {
    traced.dispose();
    throw error;
  }
  return traced;
}
