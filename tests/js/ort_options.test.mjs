// The same code on onnxruntime-web's backend and on ours: options of sessions, and profiles.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import * as om from 'onemodel';
import { classifier, mixedFile, sizesFile } from './model_files.mjs';
import { backends, errorsOf, InferenceSession, mixedFeeds, onBoth, plain, Tensor } from './ort_support.mjs';
import { assertRejects, useEngine } from './support.mjs';

await useEngine();

const mixed = mixedFile();

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
  for (const [options, part] of [
    [{ executionProviders: [{ name: 'onemodel', arithmatic: 'exact' }] }, "unknown option 'arithmatic'"],
    [{ preferredOutputLocation: 'gpu-buffer' }, "preferredOutputLocation expects 'cpu', 'cpu-pinned'"],
    [{ preferredOutputLocation: { product: 'texture' } }, "preferredOutputLocation['product'] expects"],
    [{ freeDimensionOverrides: 3 }, 'freeDimensionOverrides: expected an object'],
    [{ externalData: 'weights.bin' }, 'externalData: expected a list of files'],
    [{ externalData: [null] }, 'externalData[0]: expected an object'],
    [{ externalData: [{ path: 3, data: new Uint8Array() }] }, 'externalData[0].path: expected a text'],
    [{ externalData: [{ path: 'w.bin', data: 5 }] }, 'externalData[0].data: expected bytes'],
  ]) {
    const creating = InferenceSession.create(mixed, { executionProviders, ...options });
    await assertRejects(creating, om.ArgumentError, 'Argument', part);
  }
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
    { preferredOutputLocation: { product: 'cpu-pinned' } },
    { freeDimensionOverrides: { other: 3 }, extra: { session: { disable_prepacking: '1' } } },
    { externalData: [{ path: 'unused', data: new Uint8Array(3) }] },
  ]) {
    const { ours } = await onBoth(mixed, async (session) => plain(await session.run(mixedFeeds())), options);
    assert.deepEqual(ours, results);
  }
});

/** Which kernels the steps of a profile ran. */
const kernelsOf = (table) => [...String(table).matchAll(/\[.+\]/g)].map(String).sort();

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
