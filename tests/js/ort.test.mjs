// The same code of the official InferenceSession and Tensor, on onnxruntime-web's backend and on ours: names and results.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import * as om from 'onemodel';
import { classifier, mixedFile, repeatFile } from './model_files.mjs';
import { backends, InferenceSession, mixedFeeds, onBoth, plain, register, Tensor } from './ort_support.mjs';
import { scaledError, useEngine } from './support.mjs';

await useEngine();

const mixed = mixedFile();

test('names, metadata and results are the same', async () => {
  const { theirs, ours } = await onBoth(mixed, async (session) => ({
    names: [session.inputNames, session.outputNames],
    metadata: [session.inputMetadata, session.outputMetadata],
    isTensor: Object.values(await session.run(mixedFeeds())).map((value) => value instanceof Tensor),
    results: plain(await session.run(mixedFeeds())),
  }));
  assert.deepEqual(ours.metadata[0][0], { name: 'x', isTensor: true, type: 'float32', shape: ['n', 3] });
  assert.ok(scaledError(ours.results.product.data, theirs.results.product.data) < 1e-6);
  ours.results.product.data = theirs.results.product.data;
  assert.deepEqual(ours, theirs);
});

test('a model from a path, an ArrayBuffer, a part of one, and a Uint8Array', async () => {
  const padded = new Uint8Array(mixed.length + 20);
  padded.set(mixed, 10);
  for (const args of [[classifier], [mixed.slice().buffer], [padded.buffer, 10, mixed.length], [mixed]]) {
    const session = await InferenceSession.create(...args, { executionProviders: backends.ours });
    assert.ok(['x', 'y'].includes(session.inputNames[0]));
    await session.release();
  }
});

test('a real model, at two sizes', async () => {
  for (const dims of [
    [1, 3, 48, 192],
    [2, 3, 48, 128],
  ]) {
    const data = Float32Array.from({ length: dims.reduce((a, b) => a * b) }, (_, i) => Math.sin(i / 50));
    const { theirs, ours } = await onBoth(classifier, async (session) => {
      const results = await session.run({ [session.inputNames[0]]: new Tensor('float32', data, dims) });
      return [results[session.outputNames[0]], session.outputMetadata, session.inputMetadata];
    });
    assert.deepEqual(ours[0].dims, theirs[0].dims);
    assert.ok(scaledError(ours[0].data, theirs[0].data) < 1e-4);
    assert.deepEqual(ours.slice(1), theirs.slice(1));
  }
});

const dtypes = {
  float32: Float32Array.of(1.5, -2, Number.NaN),
  float64: Float64Array.of(1 / 3, -2, 1e300),
  int8: Int8Array.of(-128, 0, 127),
  uint8: Uint8Array.of(0, 1, 255),
  int16: Int16Array.of(-32768, 0, 32767),
  uint16: Uint16Array.of(0, 1, 65535),
  int32: Int32Array.of(-(2 ** 31), 0, 2 ** 31 - 1),
  uint32: Uint32Array.of(0, 1, 2 ** 32 - 1),
  int64: BigInt64Array.of(-(2n ** 63n), 0n, 2n ** 63n - 1n),
  uint64: BigUint64Array.of(0n, 1n, 2n ** 64n - 1n),
  bool: Uint8Array.of(1, 0, 1),
  float16: Uint16Array.of(0x3c00, 0x8001, 0x7bff),
  string: ['', 'ü', '👍'],
};

for (const [type, data] of Object.entries(dtypes)) {
  test(`${type} goes in and out`, async () => {
    const { theirs, ours } = await onBoth(repeatFile(type), async (session) => {
      const { y } = await session.run({ x: new Tensor(type, data, [3]) });
      return [session.inputMetadata, session.outputMetadata, y];
    });
    assert.deepEqual(ours, theirs);
    assert.equal(ours[2].data.length, 6);
  });
}

