// Generated from src/nn by scripts/generate; do not edit.

import { valuesOf } from '../arguments.js';
import { NativeAttention, NativeLayer, NativeModule, NativeModuleOfSeveral } from '../nn/native_module.js';
import type { Tensor } from '../tensor.js';

/** x times the transposed weight, plus bias */
export class Linear extends NativeLayer {
  /**
   * @param inFeatures extent of the input's last axis
   * @param outFeatures extent of the output's last axis
   */
  constructor(
    inFeatures: number,
    outFeatures: number,
    options: {
      /** whether a bias is added; true. */
      bias?: boolean;
    } = {},
  ) {
    super(0, [inFeatures, outFeatures, ...valuesOf('Linear', options, ['bias'])]);
  }
}

/** one-dimensional convolution over [batch, channels, length] */
export class Conv1d extends NativeLayer {
  /**
   * @param inChannels channels of the input
   * @param outChannels channels of the output
   * @param kernelSize extents of the window
   */
  constructor(
    inChannels: number,
    outChannels: number,
    kernelSize: number,
    options: {
      /** step of the window; 1. */
      stride?: number;
      /** elements put at both ends; "same": as many as keep the extents, with stride 1; "valid": none; 0. */
      padding?: number | 'same' | 'valid';
      /** distance between the window's elements; 1. */
      dilation?: number;
      /** independent groups of channels; 1. */
      groups?: number;
      /** whether a bias is added; true. */
      bias?: boolean;
      /** what is put there: zeros, reflect, replicate or circular; "zeros". */
      paddingMode?: 'zeros' | 'reflect' | 'replicate' | 'circular';
    } = {},
  ) {
    super(1, [
      inChannels,
      outChannels,
      kernelSize,
      ...valuesOf('Conv1d', options, ['stride', 'padding', 'dilation', 'groups', 'bias', 'paddingMode']),
    ]);
  }
}

/** two-dimensional convolution over [batch, channels, height, width] */
export class Conv2d extends NativeLayer {
  /**
   * @param inChannels channels of the input
   * @param outChannels channels of the output
   * @param kernelSize extents of the window
   */
  constructor(
    inChannels: number,
    outChannels: number,
    kernelSize: number | readonly number[],
    options: {
      /** step of the window; [1, 1]. */
      stride?: number | readonly number[];
      /** elements put at both ends; "same": as many as keep the extents, with stride 1; "valid": none; [0, 0]. */
      padding?: number | readonly number[] | 'same' | 'valid';
      /** distance between the window's elements; [1, 1]. */
      dilation?: number | readonly number[];
      /** independent groups of channels; 1. */
      groups?: number;
      /** whether a bias is added; true. */
      bias?: boolean;
      /** what is put there: zeros, reflect, replicate or circular; "zeros". */
      paddingMode?: 'zeros' | 'reflect' | 'replicate' | 'circular';
    } = {},
  ) {
    super(2, [
      inChannels,
      outChannels,
      kernelSize,
      ...valuesOf('Conv2d', options, ['stride', 'padding', 'dilation', 'groups', 'bias', 'paddingMode']),
    ]);
  }
}

/** three-dimensional convolution over [batch, channels, depth, height, width] */
export class Conv3d extends NativeLayer {
  /**
   * @param inChannels channels of the input
   * @param outChannels channels of the output
   * @param kernelSize extents of the window
   */
  constructor(
    inChannels: number,
    outChannels: number,
    kernelSize: number | readonly number[],
    options: {
      /** step of the window; [1, 1, 1]. */
      stride?: number | readonly number[];
      /** elements put at both ends; "same": as many as keep the extents, with stride 1; "valid": none; [0, 0, 0]. */
      padding?: number | readonly number[] | 'same' | 'valid';
      /** distance between the window's elements; [1, 1, 1]. */
      dilation?: number | readonly number[];
      /** independent groups of channels; 1. */
      groups?: number;
      /** whether a bias is added; true. */
      bias?: boolean;
      /** what is put there: zeros, reflect, replicate or circular; "zeros". */
      paddingMode?: 'zeros' | 'reflect' | 'replicate' | 'circular';
    } = {},
  ) {
    super(3, [
      inChannels,
      outChannels,
      kernelSize,
      ...valuesOf('Conv3d', options, ['stride', 'padding', 'dilation', 'groups', 'bias', 'paddingMode']),
    ]);
  }
}

/** transpose of the one-dimensional convolution */
export class ConvTranspose1d extends NativeLayer {
  /**
   * @param inChannels channels of the input
   * @param outChannels channels of the output
   * @param kernelSize extents of the window
   */
  constructor(
    inChannels: number,
    outChannels: number,
    kernelSize: number,
    options: {
      /** step of the window; 1. */
      stride?: number;
      /** rows cut from both ends; 0. */
      padding?: number;
      /** rows added at the end; 0. */
      outputPadding?: number;
      /** independent groups of channels; 1. */
      groups?: number;
      /** whether a bias is added; true. */
      bias?: boolean;
      /** distance between the window's elements; 1. */
      dilation?: number;
    } = {},
  ) {
    super(4, [
      inChannels,
      outChannels,
      kernelSize,
      ...valuesOf('ConvTranspose1d', options, ['stride', 'padding', 'outputPadding', 'groups', 'bias', 'dilation']),
    ]);
  }
}

