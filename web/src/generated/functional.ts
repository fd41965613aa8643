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
  inputLengths: Tensor | number | readonly number[],
  targetLengths: Tensor | number | readonly number[],
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
  pad: Tensor | number | readonly number[],
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

/**
 * the input times the transposed weight, plus the bias.
 * @param input […, in]
 * @param weight [out, in]
 * @param bias [out] (optional)
 */
export function linear(input: Tensor, weight: Tensor, bias?: Tensor | null): Tensor {
  return applyFunction(
    33,
    { name: 'linear', inputs: ['input', 'weight', 'bias?'], options: [] },
    [input, weight, bias],
    {},
  );
}

/**
 * cross-correlation of the input with the weight, plus the bias.
 * @param input [batch, channels, …], or without the batch
 * @param weight [out, in / groups, …]
 * @param bias [out] (optional)
 */
export function conv1d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null,
  options: {
    /** step of the window; [1]. */
    stride?: number | readonly number[];
    /** elements put at both ends; "same": as many as keep the extents, with stride 1; "valid": none; [0]. */
    padding?: number | readonly number[] | 'same' | 'valid';
    /** distance between the window's elements; [1]. */
    dilation?: number | readonly number[];
    /** independent groups of channels; 1. */
    groups?: number;
  } = {},
): Tensor {
  return applyFunction(
    34,
    { name: 'conv1d', inputs: ['input', 'weight', 'bias?'], options: ['stride', 'padding', 'dilation', 'groups'] },
    [input, weight, bias],
    options,
  );
}

/**
 * cross-correlation of the input with the weight, plus the bias.
 * @param input [batch, channels, …], or without the batch
 * @param weight [out, in / groups, …]
 * @param bias [out] (optional)
 */
export function conv2d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null,
  options: {
    /** step of the window; [1]. */
    stride?: number | readonly number[];
    /** elements put at both ends; "same": as many as keep the extents, with stride 1; "valid": none; [0]. */
    padding?: number | readonly number[] | 'same' | 'valid';
    /** distance between the window's elements; [1]. */
    dilation?: number | readonly number[];
    /** independent groups of channels; 1. */
    groups?: number;
  } = {},
): Tensor {
  return applyFunction(
    35,
    { name: 'conv2d', inputs: ['input', 'weight', 'bias?'], options: ['stride', 'padding', 'dilation', 'groups'] },
    [input, weight, bias],
    options,
  );
}

/**
 * cross-correlation of the input with the weight, plus the bias.
 * @param input [batch, channels, …], or without the batch
 * @param weight [out, in / groups, …]
 * @param bias [out] (optional)
 */
export function conv3d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null,
  options: {
    /** step of the window; [1]. */
    stride?: number | readonly number[];
    /** elements put at both ends; "same": as many as keep the extents, with stride 1; "valid": none; [0]. */
    padding?: number | readonly number[] | 'same' | 'valid';
    /** distance between the window's elements; [1]. */
    dilation?: number | readonly number[];
    /** independent groups of channels; 1. */
    groups?: number;
  } = {},
): Tensor {
  return applyFunction(
    36,
    { name: 'conv3d', inputs: ['input', 'weight', 'bias?'], options: ['stride', 'padding', 'dilation', 'groups'] },
    [input, weight, bias],
    options,
  );
}

/**
 * transpose of the convolution.
 * @param input [batch, channels, …], or without the batch
 * @param weight [in, out / groups, …]
 * @param bias [out] (optional)
 */
export function convTranspose1d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null,
  options: {
    /** step of the window; [1]. */
    stride?: number | readonly number[];
    /** rows cut from both ends; [0]. */
    padding?: number | readonly number[];
    /** rows added at the end; [0]. */
    outputPadding?: number | readonly number[];
    /** independent groups of channels; 1. */
    groups?: number;
    /** distance between the window's elements; [1]. */
    dilation?: number | readonly number[];
  } = {},
): Tensor {
  return applyFunction(
    37,
    {
      name: 'conv_transpose1d',
      inputs: ['input', 'weight', 'bias?'],
      options: ['stride', 'padding', 'outputPadding', 'groups', 'dilation'],
    },
    [input, weight, bias],
    options,
  );
}