// Two elements to a byte, the first in its lower half; onnxruntime-web joins none.
test('uint4 and int4 go in and out packed', async () => {
  for (const type of ['uint4', 'int4']) {
    const session = await InferenceSession.create(repeatFile(type), { executionProviders: backends.ours });
    assert.equal(session.inputMetadata[0].type, type);
    const { y } = await session.run({ x: new Tensor(type, Uint8Array.of(0x71, 0x0f), [3]) });
    assert.deepEqual(y.data, Uint8Array.of(0x71, 0x1f, 0xf7));
    assert.deepEqual(y.dims, [6]);
    const unpacked = { type, dims: [3], data: new Uint8Array(3), location: 'cpu' };
    await assert.rejects(session.run({ x: unpacked }), /2 bytes, got 3/);
    await session.release();
  }
});

test('no elements, and a scalar', async () => {
  const { theirs, ours } = await onBoth(repeatFile('float32'), async (session) =>
    plain(await session.run({ x: new Tensor('float32', new Float32Array(0), [0]) })),
  );
  assert.deepEqual(ours, theirs);
  assert.deepEqual(ours.y.dims, [0]);
  const scalar = om.scope(() => {
    const traced = om.trace((x) => ({ y: x.add(1) }), { x: om.tensor(2) });
    const file = traced.toOnnx();
    traced.dispose();
    return file;
  });
  const both = await onBoth(scalar, async (session) => plain(await session.run({ x: new Tensor('float32', [2], []) })));
  assert.deepEqual(both.ours, both.theirs);
});

test('fetches by a list and by a map choose and order the outputs', async () => {
  const both = await onBoth(mixed, async (session) => [
    Object.keys(await session.run(mixedFeeds(), ['positive', 'next'])),
    plain(await session.run(mixedFeeds(), ['next'])),
    plain(await session.run(mixedFeeds(), { positive: null, half: null })),
    plain(await session.run(mixedFeeds(), ['next'], { tag: 'a run', logSeverityLevel: 2 })),
    plain(await session.run(mixedFeeds(), { tag: 'a run', of: 'no output', next: 3 }).then(({ next }) => ({ next }))),
  ]);
  assert.deepEqual(both.ours, both.theirs);
});

test('a tensor brought for an output is filled and handed back', async () => {
  const session = await InferenceSession.create(mixed, { executionProviders: backends.ours });
  const expected = await session.run(mixedFeeds());
  const shared = new Float32Array(20).fill(9);
  const product = new Tensor('float32', shared.subarray(4, 12), [2, 4]);
  const half = new Tensor('float16', new Uint16Array(6), [2, 3]);
  const positive = new Tensor('bool', new Uint8Array(3), [3]);
  const results = await session.run(mixedFeeds(), { product, half, positive, next: null });
  for (const [name, target] of Object.entries({ product, half, positive })) assert.equal(results[name], target);
  assert.deepEqual(plain(results), plain(expected));
  assert.deepEqual([...shared.subarray(0, 4), ...shared.subarray(12)], Array(12).fill(9));

  product.data.fill(0);
  const wrong = new Tensor('float32', new Float32Array(3), [3, 1]);
  const next = new Tensor('int64', new BigInt64Array(2), [2]);
  await assert.rejects(session.run(mixedFeeds(), { product: wrong }), /'product' has shape \[3,1\], expected \[2,4\]/);
  await assert.rejects(session.run(mixedFeeds(), { product, next }), /'next' has shape \[2\], expected \[3\]/);
  await assert.rejects(session.run(mixedFeeds(), { next: product }), /'next' has type float32, expected int64/);
  assert.ok(
    product.data.every((value) => value === 0),
    'nothing is written when one tensor does not fit',
  );
  await session.release();
});

test('another copy of onnxruntime-common is registered with by hand, and gets its own tensors', async () => {
  const other = createRequire(import.meta.url)('onnxruntime-common');
  assert.notEqual(other.InferenceSession, InferenceSession);
  await assert.rejects(other.InferenceSession.create(mixed), /no available backend/);
  register(other);
  register(other);
  const session = await other.InferenceSession.create(mixed);
  const { next } = await session.run({
    x: new other.Tensor('float32', new Float32Array(3), [1, 3]),
    y: new other.Tensor('int64', BigInt64Array.of(4n), [1]),
  });
  assert.ok(next instanceof other.Tensor && !(next instanceof Tensor));
  assert.deepEqual(next.data, BigInt64Array.of(5n));
  await session.release();
});