/** transpose of the two-dimensional convolution */
export class ConvTranspose2d extends NativeLayer {
  /**
   * @param inChannels channels of the input
   * @param outChannels channels of the output
   * @param kernelSize extents of the window
   */
  constructor(
    inChannels: number,
    outChannels: number,
    kernelSize: number | readonly number[],
    options: {
      /** step of the window; [1, 1]. */
      stride?: number | readonly number[];
      /** rows cut from both ends; [0, 0]. */
      padding?: number | readonly number[];
      /** rows added at the end; [0, 0]. */
      outputPadding?: number | readonly number[];
      /** independent groups of channels; 1. */
      groups?: number;
      /** whether a bias is added; true. */
      bias?: boolean;
      /** distance between the window's elements; [1, 1]. */
      dilation?: number | readonly number[];
    } = {},
  ) {
    super(5, [
      inChannels,
      outChannels,
      kernelSize,
      ...valuesOf('ConvTranspose2d', options, ['stride', 'padding', 'outputPadding', 'groups', 'bias', 'dilation']),
    ]);
  }
}

/** transpose of the three-dimensional convolution */
export class ConvTranspose3d extends NativeLayer {
  /**
   * @param inChannels channels of the input
   * @param outChannels channels of the output
   * @param kernelSize extents of the window
   */
  constructor(
    inChannels: number,
    outChannels: number,
    kernelSize: number | readonly number[],
    options: {
      /** step of the window; [1, 1, 1]. */
      stride?: number | readonly number[];
      /** rows cut from both ends; [0, 0, 0]. */
      padding?: number | readonly number[];
      /** rows added at the end; [0, 0, 0]. */
      outputPadding?: number | readonly number[];
      /** independent groups of channels; 1. */
      groups?: number;
      /** whether a bias is added; true. */
      bias?: boolean;
      /** distance between the window's elements; [1, 1, 1]. */
      dilation?: number | readonly number[];
    } = {},
  ) {
    super(6, [
      inChannels,
      outChannels,
      kernelSize,
      ...valuesOf('ConvTranspose3d', options, ['stride', 'padding', 'outputPadding', 'groups', 'bias', 'dilation']),
    ]);
  }
}

/** normalises each channel by its mean and variance */
export class BatchNorm1d extends NativeLayer {
  /**
   * @param numFeatures channels of the input
   */
  constructor(
    numFeatures: number,
    options: {
      /** added to the variance; 1e-05. */
      eps?: number;
      /** weight of a batch in the running statistics, or null (C++: std::nullopt) for the mean of all batches; 0.1. */
      momentum?: number | null;
      /** whether there are a weight and a bias; true. */
      affine?: boolean;
      /** whether running statistics are kept and used in evaluation mode; true. */
      trackRunningStats?: boolean;
    } = {},
  ) {
    super(7, [numFeatures, ...valuesOf('BatchNorm1d', options, ['eps', 'momentum', 'affine', 'trackRunningStats'])]);
  }
}

/** normalises each channel by its mean and variance */
export class BatchNorm2d extends NativeLayer {
  /**
   * @param numFeatures channels of the input
   */
  constructor(
    numFeatures: number,
    options: {
      /** added to the variance; 1e-05. */
      eps?: number;
      /** weight of a batch in the running statistics, or null (C++: std::nullopt) for the mean of all batches; 0.1. */
      momentum?: number | null;
      /** whether there are a weight and a bias; true. */
      affine?: boolean;
      /** whether running statistics are kept and used in evaluation mode; true. */
      trackRunningStats?: boolean;
    } = {},
  ) {
    super(8, [numFeatures, ...valuesOf('BatchNorm2d', options, ['eps', 'momentum', 'affine', 'trackRunningStats'])]);
  }
}

/** normalises each channel by its mean and variance */
export class BatchNorm3d extends NativeLayer {
  /**
   * @param numFeatures channels of the input
   */
  constructor(
    numFeatures: number,
    options: {
      /** added to the variance; 1e-05. */
      eps?: number;
      /** weight of a batch in the running statistics, or null (C++: std::nullopt) for the mean of all batches; 0.1. */
      momentum?: number | null;
      /** whether there are a weight and a bias; true. */
      affine?: boolean;
      /** whether running statistics are kept and used in evaluation mode; true. */
      trackRunningStats?: boolean;
    } = {},
  ) {
    super(9, [numFeatures, ...valuesOf('BatchNorm3d', options, ['eps', 'momentum', 'affine', 'trackRunningStats'])]);
  }
}