/**
 * transpose of the convolution.
 * @param input [batch, channels, …], or without the batch
 * @param weight [in, out / groups, …]
 * @param bias [out] (optional)
 */
export function convTranspose2d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null,
  options: {
    /** step of the window; [1]. */
    stride?: number | readonly number[];
    /** rows cut from both ends; [0]. */
    padding?: number | readonly number[];
    /** rows added at the end; [0]. */
    outputPadding?: number | readonly number[];
    /** independent groups of channels; 1. */
    groups?: number;
    /** distance between the window's elements; [1]. */
    dilation?: number | readonly number[];
  } = {},
): Tensor {
  return applyFunction(
    38,
    {
      name: 'conv_transpose2d',
      inputs: ['input', 'weight', 'bias?'],
      options: ['stride', 'padding', 'outputPadding', 'groups', 'dilation'],
    },
    [input, weight, bias],
    options,
  );
}

/**
 * transpose of the convolution.
 * @param input [batch, channels, …], or without the batch
 * @param weight [in, out / groups, …]
 * @param bias [out] (optional)
 */
export function convTranspose3d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null,
  options: {
    /** step of the window; [1]. */
    stride?: number | readonly number[];
    /** rows cut from both ends; [0]. */
    padding?: number | readonly number[];
    /** rows added at the end; [0]. */
    outputPadding?: number | readonly number[];
    /** independent groups of channels; 1. */
    groups?: number;
    /** distance between the window's elements; [1]. */
    dilation?: number | readonly number[];
  } = {},
): Tensor {
  return applyFunction(
    39,
    {
      name: 'conv_transpose3d',
      inputs: ['input', 'weight', 'bias?'],
      options: ['stride', 'padding', 'outputPadding', 'groups', 'dilation'],
    },
    [input, weight, bias],
    options,
  );
}

/**
 * the rows that the input names.
 * @param input int64 or int32 indices
 * @param weight [count, width]
 */
export function embedding(
  input: Tensor,
  weight: Tensor,
  options: {
    /** a row that gets no gradient; none. */
    paddingIdx?: number;
  } = {},
): Tensor {
  return applyFunction(
    40,
    { name: 'embedding', inputs: ['input', 'weight'], options: ['paddingIdx'] },
    [input, weight],
    options,
  );
}

/**
 * normalises over the last axes.
 * @param input values
 * @param normalizedShape extents of the last axes
 * @param weight of that shape (optional)
 * @param bias of that shape (optional)
 */
export function layerNorm(
  input: Tensor,
  normalizedShape: Tensor | number | readonly number[],
  weight?: Tensor | null,
  bias?: Tensor | null,
  options: {
    /** added to the variance; 1e-05. */
    eps?: number;
  } = {},
): Tensor {
  return applyFunction(
    41,
    { name: 'layer_norm', inputs: ['input', 'normalizedShape[]', 'weight?', 'bias?'], options: ['eps'] },
    [input, normalizedShape, weight, bias],
    options,
  );
}

/**
 * normalises over groups of channels.
 * @param input [batch, channels, …]
 * @param numGroups groups, which divide the channels
 * @param weight [channels] (optional)
 * @param bias [channels] (optional)
 */
export function groupNorm(
  input: Tensor,
  numGroups: Tensor | number | readonly number[],
  weight?: Tensor | null,
  bias?: Tensor | null,
  options: {
    /** added to the variance; 1e-05. */
    eps?: number;
  } = {},
): Tensor {
  return applyFunction(
    42,
    { name: 'group_norm', inputs: ['input', 'numGroups[]', 'weight?', 'bias?'], options: ['eps'] },
    [input, numGroups, weight, bias],
    options,
  );
}

