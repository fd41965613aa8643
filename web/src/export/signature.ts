/** What the inputs and outputs of an exported program are. */

/** What an input of the flat graph is. */
export type InputKind = 'UserInput' | 'Parameter' | 'Buffer' | 'Constant';
/** What an output of the flat graph is. */
export type OutputKind =
  | 'UserOutput'
  | 'ParameterMutation'
  | 'BufferMutation'
  | 'UserInputMutation'
  | 'LossOutput'
  | 'GradientToParameter'
  | 'GradientToUserInput';

/** One input: state first, module by module from the root, then the caller's. */
export interface InputSpec {
  kind: InputKind;
  /** Name of the graph's input. */
  name: string;
  /** Path of state; '' of a user input. */
  target: string;
  /** Whether a buffer is in the state dict. */
  persistent: boolean;
  /** Whether a parameter required no gradient when it was exported. */
  frozen: boolean;
  /** Other paths of the same tensor (tied weights), which the state dict has, too. */
  aliases: readonly string[];
}

/** One output: updates first, then the caller's results. */
export interface OutputSpec {
  kind: OutputKind;
  /** Name of the graph's output. */
  name: string;
  /** Path of what is updated or has the gradient, or a user input's name; '' of a user output. */
  target: string;
}

/** Names of flat inputs or outputs, and what each stands for. */
export type NameMap = Record<string, string>;

/** All of it, as plain data. */
export interface ProgramSignature {
  inputs: readonly InputSpec[];
  outputs: readonly OutputSpec[];
  /** Names of the caller's inputs, in order. */
  userInputs: string[];
  /** Names of the caller's results, in order. */
  userOutputs: string[];
  /** Paths of parameters, of buffers, and of the buffers among them that are not in the state dict. */
  parameters: string[];
  buffers: string[];
  nonPersistentBuffers: string[];
  /** Flat inputs and the paths they stand for. */
  inputsToParameters: NameMap;
  inputsToBuffers: NameMap;
  inputsToConstants: NameMap;
  /** Flat outputs and what they update. */
  parametersToMutate: NameMap;
  buffersToMutate: NameMap;
  userInputsToMutate: NameMap;
  /** Flat outputs and what they are the gradients of. */
  gradientsToParameters: NameMap;
  gradientsToUserInputs: NameMap;
  /** Name of the output that is the loss of a training graph. */
  lossOutput: string | null;
}

/** The signature that these inputs and outputs make. */
export function signatureOf(inputs: readonly InputSpec[], outputs: readonly OutputSpec[]): ProgramSignature {
  const specs = [...inputs, ...outputs];
  const of = (kind: InputKind | OutputKind) => specs.filter((spec) => spec.kind === kind);
  const names = (kind: InputKind | OutputKind) => of(kind).map(({ name }) => name);
  const map = (kind: InputKind | OutputKind): NameMap =>
    Object.fromEntries(of(kind).map(({ name, target }) => [name, target]));
  return {
    inputs,
    outputs,
    userInputs: names('UserInput'),
    userOutputs: names('UserOutput'),
    parameters: Object.values(map('Parameter')),
    buffers: Object.values(map('Buffer')),
    nonPersistentBuffers: inputs.flatMap(({ kind, target, persistent }) =>
      kind === 'Buffer' && !persistent ? [target] : [],
    ),
    inputsToParameters: map('Parameter'),
    inputsToBuffers: map('Buffer'),
    inputsToConstants: map('Constant'),
    parametersToMutate: map('ParameterMutation'),
    buffersToMutate: map('BufferMutation'),
    userInputsToMutate: map('UserInputMutation'),
    gradientsToParameters: map('GradientToParameter'),
    gradientsToUserInputs: map('GradientToUserInput'),
    lossOutput: names('LossOutput')[0] ?? null,
  };
}