/** normalises over the last axes */
export class LayerNorm extends NativeLayer {
  /**
   * @param normalizedShape extents of the last axes
   */
  constructor(
    normalizedShape: number | readonly number[],
    options: {
      /** added to the variance; 1e-05. */
      eps?: number;
      /** whether there is a weight; true. */
      elementwiseAffine?: boolean;
      /** whether there is a bias beside the weight; true. */
      bias?: boolean;
    } = {},
  ) {
    super(10, [normalizedShape, ...valuesOf('LayerNorm', options, ['eps', 'elementwiseAffine', 'bias'])]);
  }
}

/** divides by the root mean square over the last axes */
export class RMSNorm extends NativeLayer {
  /**
   * @param normalizedShape extents of the last axes
   */
  constructor(
    normalizedShape: number | readonly number[],
    options: {
      /** added to the mean square; the dtype's machine epsilon when left out; none. */
      eps?: number;
      /** whether there is a weight; true. */
      elementwiseAffine?: boolean;
    } = {},
  ) {
    super(11, [normalizedShape, ...valuesOf('RMSNorm', options, ['eps', 'elementwiseAffine'])]);
  }
}

/** normalises over groups of channels */
export class GroupNorm extends NativeLayer {
  /**
   * @param numGroups groups, which divide the channels
   * @param numChannels channels of the input
   */
  constructor(
    numGroups: number,
    numChannels: number,
    options: {
      /** added to the variance; 1e-05. */
      eps?: number;
      /** whether there are a weight and a bias; true. */
      affine?: boolean;
    } = {},
  ) {
    super(12, [numGroups, numChannels, ...valuesOf('GroupNorm', options, ['eps', 'affine'])]);
  }
}

/** normalises each channel of each example */
export class InstanceNorm1d extends NativeLayer {
  /**
   * @param numFeatures channels of the input
   */
  constructor(
    numFeatures: number,
    options: {
      /** added to the variance; 1e-05. */
      eps?: number;
      /** weight of a batch in the running statistics; 0.1. */
      momentum?: number;
      /** whether there are a weight and a bias; false. */
      affine?: boolean;
      /** whether running statistics are kept and used in evaluation mode; false. */
      trackRunningStats?: boolean;
    } = {},
  ) {
    super(13, [
      numFeatures,
      ...valuesOf('InstanceNorm1d', options, ['eps', 'momentum', 'affine', 'trackRunningStats']),
    ]);
  }
}

/** normalises each channel of each image */
export class InstanceNorm2d extends NativeLayer {
  /**
   * @param numFeatures channels of the input
   */
  constructor(
    numFeatures: number,
    options: {
      /** added to the variance; 1e-05. */
      eps?: number;
      /** weight of a batch in the running statistics; 0.1. */
      momentum?: number;
      /** whether there are a weight and a bias; false. */
      affine?: boolean;
      /** whether running statistics are kept and used in evaluation mode; false. */
      trackRunningStats?: boolean;
    } = {},
  ) {
    super(14, [
      numFeatures,
      ...valuesOf('InstanceNorm2d', options, ['eps', 'momentum', 'affine', 'trackRunningStats']),
    ]);
  }
}

/** normalises each channel of each volume */
export class InstanceNorm3d extends NativeLayer {
  /**
   * @param numFeatures channels of the input
   */
  constructor(
    numFeatures: number,
    options: {
      /** added to the variance; 1e-05. */
      eps?: number;
      /** weight of a batch in the running statistics; 0.1. */
      momentum?: number;
      /** whether there are a weight and a bias; false. */
      affine?: boolean;
      /** whether running statistics are kept and used in evaluation mode; false. */
      trackRunningStats?: boolean;
    } = {},
  ) {
    super(15, [
      numFeatures,
      ...valuesOf('InstanceNorm3d', options, ['eps', 'momentum', 'affine', 'trackRunningStats']),
    ]);
  }
}

/** the largest element of each window */
export class MaxPool1d extends NativeLayer {
  /**
   * @param kernelSize extents of the window
   */
  constructor(
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
  ) {
    super(16, [kernelSize, ...valuesOf('MaxPool1d', options, ['stride', 'padding', 'dilation', 'ceilMode'])]);
  }
}

/** the largest element of each window */
export class MaxPool2d extends NativeLayer {
  /**
   * @param kernelSize height and width of the window
   */
  constructor(
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
  ) {
    super(17, [kernelSize, ...valuesOf('MaxPool2d', options, ['stride', 'padding', 'dilation', 'ceilMode'])]);
  }
}

/** the largest element of each window */
export class MaxPool3d extends NativeLayer {
  /**
   * @param kernelSize extents of the window
   */
  constructor(
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
  ) {
    super(18, [kernelSize, ...valuesOf('MaxPool3d', options, ['stride', 'padding', 'dilation', 'ceilMode'])]);
  }
}

