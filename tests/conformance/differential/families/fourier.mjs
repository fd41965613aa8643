// Fourier transforms and windows.

import { single } from '../model.mjs';
import { dtypes, tensor } from '../numbers.mjs';

const windowed = (op) => (draw) =>
  single(op, [draw.operand(draw.pick(['int32', 'int64']), [draw.from(2, 12)], [])], {
    periodic: draw.maybe(draw.from(0, 1)),
    output_datatype: draw.maybe(dtypes[draw.pick(['float32', 'float64'])].code),
  });

export const fourier = {
  DFT: (draw) => {
    const axis = draw.from(1, 2);
    const complex = draw.chance(0.4);
    const onesided = complex ? 0 : draw.from(0, 1);
    const dims = [draw.from(1, 2), draw.from(1, 9), draw.from(1, 9), complex ? 2 : 1];
    const length = draw.chance(0.4) ? draw.operand('int64', [draw.from(1, 10)], []) : null;
    const attributes = {
      onesided: draw.maybe(onesided, onesided ? 1 : 0.5),
      inverse: onesided ? undefined : draw.maybe(draw.from(0, 1)),
    };
    const x = draw.tensor(draw.pick(['float32', 'float64']), dims);
    if (draw.chance(0.4)) return single('DFT', length ? [x, length] : [x], { ...attributes, axis }, { opset: 17 });
    return single('DFT', [x, length, draw.operand('int64', [axis], [])], attributes, { opset: 20 });
  },
  STFT: (draw) => {
    const length = draw.from(6, 16);
    const frame = draw.from(2, 6);
    const dtype = draw.pick(['float32', 'float64']);
    const inputs = [draw.tensor(dtype, [draw.from(1, 2), length, 1]), draw.operand('int64', [draw.from(1, 4)], [])];
    const window = draw.chance(0.6) ? draw.tensor(dtype, [frame]) : null;
    const tail = window && draw.chance(0.5) ? [window] : [window, draw.operand('int64', [frame], [])];
    return single('STFT', [...inputs, ...tail], { onesided: draw.maybe(draw.from(0, 1)) });
  },
  HannWindow: windowed('HannWindow'),
  HammingWindow: windowed('HammingWindow'),
  BlackmanWindow: windowed('BlackmanWindow'),
  MelWeightMatrix: (draw) =>
    single('MelWeightMatrix', [
      ...[draw.from(2, 8), draw.pick([16, 32, 64]), 8000].map((each) => ({
        ...tensor('int64', [each], []),
        constant: true,
      })),
      ...[0, 4000].map((each) => ({ ...tensor('float32', [each], []), constant: true })),
    ]),
};
