// The way of transformers.js to a runtime that is not its own: it looks for one under a symbol when it is loaded, checks
// tensors with its `Tensor`, writes settings for ONNX Runtime's own files into its `env`, and passes options on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import 'onemodel/ort/global';
import { Tensor } from 'onnxruntime-common';
import { useEngine } from './support.mjs';

await useEngine();

const runtime = globalThis[Symbol.for('onnxruntime')];

/** Token ids and a mask to a pooled embedding. */
const encoder = om.scope(() => {
  const table = om.rand([100, 8], -1, 1);
  const traced = om.trace(
    (ids, mask) => {
      const weights = mask.cast('float32').unsqueeze(2);
      const hidden = table.gather(ids);
      return { last_hidden_state: hidden, pooled: hidden.mul(weights).sum(1).div(weights.sum(1)) };
    },
    { input_ids: om.ones([2, 5], 'int64'), attention_mask: om.ones([2, 5], 'int64') },
    { axes: { input_ids: ['batch', 'length'], attention_mask: ['batch', 'length'] } },
  );
  const file = traced.toOnnx();
  traced.dispose();
  return file;
});

test('the runtime under the symbol is what transformers.js takes one for', () => {
  assert.ok(Symbol.for('onnxruntime') in globalThis);
  assert.equal(runtime.Tensor, Tensor);
  assert.equal(typeof runtime.InferenceSession.create, 'function');
  const { wasm, webgpu, versions } = runtime.env;
  assert.equal(typeof wasm, 'object');
  // With `versions.web` it would set the address of onnxruntime-web's files.
  assert.equal(versions.web, undefined);
  wasm.proxy = false;
  wasm.wasmPaths = 'https://example.org/ort/';
  if (webgpu) webgpu.powerPreference = 'high-performance';
});

test('a session made and run as transformers.js does', async () => {
  const session = await runtime.InferenceSession.create(encoder, {
    logSeverityLevel: 4,
    executionProviders: [], // `device: 'auto'`
    freeDimensionOverrides: undefined,
    externalData: undefined,
  });
  assert.equal(om.memory().sessions, 1);
  session.config = {};
  assert.deepEqual(session.inputNames, ['input_ids', 'attention_mask']);
  assert.deepEqual(session.outputNames, ['last_hidden_state', 'pooled']);
  const feeds = {
    input_ids: new Tensor('int64', BigInt64Array.of(1n, 2n, 3n, 4n, 5n, 6n), [2, 3]),
    attention_mask: new Tensor('int64', BigInt64Array.of(1n, 1n, 0n, 1n, 1n, 1n), [2, 3]),
  };
  const results = await session.run(feeds);
  for (const value of Object.values(results)) {
    assert.ok(value instanceof runtime.Tensor);
    assert.equal(value.location, 'cpu');
  }
  assert.deepEqual(results.pooled.dims, [2, 8]);
  const rows = await results.last_hidden_state.getData();
  const mean = (rows[0] + rows[8]) / 2; // the third token of the first text is masked
  assert.ok(Math.abs(results.pooled.data[0] - mean) < 1e-6);
  results.pooled.dispose();
  await session.release();
});
