/** What the generated functions of tensors share. */

import { checkPositional, handleOf, valuesOf } from './arguments.js';
import { type Attribute, writeCall } from './call.js';
import { native } from './native.js';
import { scriptName, withScriptNames } from './script_names.js';
import { Tensor } from './tensor.js';

/** What becomes of the losses: their mean or sum (shape []), or themselves. */
export type Reduction = 'mean' | 'sum' | 'none';

/** Names of a function, which is the engine's, and of what it takes: inputs end in "?" where they may be left out, in "[]" where they may be lists, or one number. */
interface Declaration {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly options: readonly string[];
}

type Given = Tensor | number | readonly number[] | null | undefined;

const withoutMark = (input: string) => input.replace(/\?$|\[\]$/, '');

function checkInput(use: string, value: Given): void {
  const optional = use.endsWith('?') && (value === null || value === undefined);
  const list = use.endsWith('[]') && (Array.isArray(value) || typeof value === 'number');
  if (!optional && !list) handleOf(withoutMark(use), value as Tensor);
}

/** "labelSmoothing" -> "label_smoothing". */
const engineName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Calls the engine's function of that index; `required` are options that go by position. Throws ArgumentError for an input
 * that is no tensor or, where it may be, list.
 */
export function applyFunction(
  index: number,
  { name, inputs, options: names }: Declaration,
  given: readonly Given[],
  options: { readonly [option: string]: Attribute },
  required: { readonly [option: string]: Attribute } = {},
): Tensor {
  const called = scriptName(name);
  checkPositional(called, Object.values(required));
  const attributes = [...Object.values(required), ...valuesOf(called, options, names)];
  inputs.forEach((input, i) => {
    checkInput(`${called}: ${input}`, given[i]);
  });
  const operands = given.map((each) => (typeof each === 'number' ? [each] : each));
  writeCall(called, operands, attributes, inputs);
  try {
    return new Tensor(native().callFunction(index, given.length));
  } catch (error) {
    throw withScriptNames(error, [
      name,
      ...[...inputs.map(withoutMark), ...Object.keys(required), ...names].map(engineName),
    ]);
  }
}
