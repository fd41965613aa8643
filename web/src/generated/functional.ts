// Generated from src/nn by scripts/generate; do not edit.
//
// Each function throws ShapeError, DTypeError or ArgumentError, which name the argument, what was expected and what
// was got. Losses of classes and sequences throw TraceError(UnsupportedOperation) while tracing.

import { applyFunction, type Reduction } from '../apply_function.js';
import type { Tensor } from '../tensor.js';

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
  return applyFunction(
    0,
    { name: 'mse_loss', inputs: ['input', 'target'], options: ['reduction'] },
    [input, target],
    options,
  );
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
  return applyFunction(
    1,
    { name: 'l1_loss', inputs: ['input', 'target'], options: ['reduction'] },
    [input, target],
    options,
  );
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
  return applyFunction(
    2,
    { name: 'smooth_l1_loss', inputs: ['input', 'target'], options: ['reduction', 'beta'] },
    [input, target],
    options,
  );
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
  return applyFunction(
    3,
    { name: 'huber_loss', inputs: ['input', 'target'], options: ['reduction', 'delta'] },
    [input, target],
    options,
  );
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
  return applyFunction(
    4,
    { name: 'binary_cross_entropy', inputs: ['input', 'target'], options: ['weight', 'reduction'] },
    [input, target],
    options,
  );
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
  return applyFunction(
    5,
    {
      name: 'binary_cross_entropy_with_logits',
      inputs: ['input', 'target'],
      options: ['weight', 'reduction', 'posWeight'],
    },
    [input, target],
    options,
  );
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
  return applyFunction(
    6,
    { name: 'kl_div', inputs: ['input', 'target'], options: ['reduction', 'logTarget'] },
    [input, target],
    options,
  );
}

/**
 * -input[n, target[n]]; "none" gives [N, …], "mean" divides by the sum of the weights.
 * @param input logarithms of probabilities [N, C, …] or [C]
 * @param target classes [N, …] or one
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
  return applyFunction(
    7,
    { name: 'nll_loss', inputs: ['input', 'target'], options: ['weight', 'ignoreIndex', 'reduction'] },
    [input, target],
    options,
  );
}

/**
 * the negative logarithm of the softmax over the classes of the scores: at the target's classes, or weighted by its probabilities; "none" gives [N, …].
 * @param input scores [N, C, …] or [C]
 * @param target classes [N, …] or one, or probabilities of the shape of the scores
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
  return applyFunction(
    8,
    {
      name: 'cross_entropy',
      inputs: ['input', 'target'],
      options: ['weight', 'ignoreIndex', 'reduction', 'labelSmoothing'],
    },
    [input, target],
    options,
  );
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
  return applyFunction(
    9,
    {
      name: 'ctc_loss',
      inputs: ['logProbs', 'targets', 'inputLengths[]', 'targetLengths[]'],
      options: ['blank', 'reduction', 'zeroInfinity'],
    },
    [logProbs, targets, inputLengths, targetLengths],
    options,
  );
}

/**
 * softmax(query keyᵀ scale + mask) value.
 * @param query […, L, E]
 * @param key […, S, E]
 * @param value […, S, V]
 * @param attnMask broadcasts to […, L, S], but [batch, L, S] beside [batch, heads, L, E] serves all heads: bool, true where a key takes part, or what is added (optional)
 */
export function scaledDotProductAttention(
  query: Tensor,
  key: Tensor,
  value: Tensor,
  attnMask?: Tensor | null,
  options: {
    /** probability of dropout of the weights; 0. */
    dropoutP?: number;
    /** whether query i sees keys 0 … i only; false. */
    isCausal?: boolean;
    /** factor of the products; 1 / √E when left out; none. */
    scale?: number;
    /** whether a head of key and value serves several of query; false. */
    enableGqa?: boolean;
  } = {},
): Tensor {
  return applyFunction(
    10,
    {
      name: 'scaled_dot_product_attention',
      inputs: ['query', 'key', 'value', 'attnMask?'],
      options: ['dropoutP', 'isCausal', 'scale', 'enableGqa'],
    },
    [query, key, value, attnMask],
    options,
  );
}

/**
 * input / max(its norm along dim, eps).
 * @param input values
 */
export function normalize(
  input: Tensor,
  options: {
    /** exponent of the norm, or infinity; 2. */
    p?: number;
    /** axis; 1. */
    dim?: number;
    /** the smallest divisor; 1e-12. */
    eps?: number;
  } = {},
): Tensor {
  return applyFunction(11, { name: 'normalize', inputs: ['input'], options: ['p', 'dim', 'eps'] }, [input], options);
}

/**
 * products along dim, each operand divided by its norm or eps if that is larger.
 * @param x1 values
 * @param x2 values of as many axes, which broadcast with x1
 */
export function cosineSimilarity(
  x1: Tensor,
  x2: Tensor,
  options: {
    /** axis; 1. */
    dim?: number;
    /** the smallest norm; 1e-08. */
    eps?: number;
  } = {},
): Tensor {
  return applyFunction(
    12,
    { name: 'cosine_similarity', inputs: ['x1', 'x2'], options: ['dim', 'eps'] },
    [x1, x2],
    options,
  );
}

/**
 * the input with elements around it.
 * @param input values
 * @param pad elements before and after the last axis, then the one before it, …; negative ones remove
 */
