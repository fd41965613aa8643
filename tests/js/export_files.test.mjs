// Programs in files: .onemodel gives back what was saved, onnxruntime-web runs the .onnx.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertClose, runOracleOn } from '../conformance/support.mjs';
import { Block, Counter, Net, withModel } from './export_models.mjs';
import { assertThrows, scaledError, useEngine } from './support.mjs';

await useEngine();

const n = om.Dim('n', { min: 2, max: 40 });
const dynamicShapes = { x: [n, null] };

test('what is saved is what is loaded', () => {
  withModel(
    () => new Net(),
    (net) => {
      const x = om.rand([3, 4], -1, 1);
      const program = om.exportProgram(net, { x }, { dynamicShapes, preserveModuleCalls: ['blocks.1'] });
      program.call(x);
      const bytes = program.toOneModel({ examples: true });
      assert.deepEqual(program.toOneModel({ examples: true }), bytes);
      const loaded = om.ExportedProgram.load(bytes);
      loaded.validate();
      assert.deepEqual(loaded.toOneModel({ examples: true }), bytes);
      for (const part of [
        'signature',
        'arguments',
        'warnings',
        'moduleCallGraph',
        'rangeConstraints',
        'equalityConstraints',
      ]) {
        assert.deepEqual(loaded[part], program[part], part);
      }
      assert.equal(String(loaded), String(program));
      assert.deepEqual(loaded.exampleInputs().x.toArray(), x.toArray());
      const plain = (state) =>
        Object.entries(state)
          .map(([path, tensor]) => [path, tensor.toArray()])
          .sort();
      assert.deepEqual(plain(loaded.stateDict()), plain(program.stateDict()));
      assert.deepEqual(plain(loaded.constants()), plain(program.constants()));
      for (const rows of [3, 2, 40]) {
        const y = om.rand([rows, 4], -1, 1);
        assert.deepEqual(loaded.call(y).toArray(), program.call(y).toArray());
      }
      assert.deepEqual(loaded.toOneModel(), program.toOneModel());
      assert.ok(program.toOneModel().length < bytes.length);
      const without = om.ExportedProgram.load(program.toOneModel());
      assert.deepEqual(without.exampleInputs(), {});
      for (const each of [program, loaded, without]) each.dispose();
    },
  );
});

test('several programs share a file and their weights', () => {
  withModel(
    () => new om.nn.Linear(64, 64),
    (fc) => {
      const x = om.ones([1, 64]);
      const one = om.exportProgram(fc, [x]);
      const two = om.exportForTraining(fc, [om.ones([2, 64])]);
      const single = om.savePrograms({ one });
      const both = om.savePrograms({ one, two });
      assert.ok(both.length < single.length * 1.5, `${both.length} bytes, one alone has ${single.length}`);
      const loaded = om.loadPrograms(both);
      assert.deepEqual(Object.keys(loaded).sort(), ['one', 'two']);
      assert.deepEqual(loaded.one.call(x).toArray(), one.call(x).toArray());
      assert.deepEqual(loaded.two.call(om.ones([2, 64])).shape, [2, 64]);
      assertThrows(() => om.ExportedProgram.load(both), om.ModelError, 'Unsupported', "'one'", "'two'");
      for (const each of [one, two, ...Object.values(loaded)]) each.dispose();
    },
  );
});

test('a file without a program, or with a broken one, is refused', async () => {
  const traced = om.scope(() => om.trace((x) => x.neg(), om.ones([1])));
  assertThrows(() => om.ExportedProgram.load(traced.toOneModel()), om.ModelError, 'NoProgram', 'program');
  traced.dispose();
  const program = om.scope(() => om.exportProgram((x) => x.neg(), [om.ones([1])]));
  const bytes = program.toOneModel();
  program.dispose();
  assert.throws(() => om.ExportedProgram.load(bytes.subarray(0, bytes.length - 9)), om.ModelError);
  assert.throws(() => om.ExportedProgram.load(new Uint8Array(64)), om.ModelError);
  assertThrows(() => om.ExportedProgram.load('file'), om.ArgumentError, 'Argument', 'Uint8Array');
  assertThrows(() => om.savePrograms({ a: 1 }), om.ArgumentError, 'Argument', "'a'");
  // any other reader takes the graph with its state
  const session = await om.Session.load(bytes);
  assert.deepEqual(
    om.scope(() => session.runSync(om.ones([1])).output.toArray()),
    [-1],
  );
  session.dispose();
});