/** the mean of each window */
export class AvgPool1d extends NativeLayer {
  /**
   * @param kernelSize extents of the window
   */
  constructor(
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
  ) {
    super(19, [kernelSize, ...valuesOf('AvgPool1d', options, ['stride', 'padding', 'ceilMode', 'countIncludePad'])]);
  }
}

/** the mean of each window */
export class AvgPool2d extends NativeLayer {
  /**
   * @param kernelSize height and width of the window
   */
  constructor(
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
  ) {
    super(20, [kernelSize, ...valuesOf('AvgPool2d', options, ['stride', 'padding', 'ceilMode', 'countIncludePad'])]);
  }
}

/** the mean of each window */
export class AvgPool3d extends NativeLayer {
  /**
   * @param kernelSize extents of the window
   */
  constructor(
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
  ) {
    super(21, [kernelSize, ...valuesOf('AvgPool3d', options, ['stride', 'padding', 'ceilMode', 'countIncludePad'])]);
  }
}

/** the mean of each plane */
export class GlobalAvgPool2d extends NativeLayer {
  constructor(options: Record<string, never> = {}) {
    super(22, valuesOf('GlobalAvgPool2d', options, []));
  }
}

/** means of as many windows as are wanted, over [batch, channels, length] */
export class AdaptiveAvgPool1d extends NativeLayer {
  /**
   * @param outputSize extents of the result
   */
  constructor(outputSize: number, options: Record<string, never> = {}) {
    super(23, [outputSize, ...valuesOf('AdaptiveAvgPool1d', options, [])]);
  }
}

/** means of as many windows as are wanted, over [batch, channels, height, width] */
export class AdaptiveAvgPool2d extends NativeLayer {
  /**
   * @param outputSize extents of the result
   */
  constructor(outputSize: number | readonly number[], options: Record<string, never> = {}) {
    super(24, [outputSize, ...valuesOf('AdaptiveAvgPool2d', options, [])]);
  }
}

/** means of as many windows as are wanted, over [batch, channels, depth, height, width] */
export class AdaptiveAvgPool3d extends NativeLayer {
  /**
   * @param outputSize extents of the result
   */
  constructor(outputSize: number | readonly number[], options: Record<string, never> = {}) {
    super(25, [outputSize, ...valuesOf('AdaptiveAvgPool3d', options, [])]);
  }
}

/** maxima of as many windows as are wanted, over [batch, channels, length] */
export class AdaptiveMaxPool1d extends NativeLayer {
  /**
   * @param outputSize extents of the result
   */
  constructor(outputSize: number, options: Record<string, never> = {}) {
    super(26, [outputSize, ...valuesOf('AdaptiveMaxPool1d', options, [])]);
  }
}

/** maxima of as many windows as are wanted, over [batch, channels, height, width] */
export class AdaptiveMaxPool2d extends NativeLayer {
  /**
   * @param outputSize extents of the result
   */
  constructor(outputSize: number | readonly number[], options: Record<string, never> = {}) {
    super(27, [outputSize, ...valuesOf('AdaptiveMaxPool2d', options, [])]);
  }
}

/** maxima of as many windows as are wanted, over [batch, channels, depth, height, width] */
export class AdaptiveMaxPool3d extends NativeLayer {
  /**
   * @param outputSize extents of the result
   */
  constructor(outputSize: number | readonly number[], options: Record<string, never> = {}) {
    super(28, [outputSize, ...valuesOf('AdaptiveMaxPool3d', options, [])]);
  }
}

/** resamples the spatial axes */
export class Upsample extends NativeLayer {
  constructor(
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
  ) {
    super(29, valuesOf('Upsample', options, ['size', 'scaleFactor', 'mode', 'alignCorners']));
  }
}

/** spreads channels over blocks of pixels */
export class PixelShuffle extends NativeLayer {
  /**
   * @param upscaleFactor factor of height and width
   */
  constructor(upscaleFactor: number, options: Record<string, never> = {}) {
    super(30, [upscaleFactor, ...valuesOf('PixelShuffle', options, [])]);
  }
}

/** zeros around the last two axes */
export class ZeroPad2d extends NativeLayer {
  /**
   * @param padding elements before and after the last axis, then the one before it, …; one number for all; negative ones remove
   */
  constructor(padding: number | readonly number[], options: Record<string, never> = {}) {
    super(31, [padding, ...valuesOf('ZeroPad2d', options, [])]);
  }
}

/** a value around the last axis */
export class ConstantPad1d extends NativeLayer {
  /**
   * @param padding elements before and after the last axis, then the one before it, …; one number for all; negative ones remove
   * @param value what is put there
   */
  constructor(padding: number | readonly number[], value: number, options: Record<string, never> = {}) {
    super(32, [padding, value, ...valuesOf('ConstantPad1d', options, [])]);
  }
}

/** a value around the last two axes */
export class ConstantPad2d extends NativeLayer {
  /**
   * @param padding elements before and after the last axis, then the one before it, …; one number for all; negative ones remove
   * @param value what is put there
   */
  constructor(padding: number | readonly number[], value: number, options: Record<string, never> = {}) {
    super(33, [padding, value, ...valuesOf('ConstantPad2d', options, [])]);
  }
}

