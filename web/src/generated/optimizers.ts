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
