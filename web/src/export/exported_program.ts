/** A captured model with its contract: what is state, what it updates, which sizes it takes. */

import {
  checkedOptions,
  checkFunction,
  checkName,
  flagOf,
  isPlainObject,
  listOf,
  recordOf,
  textOf,
  unexpected,
} from '../arguments.js';
import { describe } from '../describe.js';
import { ArgumentError, ModelError } from '../errors.js';
import { Graph, onnxOptions } from '../graph.js';
import { withHeapBytes } from '../heap.js';
import { Handle, made } from '../memory.js';
import { native } from '../native.js';
import { handlesOf, takeState } from '../state.js';
import type { Tensor } from '../tensor.js';
import { type Argument, decode, encode, encodeNamed, fits, inOrderOf, namedInOrderOf } from './argument.js';
import { Callback, throughCallbacks } from './callback.js';
import { ProgramModule } from './program_module.js';
import type {
  Decomposition,
  DecompositionTable,
  ForwardBackwardOptions,
  ModuleCall,
  ProgramArgument,
  ProgramOnnxOptions,
  RangeConstraint,
  SaveProgramOptions,
} from './program_parts.js';
import { ProgramSession, type ProgramSessionOptions } from './program_session.js';
import { type ProgramSignature, signatureOf } from './signature.js';

function release(handle: number): void {
  native().programRelease(handle);
}

/**
 * A program that `exportProgram` made: a functional graph over its state and the caller's inputs, with what its signature
 * and its sizes demand. It owns the state, which its calls update.
 */
export class ExportedProgram {
  readonly #handle: Handle;
  #graph: Graph | null = null;
  /** What inputs and outputs of the graph are. */
  readonly signature: ProgramSignature;
  /** What `call` takes, in order. */
  readonly arguments: readonly ProgramArgument[];
  /** Sizes that may have been mistaken for one that varies. */
  readonly warnings: readonly string[];
  /** The root first, then every call that completed, in that order; empty when it is not known. */
  readonly moduleCallGraph: readonly ModuleCall[];
  /** The sizes that named and derived axes may have. */
  readonly rangeConstraints: readonly RangeConstraint[];
  /** Axes that must be equal, and derived sizes: "axis 1 of 'y' == axis 0 of 'x' (batch)", "axis 0 of 'z' == 2*n + 1". */
  readonly equalityConstraints: readonly string[];

  /** @internal */
  constructor(handle: number) {
    const own = made(handle, 'an ExportedProgram', 'om.exportProgram(model, inputs) or om.loadPrograms(bytes)');
    this.#handle = new Handle(this, own, 'program', release);
    const parts = native().programParts(handle);
    this.signature = signatureOf(parts.inputs, parts.outputs);
    this.arguments = parts.arguments;
    this.warnings = parts.warnings;
    this.moduleCallGraph = parts.calls;
    this.rangeConstraints = parts.ranges;
    this.equalityConstraints = parts.equalities;
  }

  /**
   * Reads the only program of a `.onemodel` file. Throws ModelError saying what is wrong with the file, for one that has a
   * graph and no program, and for several programs, listing their names: see `loadPrograms`.
   */
  static load(bytes: Uint8Array): ExportedProgram {
    const all = loadPrograms(bytes);
    const [only, ...others] = Object.values(all);
    if (only !== undefined && others.length === 0) return only;
    const names = Object.keys(all).map((name) => `'${name}'`);
    for (const each of Object.values(all)) each.dispose();
    throw new ModelError(
      `the file has the programs ${names.join(', ')}: loadPrograms gives all of them`,
      'Unsupported',
    );
  }

  /** @internal */
  get handle(): number {
    return this.#handle.value;
  }

  /** The flat graph; freed with the program. */
  get graph(): Graph {
    this.#graph ??= new Graph(native().programGraph(this.handle));
    return this.#graph;
  }

