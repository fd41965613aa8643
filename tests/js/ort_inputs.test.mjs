// Defaults of inputs, and what is no tensor, behind the API of ONNX Runtime.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { modelFile, scaledFile, sequencesFile, sequenceType, tensorType } from './onnx_builder.mjs';
import { backends, InferenceSession, onBoth, plain, Tensor } from './ort_support.mjs';
import { assertRejects, useEngine } from './support.mjs';

await useEngine();

const vector = (...values) => new Tensor('float32', Float32Array.from(values), [values.length]);

test('an initializer that is an input too is no input name, and need not be fed', async () => {
  const { theirs, ours } = await onBoth(scaledFile(), async (session) => ({
    names: session.inputNames,
    results: plain(await session.run({ x: vector(1, 2) })),
  }));
  assert.deepEqual(ours, theirs);
  assert.deepEqual(ours.names, ['x']);
});

test('a feed of its name takes its place', async () => {
  const session = await InferenceSession.create(scaledFile(), { executionProviders: backends.ours });
  const { y } = await session.run({ x: vector(1, 2), w: vector(10) });
  assert.deepEqual([...y.data], [11, 21]);
  await session.release();
});

test('what is no tensor has metadata, and is refused by name', async () => {
  const given = modelFile({
    inputs: { x: tensorType(['n']) },
    nodes: [
      ['SequenceConstruct', ['x', 'x'], ['list']],
      ['Neg', ['x'], ['y']],
    ],
    outputs: { list: sequenceType(tensorType(null)), y: tensorType(['n']) },
  });
  const session = await InferenceSession.create(given, { executionProviders: backends.ours });
  assert.deepEqual(session.outputMetadata[0], { name: 'list', isTensor: false });
  await assertRejects(session.run({ x: vector(1) }), om.ArgumentError, 'Unsupported', "output 'list' is no tensor");
  const { y } = await session.run({ x: vector(1) }, ['y']);
  assert.deepEqual([...y.data], [-1]);
  await session.release();
  const taken = await InferenceSession.create(sequencesFile(), { executionProviders: backends.ours });
  assert.deepEqual(taken.inputMetadata[0], { name: 's', isTensor: false });
  const feeds = { s: vector(1), o: vector(1) };
  await assertRejects(
    taken.run(feeds, ['count']),
    om.ArgumentError,
    'Argument',
    "input 's'",
    'a list of float32 tensors',
  );
  await taken.release();
});
