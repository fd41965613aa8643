/** What the generated functions of tensors share. */

import { handleOf, valuesOf } from './arguments.js';
import { type Attribute, writeCall } from './call.js';
import { native } from './native.js';
import { Tensor } from './tensor.js';

/** What becomes of the losses: their mean or sum (shape []), or themselves. */
export type Reduction = 'mean' | 'sum' | 'none';

/** Names of a function and of what it takes: inputs end in "?" where they may be left out, in "[]" where they may be lists. */
interface Declaration {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly options: readonly string[];
}

type Given = Tensor | readonly number[] | null | undefined;

function checkInput(use: string, value: Given): void {
  const optional = use.endsWith('?') && (value === null || value === undefined);
  const list = use.endsWith('[]') && Array.isArray(value);
  if (!optional && !list) handleOf(use.replace(/\?|\[\]$/, ''), value as Tensor);
}

/** Calls the engine's function of that index. Throws ArgumentError for an input that is no tensor or, where it may be, list. */
export function applyFunction(
  index: number,
  { name, inputs, options: names }: Declaration,
  given: readonly Given[],
  options: { readonly [option: string]: Attribute },
): Tensor {
  const attributes = valuesOf(name, options, names);
  inputs.forEach((input, i) => {
    checkInput(`${name}: ${input}`, given[i]);
  });
  writeCall(name, given, attributes);
  return new Tensor(native().callFunction(index, given.length));
}
