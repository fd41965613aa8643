// Model files that are written piece by piece: weights beside a .onnx model, and .onemodel files.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { mixedFile } from './model_files.mjs';
import { useEngine } from './support.mjs';

await useEngine();

const model = mixedFile(); // constants of 48, 8 and 8 bytes

async function withGraph(use) {
  const graph = await om.loadGraph(model);
  try {
    await use(graph);
  } finally {
    graph.dispose();
  }
}

/** The model and the file beside it. */
function written(graph, options) {
  const pieces = [];
  const write = (bytes) => pieces.push(Buffer.from(bytes));
  const file = graph.toOnnx({ externalData: { file: 'w.data', write, ...options } });
  return { file, data: new Uint8Array(Buffer.concat(pieces)) };
}

const resultOf = (session) =>
  om.scope(() => {
    const results = session.runSync({ x: om.ones([2, 3]), y: om.ones([4], 'int64') });
    return Object.fromEntries(Object.entries(results).map(([name, tensor]) => [name, [...tensor.data].map(String)]));
  });

test('weights go to the file beside the model, as far as they are large enough', async () => {
  await withGraph(async (graph) => {
    const whole = graph.createSession();
    const expected = resultOf(whole);
    whole.dispose();
    for (const [leastBytes, size] of [
      [undefined, 0],
      [49, 0],
      [48, 48],
      [0, 64 + 64 + 8],
    ]) {
      const { file, data } = written(graph, leastBytes === undefined ? {} : { leastBytes });
      assert.equal(data.length, size);
      const session = await om.Session.load(file, { externalData: { 'w.data': data } });
      assert.deepEqual(resultOf(session), expected);
      session.dispose();
    }
  });
});

test('the model without its weights is refused', async () => {
  await withGraph(async (graph) => {
    const { file } = written(graph, { leastBytes: 0 });
    await assert.rejects(om.loadGraph(file), (error) => {
      assert.ok(error instanceof om.ModelError);
      assert.match(error.message, /3 problems/);
      assert.match(error.message, /the file 'w.data' \(external data\), which is not at hand/);
      return true;
    });
  });
});

test('a .onemodel file in pieces is the same file', async () => {
  await withGraph((graph) => {
    const pieces = [];
    graph.writeOneModel((bytes) => pieces.push(Buffer.from(bytes)));
    assert.ok(pieces.length > 3);
    assert.deepEqual(new Uint8Array(Buffer.concat(pieces)), graph.toOneModel());
  });
});

test('what takes the bytes may throw, and may not use the engine', async () => {
  await withGraph((graph) => {
    const full = new Error('the disk is full');
    const fail = () => {
      throw full;
    };
    assert.throws(() => graph.writeOneModel(fail), full);
    assert.throws(() => graph.toOnnx({ externalData: { file: 'w', write: fail, leastBytes: 0 } }), full);
    assert.throws(() => graph.writeOneModel(() => om.ones([1])), { name: 'ArgumentError', kind: 'Busy' });
    assert.ok(graph.toOnnx().length > 0, 'the engine goes on');
  });
});

test('options that do not fit are refused', async () => {
  await withGraph((graph) => {
    const refuse = (externalData, pattern) =>
      assert.throws(
        () => graph.toOnnx({ externalData }),
        (error) => error instanceof om.ArgumentError && pattern.test(error.message),
      );
    const write = () => {};
    refuse({ write }, /externalData\.file: expected a text/);
    refuse({ file: 'w', write: async () => {}, leastBytes: 0 }, /externalData\.write must not be async/);
    assert.throws(() => graph.writeOneModel(() => Promise.reject(new Error('late'))), {
      name: 'ArgumentError',
      message: /^writeOneModel must not be async/,
    });
    refuse({ file: 'w' }, /externalData\.write: expected a function/);
    refuse({ file: 'w', write, leastBytes: -1 }, /externalData\.leastBytes: expected an integer of 0 or more/);
    refuse({ file: 'w', write, threshold: 1 }, /unknown option 'threshold'/);
    for (const file of ['', '..', 'a/b', 'a\\b', 'c:d']) refuse({ file, write }, /the file expects a plain name/);
    assert.throws(() => graph.writeOneModel(3), /writeOneModel: expected a function/);
    assert.throws(() => graph.toOnnx({ external: {} }), /unknown option 'external'/);
  });
});
