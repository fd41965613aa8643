/** Bounds on gradients before an optimizer's step. */

import { checkedOptions, numberOf, tensorsOf } from '../arguments.js';
import { writeCall } from '../call.js';
import { native } from '../native.js';
import { spellingArguments } from '../script_names.js';
import type { Tensor } from '../tensor.js';

/**
 * Scales all gradients so that their norm together is at most `maxNorm`: by maxNorm / (norm + 1e-6) when that is below
 * 1. Returns the norm before. Parameters without gradient are left out; `normType` is the norm's power, which may be
 * Infinity. Throws ArgumentError for a negative maxNorm or a normType that is not positive.
 */
export function clipGradNorm(
  parameters: readonly Tensor[],
  maxNorm: number,
  options: { normType?: number } = {},
): number {
  const { normType = 2 } = checkedOptions('clipGradNorm', options, ['normType']);
  const [most, power] = [numberOf('clipGradNorm: maxNorm', maxNorm), numberOf('clipGradNorm: normType', normType)];
  writeCall('clipGradNorm', tensorsOf('clipGradNorm: parameters', parameters));
  return spellingArguments(() => native().clipGradNorm(parameters.length, most, power));
}

/** Bounds each element of the gradients to [-clipValue, clipValue]. Throws ArgumentError for a negative clipValue. */
export function clipGradValue(parameters: readonly Tensor[], clipValue: number): void {
  const most = numberOf('clipGradValue: clipValue', clipValue);
  writeCall('clipGradValue', tensorsOf('clipGradValue: parameters', parameters));
  spellingArguments(() => native().clipGradValue(parameters.length, most));
}
