/** Modules, losses and functions of neural networks, under PyTorch's names. */

import { native } from '../native.js';
import { handleOf, Tensor } from '../tensor.js';

export * from '../generated/modules.js';
export { ModuleList, Sequential } from './containers.js';
export { Module, type NamedTensor, parameter, type TensorKind } from './module.js';

/** What becomes of the losses: their mean or sum (shape []), or themselves. */
export type Reduction = 'mean' | 'sum' | 'none';

function loss(name: string, input: Tensor, target: Tensor, reduction: Reduction): Tensor {
  const handles = [handleOf(`${name}: input`, input), handleOf(`${name}: target`, target)] as const;
  return new Tensor(native().loss(name, ...handles, String(reduction)));
}

/** (input - target)²; both of one shape and floating dtype. Throws ShapeError or DTypeError. */
export function mseLoss(input: Tensor, target: Tensor, reduction: Reduction = 'mean'): Tensor {
  return loss('mse_loss', input, target, reduction);
}

/** |input - target|; both of one shape and floating dtype. Throws ShapeError or DTypeError. */
export function l1Loss(input: Tensor, target: Tensor, reduction: Reduction = 'mean'): Tensor {
  return loss('l1_loss', input, target, reduction);
}

/** Half the square of the difference d where |d| < 1, |d| - 1/2 beyond. Errors as of `l1Loss`. */
export function smoothL1Loss(input: Tensor, target: Tensor, reduction: Reduction = 'mean'): Tensor {
  return loss('smooth_l1_loss', input, target, reduction);
}

/** As `smoothL1Loss`: Huber's loss with delta 1. */
export function huberLoss(input: Tensor, target: Tensor, reduction: Reduction = 'mean'): Tensor {
  return loss('huber_loss', input, target, reduction);
}

/** -(target log input + (1 - target) log(1 - input)) for probabilities `input`. Errors as of `l1Loss`. */
export function binaryCrossEntropy(input: Tensor, target: Tensor, reduction: Reduction = 'mean'): Tensor {
  return loss('binary_cross_entropy', input, target, reduction);
}

/** `binaryCrossEntropy` of the sigmoid of `logits`, without its overflow. Errors as of `l1Loss`. */
export function binaryCrossEntropyWithLogits(logits: Tensor, target: Tensor, reduction: Reduction = 'mean'): Tensor {
  return loss('binary_cross_entropy_with_logits', logits, target, reduction);
}

/** target (log target - input) for logarithms of probabilities `input` and probabilities `target`. Errors as of `l1Loss`. */
export function klDiv(input: Tensor, target: Tensor, reduction: Reduction = 'mean'): Tensor {
  return loss('kl_div', input, target, reduction);
}

/**
 * The negative logarithm of the softmax over axis 1 of `logits` [N, C, …]: at the classes `target`, int64 or int32
 * [N, …], or weighted by its probabilities, floating [N, C, …]. "none" gives [N, …]. Throws ShapeError or DTypeError,
 * ArgumentError for a class outside [0, C), and TraceError(UnsupportedOperation) while tracing.
 */
export function crossEntropy(logits: Tensor, target: Tensor, reduction: Reduction = 'mean'): Tensor {
  return loss('cross_entropy', logits, target, reduction);
}

/**
 * -logProbabilities[n, target[n]] for [N, C, …] and classes of int64 or int32 [N, …]; "none" gives [N, …]. Errors as of
 * `crossEntropy`.
 */
export function nllLoss(logProbabilities: Tensor, target: Tensor, reduction: Reduction = 'mean'): Tensor {
  return loss('nll_loss', logProbabilities, target, reduction);
}

/**
 * Zeroes each element with probability `p` and scales the others by 1 / (1 - p); without `training`, gives the input
 * itself. Throws ArgumentError unless p is in [0, 1], and TraceError(UnsupportedOperation) while tracing.
 */
export function dropout(input: Tensor, p = 0.5, training = true): Tensor {
  return training ? new Tensor(native().dropout(handleOf('dropout', input), p)) : input;
}
