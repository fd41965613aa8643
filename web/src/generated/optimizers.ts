// Generated from src/nn by scripts/generate; do not edit.

import { valuesOf } from '../arguments.js';
import { Optimizer, type OptimizerParameters } from '../optimizer.js';
import { LRScheduler } from '../schedule.js';

/** Options of SGD, for all parameters or for a group. */
export interface SGDOptions {
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
}

/** stochastic gradient descent with momentum */
export class SGD extends Optimizer<SGDOptions> {
  /** Groups have options of their own, and `options` for what they leave out. */
  constructor(parameters: OptimizerParameters<SGDOptions>, options: SGDOptions = {}) {
    super(0, ['lr', 'momentum', 'dampening', 'weightDecay', 'nesterov'], parameters, options);
  }
}

/** Options of Adam, for all parameters or for a group. */
export interface AdamOptions {
  /** learning rate; 0.001. */
  lr?: number;
  /** shares of the two running moments that are kept; [0.9, 0.999]. */
  betas?: readonly [number, number];
  /** added to the denominator; 1e-08. */
  eps?: number;
  /** factor of the parameter added to its gradient; 0. */
  weightDecay?: number;
  /** whether the largest second moment so far takes its place; false. */
  amsgrad?: boolean;
}

/** steps scaled by running moments of the gradient */
export class Adam extends Optimizer<AdamOptions> {
  /** Groups have options of their own, and `options` for what they leave out. */
  constructor(parameters: OptimizerParameters<AdamOptions>, options: AdamOptions = {}) {
    super(1, ['lr', 'betas', 'eps', 'weightDecay', 'amsgrad'], parameters, options);
  }
}

/** Options of AdamW, for all parameters or for a group. */
export interface AdamWOptions {
  /** learning rate; 0.001. */
  lr?: number;
  /** shares of the two running moments that are kept; [0.9, 0.999]. */
  betas?: readonly [number, number];
  /** added to the denominator; 1e-08. */
  eps?: number;
  /** share of the parameter, times lr, that each step drops; 0.01. */
  weightDecay?: number;
  /** whether the largest second moment so far takes its place; false. */
  amsgrad?: boolean;
}

/** Adam with weight decay apart from the gradient */
export class AdamW extends Optimizer<AdamWOptions> {
  /** Groups have options of their own, and `options` for what they leave out. */
  constructor(parameters: OptimizerParameters<AdamWOptions>, options: AdamWOptions = {}) {
    super(2, ['lr', 'betas', 'eps', 'weightDecay', 'amsgrad'], parameters, options);
  }
}

/** Options of RMSprop, for all parameters or for a group. */
export interface RMSpropOptions {
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
}

/** steps divided by a running root mean square of the gradient */
export class RMSprop extends Optimizer<RMSpropOptions> {
  /** Groups have options of their own, and `options` for what they leave out. */
  constructor(parameters: OptimizerParameters<RMSpropOptions>, options: RMSpropOptions = {}) {
    super(3, ['lr', 'alpha', 'eps', 'weightDecay', 'momentum', 'centered'], parameters, options);
  }
}

/** Options of Adagrad, for all parameters or for a group. */
export interface AdagradOptions {
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
}

/** steps divided by the root of all squared gradients so far */
export class Adagrad extends Optimizer<AdagradOptions> {
  /** Groups have options of their own, and `options` for what they leave out. */
  constructor(parameters: OptimizerParameters<AdagradOptions>, options: AdagradOptions = {}) {
    super(4, ['lr', 'lrDecay', 'weightDecay', 'initialAccumulatorValue', 'eps'], parameters, options);
  }
}

/** the rate times gamma after every step_size steps */
export class StepLR extends LRScheduler {
  /**
   * @param stepSize steps with one rate
   */
  constructor(
    optimizer: Optimizer,
    stepSize: number,
    options: {
      /** factor of the rate after them; 0.1. */
      gamma?: number;
    } = {},
  ) {
    super(0, optimizer, [stepSize, ...valuesOf('StepLR', options, ['gamma'])]);
  }
}

/** the rate times gamma at each milestone */
export class MultiStepLR extends LRScheduler {
  /**
   * @param milestones steps at which the rate changes, ascending
   */
  constructor(
    optimizer: Optimizer,
    milestones: number | readonly number[],
    options: {
      /** factor of the rate at each; 0.1. */
      gamma?: number;
    } = {},
  ) {
    super(1, optimizer, [milestones, ...valuesOf('MultiStepLR', options, ['gamma'])]);
  }
}

/** warm-up: the rate times a factor that changes evenly */
export class LinearLR extends LRScheduler {
  constructor(
    optimizer: Optimizer,
    options: {
      /** factor of the rate at first, in (0, 1]; 0.3333333333333333. */
      startFactor?: number;
      /** factor at last, in [0, 1]; 1. */
      endFactor?: number;
      /** steps from the one to the other; 5. */
      totalIters?: number;
    } = {},
  ) {
    super(2, optimizer, valuesOf('LinearLR', options, ['startFactor', 'endFactor', 'totalIters']));
  }
}

/** the rate down to eta_min along half a cosine */
export class CosineAnnealingLR extends LRScheduler {
  /**
   * @param tMax steps from the highest rate to the lowest
   */
  constructor(
    optimizer: Optimizer,
    tMax: number,
    options: {
      /** the lowest rate; 0. */
      etaMin?: number;
    } = {},
  ) {
    super(3, optimizer, [tMax, ...valuesOf('CosineAnnealingLR', options, ['etaMin'])]);
  }
}

/** the rate up to max_lr, then down to almost nothing; momentum the other way */
export class OneCycleLR extends LRScheduler {
  /**
   * @param maxLr the highest rate, for all groups or for each
   * @param totalSteps steps of the cycle
   */
  constructor(
    optimizer: Optimizer,
    maxLr: number | readonly number[],
    totalSteps: number,
    options: {
      /** share of the steps in which the rate rises; 0.3. */
      pctStart?: number;
      /** cos or linear; "cos". */
      annealStrategy?: 'cos' | 'linear';
      /** whether momentum, or the first of betas, falls as the rate rises; true. */
      cycleMomentum?: boolean;
      /** the lowest momentum, for all groups or for each; [0.85]. */
      baseMomentum?: number | readonly number[];
      /** the highest momentum, for all groups or for each; [0.95]. */
      maxMomentum?: number | readonly number[];
      /** max_lr over the first rate; 25. */
      divFactor?: number;
      /** the first rate over the last; 10000. */
      finalDivFactor?: number;
      /** whether the rate falls as slowly as it rose before the last phase; false. */
      threePhase?: boolean;
    } = {},
  ) {
    super(4, optimizer, [
      maxLr,
      totalSteps,
      ...valuesOf('OneCycleLR', options, [
        'pctStart',
        'annealStrategy',
        'cycleMomentum',
        'baseMomentum',
        'maxMomentum',
        'divFactor',
        'finalDivFactor',
        'threePhase',
      ]),
    ]);
  }
}
