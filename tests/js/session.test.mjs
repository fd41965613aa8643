// What sessions take besides tensors for every input: defaults, sequences, optionals, and options of a run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import * as om from 'onemodel';
import { modelFile, scaledFile, sequencesFile, tensorType } from './onnx_builder.mjs';
import { assertRejects, assertThrows, useEngine } from './support.mjs';

await useEngine({ variant: 'simd', threads: 1 });

const numbers = (tensor) => Array.from(tensor.data, Number);

async function withSession(file, use, options) {
  const session = await om.Session.load(file, options);
  try {
    await om.scope(() => use(session));
  } finally {
    session.dispose();
  }
}

test('an initializer that is an input too is fed or keeps its default', async () => {
  const file = scaledFile();
  const graph = await om.loadGraph(file);
  const files = [file, graph.toOneModel(), graph.toOnnx()];
  assert.deepEqual(
    graph.view().optionalInputs.map((id) => graph.view().values[id].name),
    ['w', 'b'],
  );
  graph.dispose();
  for (const each of files) {
    await withSession(each, (session) => {
      assert.deepEqual(
        session.inputs.map(({ name, optional }) => [name, optional]),
        [
          ['x', false],
          ['w', true],
          ['b', true],
        ],
      );
      assert.deepEqual(numbers(session.defaultOf('w')), [2]);
      const x = om.tensor([1, 2]);
      const y = (feeds) => numbers(session.runSync(feeds).y);
      assert.deepEqual(y({ x }), [3, 5]);
      assert.deepEqual(y(x), [3, 5]);
      assert.deepEqual(y({ x, w: om.tensor([10]) }), [11, 21]);
      assert.deepEqual(y([x, undefined, om.tensor([0])]), [2, 4]);
      assert.deepEqual(y({ x, w: undefined }), [3, 5]);
      assertThrows(
        () => session.runSync({ w: x }),
        om.ArgumentError,
        'Argument',
        "'x' is missing",
        'w float32[1] (optional)',
      );
      assertThrows(() => session.runSync([x, x, x, x]), om.ArgumentError, 'Argument', 'has 1 to 3 inputs', 'got 4');
      assertThrows(
        () => session.runSync(new Map([['x', x]])),
        om.ArgumentError,
        'Argument',
        'Object.fromEntries',
        'got Map',
      );
      assertThrows(
        () => session.runSync({ x, w: om.tensor([1, 2]) }),
        om.ShapeError,
        'Shape',
        "'w' expects float32[1]",
      );
      assertThrows(() => session.defaultOf('x'), om.ArgumentError, 'Argument', "'x'");
      assertThrows(() => session.defaultOf(), om.ArgumentError, 'Argument', 'name: expected a text, got undefined');
    });
  }
  await withSession(scaledFile(3), (session) => assert.equal(session.inputs.length, 1));
});

test('sequences are lists of tensors, and an optional without a value is null', async () => {
  await withSession(sequencesFile(), (session) => {
    assert.deepEqual(
      session.inputs.map(({ name, dtype, holds }) => [name, dtype, holds]),
      [
        ['s', 'float32', 'sequence'],
        ['o', 'float32', 'optional_tensor'],
      ],
    );
    assert.deepEqual(
      session.outputs.map(({ holds }) => holds),
      ['tensor', 'tensor', 'sequence', 'optional_tensor'],
    );
    const [a, b] = [om.tensor([1, 2]), om.tensor([3])];
    const full = session.runSync({ s: [a, b], o: b });
    assert.deepEqual(numbers(full.count), [2]);
    assert.deepEqual(numbers(full.given), [1]);
    assert.deepEqual(full.same.map(numbers), [[1, 2], [3]]);
    assert.deepEqual(numbers(full.kept), [3]);
    const empty = session.runSync({ s: [], o: null });
    assert.deepEqual([numbers(empty.count), numbers(empty.given)], [[0], [0]]);
    assert.deepEqual([empty.same, empty.kept], [[], null]);
    for (const [feeds, ...parts] of [
      [{ s: a, o: null }, "'s' is Tensor", 'a list of float32 tensors'],
      [{ s: [a, 1], o: null }, "'s' is"],
      [{ s: null, o: null }, "'s' is null"],
      [{ s: [] }, "'o' is missing", 'a float32 tensor or null'],
      [{ s: [], o: [a] }, "'o' is"],
    ]) {
      assertThrows(() => session.runSync(feeds), om.ArgumentError, 'Argument', ...parts);
    }
    const wrong = { s: [om.ones([1], 'int64')], o: null };
    assertThrows(() => session.runSync(wrong), om.DTypeError, 'DType', "'s' expects a sequence of float32");
  });
});

test('an output of unknown rank tells its element type', async () => {
  const file = modelFile({
    inputs: { x: tensorType(['n']), at: tensorType([], 7) },
    nodes: [
      ['SequenceConstruct', ['x', 'x'], ['list']],
      ['SequenceAt', ['list', 'at'], ['y']],
    ],
    outputs: { y: tensorType(null) },
  });
  await withSession(file, (session) => {
    const [{ dtype, hasRank, shape }] = session.outputs;
    assert.deepEqual([dtype, hasRank, shape], ['float32', false, []]);
    assert.deepEqual(session.runSync([om.ones([4]), om.tensor(1, { dtype: 'int64' })]).y.shape, [4]);
  });
});

/** a = sin(x), b = cos(a), c = exp(x) */
const branches = () =>
  modelFile({
    inputs: { x: tensorType(['n']) },
    nodes: [
      ['Sin', ['x'], ['a']],
      ['Cos', ['a'], ['b']],
      ['Exp', ['x'], ['c']],
    ],
    outputs: { a: tensorType(['n']), b: tensorType(['n']), c: tensorType(['n']) },
  });