/**
 * normalises each channel.
 * @param input [batch, channels, …]
 * @param runningMean [channels] (optional)
 * @param runningVar [channels] (optional)
 * @param weight [channels] (optional)
 * @param bias [channels] (optional)
 */
export function batchNorm(
  input: Tensor,
  runningMean?: Tensor | null,
  runningVar?: Tensor | null,
  weight?: Tensor | null,
  bias?: Tensor | null,
  options: {
    /** whether the batch's statistics are used, and the running ones move; false. */
    training?: boolean;
    /** weight of a batch in the running statistics; 0.1. */
    momentum?: number;
    /** added to the variance; 1e-05. */
    eps?: number;
  } = {},
): Tensor {
  return applyFunction(
    43,
    {
      name: 'batch_norm',
      inputs: ['input', 'runningMean?', 'runningVar?', 'weight?', 'bias?'],
      options: ['training', 'momentum', 'eps'],
    },
    [input, runningMean, runningVar, weight, bias],
    options,
  );
}

/**
 * normalises each channel of each example.
 * @param input [batch, channels, …]
 * @param runningMean [channels] (optional)
 * @param runningVar [channels] (optional)
 * @param weight [channels] (optional)
 * @param bias [channels] (optional)
 */
export function instanceNorm(
  input: Tensor,
  runningMean?: Tensor | null,
  runningVar?: Tensor | null,
  weight?: Tensor | null,
  bias?: Tensor | null,
  options: {
    /** whether the input's statistics are used, and the running ones move; true. */
    useInputStats?: boolean;
    /** weight of an input in the running statistics; 0.1. */
    momentum?: number;
    /** added to the variance; 1e-05. */
    eps?: number;
  } = {},
): Tensor {
  return applyFunction(
    44,
    {
      name: 'instance_norm',
      inputs: ['input', 'runningMean?', 'runningVar?', 'weight?', 'bias?'],
      options: ['useInputStats', 'momentum', 'eps'],
    },
    [input, runningMean, runningVar, weight, bias],
    options,
  );
}

/**
 * the largest element of each window.
 * @param input values
 * @param kernelSize extents of the window
 */
export function maxPool1d(
  input: Tensor,
  kernelSize: number,
  options: {
    /** step of the window; kernel_size when left out; none. */
    stride?: number;
    /** minus infinity put at both ends; 0. */
    padding?: number;
    /** distance between the window's elements; 1. */
    dilation?: number;
    /** whether a window may reach over the end; false. */
    ceilMode?: boolean;
  } = {},
): Tensor {
  return applyFunction(
    45,
    { name: 'max_pool1d', inputs: ['input'], options: ['stride', 'padding', 'dilation', 'ceilMode'] },
    [input],
    options,
    { kernelSize },
  );
}

/**
 * the largest element of each window.
 * @param input values
 * @param kernelSize height and width of the window
 */
export function maxPool2d(
  input: Tensor,
  kernelSize: number | readonly number[],
  options: {
    /** step of the window; kernel_size when left out; none. */
    stride?: number | readonly number[];
    /** minus infinity put around each plane; [0, 0]. */
    padding?: number | readonly number[];
    /** distance between the window's elements; [1, 1]. */
    dilation?: number | readonly number[];
    /** whether a window may reach over the end; false. */
    ceilMode?: boolean;
  } = {},
): Tensor {
  return applyFunction(
    46,
    { name: 'max_pool2d', inputs: ['input'], options: ['stride', 'padding', 'dilation', 'ceilMode'] },
    [input],
    options,
    { kernelSize },
  );
}

/**
 * the largest element of each window.
 * @param input values
 * @param kernelSize extents of the window
 */
