/** What the generated functions of tensors share. */

import { handleOf, valuesOf } from './arguments.js';
import { type Attribute, writeCall } from './call.js';
import { native } from './native.js';
import { scriptName, withScriptNames } from './script_names.js';
import { Tensor } from './tensor.js';

/** What becomes of the losses: their mean or sum (shape []), or themselves. */
export type Reduction = 'mean' | 'sum' | 'none';

/** Names of a function, which is the engine's, and of what it takes: inputs end in "?" where they may be left out, in "[]" where they may be lists. */
interface Declaration {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly options: readonly string[];
}

type Given = Tensor | readonly number[] | null | undefined;

const withoutMark = (input: string) => input.replace(/\?$|\[\]$/, '');

function checkInput(use: string, value: Given): void {
  const optional = use.endsWith('?') && (value === null || value === undefined);
  const list = use.endsWith('[]') && Array.isArray(value);
  if (!optional && !list) handleOf(withoutMark(use), value as Tensor);
}

/** "labelSmoothing" -> "label_smoothing". */
const engineName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Calls the engine's function of that index. Throws ArgumentError for an input that is no tensor or, where it may be, list. */
export function applyFunction(
  index: number,
  { name, inputs, options: names }: Declaration,
  given: readonly Given[],
  options: { readonly [option: string]: Attribute },
): Tensor {
  const called = scriptName(name);
  const attributes = valuesOf(called, options, names);
  inputs.forEach((input, i) => {
    checkInput(`${called}: ${input}`, given[i]);
  });
  writeCall(called, given, attributes, inputs);
  try {
    return new Tensor(native().callFunction(index, given.length));
  } catch (error) {
    throw withScriptNames(error, [name, ...[...inputs.map(withoutMark), ...names].map(engineName)]);
  }
}