test('onnxruntime-web runs a program of fixed state', async () => {
  const net = new om.nn.Sequential(new om.nn.Linear(4, 8), new om.nn.GELU(), new om.nn.Linear(8, 2));
  const x = om.rand([3, 4], -1, 1);
  const program = om.exportProgram(net, { x }, { dynamicShapes });
  const bytes = program.toOnnx();
  for (const rows of [3, 17]) {
    const y = om.rand([rows, 4], -1, 1);
    const [got] = await runOracleOn(bytes, [{ data: y.data, dims: y.shape }]);
    const expected = program.call(y);
    assertClose(got, { data: expected.data, dims: expected.shape }, 1e-5, `${rows} rows`);
    for (const each of [y, expected]) each.dispose();
  }
  const session = await om.Session.load(bytes);
  assert.deepEqual(session.inputs[0].shape, ['n', 4]);
  om.scope(() => {
    assertThrows(() => session.runSync(om.ones([1, 4])), om.ConstraintsError, 'Constraints', "'x'", '[2, 40]', '1');
    assertThrows(() => session.runSync(om.ones([41, 4])), om.ConstraintsError, 'Constraints', '41');
  });
  for (const each of [session, program, net, x]) each.dispose();
});

test('weights of a program go to a file beside the model', async () => {
  const net = new om.nn.Linear(8, 4);
  const x = om.rand([3, 8], -1, 1);
  const program = om.exportProgram(net, { x });
  const pieces = [];
  const write = (bytes) => pieces.push(bytes.slice());
  const file = program.toOnnx({ externalData: { file: 'net.data', write, leastBytes: 0 } });
  const data = Buffer.concat(pieces);
  assert.ok(data.length >= 4 * (8 * 4 + 4));
  assert.ok(file.length < program.toOnnx().length);
  assertThrows(() => program.toOnnx({ externalData: { file: 'net.data' } }), om.ArgumentError, 'Argument', 'write');
  assertThrows(() => program.toOnnx({ stateInputs: 1 }), om.ArgumentError, 'Argument', 'stateInputs: expected true');
  const session = await om.Session.load(file, { externalData: { 'net.data': new Uint8Array(data) } });
  const whole = await om.Session.load(program.toOnnx());
  om.scope(() => assert.deepEqual(session.runSync(x).output.toArray(), whole.runSync(x).output.toArray()));
  for (const each of [session, whole, program, net, x]) each.dispose();
});

test('onnxruntime-web runs a program with a derived size', async () => {
  const shapes = { x: [n], y: [n.mul(2).add(1)] };
  const model = (x, y) => [om.concat([x, x.neg(), om.full([1], 3)]).mul(y), y.sum()];
  const program = om.scope(() =>
    om.exportProgram(model, { x: om.ones([3]), y: om.ones([7]) }, { dynamicShapes: shapes }),
  );
  const bytes = program.toOnnx();
  for (const size of [3, 12]) {
    const [x, y] = [om.rand([size], -1, 1), om.rand([2 * size + 1], -1, 1)];
    const feeds = [x, y].map(({ data, shape }) => ({ data, dims: shape }));
    const got = await runOracleOn(bytes, feeds);
    const expected = program.call(x, y);
    assert.equal(got.length, 2);
    for (const [i, { data, shape: dims }] of expected.entries()) {
      assertClose(got[i], { data, dims }, 1e-6, `size ${size}, output ${i}`);
    }
    assert.deepEqual(got[0].dims, [2 * size + 1]);
    for (const each of [x, y, ...expected]) each.dispose();
  }
  const session = await om.Session.load(bytes);
  assert.deepEqual(
    [...session.inputs, ...session.outputs].map(({ shape }) => shape),
    [['n'], ['2*n + 1'], ['2*n + 1'], []],
  );
  for (const each of [session, program]) each.dispose();
});

test('onnxruntime-web carries the state of a program from run to run', async () => {
  const model = new Counter();
  const x = om.tensor([1, 2]);
  const program = om.exportProgram(model, { x });
  const [frozen] = await runOracleOn(program.toOnnx(), [{ data: x.data, dims: x.shape }]);
  assert.deepEqual([...frozen.data], [10, 20]);
  const bytes = program.toOnnx({ stateInputs: true });
  let count = { data: Float32Array.of(0), dims: [1] };
  for (let i = 0; i < 3; i++) {
    const [next, output] = await runOracleOn(bytes, [count, { data: x.data, dims: x.shape }]);
    const expected = om.scope(() => Array.from(program.call(x).data));
    assert.deepEqual([...output.data], expected);
    count = next;
  }
  assert.deepEqual([...count.data], [3]);
  const updates = om.scope(() =>
    om.exportProgram(
      ([a]) => {
        a.add_(1);
        return [];
      },
      [[om.ones([1])]],
    ),
  );
  assertThrows(() => updates.toOnnx(), om.ArgumentError, 'Argument', 'nothing but updates');
  for (const each of [program, updates, model, x]) each.dispose();
});

test('a block with every kind of state is equal in onnxruntime-web', async () => {
  const block = new Block();
  const x = om.rand([5, 4], -1, 1);
  const program = om.exportProgram(block, { x }, { dynamicShapes });
  const [got] = await runOracleOn(program.toOnnx(), [{ data: x.data, dims: x.shape }]);
  const expected = om.scope(() => om.noGrad(() => block.forward(x)));
  assert.ok(scaledError(got.data, expected.data) <= 1e-5);
  for (const each of [program, block, x, expected]) each.dispose();
});
