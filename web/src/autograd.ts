/** Modes of recording. */

import { checkFunction } from './arguments.js';
import { native } from './native.js';

function withGrad<R>(enabled: boolean, fn: () => R): R {
  checkFunction('noGrad', fn);
  const module = native();
  const before = module.gradEnabled();
  module.setGradEnabled(enabled);
  const restore = () => module.setGradEnabled(before);
  let result: R;
  try {
    result = fn();
  } catch (error) {
    restore();
    throw error;
  }
  if (result instanceof Promise) return result.finally(restore) as R;
  restore();
  return result;
}

/**
 * Runs `fn` without records: nothing made inside has a gradient. Gives what `fn` gives; a promise is awaited first, and
 * nothing else may run beside it that wants gradients. Throws TraceError(NoGradInTrace) while tracing.
 */
export function noGrad<R>(fn: () => R): R {
  return withGrad(false, fn);
}
