// Generated from src/nn by scripts/generate; do not edit.

import { Optimizer } from '../optimizer.js';
import type { Tensor } from '../tensor.js';

/** stochastic gradient descent with momentum */
export class SGD extends Optimizer {
  constructor(
    parameters: readonly Tensor[],
    options: {
      /** learning rate; 0.001. */
      lr?: number;
      /** share of the last step that is kept; 0. */
      momentum?: number;
      /** share of the gradient that momentum leaves out; 0. */
      dampening?: number;
      /** factor of the parameter added to its gradient; 0. */
      weightDecay?: number;
      /** whether to look ahead along the momentum; false. */
      nesterov?: boolean;
    } = {},
  ) {
    super(0, parameters, [options.lr, options.momentum, options.dampening, options.weightDecay, options.nesterov]);
  }
}

/** steps scaled by running moments of the gradient */
export class Adam extends Optimizer {
  constructor(
    parameters: readonly Tensor[],
    options: {
      /** learning rate; 0.001. */
      lr?: number;
      /** shares of the two running moments that are kept; [0.9, 0.999]. */
      betas?: readonly number[];
      /** added to the denominator; 1e-08. */
      eps?: number;
      /** factor of the parameter added to its gradient; 0. */
      weightDecay?: number;
    } = {},
  ) {
    super(1, parameters, [options.lr, options.betas, options.eps, options.weightDecay]);
  }
}

/** Adam with weight decay apart from the gradient */
export class AdamW extends Optimizer {
  constructor(
    parameters: readonly Tensor[],
    options: {
      /** learning rate; 0.001. */
      lr?: number;
      /** shares of the two running moments that are kept; [0.9, 0.999]. */
      betas?: readonly number[];
      /** added to the denominator; 1e-08. */
      eps?: number;
      /** share of the parameter, times lr, that each step drops; 0.01. */
      weightDecay?: number;
    } = {},
  ) {
    super(2, parameters, [options.lr, options.betas, options.eps, options.weightDecay]);
  }
}

/** steps divided by a running root mean square of the gradient */
export class RMSprop extends Optimizer {
  constructor(
    parameters: readonly Tensor[],
    options: {
      /** learning rate; 0.01. */
      lr?: number;
      /** share of the running mean square that is kept; 0.99. */
      alpha?: number;
      /** added to the denominator; 1e-08. */
      eps?: number;
      /** factor of the parameter added to its gradient; 0. */
      weightDecay?: number;
      /** share of the last step that is kept; 0. */
      momentum?: number;
      /** whether the running mean is taken off the mean square; false. */
      centered?: boolean;
    } = {},
  ) {
    super(3, parameters, [
      options.lr,
      options.alpha,
      options.eps,
      options.weightDecay,
      options.momentum,
      options.centered,
    ]);
  }
}

/** steps divided by the root of all squared gradients so far */
export class Adagrad extends Optimizer {
  constructor(
    parameters: readonly Tensor[],
    options: {
      /** learning rate; 0.01. */
      lr?: number;
      /** the rate of step n is lr / (1 + (n - 1) lr_decay); 0. */
      lrDecay?: number;
      /** factor of the parameter added to its gradient; 0. */
      weightDecay?: number;
      /** the sum of squares at first; 0. */
      initialAccumulatorValue?: number;
      /** added to the denominator; 1e-10. */
      eps?: number;
    } = {},
  ) {
    super(4, parameters, [
      options.lr,
      options.lrDecay,
      options.weightDecay,
      options.initialAccumulatorValue,
      options.eps,
    ]);
  }
}