export function maxPool3d(
  input: Tensor,
  kernelSize: number | readonly number[],
  options: {
    /** step of the window; kernel_size when left out; none. */
    stride?: number | readonly number[];
    /** minus infinity put at both ends; [0, 0, 0]. */
    padding?: number | readonly number[];
    /** distance between the window's elements; [1, 1, 1]. */
    dilation?: number | readonly number[];
    /** whether a window may reach over the end; false. */
    ceilMode?: boolean;
  } = {},
): Tensor {
  return applyFunction(
    47,
    { name: 'max_pool3d', inputs: ['input'], options: ['stride', 'padding', 'dilation', 'ceilMode'] },
    [input],
    options,
    { kernelSize },
  );
}

/**
 * the mean of each window.
 * @param input values
 * @param kernelSize extents of the window
 */
export function avgPool1d(
  input: Tensor,
  kernelSize: number,
  options: {
    /** step of the window; kernel_size when left out; none. */
    stride?: number;
    /** zeros put at both ends; 0. */
    padding?: number;
    /** whether a window may reach over the end; false. */
    ceilMode?: boolean;
    /** whether padding counts in the mean; true. */
    countIncludePad?: boolean;
  } = {},
): Tensor {
  return applyFunction(
    48,
    { name: 'avg_pool1d', inputs: ['input'], options: ['stride', 'padding', 'ceilMode', 'countIncludePad'] },
    [input],
    options,
    { kernelSize },
  );
}

/**
 * the mean of each window.
 * @param input values
 * @param kernelSize height and width of the window
 */
export function avgPool2d(
  input: Tensor,
  kernelSize: number | readonly number[],
  options: {
    /** step of the window; kernel_size when left out; none. */
    stride?: number | readonly number[];
    /** zeros put around each plane; [0, 0]. */
    padding?: number | readonly number[];
    /** whether a window may reach over the end; false. */
    ceilMode?: boolean;
    /** whether padding counts in the mean; true. */
    countIncludePad?: boolean;
  } = {},
): Tensor {
  return applyFunction(
    49,
    { name: 'avg_pool2d', inputs: ['input'], options: ['stride', 'padding', 'ceilMode', 'countIncludePad'] },
    [input],
    options,
    { kernelSize },
  );
}

/**
 * the mean of each window.
 * @param input values
 * @param kernelSize extents of the window
 */
export function avgPool3d(
  input: Tensor,
  kernelSize: number | readonly number[],
  options: {
    /** step of the window; kernel_size when left out; none. */
    stride?: number | readonly number[];
    /** zeros put at both ends; [0, 0, 0]. */
    padding?: number | readonly number[];
    /** whether a window may reach over the end; false. */
    ceilMode?: boolean;
    /** whether padding counts in the mean; true. */
    countIncludePad?: boolean;
  } = {},
): Tensor {
  return applyFunction(
    50,
    { name: 'avg_pool3d', inputs: ['input'], options: ['stride', 'padding', 'ceilMode', 'countIncludePad'] },
    [input],
    options,
    { kernelSize },
  );
}

/**
 * means of as many windows as are wanted, over [batch, channels, length].
 * @param input values
 * @param outputSize extents of the result
 */
export function adaptiveAvgPool1d(input: Tensor, outputSize: number): Tensor {
  return applyFunction(
    51,
    { name: 'adaptive_avg_pool1d', inputs: ['input'], options: [] },
    [input],
    {},
    { outputSize },
  );
}

/**
 * means of as many windows as are wanted, over [batch, channels, height, width].
 * @param input values
 * @param outputSize extents of the result
 */
export function adaptiveAvgPool2d(input: Tensor, outputSize: number | readonly number[]): Tensor {
  return applyFunction(
    52,
    { name: 'adaptive_avg_pool2d', inputs: ['input'], options: [] },
    [input],
    {},
    { outputSize },
  );
}

/**
 * means of as many windows as are wanted, over [batch, channels, depth, height, width].
 * @param input values
 * @param outputSize extents of the result
 */
export function adaptiveAvgPool3d(input: Tensor, outputSize: number | readonly number[]): Tensor {
  return applyFunction(
    53,
    { name: 'adaptive_avg_pool3d', inputs: ['input'], options: [] },
    [input],
    {},
    { outputSize },
  );
}

