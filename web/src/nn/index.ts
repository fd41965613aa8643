/** Modules, losses and functions of neural networks, under PyTorch's names. */

import { ArgumentError } from '../errors.js';
import { native } from '../native.js';
import { Tensor } from '../tensor.js';

export * from '../generated/modules.js';
export { Module, ModuleList, type NamedTensor, parameter, Sequential, type TensorKind } from './module.js';

export type Reduction = 'mean' | 'sum' | 'none';

function loss(name: string, input: Tensor, target: Tensor, reduction: Reduction): Tensor {
  if (!(target instanceof Tensor)) throw new ArgumentError(`${name}: the target is no tensor`, 'Argument');
  return new Tensor(native().loss(name, input.handle, target.handle, reduction));
}

/** (input - target)², averaged by default; both of one shape. */
export function mseLoss(input: Tensor, target: Tensor, reduction: Reduction = 'mean'): Tensor {
  return loss('mse_loss', input, target, reduction);
}

/**
 * The negative logarithm of the softmax of `logits` [N, C, …] at the classes `target` (int64 [N, …]), or weighted by
 * probabilities of the logits' shape. Not traceable.
 */
export function crossEntropy(logits: Tensor, target: Tensor, reduction: Reduction = 'mean'): Tensor {
  return loss('cross_entropy', logits, target, reduction);
}

/** -logProbabilities[n, target[n]]. Not traceable. */
export function nllLoss(logProbabilities: Tensor, target: Tensor, reduction: Reduction = 'mean'): Tensor {
  return loss('nll_loss', logProbabilities, target, reduction);
}

/** Zeroes each element with probability `p` and scales the others by 1 / (1 - p), when training. */
export function dropout(input: Tensor, p = 0.5, training = true): Tensor {
  return training ? new Tensor(native().dropout(input.handle, p)) : input;
}