/** a value around the last three axes */
export class ConstantPad3d extends NativeLayer {
  /**
   * @param padding elements before and after the last axis, then the one before it, …; one number for all; negative ones remove
   * @param value what is put there
   */
  constructor(padding: number | readonly number[], value: number, options: Record<string, never> = {}) {
    super(34, [padding, value, ...valuesOf('ConstantPad3d', options, [])]);
  }
}

/** the last axis reflected at its ends */
export class ReflectionPad1d extends NativeLayer {
  /**
   * @param padding elements before and after the last axis, then the one before it, …; one number for all; negative ones remove
   */
  constructor(padding: number | readonly number[], options: Record<string, never> = {}) {
    super(35, [padding, ...valuesOf('ReflectionPad1d', options, [])]);
  }
}

/** the last two axes reflected at their ends */
export class ReflectionPad2d extends NativeLayer {
  /**
   * @param padding elements before and after the last axis, then the one before it, …; one number for all; negative ones remove
   */
  constructor(padding: number | readonly number[], options: Record<string, never> = {}) {
    super(36, [padding, ...valuesOf('ReflectionPad2d', options, [])]);
  }
}

/** the last three axes reflected at their ends */
export class ReflectionPad3d extends NativeLayer {
  /**
   * @param padding elements before and after the last axis, then the one before it, …; one number for all; negative ones remove
   */
  constructor(padding: number | readonly number[], options: Record<string, never> = {}) {
    super(37, [padding, ...valuesOf('ReflectionPad3d', options, [])]);
  }
}

/** the end elements of the last axis repeated */
export class ReplicationPad1d extends NativeLayer {
  /**
   * @param padding elements before and after the last axis, then the one before it, …; one number for all; negative ones remove
   */
  constructor(padding: number | readonly number[], options: Record<string, never> = {}) {
    super(38, [padding, ...valuesOf('ReplicationPad1d', options, [])]);
  }
}

/** the end elements of the last two axes repeated */
export class ReplicationPad2d extends NativeLayer {
  /**
   * @param padding elements before and after the last axis, then the one before it, …; one number for all; negative ones remove
   */
  constructor(padding: number | readonly number[], options: Record<string, never> = {}) {
    super(39, [padding, ...valuesOf('ReplicationPad2d', options, [])]);
  }
}

/** the end elements of the last three axes repeated */
export class ReplicationPad3d extends NativeLayer {
  /**
   * @param padding elements before and after the last axis, then the one before it, …; one number for all; negative ones remove
   */
  constructor(padding: number | readonly number[], options: Record<string, never> = {}) {
    super(40, [padding, ...valuesOf('ReplicationPad3d', options, [])]);
  }
}

/** rows of a table by index */
export class Embedding extends NativeLayer {
  /**
   * @param numEmbeddings rows of the table
   * @param embeddingDim width of a row
   */
  constructor(
    numEmbeddings: number,
    embeddingDim: number,
    options: {
      /** a row that is 0 at first and gets no gradient; none. */
      paddingIdx?: number;
    } = {},
  ) {
    super(41, [numEmbeddings, embeddingDim, ...valuesOf('Embedding', options, ['paddingIdx'])]);
  }
}

/** recurrent layer; returns the outputs and the last state */
export class RNN extends NativeModuleOfSeveral<[Tensor, Tensor]> {
  /**
   * @param inputSize extent of the input's last axis
   * @param hiddenSize extent of the state
   */
  constructor(
    inputSize: number,
    hiddenSize: number,
    options: {
      /** layers on top of each other; 1. */
      numLayers?: number;
      /** tanh or relu; "tanh". */
      nonlinearity?: 'tanh' | 'relu';
      /** whether biases are added; true. */
      bias?: boolean;
      /** whether the batch comes before the steps; false. */
      batchFirst?: boolean;
      /** probability of dropout between layers; 0. */
      dropout?: number;
      /** whether each layer runs both ways; false. */
      bidirectional?: boolean;
    } = {},
  ) {
    super(42, [
      inputSize,
      hiddenSize,
      ...valuesOf('RNN', options, ['numLayers', 'nonlinearity', 'bias', 'batchFirst', 'dropout', 'bidirectional']),
    ]);
  }
}

/** gated recurrent unit; returns the outputs and the last state */
export class GRU extends NativeModuleOfSeveral<[Tensor, Tensor]> {
  /**
   * @param inputSize extent of the input's last axis
   * @param hiddenSize extent of the state
   */
  constructor(
    inputSize: number,
    hiddenSize: number,
    options: {
      /** layers on top of each other; 1. */
      numLayers?: number;
      /** whether biases are added; true. */
      bias?: boolean;
      /** whether the batch comes before the steps; false. */
      batchFirst?: boolean;
      /** probability of dropout between layers; 0. */
      dropout?: number;
      /** whether each layer runs both ways; false. */
      bidirectional?: boolean;
    } = {},
  ) {
    super(43, [
      inputSize,
      hiddenSize,
      ...valuesOf('GRU', options, ['numLayers', 'bias', 'batchFirst', 'dropout', 'bidirectional']),
    ]);
  }
}

