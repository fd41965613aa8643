// The same code on onnxruntime-web's backend and on ours: what is refused, and with what error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { withExternalData } from './external_data.mjs';
import { mixedFile, repeatFile } from './model_files.mjs';
import { backends, errorsOf, InferenceSession, mixedFeeds, Tensor } from './ort_support.mjs';
import { useEngine } from './support.mjs';

await useEngine();

const mixed = mixedFile();

const failures = {
  'a missing feed': (session) => session.run({ x: mixedFeeds().x }),
  'an unknown feed': (session) => session.run({ ...mixedFeeds(), z: mixedFeeds().x }),
  'feeds that are a list': (session) => session.run(Object.values(mixedFeeds())),
  'an unknown output': (session) => session.run(mixedFeeds(), ['none']),
  'no output': (session) => session.run(mixedFeeds(), []),
  'options that are none': (session) => session.run(mixedFeeds(), ['next'], 'fast'),
  'another dtype': (session) => session.run({ ...mixedFeeds(), x: mixedFeeds().y }),
  'another rank': (session) => session.run({ ...mixedFeeds(), x: new Tensor('float32', new Float32Array(6), [6]) }),
  'another extent': (session) =>
    session.run({ ...mixedFeeds(), x: new Tensor('float32', new Float32Array(8), [2, 4]) }),
  strings: (session) => session.run({ ...mixedFeeds(), x: new Tensor('string', ['a'], [1]) }),
  int4: (session) => session.run({ ...mixedFeeds(), x: new Tensor('int4', new Uint8Array(3), [2, 3]) }),
  'a wrong preallocated type': (session) =>
    session.run(mixedFeeds(), { product: new Tensor('int32', new Int32Array(8), [2, 4]) }),
  'a wrong preallocated shape': (session) =>
    session.run(mixedFeeds(), { product: new Tensor('float32', new Float32Array(4), [1, 4]) }),
  'a terminated run': (session) => session.run(mixedFeeds(), { terminate: true }),
  'a severity out of range': (session) => session.run(mixedFeeds(), { logSeverityLevel: 9 }),
};

for (const [what, use] of Object.entries(failures)) {
  test(`refused by both with errors of one kind: ${what}`, async () => {
    const { theirs, ours } = await errorsOf(mixed, use);
    for (const error of [theirs, ours]) assert.ok(error instanceof Error);
    const standard = [TypeError, RangeError].find((Class) => theirs instanceof Class);
    assert.equal(ours instanceof (standard ?? Error), true);
    assert.equal(ours instanceof om.OneModelError, !standard && !/is missing in 'feeds'/.test(theirs.message));
  });
}

test('our errors name the input, what was expected and what was got', async () => {
  const session = await InferenceSession.create(mixed, { executionProviders: backends.ours });
  const { x, y } = mixedFeeds();
  for (const [feeds, ...parts] of [
    [{ x: y, y }, 'x', 'float32', 'int64'],
    [{ x: new Tensor('float32', new Float32Array(8), [2, 4]), y }, 'x', '[n, 3]', '[2, 4]'],
    [{ x, y, z: x }, 'z'],
    [{ x: new Tensor('string', ['a'], [1]), y }, 'x', 'string'],
    [{ x: { type: 'float32', dims: [2, 3], location: 'gpu-buffer' }, y }, 'x', 'gpu-buffer'],
    [{ x: 3, y }, 'x', 'Tensor'],
    [
      { x: { type: 'int4', data: new Uint8Array(3), location: 'cpu' }, y },
      "input 'x': dims: expected a list of extents",
    ],
    [{ x: { type: 'float16', dims: [2, 3], location: 'cpu' }, y }, "input 'x': data: expected a typed array"],
  ]) {
    await assert.rejects(session.run(feeds), (error) => parts.every((part) => error.message.includes(part)));
  }
  await session.release();
  await assert.rejects(session.run(mixedFeeds()), { kind: 'Disposed' });
  await assert.rejects(session.release(), { kind: 'Disposed' });
  for (const use of [() => session.startProfiling(), () => session.endProfiling()]) {
    assert.throws(use, { kind: 'Disposed' });
  }
});

test('a session that was released runs no more, and is not released twice', async () => {
  for (const executionProviders of Object.values(backends)) {
    const session = await InferenceSession.create(mixed, { executionProviders });
    await session.release();
    await assert.rejects(session.run(mixedFeeds()), Error);
    await assert.rejects(session.release(), Error);
  }
});

test('files that are no models are refused by both', async () => {
  for (const file of [new Uint8Array([1, 2, 3]), '/nowhere/model.onnx']) {
    for (const executionProviders of Object.values(backends)) {
      await assert.rejects(InferenceSession.create(file, { executionProviders }), Error);
    }
  }
});

test('a type that onnxruntime-common has no name for is refused when the model is loaded', async () => {
  const file = repeatFile('bfloat16');
  await assert.rejects(InferenceSession.create(file, { executionProviders: backends.ours }), /'x' is bfloat16/);
});

test('a model whose weights are in another file is refused by name without that file', async () => {
  const { file } = withExternalData(mixed);
  for (const externalData of [undefined, [{ path: 'other.bin', data: new Uint8Array(64) }]]) {
    await assert.rejects(
      InferenceSession.create(file, { executionProviders: backends.ours, ...(externalData && { externalData }) }),
      (error) => error.kind === 'Unsupported' && /initializer '.+'.*'weights.bin'/.test(error.message),
    );
  }
});

test('weights in another file are taken from externalData, by both', async () => {
  const { file, weights } = withExternalData(mixed);
  const externalData = [{ path: 'weights.bin', data: weights }];
  const results = [];
  for (const executionProviders of [backends.theirs, backends.ours]) {
    const session = await InferenceSession.create(file, { executionProviders, externalData });
    const { product } = await session.run(mixedFeeds());
    results.push([...product.data]);
    await session.release();
  }
  const [theirs, ours] = results;
  assert.equal(ours.length, theirs.length);
  for (const [i, value] of ours.entries()) assert.ok(Math.abs(value - theirs[i]) < 1e-6, `${value} at ${i}`);
});
