// Generated from src/nn by scripts/generate; do not edit.

import { NativeModule } from '../nn/native_module.js';

/** x times the transposed weight, plus bias */
export class Linear extends NativeModule {
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
    super(0, [inFeatures, outFeatures, options.bias]);
  }
}

/** two-dimensional convolution over [batch, channels, height, width] */
export class Conv2d extends NativeModule {
  /**
   * @param inChannels channels of the input
   * @param outChannels channels of the output
   * @param kernelSize height and width of the window
   */
  constructor(
    inChannels: number,
    outChannels: number,
    kernelSize: number | readonly number[],
    options: {
      /** step of the window; [1, 1]. */
      stride?: number | readonly number[];
      /** zeros put around each plane; [0, 0]. */
      padding?: number | readonly number[];
      /** distance between the window's elements; [1, 1]. */
      dilation?: number | readonly number[];
      /** independent groups of channels; 1. */
      groups?: number;
      /** whether a bias is added; true. */
      bias?: boolean;
    } = {},
  ) {
    super(1, [
      inChannels,
      outChannels,
      kernelSize,
      options.stride,
      options.padding,
      options.dilation,
      options.groups,
      options.bias,
    ]);
  }
}

/** normalises each channel by its mean and variance */
export class BatchNorm2d extends NativeModule {
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
      /** whether there are a weight and a bias; true. */
      affine?: boolean;
      /** whether running statistics are kept and used in evaluation mode; true. */
      trackRunningStats?: boolean;
    } = {},
  ) {
    super(2, [numFeatures, options.eps, options.momentum, options.affine, options.trackRunningStats]);
  }
}

/** the largest element of each window */
export class MaxPool2d extends NativeModule {
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
    super(3, [kernelSize, options.stride, options.padding, options.dilation, options.ceilMode]);
  }
}

/** the mean of each window */
export class AvgPool2d extends NativeModule {
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
    super(4, [kernelSize, options.stride, options.padding, options.ceilMode, options.countIncludePad]);
  }
}

/** the mean of each plane */
export class GlobalAvgPool2d extends NativeModule {
  constructor() {
    super(5, []);
  }
}

/** joins the axes from start_dim to end_dim into one */
export class Flatten extends NativeModule {
  constructor(
    options: {
      /** first axis to join; 1. */
      startDim?: number;
      /** last axis to join; -1. */
      endDim?: number;
    } = {},
  ) {
    super(6, [options.startDim, options.endDim]);
  }
}

/** sets random elements to 0 while training */
export class Dropout extends NativeModule {
  constructor(
    options: {
      /** probability of an element to become 0; 0.5. */
      p?: number;
    } = {},
  ) {
    super(7, [options.p]);
  }
}

/** returns its input */
export class Identity extends NativeModule {
  constructor() {
    super(8, []);
  }
}

/** max(x, 0) */
export class ReLU extends NativeModule {
  constructor() {
    super(10, []);
  }
}

/** x for x >= 0, negative_slope * x below */
export class LeakyReLU extends NativeModule {
  constructor(
    options: {
      /** slope below zero; 0.01. */
      negativeSlope?: number;
    } = {},
  ) {
    super(11, [options.negativeSlope]);
  }
}

/** 1 / (1 + e^-x) */
export class Sigmoid extends NativeModule {
  constructor() {
    super(12, []);
  }
}

/** hyperbolic tangent */
export class Tanh extends NativeModule {
  constructor() {
    super(13, []);
  }
}

/** x times the normal distribution's cumulative function at x */
export class GELU extends NativeModule {
  constructor(
    options: {
      /** none (erf) or tanh; "none". */
      approximate?: string;
    } = {},
  ) {
    super(14, [options.approximate]);
  }
}

/** clip(x / 6 + 1 / 2, 0, 1) */
export class Hardsigmoid extends NativeModule {
  constructor() {
    super(15, []);
  }
}

/** x clip(x / 6 + 1 / 2, 0, 1) */
export class Hardswish extends NativeModule {
  constructor() {
    super(16, []);
  }
}

/** exponentials that sum to one along dim */
export class Softmax extends NativeModule {
  /**
   * @param dim axis that sums to one
   */
  constructor(dim: number) {
    super(17, [dim]);
  }
}

/** the logarithm of Softmax */
export class LogSoftmax extends NativeModule {
  /**
   * @param dim axis that sums to one
   */
  constructor(dim: number) {
    super(18, [dim]);
  }
}
