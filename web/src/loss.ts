/** What the generated loss functions share. */

import { handleOf, valuesOf } from './arguments.js';
import { type Attribute, writeCall } from './call.js';
import { native } from './native.js';
import { Tensor } from './tensor.js';

/** What becomes of the losses: their mean or sum (shape []), or themselves. */
export type Reduction = 'mean' | 'sum' | 'none';

/** Names of a loss and of what it takes. */
interface Loss {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly options: readonly string[];
}

/** Calls the engine's loss of that index. Throws ArgumentError for an input that is no tensor or, for lengths, list. */
export function applyLoss(
  index: number,
  { name, inputs, options: names }: Loss,
  given: readonly (Tensor | readonly number[])[],
  options: { readonly [option: string]: Attribute },
): Tensor {
  const attributes = valuesOf(name, options, names);
  given.forEach((each, i) => {
    if (i < 2 || !Array.isArray(each)) handleOf(`${name}: ${inputs[i]}`, each as Tensor);
  });
  writeCall(name, given, attributes);
  return new Tensor(native().loss(index, given.length));
}
