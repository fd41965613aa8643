// onemodel/ort before onnxruntime-web: code that asks for `wasm` or `cpu`, or for nothing, runs on the engine.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import * as om from 'onemodel';
import ort, { InferenceSession, Tensor } from 'onemodel/ort';
import * as web from 'onnxruntime-web';
import { mixedFile } from './model_files.mjs';

// The engine starts with the first session, with as many threads as the code for ONNX Runtime asks for.
const file = await (async () => {
  assert.throws(() => om.environment(), { kind: 'NotInitialized' });
  web.env.wasm.numThreads = 2;
  await assert.rejects(InferenceSession.create(new Uint8Array(3)), om.ModelError);
  assert.equal(om.environment().threads, 2);
  return mixedFile();
})();

test('the API is that of onnxruntime-common', () => {
  assert.equal(ort.InferenceSession, InferenceSession);
  assert.equal(web.InferenceSession, InferenceSession);
  assert.equal(web.Tensor, Tensor);
});

for (const executionProviders of [undefined, ['wasm'], ['cpu'], ['onemodel'], [{ name: 'wasm' }]]) {
  test(`executionProviders ${JSON.stringify(executionProviders)}`, async () => {
    const session = await web.InferenceSession.create(file, executionProviders && { executionProviders });
    assert.equal(om.memory().sessions, 1);
    const { next } = await session.run({
      x: new Tensor('float32', new Float32Array(3), [1, 3]),
      y: new Tensor('int64', [1, 2], [2]),
    });
    assert.deepEqual(next.data, BigInt64Array.of(2n, 3n));
    await session.release();
    assert.deepEqual([om.memory().sessions, om.memory().tensors, om.memory().graphs], [0, 0, 0]);
  });
}

test('providers of the GPU are left out, and refused when there is no other', async () => {
  for (const name of ['webgpu', 'webgl', 'webnn']) {
    await assert.rejects(InferenceSession.create(file, { executionProviders: [name] }), /no available backend found/);
    const warn = mock.method(console, 'warn', () => {});
    try {
      const options = { executionProviders: [{ name, preferredLayout: 'NHWC' }, 'wasm'] };
      const session = await InferenceSession.create(file, options);
      assert.equal(om.memory().sessions, 1);
      assert.match(String(warn.mock.calls[0].arguments), new RegExp(`removing requested execution provider "${name}"`));
      await session.release();
    } finally {
      mock.restoreAll();
    }
  }
  const session = await InferenceSession.create(file, { executionProviders: ['onemodel', 'wasm'] });
  assert.equal(om.memory().sessions, 1);
  await session.release();
});
