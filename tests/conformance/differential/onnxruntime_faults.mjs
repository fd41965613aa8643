// Where onnxruntime-web 1.30 is wrong, with the sentence of the ONNX operator text that says so.

import { entry } from './entry.mjs';
import { float, single } from './model.mjs';
import { tensor } from './numbers.mjs';

export const onnxruntimeFaults = [
  entry({
    op: 'Gemm',
    text: "Compute Y = alpha * A' * B' + beta * C",
    fault: 'beta is left out where the inner extent is 0',
    covers: ({ transA }, [a]) => a.dims[transA ? 0 : 1] === 0,
    example: () =>
      single('Gemm', [tensor('float32', [], [1, 0]), tensor('float32', [], [0, 1]), tensor('float32', [3])], {
        beta: float(0.5),
      }),
    expected: [tensor('float32', [1.5], [1, 1])],
  }),
  entry({
    op: 'Mod',
    text: 'The result is exactly the value x - n * y, where n is x / y with its fractional part truncated.',
    fault: 'large int64 are made float64 before the remainder',
    covers: ({ fmod }, [a]) => fmod === 1 && a.dtype.endsWith('int64'),
    example: () => single('Mod', [tensor('int64', [2n ** 63n - 1n]), tensor('int64', [6])], { fmod: 1 }),
    expected: [tensor('int64', [1])],
  }),
];
