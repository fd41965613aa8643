// Generated from src/nn by scripts/generate; do not edit.
//
// Each loss throws ShapeError, DTypeError or ArgumentError, which name the argument, what was expected and what
// was got. Those of classes and sequences throw TraceError(UnsupportedOperation) while tracing.

import { applyLoss, type Reduction } from '../loss.js';
import type { Tensor } from '../tensor.js';

/** Names in the order in which the engine takes them. */
const losses = [
  { name: 'mse_loss', inputs: ['input', 'target'], options: ['reduction'] },
  { name: 'l1_loss', inputs: ['input', 'target'], options: ['reduction'] },
  { name: 'smooth_l1_loss', inputs: ['input', 'target'], options: ['reduction', 'beta'] },
  { name: 'huber_loss', inputs: ['input', 'target'], options: ['reduction', 'delta'] },
  { name: 'binary_cross_entropy', inputs: ['input', 'target'], options: ['weight', 'reduction'] },
  {
    name: 'binary_cross_entropy_with_logits',
    inputs: ['input', 'target'],
    options: ['weight', 'reduction', 'posWeight'],
  },
  { name: 'kl_div', inputs: ['input', 'target'], options: ['reduction', 'logTarget'] },
  { name: 'nll_loss', inputs: ['input', 'target'], options: ['weight', 'ignoreIndex', 'reduction'] },
  {
    name: 'cross_entropy',
    inputs: ['input', 'target'],
    options: ['weight', 'ignoreIndex', 'reduction', 'labelSmoothing'],
  },
  {
    name: 'ctc_loss',
    inputs: ['logProbs', 'targets', 'inputLengths', 'targetLengths'],
    options: ['blank', 'reduction', 'zeroInfinity'],
  },
] as const;

/**
 * (input - target)².
 * @param input values
 * @param target values of the same shape
 */
export function mseLoss(
  input: Tensor,
  target: Tensor,
  options: {
    /** mean, sum or none; "mean". */
    reduction?: Reduction;
  } = {},
): Tensor {
  return applyLoss(0, losses[0], [input, target], options);
}

/**
 * |input - target|.
 * @param input values
 * @param target values of the same shape
 */
export function l1Loss(
  input: Tensor,
  target: Tensor,
  options: {
    /** mean, sum or none; "mean". */
    reduction?: Reduction;
  } = {},
): Tensor {
  return applyLoss(1, losses[1], [input, target], options);
}

/**
 * with d = |input - target|: d² / (2 beta) where d < beta, else d - beta / 2.
 * @param input values
 * @param target values of the same shape
 */
export function smoothL1Loss(
  input: Tensor,
  target: Tensor,
  options: {
    /** mean, sum or none; "mean". */
    reduction?: Reduction;
    /** the distance at which squares give way to lines; 1. */
    beta?: number;
  } = {},
): Tensor {
  return applyLoss(2, losses[2], [input, target], options);
}

/**
 * with d = |input - target|: d² / 2 where d <= delta, else delta (d - delta / 2).
 * @param input values
 * @param target values of the same shape
 */
export function huberLoss(
  input: Tensor,
  target: Tensor,
  options: {
    /** mean, sum or none; "mean". */
    reduction?: Reduction;
    /** the distance at which squares give way to lines; 1. */
    delta?: number;
  } = {},
): Tensor {
  return applyLoss(3, losses[3], [input, target], options);
}

/**
 * -(target log(input) + (1 - target) log(1 - input)) for probabilities, with logarithms of at least -100.
 * @param input values
 * @param target values of the same shape
 */
export function binaryCrossEntropy(
  input: Tensor,
  target: Tensor,
  options: {
    /** a factor of the losses, which broadcasts; none. */
    weight?: Tensor;
    /** mean, sum or none; "mean". */
    reduction?: Reduction;
  } = {},
): Tensor {
  return applyLoss(4, losses[4], [input, target], options);
}

/**
 * binary cross entropy of the input's sigmoid, without its overflow.
 * @param input values
 * @param target values of the same shape
 */
export function binaryCrossEntropyWithLogits(
  input: Tensor,
  target: Tensor,
  options: {
    /** a factor of the losses, which broadcasts; none. */
    weight?: Tensor;
    /** mean, sum or none; "mean". */
    reduction?: Reduction;
    /** a factor of the target's part, which broadcasts; none. */
    posWeight?: Tensor;
  } = {},
): Tensor {
  return applyLoss(5, losses[5], [input, target], options);
}

/**
 * target (log(target) - input); "batchmean" divides the sum by the first extent.
 * @param input logarithms of probabilities
 * @param target probabilities
 */
export function klDiv(
  input: Tensor,
  target: Tensor,
  options: {
    /** mean, batchmean, sum or none; "mean". */
    reduction?: Reduction | 'batchmean';
    /** whether the target is a logarithm too; false. */
    logTarget?: boolean;
  } = {},
): Tensor {
  return applyLoss(6, losses[6], [input, target], options);
}

/**
 * -input[n, target[n]]; "none" gives [N, …], "mean" divides by the sum of the weights.
 * @param input logarithms of probabilities [N, C, …]
 * @param target classes [N, …]
 */
export function nllLoss(
  input: Tensor,
  target: Tensor,
  options: {
    /** [C], a factor of each class's losses; none. */
    weight?: Tensor;
    /** a class whose places lose nothing and do not count in the mean; -100. */
    ignoreIndex?: number;
    /** mean, sum or none; "mean". */
    reduction?: Reduction;
  } = {},
): Tensor {
  return applyLoss(7, losses[7], [input, target], options);
}

/**
 * the negative logarithm of the softmax over axis 1 of the scores: at the target's classes, or weighted by its probabilities; "none" gives [N, …].
 * @param input scores [N, C, …]
 * @param target classes [N, …], or probabilities [N, C, …]
 */
export function crossEntropy(
  input: Tensor,
  target: Tensor,
  options: {
    /** [C], a factor of each class's losses; none. */
    weight?: Tensor;
    /** a class whose places lose nothing and do not count in the mean; -100. */
    ignoreIndex?: number;
    /** mean, sum or none; "mean". */
    reduction?: Reduction;
    /** share of the target that goes to all classes evenly; 0. */
    labelSmoothing?: number;
  } = {},
): Tensor {
  return applyLoss(8, losses[8], [input, target], options);
}

/**
 * connectionist temporal classification: the negative logarithm of the probability that the input spells the target; "none" gives [N], "mean" divides each by its target's length first.
 * @param logProbs logarithms of probabilities [T, N, C]
 * @param targets labels [N, S]
 * @param inputLengths steps of each input, N numbers
 * @param targetLengths labels of each target, N numbers
 */
export function ctcLoss(
  logProbs: Tensor,
  targets: Tensor,
  inputLengths: Tensor | readonly number[],
  targetLengths: Tensor | readonly number[],
  options: {
    /** the class that stands for no label; 0. */
    blank?: number;
    /** mean, sum or none; "mean". */
    reduction?: Reduction;
    /** whether a target that does not fit its input loses nothing; false. */
    zeroInfinity?: boolean;
  } = {},
): Tensor {
  return applyLoss(9, losses[9], [logProbs, targets, inputLengths, targetLengths], options);
}
