/** Tracing: one recorded run of a function or module becomes a graph. */

import { ArgumentError, TraceError } from './errors.js';
import { Graph } from './graph.js';
import { scope } from './memory.js';
import { native } from './native.js';
import { Module, withModulePaths } from './nn/module.js';
import { Tensor } from './tensor.js';

/** Names of symbolic axes: one per axis (null for a fixed one), or by axis number. */
export type Axes = readonly (string | null | undefined)[] | Readonly<Record<number, string>>;

export interface TraceOptions {
  /** Axes whose size may differ at run time: of the only input, or by input name. Example sizes are at least 2 and differ
   * between symbols. */
  axes?: Axes | Readonly<Record<string, Axes>>;
  /** Names of the outputs in order. Default: `output`, or the keys of an object result. */
  outputNames?: readonly string[];
}

/** What may be traced: a module, or a function of the inputs in the order of the example. */
export type Traceable = Module | ((...inputs: Tensor[]) => unknown);

/** A finished trace. */
export class TracedModel extends Graph {
  /** Sizes that may have been mistaken for a symbol. */
  readonly warnings: readonly string[];

  /** @internal */
  constructor(handle: number, warnings: readonly string[]) {
    super(handle);
    this.warnings = warnings;
  }
}

function axisNames(axes: Axes | undefined, rank: number, input: string): string[] {
  if (axes === undefined) return [];
  if (Array.isArray(axes)) {
    if (axes.length !== rank) {
      throw new TraceError(
        `trace: input '${input}' has rank ${rank}, got ${axes.length} axis names`,
        'InvalidUsage',
      );
    }
    return axes.map((name) => name ?? '');
  }
  const names = Array<string>(rank).fill('');
  for (const [key, name] of Object.entries(axes as Readonly<Record<number, string>>)) {
    const axis = Number(key);
    const index = axis < 0 ? axis + rank : axis;
    if (!Number.isInteger(axis) || index < 0 || index >= rank) {
      throw new TraceError(
        `trace: axis ${key} of input '${input}' is out of range for rank ${rank}`,
        'InvalidUsage',
      );
    }
    names[index] = name;
  }
  return names;
}

function namedOutputs(result: unknown, names: readonly string[] | undefined): [string, Tensor][] {
  const wrong = (what: string): never => {
    throw new TraceError(`trace: ${what}`, 'InvalidUsage');
  };
  if (result instanceof Promise) return wrong('the function is asynchronous');
  if (!result || typeof result !== 'object') return wrong('the function returned no tensor');
  let found: [string, Tensor][];
  if (result instanceof Tensor) found = [['output', result]];
  else if (Array.isArray(result)) found = result.map((each, i) => [`output_${i}`, each]);
  else found = Object.entries(result as Record<string, Tensor>);
  for (const [name, each] of found) {
    if (!(each instanceof Tensor)) wrong(`result '${name}' is no tensor`);
  }
  if (names && names.length !== found.length) wrong(`${found.length} outputs, got ${names.length} names`);
  return names ? found.map(([, each], i) => [names[i] as string, each]) : found;
}

interface Mode {
  module: Module;
  training: boolean;
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
  const examples: [string, Tensor][] =
    example instanceof Tensor
      ? [['input', example]]
      : Array.isArray(example)
        ? example.map((each, i) => [`input_${i}`, each])
        : Object.entries(example as Record<string, Tensor>);
  const single = example instanceof Tensor;
  const axesOf = (name: string): Axes | undefined =>
    single ? (options.axes as Axes | undefined) : (options.axes as Record<string, Axes> | undefined)?.[name];
  if (!single && options.axes) {
    for (const name of Object.keys(options.axes)) {
      if (!examples.some(([known]) => known === name)) {
        throw new TraceError(
          `trace: axes name an unknown input '${name}' (known: ${examples.map(([known]) => known).join(', ')})`,
          'InvalidUsage',
        );
      }
    }
  }
  for (const [name, each] of examples) {
    if (!(each instanceof Tensor)) throw new ArgumentError(`trace: example '${name}' is no tensor`, 'Argument');
  }

  const module = native();
  const root = target instanceof Module ? target : undefined;
  const modes: Mode[] = (root?.namedModules() ?? []).map(([, each]) => ({
    module: each,
    training: each.training,
  }));
  module.traceBegin();
  try {
    root?.eval();
    for (const { path, kind, tensor } of root?.namedTensors() ?? []) {
      module.traceParameter(path, tensor.handle, kind);
    }
    return scope(() => {
      const inputs = examples.map(
        ([name, each]) =>
          new Tensor(module.traceInput(name, each.handle, axisNames(axesOf(name), each.rank, name))),
      );
      const run = () => (root ? root.forward(...inputs) : (target as (...all: Tensor[]) => unknown)(...inputs));
      const outputs = namedOutputs(root ? withModulePaths(root, run) : run(), options.outputNames);
      const { graph, warnings } = module.traceFinish(
        outputs.map(([, each]) => each.handle),
        outputs.map(([name]) => name),
      );
      return new TracedModel(graph, warnings);
    });
  } finally {
    module.traceAbandon();
    // Parents first: `train` sets all below it too.
    for (const { module: each, training } of modes) each.train(training);
  }
}
