// Generated from src/nn by scripts/generate; do not edit.

import { LossModule } from '../nn/loss_module.js';
import * as losses from './functional.js';

/** `mseLoss` as a module. */
export class MSELoss extends LossModule {
  constructor(options: Parameters<typeof losses.mseLoss>[2] = {}) {
    super(losses.mseLoss, options, ['reduction']);
  }
}

/** `l1Loss` as a module. */
export class L1Loss extends LossModule {
  constructor(options: Parameters<typeof losses.l1Loss>[2] = {}) {
    super(losses.l1Loss, options, ['reduction']);
  }
}

/** `smoothL1Loss` as a module. */
export class SmoothL1Loss extends LossModule {
  constructor(options: Parameters<typeof losses.smoothL1Loss>[2] = {}) {
    super(losses.smoothL1Loss, options, ['reduction', 'beta']);
  }
}

/** `huberLoss` as a module. */
export class HuberLoss extends LossModule {
  constructor(options: Parameters<typeof losses.huberLoss>[2] = {}) {
    super(losses.huberLoss, options, ['reduction', 'delta']);
  }
}

/** `binaryCrossEntropy` as a module. */
export class BCELoss extends LossModule {
  constructor(options: Parameters<typeof losses.binaryCrossEntropy>[2] = {}) {
    super(losses.binaryCrossEntropy, options, ['weight', 'reduction']);
  }
}

/** `binaryCrossEntropyWithLogits` as a module. */
export class BCEWithLogitsLoss extends LossModule {
  constructor(options: Parameters<typeof losses.binaryCrossEntropyWithLogits>[2] = {}) {
    super(losses.binaryCrossEntropyWithLogits, options, ['weight', 'reduction', 'posWeight']);
  }
}

/** `klDiv` as a module. */
export class KLDivLoss extends LossModule {
  constructor(options: Parameters<typeof losses.klDiv>[2] = {}) {
    super(losses.klDiv, options, ['reduction', 'logTarget']);
  }
}

/** `nllLoss` as a module. */
export class NLLLoss extends LossModule {
  constructor(options: Parameters<typeof losses.nllLoss>[2] = {}) {
    super(losses.nllLoss, options, ['weight', 'ignoreIndex', 'reduction']);
  }
}

/** `crossEntropy` as a module. */
export class CrossEntropyLoss extends LossModule {
  constructor(options: Parameters<typeof losses.crossEntropy>[2] = {}) {
    super(losses.crossEntropy, options, ['weight', 'ignoreIndex', 'reduction', 'labelSmoothing']);
  }
}

/** `ctcLoss` as a module. */
export class CTCLoss extends LossModule {
  constructor(options: Parameters<typeof losses.ctcLoss>[4] = {}) {
    super(losses.ctcLoss, options, ['blank', 'reduction', 'zeroInfinity']);
  }
}
