// Draws a chain from a seed.

import { Chain } from './chain.mjs';
import { Random } from './random.mjs';
import * as branches from './steps_branches.mjs';
import * as cuts from './steps_cuts.mjs';
import * as layers from './steps_layers.mjs';
import * as shapes from './steps_shape.mjs';
import * as sizes from './steps_sizes.mjs';
import * as windows from './steps_windows.mjs';

/** Every kind of step, and how often it is tried. */
const steps = [
  [shapes.reshape, 16],
  [sizes.reshapeToHandles, 6],
  [sizes.expandToHandles, 3],
  [sizes.createOfHandles, 2],
  [sizes.countToHandle, 2],
  [shapes.flatten, 3],
  [shapes.permute, 5],
  [shapes.transpose, 4],
  [shapes.unsqueeze, 4],
  [shapes.squeeze, 4],
  [cuts.split, 3],
  [cuts.chunk, 3],
  [cuts.slice, 3],
  [cuts.sliceAll, 2],
  [cuts.slicePart, 0.3],
  [cuts.select, 3],
  [cuts.gatherConstant, 3],
  [shapes.expand, 5],
  [shapes.tile, 3],
  [shapes.pad, 3],
  [cuts.crop, 2],
  [layers.linear, 4],
  [layers.matmulWeight, 2],
  [windows.conv, 6],
  [windows.convTranspose, 3],
  [windows.pool, 5],
  [windows.upsample, 2],
  [layers.reduce, 6],
  [layers.norm, 5],
  [layers.embedding, 10],
  [layers.recurrent, 5],
  [layers.attention, 2],
  [branches.unary, 4],
  [branches.binary, 7],
  [branches.addConstant, 2],
  [branches.concat, 6],
  [branches.stack, 3],
  [branches.matmul, 5],
  [branches.einsum, 2],
  [branches.gather, 4],
  [branches.cumulate, 1],
  [branches.spread, 2],
  [branches.depthToSpace, 2],
];

/** The chain of a seed. `clear`: with example sizes that no fixed size is a multiple of, as the documentation asks. */
export function chainOf(seed, clear) {
  const random = new Random(seed);
  const chain = new Chain(random, clear);
  const length = random.from(2, 9);
  for (let tries = 0; tries < 40 && chain.steps.length < length; tries++) {
    const [draw] = random.weighted(steps, ([, weight]) => weight);
    const step = draw(random, chain);
    if (step) chain.add(draw.name, step);
  }
  return chain;
}