/** long short-term memory; returns the outputs, the last state and cell */
export class LSTM extends NativeModuleOfSeveral<[Tensor, Tensor, Tensor]> {
  /**
   * @param inputSize extent of the input's last axis
   * @param hiddenSize extent of the state
   */
  constructor(
    inputSize: number,
    hiddenSize: number,
    options: {
      /** layers on top of each other; 1. */
      numLayers?: number;
      /** whether biases are added; true. */
      bias?: boolean;
      /** whether the batch comes before the steps; false. */
      batchFirst?: boolean;
      /** probability of dropout between layers; 0. */
      dropout?: number;
      /** whether each layer runs both ways; false. */
      bidirectional?: boolean;
    } = {},
  ) {
    super(44, [
      inputSize,
      hiddenSize,
      ...valuesOf('LSTM', options, ['numLayers', 'bias', 'batchFirst', 'dropout', 'bidirectional']),
    ]);
  }
}

/** one step of RNN; returns the next state */
export class RNNCell extends NativeModule {
  /**
   * @param inputSize extent of the input's last axis
   * @param hiddenSize extent of the state
   */
  constructor(
    inputSize: number,
    hiddenSize: number,
    options: {
      /** whether biases are added; true. */
      bias?: boolean;
      /** tanh or relu; "tanh". */
      nonlinearity?: 'tanh' | 'relu';
    } = {},
  ) {
    super(45, [inputSize, hiddenSize, ...valuesOf('RNNCell', options, ['bias', 'nonlinearity'])]);
  }
}

/** one step of GRU; returns the next state */
export class GRUCell extends NativeModule {
  /**
   * @param inputSize extent of the input's last axis
   * @param hiddenSize extent of the state
   */
  constructor(
    inputSize: number,
    hiddenSize: number,
    options: {
      /** whether biases are added; true. */
      bias?: boolean;
    } = {},
  ) {
    super(46, [inputSize, hiddenSize, ...valuesOf('GRUCell', options, ['bias'])]);
  }
}

/** one step of LSTM; returns the next state and cell */
export class LSTMCell extends NativeModuleOfSeveral<[Tensor, Tensor]> {
  /**
   * @param inputSize extent of the input's last axis
   * @param hiddenSize extent of the state
   */
  constructor(
    inputSize: number,
    hiddenSize: number,
    options: {
      /** whether biases are added; true. */
      bias?: boolean;
    } = {},
  ) {
    super(47, [inputSize, hiddenSize, ...valuesOf('LSTMCell', options, ['bias'])]);
  }
}

/** attention with several heads between query, key and value */
export class MultiheadAttention extends NativeAttention {
  /**
   * @param embedDim extent of the query's last axis
   * @param numHeads heads, which divide embed_dim
   */
  constructor(
    embedDim: number,
    numHeads: number,
    options: {
      /** probability of dropout of the attention weights; 0. */
      dropout?: number;
      /** whether biases are added; true. */
      bias?: boolean;
      /** whether a learned step follows key and value; false. */
      addBiasKv?: boolean;
      /** whether a step of zeros follows key and value; false. */
      addZeroAttn?: boolean;
      /** extent of the key's last axis; embed_dim when left out; none. */
      kdim?: number;
      /** extent of the value's last axis; embed_dim when left out; none. */
      vdim?: number;
      /** whether the batch comes before the steps; false. */
      batchFirst?: boolean;
    } = {},
  ) {
    super(48, [
      embedDim,
      numHeads,
      ...valuesOf('MultiheadAttention', options, [
        'dropout',
        'bias',
        'addBiasKv',
        'addZeroAttn',
        'kdim',
        'vdim',
        'batchFirst',
      ]),
    ]);
  }
}

/** self-attention and a feed-forward network */
export class TransformerEncoderLayer extends NativeModule {
  /**
   * @param dModel extent of the input's last axis
   * @param nhead heads of the attention
   */
  constructor(
    dModel: number,
    nhead: number,
    options: {
      /** width of the two linear layers between; 2048. */
      dimFeedforward?: number;
      /** probability of dropout; 0.1. */
      dropout?: number;
      /** relu or gelu; "relu". */
      activation?: 'relu' | 'gelu';
      /** added to the variance; 1e-05. */
      layerNormEps?: number;
      /** whether the batch comes before the steps; false. */
      batchFirst?: boolean;
      /** whether normalisation comes before each part; false. */
      normFirst?: boolean;
      /** whether biases are added; true. */
      bias?: boolean;
    } = {},
  ) {
    super(49, [
      dModel,
      nhead,
      ...valuesOf('TransformerEncoderLayer', options, [
        'dimFeedforward',
        'dropout',
        'activation',
        'layerNormEps',
        'batchFirst',
        'normFirst',
        'bias',
      ]),
    ]);
  }
}

