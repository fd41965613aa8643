// Every generator of a random model, by name: `(draw) => model`. The name is the operator's, or says what is special.

import { binary } from './binary.mjs';
import { chains } from './chains.mjs';
import { dequantised } from './dequantised.mjs';
import { fourier } from './fourier.mjs';
import { image } from './image.mjs';
import { indices } from './indices.mjs';
import { layout } from './layout.mjs';
import { matrix } from './matrix.mjs';
import { normalise } from './normalise.mjs';
import { quantised } from './quantised.mjs';
import { recurrent } from './recurrent.mjs';
import { reduce } from './reduce.mjs';
import { refusals } from './refusals.mjs';
import { select } from './select.mjs';
import { strings } from './strings.mjs';
import { unary } from './unary.mjs';
import { window } from './window.mjs';

export const families = {
  unary,
  binary,
  select,
  reduce,
  matrix,
  window,
  image,
  layout,
  indices,
  normalise,
  recurrent,
  quantised,
  dequantised,
  fourier,
  strings,
  chains,
  refusals,
};
