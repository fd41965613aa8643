/** Bounds on gradients before an optimizer's step. */

import { writeCall } from '../call.js';
import { native } from '../native.js';
import type { Tensor } from '../tensor.js';

/**
 * Scales all gradients so that their norm together is at most `maxNorm`: by maxNorm / (norm + 1e-6) when that is below
 * 1. Returns the norm before. Parameters without gradient are left out; `normType` is the norm's power, which may be
 * Infinity. Throws ArgumentError for a negative maxNorm or a normType that is not positive.
 */
export function clipGradNorm(parameters: readonly Tensor[], maxNorm: number, { normType = 2 } = {}): number {
  writeCall('clipGradNorm', parameters);
  return native().clipGradNorm(parameters.length, maxNorm, normType);
}

/** Bounds each element of the gradients to [-clipValue, clipValue]. Throws ArgumentError for a negative clipValue. */
export function clipGradValue(parameters: readonly Tensor[], clipValue: number): void {
  writeCall('clipGradValue', parameters);
  native().clipGradValue(parameters.length, clipValue);
}