export function pad(
  input: Tensor,
  pad: Tensor | readonly number[],
  options: {
    /** constant, reflect, replicate or circular; "constant". */
    mode?: 'constant' | 'reflect' | 'replicate' | 'circular';
    /** what constant mode puts there; 0. */
    value?: number;
  } = {},
): Tensor {
  return applyFunction(
    13,
    { name: 'pad', inputs: ['input', 'pad[]'], options: ['mode', 'value'] },
    [input, pad],
    options,
  );
}

/**
 * x for x >= 0, weight x below.
 * @param input values
 * @param weight slopes below zero: one, or one per channel (axis 1)
 */
export function prelu(input: Tensor, weight: Tensor): Tensor {
  return applyFunction(14, { name: 'prelu', inputs: ['input', 'weight'], options: [] }, [input, weight], {});
}

/**
 * x for x >= 0, negative_slope * x below.
 * @param input values
 */
export function leakyRelu(
  input: Tensor,
  options: {
    /** slope below zero; 0.01. */
    negativeSlope?: number;
  } = {},
): Tensor {
  return applyFunction(15, { name: 'leaky_relu', inputs: ['input'], options: ['negativeSlope'] }, [input], options);
}

/**
 * x times the normal distribution's cumulative function at x.
 * @param input values
 */
export function gelu(
  input: Tensor,
  options: {
    /** none or tanh; none is exact, by erf; "none". */
    approximate?: 'none' | 'tanh';
  } = {},
): Tensor {
  return applyFunction(16, { name: 'gelu', inputs: ['input'], options: ['approximate'] }, [input], options);
}

/**
 * clip(x / 6 + 1 / 2, 0, 1).
 * @param input values
 */
export function hardsigmoid(input: Tensor): Tensor {
  return applyFunction(17, { name: 'hardsigmoid', inputs: ['input'], options: [] }, [input], {});
}

/**
 * x clip(x / 6 + 1 / 2, 0, 1).
 * @param input values
 */
export function hardswish(input: Tensor): Tensor {
  return applyFunction(18, { name: 'hardswish', inputs: ['input'], options: [] }, [input], {});
}

/**
 * x sigmoid(x).
 * @param input values
 */
export function silu(input: Tensor): Tensor {
  return applyFunction(19, { name: 'silu', inputs: ['input'], options: [] }, [input], {});
}

/**
 * x tanh(softplus(x)).
 * @param input values
 */
export function mish(input: Tensor): Tensor {
  return applyFunction(20, { name: 'mish', inputs: ['input'], options: [] }, [input], {});
}

/**
 * scaled exponential linear unit.
 * @param input values
 */
export function selu(input: Tensor): Tensor {
  return applyFunction(21, { name: 'selu', inputs: ['input'], options: [] }, [input], {});
}

/**
 * x / (1 + |x|).
 * @param input values
 */
export function softsign(input: Tensor): Tensor {
  return applyFunction(22, { name: 'softsign', inputs: ['input'], options: [] }, [input], {});
}

/**
 * the logarithm of the sigmoid.
 * @param input values
 */
export function logsigmoid(input: Tensor): Tensor {
  return applyFunction(23, { name: 'logsigmoid', inputs: ['input'], options: [] }, [input], {});
}

/**
 * min(max(x, 0), 6).
 * @param input values
 */
export function relu6(input: Tensor): Tensor {
  return applyFunction(24, { name: 'relu6', inputs: ['input'], options: [] }, [input], {});
}

/**
 * x above zero, alpha (e^x - 1) below.
 * @param input values
 */
export function elu(
  input: Tensor,
  options: {
    /** factor below zero; 1. */
    alpha?: number;
  } = {},
): Tensor {
  return applyFunction(25, { name: 'elu', inputs: ['input'], options: ['alpha'] }, [input], options);
}

/**
 * x above zero, alpha (e^(x / alpha) - 1) below.
 * @param input values
 */
export function celu(
  input: Tensor,
  options: {
    /** factor below zero; 1. */
    alpha?: number;
  } = {},
): Tensor {
  return applyFunction(26, { name: 'celu', inputs: ['input'], options: ['alpha'] }, [input], options);
}

/**
 * log(1 + e^(beta x)) / beta.
 * @param input values
 */
export function softplus(
  input: Tensor,
  options: {
    /** steepness; 1. */
    beta?: number;
    /** beta x beyond which PyTorch returns x; without effect here; 20. */
    threshold?: number;
  } = {},
): Tensor {
  return applyFunction(27, { name: 'softplus', inputs: ['input'], options: ['beta', 'threshold'] }, [input], options);
}

/**
 * min(max(x, min_val), max_val).
 * @param input values
 */
export function hardtanh(
  input: Tensor,
  options: {
    /** lower bound; -1. */
    minVal?: number;
    /** upper bound; 1. */
    maxVal?: number;
  } = {},
): Tensor {
  return applyFunction(28, { name: 'hardtanh', inputs: ['input'], options: ['minVal', 'maxVal'] }, [input], options);
}

/**
 * the first half along dim times the sigmoid of the second.
 * @param input values
 */
export function glu(
  input: Tensor,
  options: {
    /** axis that is halved; -1. */
    dim?: number;
  } = {},
): Tensor {
  return applyFunction(29, { name: 'glu', inputs: ['input'], options: ['dim'] }, [input], options);
}