/** self-attention, attention to memory and a feed-forward network */
export class TransformerDecoderLayer extends NativeModule {
  /**
   * @param dModel extent of the input's last axis
   * @param nhead heads of the attention
   */
  constructor(
    dModel: number,
    nhead: number,
    options: {
      /** width of the two linear layers between; 2048. */
      dimFeedforward?: number;
      /** probability of dropout; 0.1. */
      dropout?: number;
      /** relu or gelu; "relu". */
      activation?: 'relu' | 'gelu';
      /** added to the variance; 1e-05. */
      layerNormEps?: number;
      /** whether the batch comes before the steps; false. */
      batchFirst?: boolean;
      /** whether normalisation comes before each part; false. */
      normFirst?: boolean;
      /** whether biases are added; true. */
      bias?: boolean;
    } = {},
  ) {
    super(50, [
      dModel,
      nhead,
      ...valuesOf('TransformerDecoderLayer', options, [
        'dimFeedforward',
        'dropout',
        'activation',
        'layerNormEps',
        'batchFirst',
        'normFirst',
        'bias',
      ]),
    ]);
  }
}

/** joins the axes from start_dim to end_dim into one */
export class Flatten extends NativeLayer {
  constructor(
    options: {
      /** first axis to join; 1. */
      startDim?: number;
      /** last axis to join; -1. */
      endDim?: number;
    } = {},
  ) {
    super(51, valuesOf('Flatten', options, ['startDim', 'endDim']));
  }
}

/** cuts an axis into several */
export class Unflatten extends NativeLayer {
  /**
   * @param dim axis to cut
   * @param unflattenedSize extents that take its place; one of them may be -1
   */
  constructor(dim: number, unflattenedSize: number | readonly number[], options: Record<string, never> = {}) {
    super(52, [dim, unflattenedSize, ...valuesOf('Unflatten', options, [])]);
  }
}

/** sets random elements to 0 while training */
export class Dropout extends NativeLayer {
  constructor(
    options: {
      /** probability of an element to become 0; 0.5. */
      p?: number;
    } = {},
  ) {
    super(53, valuesOf('Dropout', options, ['p']));
  }
}

/** sets random channels to 0 while training */
export class Dropout1d extends NativeLayer {
  constructor(
    options: {
      /** probability of an element to become 0; 0.5. */
      p?: number;
    } = {},
  ) {
    super(54, valuesOf('Dropout1d', options, ['p']));
  }
}

/** sets random channels to 0 while training */
export class Dropout2d extends NativeLayer {
  constructor(
    options: {
      /** probability of an element to become 0; 0.5. */
      p?: number;
    } = {},
  ) {
    super(55, valuesOf('Dropout2d', options, ['p']));
  }
}

/** sets random channels to 0 while training */
export class Dropout3d extends NativeLayer {
  constructor(
    options: {
      /** probability of an element to become 0; 0.5. */
      p?: number;
    } = {},
  ) {
    super(56, valuesOf('Dropout3d', options, ['p']));
  }
}

/** returns its input */
export class Identity extends NativeLayer {
  constructor(options: Record<string, never> = {}) {
    super(57, valuesOf('Identity', options, []));
  }
}

/** max(x, 0) */
export class ReLU extends NativeLayer {
  constructor(options: Record<string, never> = {}) {
    super(59, valuesOf('ReLU', options, []));
  }
}

/** x for x >= 0, negative_slope * x below */
export class LeakyReLU extends NativeLayer {
  constructor(
    options: {
      /** slope below zero; 0.01. */
      negativeSlope?: number;
    } = {},
  ) {
    super(60, valuesOf('LeakyReLU', options, ['negativeSlope']));
  }
}

/** 1 / (1 + e^-x) */
export class Sigmoid extends NativeLayer {
  constructor(options: Record<string, never> = {}) {
    super(61, valuesOf('Sigmoid', options, []));
  }
}

/** hyperbolic tangent */
export class Tanh extends NativeLayer {
  constructor(options: Record<string, never> = {}) {
    super(62, valuesOf('Tanh', options, []));
  }
}

/** x times the normal distribution's cumulative function at x */
export class GELU extends NativeLayer {
  constructor(
    options: {
      /** none or tanh; none is exact, by erf; "none". */
      approximate?: 'none' | 'tanh';
    } = {},
  ) {
    super(63, valuesOf('GELU', options, ['approximate']));
  }
}

/** clip(x / 6 + 1 / 2, 0, 1) */
export class Hardsigmoid extends NativeLayer {
  constructor(options: Record<string, never> = {}) {
    super(64, valuesOf('Hardsigmoid', options, []));
  }
}

/** x clip(x / 6 + 1 / 2, 0, 1) */
export class Hardswish extends NativeLayer {
  constructor(options: Record<string, never> = {}) {
    super(65, valuesOf('Hardswish', options, []));
  }
}

