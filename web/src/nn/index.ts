/** Modules, losses and functions of neural networks, under PyTorch's names. */

import { handleOf, numberOf } from '../arguments.js';
import { native } from '../native.js';
import { Tensor } from '../tensor.js';

export * from '../generated/functional.js';
export * from '../generated/losses.js';
export * from '../generated/modules.js';
export type { Reduction } from '../apply_function.js';
export { logSoftmax, relu, sigmoid, softmax, tanh } from '../tensor_functions.js';
export { clipGradNorm, clipGradValue } from './clip_grad.js';
export { ModuleDict, ModuleList, Sequential } from './containers.js';
export { Module, type NamedTensor, parameter, type TensorKind } from './module.js';
export type { AttentionInputs } from './native_module.js';
export { Transformer, TransformerDecoder, TransformerEncoder } from './transformer.js';

/**
 * Zeroes each element with probability `p` and scales the others by 1 / (1 - p); without `training`, gives the input
 * itself. Throws ArgumentError unless p is in [0, 1], and TraceError(UnsupportedOperation) while tracing.
 */
export function dropout(input: Tensor, p = 0.5, training = true): Tensor {
  return training ? new Tensor(native().dropout(handleOf('dropout', input), numberOf('dropout: p', p))) : input;
}
