// Where this engine is wrong. The test fails when one of these passes, so that the list shrinks as they are mended.

import { entry } from './entry.mjs';
import { single } from './model.mjs';
import { tensor } from './numbers.mjs';

export const oursToMend = [
  entry({
    op: 'ThresholdedRelu',
    text: 'the rectified linear function, y = x for x > alpha, y = 0 otherwise, is applied to the tensor elementwise',
    fault: 'NaN, which is not above alpha, stays NaN',
    covers: () => true,
    example: () => single('ThresholdedRelu', [tensor('float32', [Number.NaN])]),
    expected: [tensor('float32', [0])],
  }),
  entry({
    op: 'Slice',
    kinds: ['shape'],
    text: 'for negative stepping it is clamped to [0, dims[axes[i]]-1]',
    fault: 'a start before the axis gives nothing with a negative step, not its first element',
    covers: (_, [, , , , steps]) => steps !== null && [...steps.data].some((step) => step < 0),
    example: () =>
      single('Slice', [tensor('float32', [1, 2]), ...[-4, -5, 0, -1].map((each) => tensor('int64', [each]))]),
    expected: [tensor('float32', [1])],
  }),
];