test('a run gives the outputs that are wanted, and runs no more than they need', async () => {
  await withSession(branches(), (session) => {
    const x = om.tensor([1, 2]);
    const steps = (outputs) => {
      const told = [];
      const results = session.runSync(x, { outputs, onProgress: (done, all) => told.push([done, all]) });
      return [Object.keys(results), told];
    };
    assert.deepEqual(steps(['c', 'a']), [
      ['c', 'a'],
      [
        [1, 2],
        [2, 2],
      ],
    ]);
    assert.deepEqual(steps(['c']), [['c'], [[1, 1]]]);
    assert.deepEqual(steps(undefined)[1].length, 3);
    const all = session.runSync(x);
    assert.deepEqual(numbers(session.runSync(x, { outputs: ['b'] }).b), numbers(all.b));
    assertThrows(
      () => session.runSync(x, { outputs: ['z'] }),
      om.ArgumentError,
      'Argument',
      "no output 'z'",
      "'a', 'b', 'c'",
    );
    assertThrows(() => session.runSync(x, { outputs: [] }), om.ArgumentError, 'Argument', 'at least one name');
    assertThrows(() => session.runSync(x, { outputs: [1] }), om.ArgumentError, 'Argument', 'run: outputs');
    assertThrows(() => session.runSync(x, { outputs: ['a', 'a'] }), om.ArgumentError, 'Argument', 'asked for twice');
  });
});

test('a run ends early by its signal, its flag, or what onProgress throws', async () => {
  await withSession(branches(), (session) => {
    const x = om.tensor([1, 2]);
    const controller = new AbortController();
    const early = () =>
      session.runSync(x, { signal: controller.signal, onProgress: (done) => done === 2 && controller.abort() });
    assertThrows(early, om.CancelledError, 'Cancelled', 'before step 2 of 3', 'Exp');
    assertThrows(early, om.CancelledError, 'Cancelled', 'before it began');
    const cancelFlag = new Int32Array(new SharedArrayBuffer(4));
    const flagged = () => session.runSync(x, { cancelFlag, onProgress: () => Atomics.store(cancelFlag, 0, 1) });
    assertThrows(flagged, om.CancelledError, 'Cancelled', 'before step 1 of 3');
    for (const last of [1, 3]) {
      const mine = new RangeError('mine');
      const onProgress = (done) => {
        if (done === last) throw mine;
      };
      assert.throws(() => session.runSync(x, { onProgress }), mine);
    }
    const reentrant = () => session.runSync(x, { onProgress: () => om.ones([1]) });
    assertThrows(reentrant, om.ArgumentError, 'Busy', 'callback of a run');
    assertThrows(() => session.runSync(x, { cancelFlag: [0] }), om.ArgumentError, 'Argument', 'Int32Array');
    assertThrows(() => session.runSync(x, { onProgress: 1 }), om.ArgumentError, 'Argument', 'a function');
    assert.equal(Object.keys(session.runSync(x)).length, 3);
  });
  const session = await om.Session.load(branches());
  const x = om.tensor([1]);
  await assertRejects(session.run(x, { signal: AbortSignal.abort() }), om.CancelledError, 'Cancelled');
  x.dispose();
  session.dispose();
});

test('another thread stops a run', { timeout: 60_000 }, async () => {
  const n = 40;
  const file = modelFile({
    inputs: { x: tensorType(['n']) },
    nodes: Array.from({ length: n }, (_, i) => ['Sin', [i === 0 ? 'x' : `v${i - 1}`], [`v${i}`]]),
    outputs: { [`v${n - 1}`]: tensorType(['n']) },
  });
  const cancelFlag = new Int32Array(new SharedArrayBuffer(8));
  // sets the flag when it is told that the run has begun
  const code = `const { workerData: f } = require('node:worker_threads'); Atomics.wait(f, 1, 0); Atomics.store(f, 0, 1);`;
  const worker = new Worker(code, { eval: true, workerData: cancelFlag });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  await withSession(file, (session) => {
    const begin = () => {
      Atomics.store(cancelFlag, 1, 1);
      Atomics.notify(cancelFlag, 1);
    };
    const again = () => {
      for (;;) session.runSync(om.ones([1000]), { cancelFlag, onProgress: begin });
    };
    assertThrows(() => om.scope(again), om.CancelledError, 'Cancelled');
  });
  await ended;
});

test('a session that was disposed of says so before it looks at feeds', async () => {
  const session = await om.Session.load(scaledFile());
  session.dispose();
  for (const use of [() => session.runSync({}), () => session.profile({}), () => session.defaultOf('w')]) {
    assertThrows(use, om.ArgumentError, 'Disposed', 'this session was disposed of');
  }
});

test('a profile is data, and a table as text', async () => {
  await withSession(
    branches(),
    (session) => {
      const profile = session.profile(om.ones([8]), 3);
      assert.deepEqual(
        profile.map(({ node, op, runs, modulePath }) => [node, op, runs, modulePath]),
        [
          ['Sin_node', 'Sin', 3, ''],
          ['Cos_node', 'Cos', 3, ''],
          ['Exp_node', 'Exp', 3, ''],
        ],
      );
      assert.ok(profile.every(({ kernel, microseconds }) => kernel && microseconds >= 0));
      assert.match(String(profile), /^node +share +ms +runs/);
      assert.ok(Array.isArray(profile) && JSON.parse(JSON.stringify(profile)).length === 3);
    },
    { optimize: false },
  );
});