/**
 * maxima of as many windows as are wanted, over [batch, channels, length].
 * @param input values
 * @param outputSize extents of the result
 */
export function adaptiveMaxPool1d(input: Tensor, outputSize: number): Tensor {
  return applyFunction(
    54,
    { name: 'adaptive_max_pool1d', inputs: ['input'], options: [] },
    [input],
    {},
    { outputSize },
  );
}

/**
 * maxima of as many windows as are wanted, over [batch, channels, height, width].
 * @param input values
 * @param outputSize extents of the result
 */
export function adaptiveMaxPool2d(input: Tensor, outputSize: number | readonly number[]): Tensor {
  return applyFunction(
    55,
    { name: 'adaptive_max_pool2d', inputs: ['input'], options: [] },
    [input],
    {},
    { outputSize },
  );
}

/**
 * maxima of as many windows as are wanted, over [batch, channels, depth, height, width].
 * @param input values
 * @param outputSize extents of the result
 */
export function adaptiveMaxPool3d(input: Tensor, outputSize: number | readonly number[]): Tensor {
  return applyFunction(
    56,
    { name: 'adaptive_max_pool3d', inputs: ['input'], options: [] },
    [input],
    {},
    { outputSize },
  );
}

/**
 * spreads channels over blocks of pixels.
 * @param input values
 * @param upscaleFactor factor of height and width
 */
export function pixelShuffle(input: Tensor, upscaleFactor: number): Tensor {
  return applyFunction(57, { name: 'pixel_shuffle', inputs: ['input'], options: [] }, [input], {}, { upscaleFactor });
}

/**
 * x above threshold, else value.
 * @param input values
 * @param threshold above it elements stay
 * @param value what the others become
 */
export function threshold(input: Tensor, threshold: number, value: number): Tensor {
  return applyFunction(58, { name: 'threshold', inputs: ['input'], options: [] }, [input], {}, { threshold, value });
}

/**
 * x above lambd and below -lambd, 0 between.
 * @param input values
 */
export function hardshrink(
  input: Tensor,
  options: {
    /** elements up to it in magnitude become 0; 0.5. */
    lambd?: number;
  } = {},
): Tensor {
  return applyFunction(59, { name: 'hardshrink', inputs: ['input'], options: ['lambd'] }, [input], options);
}

/**
 * x - lambd above lambd, x + lambd below -lambd, 0 between.
 * @param input values
 */
export function softshrink(
  input: Tensor,
  options: {
    /** elements up to it in magnitude become 0; 0.5. */
    lambd?: number;
  } = {},
): Tensor {
  return applyFunction(60, { name: 'softshrink', inputs: ['input'], options: ['lambd'] }, [input], options);
}

/**
 * the softmax of -x.
 * @param input values
 * @param dim axis that sums to one
 */
export function softmin(input: Tensor, dim: number): Tensor {
  return applyFunction(61, { name: 'softmin', inputs: ['input'], options: [] }, [input], {}, { dim });
}

/**
 * resamples the spatial axes.
 * @param input values
 */
export function interpolate(
  input: Tensor,
  options: {
    /** spatial extents of the result; this or scale_factor; none. */
    size?: number | readonly number[];
    /** factors of the spatial axes; none. */
    scaleFactor?: number | readonly number[];
    /** nearest, nearest-exact, linear, bilinear, trilinear or bicubic; "nearest". */
    mode?: 'nearest' | 'nearest-exact' | 'linear' | 'bilinear' | 'trilinear' | 'bicubic';
    /** whether the corner elements stay in place; none. */
    alignCorners?: boolean;
  } = {},
): Tensor {
  return applyFunction(
    62,
    { name: 'interpolate', inputs: ['input'], options: ['size', 'scaleFactor', 'mode', 'alignCorners'] },
    [input],
    options,
  );
}