  /**
   * Runs the program on its state, and then updates that. Arguments in the form they were exported with, keys in any order:
   * by position, or all of them by name in one object. Nothing is updated when it throws: ArgumentError for a missing or
   * unknown argument, another form or another constant; DTypeError, ShapeError and ConstraintsError for tensors that the
   * program does not take, before anything is computed. Results are not recorded for gradients: see `module`. They are typed
   * as `call<[Tensor, Tensor]>(…)` says, which is not checked.
   */
  call<Result extends Argument = Tensor>(...args: Argument[]): Result {
    const [only] = args;
    if (args.length === 1 && isPlainObject(only) && this.#isByName(only)) {
      const named = namedInOrderOf(this.arguments, Object.entries(only));
      return decode(native().programCall(this.handle, [], encodeNamed('call', named))) as Result;
    }
    const positional = args.map((each, i) =>
      encode(`call: argument ${i}`, inOrderOf(this.arguments[i]?.structure, each)),
    );
    return decode(native().programCall(this.handle, positional, [])) as Result;
  }

  /**
   * The keys of the only argument are names, unless it has the form of the program's first argument, or that is an object
   * and a key is no name.
   */
  #isByName(only: Record<string, unknown>): boolean {
    const structure = this.arguments[0]?.structure;
    if (!isPlainObject(structure)) return true;
    if (fits(structure, only)) return false;
    return Object.keys(only).every((key) => this.arguments.some(({ name }) => name === key));
  }

  /** A module that runs the program on a state of its own, which begins as a copy of the program's, and has gradients. */
  module(): ProgramModule {
    const tree = { others: {}, callbacks: [], calls: [], inputs: this.signature.inputs };
    return new ProgramModule(native().programModule(this.handle), this.arguments, tree);
  }

  /** Parameters and persistent buffers by path, as they are now. */
  stateDict(): Record<string, Tensor> {
    return takeState(native().programState(this.handle));
  }

  /** Replaces parameters and buffers. Throws ModelError listing every problem, before anything is changed. */
  loadStateDict(state: Record<string, Tensor>): void {
    const handles = handlesOf(state);
    throughCallbacks([], () => native().programLoadState(this.handle, handles));
  }

  /** Lifted constants and buffers that are not persistent, by path, and the graph's own constants by name. */
  constants(): Record<string, Tensor> {
    return takeState(native().programConstants(this.handle));
  }

  /** Copies of the tensors that the program was exported with, by the names of its inputs; empty when they were not kept. */
  exampleInputs(): Record<string, Tensor> {
    return takeState(native().programExamples(this.handle));
  }

  /**
   * A program with every operator in `table` computed by others; inputs, outputs, constraints and calls stay. Without a table
   * Gelu, HardSigmoid, HardSwish, Mish, Softplus, Elu, Softmax, LogSoftmax, Gemm, BatchNormalization and LayerNormalization become
   * arithmetic, exp, log, erf, tanh, reductions and MatMul. Throws ArgumentError for results of another number or type,
   * for a name in the table that no operator has, and for an entry that is no function.
   */
  runDecompositions(table?: DecompositionTable): ExportedProgram {
    const who = 'runDecompositions';
    if (table === undefined || table === null) {
      return new ExportedProgram(native().programDecompose(this.handle, null, null));
    }
    if (!isPlainObject(table)) throw unexpected(who, 'an object with a function by the name of each operator', table);
    for (const [name, decompose] of Object.entries(table)) checkFunction(`${who}: '${name}'`, decompose);
    const functions = new Map(Object.entries(table as DecompositionTable));
    const callback = new Callback(who, ([name, text, inputs]) => {
      const decompose = functions.get(name as string) as Decomposition;
      return decompose(inputs as readonly Tensor[], text as string);
    });
    const names = [...functions.keys()];
    return throughCallbacks(
      [callback],
      () => new ExportedProgram(native().programDecompose(this.handle, names, callback.run)),
    );
  }

  /**
   * A program that computes the gradients of its loss, too: `call` gives {output, gradients}, the latter by path of a parameter and
   * by name of an input. In the signature the loss is a LossOutput, and gradients, which come last, are GradientToParameter and
   * GradientToUserInput. Throws ArgumentError for a program whose sizes may vary, for a loss that is not one floating-point element and for names that there are not,
   * GradientError for a loss that depends on nothing of these and for an operator without a gradient.
   */
  forwardBackward(options: ForwardBackwardOptions = {}): ExportedProgram {
    const who = 'forwardBackward';
    const { loss = '', inputs = [] } = checkedOptions(who, options, ['loss', 'inputs']);
    const names = listOf(`${who}: inputs`, inputs, 'names of inputs');
    const wanted = names.map((name) => textOf(`${who}: inputs`, name));
    const name = textOf(`${who}: loss`, loss);
    return throughCallbacks([], () => new ExportedProgram(native().programForwardBackward(this.handle, name, wanted)));
  }

  /** For each node of the graph the paths of the modules around it, outermost first; none at the root. */
  moduleStacks(): string[][] {
    return native().programModuleStacks(this.handle);
  }

  /** Throws ModelError with a line per problem that says what is wrong where. */
  validate(): void {
    native().programValidate(this.handle);
  }

  /** Signature, constraints, graph and calls. */
  toString(): string {
    return native().programText(this.handle);
  }

  /** Writes `toString()` to the console. */
  print(): void {
    console.log(this.toString());
  }

  /** A session that runs the program; it starts from the state as it is now, or shares that of another. */
  createSession(options: ProgramSessionOptions = {}): ProgramSession {
    return ProgramSession.of(this.handle, options);
  }

  /**
   * A `.onnx` file, with `externalData` its model alone, as of `Graph.toOnnx`, whose errors it has too. Names of sizes are in
   * it, ranges and relations in its metadata, which the engine enforces again. Throws ArgumentError for a program that gives
   * nothing but updates, unless its state is asked for.
   */
  toOnnx(options: ProgramOnnxOptions = {}): Uint8Array {
    const { stateInputs = false, ...rest } = onnxOptions(options, ['stateInputs', 'externalData']);
    const graph = new Graph(native().programOnnxGraph(this.handle, flagOf('toOnnx: stateInputs', stateInputs)));
    try {
      return graph.toOnnx(rest);
    } finally {
      graph.dispose();
    }
  }

  /** A `.onemodel` file with graph, state, signature, constraints and calls. Errors as of `savePrograms`. */
  toOneModel(options: SaveProgramOptions = {}): Uint8Array {
    return savePrograms({ main: this }, options);
  }

  /** Frees the program; its sessions and modules go on. A second call does nothing. */
  dispose(): void {
    this.#graph?.dispose();
    this.#handle.free();
  }

  /** As `dispose`, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/**
 * A `.onemodel` file with several programs by name; weights that they have under one path and with one content are there
 * once. Throws ModelError for a program that is not valid.
 */
export function savePrograms(
  programs: Readonly<Record<string, ExportedProgram>>,
  options: SaveProgramOptions = {},
): Uint8Array {
  const { examples = false } = checkedOptions('savePrograms', options, ['examples']);
  flagOf('savePrograms: examples', examples);
  const all = Object.entries(recordOf('savePrograms', programs, 'programs by name'));
  const named = all.map(([name, program]): [string, number] => {
    checkName('savePrograms', name);
    if (program instanceof ExportedProgram) return [name, program.handle];
    throw new ArgumentError(`savePrograms: '${name}': expected a program, got ${describe(program)}`, 'Argument');
  });
  return throughCallbacks([], () => native().programsWrite(named, examples));
}

/**
 * The programs of a `.onemodel` file by name. Throws ModelError saying what is wrong with the file, of kind NoProgram when it
 * has a graph alone.
 */
export function loadPrograms(bytes: Uint8Array): Record<string, ExportedProgram> {
  const handles = withHeapBytes(bytes, (data, length) => native().programsRead(data, length), 'loadPrograms: ');
  return Object.fromEntries(Object.entries(handles).map(([name, handle]) => [name, new ExportedProgram(handle)]));
}
