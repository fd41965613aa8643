/** What the generated loss functions share. */

import { handleOf, valuesOf } from './arguments.js';
import { type Attribute, writeCall } from './call.js';
import { DTypeError, ShapeError } from './errors.js';
import { native } from './native.js';
import { retold, scriptName, withScriptNames } from './script_names.js';
import { Tensor } from './tensor.js';

/** What becomes of the losses: their mean or sum (shape []), or themselves. */
export type Reduction = 'mean' | 'sum' | 'none';

/** Names of a loss, which is the engine's, and of what it takes. */
interface Loss {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly options: readonly string[];
}

/** "labelSmoothing" -> "label_smoothing". */
const engineName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const ofClasses = ['nll_loss', 'cross_entropy'];

/** The error with what helps when floats, one for each place, were given as classes. */
function withHint(error: unknown, name: string, [input, target]: readonly unknown[]): unknown {
  if (!(error instanceof ShapeError || error instanceof DTypeError) || !ofClasses.includes(name)) return error;
  if (!(input instanceof Tensor && target instanceof Tensor)) return error;
  if (!target.dtype.includes('float') || target.rank !== input.rank - 1) return error;
  const hint = "classes are integers, as in om.tensor([2, 0], 'int64') or target.cast('int64')";
  return retold(error, `${error.message}; ${hint}`);
}

/** Calls the engine's loss of that index. Throws ArgumentError for an input that is no tensor or, for lengths, list. */
export function applyLoss(
  index: number,
  { name, inputs, options: names }: Loss,
  given: readonly (Tensor | readonly number[])[],
  options: { readonly [option: string]: Attribute },
): Tensor {
  const called = scriptName(name);
  const attributes = valuesOf(called, options, names);
  given.forEach((each, i) => {
    if (i < 2 || !Array.isArray(each)) handleOf(`${called}: ${inputs[i]}`, each as Tensor);
  });
  writeCall(called, given, attributes);
  try {
    return new Tensor(native().loss(index, given.length));
  } catch (error) {
    throw withHint(withScriptNames(error, [name, ...[...inputs, ...names].map(engineName)]), name, given);
  }
}
