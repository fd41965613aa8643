/** What programs are made of, and what callers say of them, as data. */

import type { OnnxOptions } from '../graph.js';
import type { Tensor } from '../tensor.js';
import type { Structure } from './argument.js';
import type { InputSpec, OutputSpec } from './signature.js';

/** The sizes that an axis with this label may have. */
export interface RangeConstraint {
  /** A name, or the formula of a derived size: "2*d + 2". */
  label: string;
  min: number;
  /** null: any. */
  max: number | null;
}

/** One call of a module. Values are named as in the graph; '' is what is no value of it. */
export interface ModuleCall {
  /** Path of the module; '' for the root. */
  path: string;
  /** Of the calls of that path, from 0. */
  index: number;
  /** The position of the call around it; -1 for the root. */
  parent: number;
  /** Tensors among the arguments, depth first. */
  inputs: string[];
  /** Tensors among the results, depth first. */
  outputs: string[];
  /** The form of the arguments, a list of them; null where it was not preserved. */
  inputStructure: Structure | null;
  /** The form of the result; null where it was not preserved. */
  outputStructure: Structure | null;
}

/** An argument of the program. */
export interface ProgramArgument {
  name: string;
  structure: Structure;
}

/** What a program is made of, as data. */
export interface ProgramParts {
  inputs: InputSpec[];
  outputs: OutputSpec[];
  arguments: ProgramArgument[];
  warnings: string[];
  calls: ModuleCall[];
  ranges: RangeConstraint[];
  equalities: string[];
}

/** How `toOnnx` writes state. */
export interface ProgramOnnxOptions extends OnnxOptions {
  /** Whether state that the program updates is an extra input, and its update an extra output before the others; else it is
   * a constant with its value of now, and updates are left out. */
  stateInputs?: boolean;
}

/** Which gradients `forwardBackward` gives. */
export interface ForwardBackwardOptions {
  /** The output that is the loss; it may be left out when there is one only. */
  loss?: string;
  /** Inputs whose gradients are wanted beside those of the parameters. */
  inputs?: readonly string[];
}

/** What a file holds beside the program. */
export interface SaveProgramOptions {
  /** Whether the example inputs are written too. */
  examples?: boolean;
}

/** Computes an operator, "Softmax(axis=1)", by others; gives one tensor per output. */
export type Decomposition = (inputs: readonly Tensor[], operator: string) => Tensor | readonly Tensor[];
/** Decompositions by the name of the operator. */
export type DecompositionTable = Readonly<Record<string, Decomposition>>;