/** x sigmoid(x) */
export class SiLU extends NativeLayer {
  constructor(options: Record<string, never> = {}) {
    super(66, valuesOf('SiLU', options, []));
  }
}

/** x tanh(softplus(x)) */
export class Mish extends NativeLayer {
  constructor(options: Record<string, never> = {}) {
    super(67, valuesOf('Mish', options, []));
  }
}

/** scaled exponential linear unit */
export class SELU extends NativeLayer {
  constructor(options: Record<string, never> = {}) {
    super(68, valuesOf('SELU', options, []));
  }
}

/** x / (1 + |x|) */
export class Softsign extends NativeLayer {
  constructor(options: Record<string, never> = {}) {
    super(69, valuesOf('Softsign', options, []));
  }
}

/** the logarithm of the sigmoid */
export class LogSigmoid extends NativeLayer {
  constructor(options: Record<string, never> = {}) {
    super(70, valuesOf('LogSigmoid', options, []));
  }
}

/** min(max(x, 0), 6) */
export class ReLU6 extends NativeLayer {
  constructor(options: Record<string, never> = {}) {
    super(71, valuesOf('ReLU6', options, []));
  }
}

/** x above zero, alpha (e^x - 1) below */
export class ELU extends NativeLayer {
  constructor(
    options: {
      /** factor below zero; 1. */
      alpha?: number;
    } = {},
  ) {
    super(72, valuesOf('ELU', options, ['alpha']));
  }
}

/** x above zero, alpha (e^(x / alpha) - 1) below */
export class CELU extends NativeLayer {
  constructor(
    options: {
      /** factor below zero; 1. */
      alpha?: number;
    } = {},
  ) {
    super(73, valuesOf('CELU', options, ['alpha']));
  }
}

/** log(1 + e^(beta x)) / beta */
export class Softplus extends NativeLayer {
  constructor(
    options: {
      /** steepness; 1. */
      beta?: number;
      /** beta x beyond which PyTorch returns x; without effect here; 20. */
      threshold?: number;
    } = {},
  ) {
    super(74, valuesOf('Softplus', options, ['beta', 'threshold']));
  }
}

/** min(max(x, min_val), max_val) */
export class Hardtanh extends NativeLayer {
  constructor(
    options: {
      /** lower bound; -1. */
      minVal?: number;
      /** upper bound; 1. */
      maxVal?: number;
    } = {},
  ) {
    super(75, valuesOf('Hardtanh', options, ['minVal', 'maxVal']));
  }
}

/** the first half along dim times the sigmoid of the second */
export class GLU extends NativeLayer {
  constructor(
    options: {
      /** axis that is halved; -1. */
      dim?: number;
    } = {},
  ) {
    super(76, valuesOf('GLU', options, ['dim']));
  }
}

/** x above zero, a learned multiple of it below */
export class PReLU extends NativeLayer {
  constructor(
    options: {
      /** 1, or the channels of the input; 1. */
      numParameters?: number;
      /** the weight at first; 0.25. */
      init?: number;
    } = {},
  ) {
    super(77, valuesOf('PReLU', options, ['numParameters', 'init']));
  }
}

/** exponentials that sum to one along dim */
export class Softmax extends NativeLayer {
  /**
   * @param dim axis that sums to one
   */
  constructor(dim: number, options: Record<string, never> = {}) {
    super(78, [dim, ...valuesOf('Softmax', options, [])]);
  }
}

/** the logarithm of Softmax */
export class LogSoftmax extends NativeLayer {
  /**
   * @param dim axis that sums to one
   */
  constructor(dim: number, options: Record<string, never> = {}) {
    super(79, [dim, ...valuesOf('LogSoftmax', options, [])]);
  }
}

/** the softmax of -x */
export class Softmin extends NativeLayer {
  /**
   * @param dim axis that sums to one
   */
  constructor(dim: number, options: Record<string, never> = {}) {
    super(80, [dim, ...valuesOf('Softmin', options, [])]);
  }
}

/** x above threshold, else value */
export class Threshold extends NativeLayer {
  /**
   * @param threshold above it elements stay
   * @param value what the others become
   */
  constructor(threshold: number, value: number, options: Record<string, never> = {}) {
    super(81, [threshold, value, ...valuesOf('Threshold', options, [])]);
  }
}

/** x above lambd and below -lambd, 0 between */
export class Hardshrink extends NativeLayer {
  constructor(
    options: {
      /** elements up to it in magnitude become 0; 0.5. */
      lambd?: number;
    } = {},
  ) {
    super(82, valuesOf('Hardshrink', options, ['lambd']));
  }
}

/** x - lambd above lambd, x + lambd below -lambd, 0 between */
export class Softshrink extends NativeLayer {
  constructor(
    options: {
      /** elements up to it in magnitude become 0; 0.5. */
      lambd?: number;
    } = {},
  ) {
    super(83, valuesOf('Softshrink', options, ['lambd']));
  }
}
