// Operators on texts.

import { single } from '../model.mjs';

const words = ['', 'a', 'Monday', 'one two', ' three  four ', 'ÄÖ, é', 'x,y,,z', 'monday'];

const texts = (draw, dims) => ({
  dtype: 'string',
  dims,
  data: Array.from({ length: dims.reduce((product, size) => product * size, 1) }, () => draw.pick(words)),
  constant: false,
});

export const strings = {
  StringConcat: (draw) =>
    single(
      'StringConcat',
      draw.broadcast().map((dims) => texts(draw, dims)),
    ),
  StringSplit: (draw) =>
    single(
      'StringSplit',
      [texts(draw, draw.shape(0, 2, 0))],
      { delimiter: draw.maybe(draw.pick([',', ' ', 'wo'])), maxsplit: draw.maybe(draw.from(1, 2), 0.3) },
      { outputs: 2 },
    ),
  StringNormalizer: (draw) =>
    single(
      'StringNormalizer',
      [texts(draw, draw.chance(0.5) ? [draw.from(1, 4)] : [1, draw.from(1, 4)])],
      {
        case_change_action: draw.maybe(draw.pick(['NONE', 'LOWER', 'UPPER'])),
        is_case_sensitive: draw.maybe(draw.from(0, 1)),
        stopwords: draw.maybe(['monday', 'a']),
      },
      { opset: 10 },
    ),
};
