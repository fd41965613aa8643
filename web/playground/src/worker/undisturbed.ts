/** Work beside training, which goes on as without it. */

import * as om from 'onemodel';

/** Runs `fn`; afterwards the random numbers go on as without it. */
export function keepingRandom<R>(fn: () => R): R {
  const before = om.generatorState();
  try {
    return fn();
  } finally {
    om.setGeneratorState(before);
  }
}

/** Runs `compute` with the model in evaluation mode; tensors that it makes are freed. */
export function undisturbed<R>(model: om.nn.Module, compute: () => R): R {
  const wasTraining = model.training;
  model.eval();
  try {
    return om.scope(() => keepingRandom(compute));
  } finally {
    model.train(wasTraining);
  }
}
