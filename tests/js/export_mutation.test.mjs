// State that programs update, and updates in place.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { CachedTransformer, Counter, generate, withModel } from './export_models.mjs';
import { assertThrows, scaledError, typed, useEngine } from './support.mjs';

await useEngine();

test('updates in place change the tensor and its views, and keep its dtype', () => {
  om.scope(() => {
    const x = om.tensor([1, 2, 3, 4]);
    const row = x.reshape([2, 2]);
    assert.equal(x.add_(1), x);
    assert.deepEqual(row.toArray(), [
      [2, 3],
      [4, 5],
    ]);
    x.mul_(om.tensor([1, 2, 1, 2]))
      .sub_(2)
      .div_(2);
    assert.deepEqual(x.toArray(), [0, 2, 1, 4]);
    x.add_(om.ones([4]), { alpha: 3 });
    assert.deepEqual(x.toArray(), [3, 5, 4, 7]);
    x.copy_(om.tensor([8], 'int64'));
    assert.deepEqual(x.toArray(), [8, 8, 8, 8]);
    assert.equal(x.dtype, 'float32');
    x.fill_(2.5);
    assert.deepEqual(row.toArray(), [
      [2.5, 2.5],
      [2.5, 2.5],
    ]);
    assert.deepEqual(x.zero_().toArray(), [0, 0, 0, 0]);
    assert.deepEqual(om.tensor([5, 6], 'int64').add_(1).toArray(), [6n, 7n]);

    const y = om.zeros([3, 2]);
    assert.deepEqual(y.sliceScatter_(om.ones([2, 2]), 0, 1).toArray(), [
      [0, 0],
      [1, 1],
      [1, 1],
    ]);
    assert.deepEqual(y.selectScatter_(om.tensor([4, 5]), 0, -1).toArray(), [
      [0, 0],
      [1, 1],
      [4, 5],
    ]);
    assert.deepEqual(y.selectScatter_(7, 1, 0).toArray(), [
      [7, 0],
      [7, 1],
      [7, 5],
    ]);
    y.indexCopy_(
      0,
      om.tensor([2, 0], 'int64'),
      om.tensor([
        [1, 2],
        [3, 4],
      ]),
    );
    assert.deepEqual(y.toArray(), [
      [3, 4],
      [7, 1],
      [1, 2],
    ]);
  });
});

test('updates in place name what does not fit', () => {
  om.scope(() => {
    const x = om.ones([2]);
    assertThrows(() => x.add_(om.ones([3])), om.ShapeError, 'Shape');
    assertThrows(() => x.copy_(om.ones([2, 2])), om.ShapeError, 'Shape');
    assertThrows(() => x.add_('1'), om.ArgumentError, 'Argument', 'add_', 'a string');
    assertThrows(
      () => om.ones([2], 'int64').fill_(2.7),
      om.ArgumentError,
      'Argument',
      'fill_: input',
      '2.7 is no int64',
    );
    assertThrows(() => x.indexCopy_(0, om.tensor([5], 'int64'), om.ones([1])), om.ShapeError, 'Shape');
    assertThrows(() => x.indexCopy_(0, om.ones([1]), om.ones([1])), om.DTypeError, 'DType', 'indexCopy_');
    assertThrows(() => x.selectScatter_(1, 0, 2), om.ShapeError, 'Shape', 'index 2');
    const leaf = om.ones([2]);
    leaf.requiresGrad = true;
    assertThrows(() => leaf.add_(1), om.GradientError, 'Gradient', 'add_');
    assertThrows(() => leaf.mul(2).zero_(), om.GradientError, 'Gradient');
    assert.deepEqual(om.noGrad(() => leaf.add_(1)).toArray(), [2, 2]);
    assert.deepEqual(x.toArray(), [1, 1]);
    const gone = om.ones([1]);
    gone.dispose();
    assertThrows(() => gone.add_(1), om.ArgumentError, 'Disposed', 'add_');
  });
});

test('reads before an update see the old value, reads after it the new one', () => {
  withModel(
    () => new Counter(),
    (model) => {
      const x = om.tensor([1, 2]);
      const program = om.exportProgram(model, [x]);
      const session = program.createSession();
      assert.deepEqual(Object.values(program.signature.buffersToMutate), ['count']);
      for (const count of [0, 1, 2]) {
        const expected = [count + 10 * (count + 1), 2 * (count + 10 * (count + 1))];
        assert.deepEqual(program.call(x).toArray(), expected);
        assert.deepEqual(session.runSync({ input: x }).output.toArray(), expected);
      }
      assert.deepEqual(program.stateDict().count.toArray(), [3]);
      assert.deepEqual(model.count.toArray(), [0]);
      for (const each of [session, program]) each.dispose();
    },
  );
});

test('every update in place is recorded', () => {
  class All extends om.nn.Module {
    constructor() {
      super();
      this.registerBuffer('a', om.tensor([1, 2, 3, 4]));
      this.registerBuffer('b', om.zeros([2, 2]));
    }
    forward(x, index) {
      this.a.add_(x, { alpha: 2 }).sub_(1).mul_(x).div_(2);
      this.b.copy_(this.a.reshape([2, 2]).clone());
      this.b.selectScatter_(x.slice(0, 0, 2), 0, 1);
      this.b.sliceScatter_(om.ones([2, 1]), 1, 1);
      this.b.indexCopy_(0, index, this.b.select(0, 0).unsqueeze(0).mul(10));
      const seen = this.a.add(this.b.reshape([4]).clone());
      this.a.fill(3);
      this.b
        .zero_()
        .fill_(4)
        .copyFrom(this.a.reshape([2, 2]).clone().add(this.b));
      return seen;
    }
  }
  withModel(
    () => new All(),
    (model) => {
      const [x, index] = [om.tensor([1, 2, 3, 4]), om.tensor([1], 'int64')];
      const program = om.exportProgram(model, [x, index]);
      for (let i = 0; i < 3; i++) {
        const expected = model.forward(x, index).toArray();
        assert.deepEqual(program.call(x, index).toArray(), expected);
        assert.deepEqual(program.stateDict().a.toArray(), model.a.toArray());
        assert.deepEqual(program.stateDict().b.toArray(), model.b.toArray());
      }
      program.dispose();
    },
  );
});

test('elements of containers are updated in the tensors of the caller', () => {
  om.scope(() => {
    const model = (x, { cache }) => {
      cache[0].add_(x);
      return cache[0].mul(2);
    };
    const cache = [om.zeros([2])];
    const program = om.exportProgram(model, [om.ones([2]), { cache }]);
    assert.deepEqual(cache[0].toArray(), [0, 0]);
    assert.deepEqual(Object.values(program.signature.userInputsToMutate), ['input_1_cache_0']);
    assert.deepEqual(program.call(om.tensor([1, 2]), { cache }).toArray(), [2, 4]);
    const session = program.createSession();
    session.runSync([om.tensor([1, 2]), cache[0]]);
    assert.deepEqual(cache[0].toArray(), [2, 4]);
    for (const each of [session, program]) each.dispose();
  });
});

test('batch norm in training mode: running statistics are updates', () => {
  class Net extends om.nn.Module {
    fc = new om.nn.Linear(3, 4);
    norm = new om.nn.BatchNorm1d(4);
    forward(x) {
      return this.norm.forward(this.fc.forward(x)).relu();
    }
  }
  withModel(
    () => new Net(),
    (net) => {
      const n = om.Dim('n', { min: 2 });
      const program = om.exportProgram(net, { x: om.rand([5, 3], -1, 1) }, { dynamicShapes: { x: [n, null] } });
      const session = program.createSession();
      assert.deepEqual(Object.values(program.signature.buffersToMutate).sort(), [
        'norm.num_batches_tracked',
        'norm.running_mean',
        'norm.running_var',
      ]);
      for (const rows of [5, 2, 8]) {
        const x = om.rand([rows, 3], -1, 1);
        const expected = om.noGrad(() => net.forward(x));
        assert.ok(scaledError(program.call(x).data, expected.data) <= 1e-5);
        assert.ok(scaledError(session.runSync(x).output.data, expected.data) <= 1e-5);
        for (const state of [program.stateDict(), session.stateDict()]) {
          for (const [path, tensor] of Object.entries(net.stateDict())) {
            assert.ok(scaledError(state[path].data, tensor.data) <= 1e-5, path);
          }
        }
      }
      net.eval();
      const evaluation = om.exportProgram(net, [om.ones([2, 3])]);
      assert.deepEqual(evaluation.signature.buffersToMutate, {});
      for (const each of [session, program, evaluation]) each.dispose();
    },
  );
});

test('a run that fails changes nothing, and sessions share state only when asked', () => {
  class Picky extends om.nn.Module {
    constructor() {
      super();
      this.registerBuffer('table', om.zeros([2]));
      this.registerBuffer('count', om.zeros([1]));
    }
    forward(index) {
      this.count.add_(1);
      this.table.indexCopy_(0, index, this.count);
      return this.table.mul(1);
    }
  }
  withModel(
    () => new Picky(),
    (model) => {
      const [good, bad] = [om.tensor([1], 'int64'), om.tensor([7], 'int64')];
      const program = om.exportProgram(model, { index: good });
      const first = program.createSession();
      const second = program.createSession();
      const shared = program.createSession({ shareStateWith: first });
      for (const run of [(index) => program.call(index), (index) => first.runSync({ index })]) {
        run(good);
        assertThrows(() => run(bad), om.ShapeError, 'Shape', '7');
        run(good);
      }
      assert.deepEqual(program.stateDict().count.toArray(), [2]);
      assert.deepEqual(first.stateDict().count.toArray(), [2]);
      assert.deepEqual(second.stateDict().count.toArray(), [0]);
      assert.deepEqual(shared.runSync(good).output.toArray(), [0, 3]);
      assert.deepEqual(first.stateDict().count.toArray(), [3]);
      first.dispose();
      assert.deepEqual(shared.runSync(good).output.toArray(), [0, 4]);
      const refused = (fn, ...parts) => assertThrows(fn, om.ArgumentError, 'Argument', ...parts);
      refused(() => program.createSession({ shareStateWith: program }), 'shareStateWith');
      refused(() => program.createSession({ arithmetic: 'slow' }), 'arithmetic');
      refused(() => shared.runSync({ other: good }), 'other');
      refused(() => shared.runSync({}), 'index');
      refused(() => shared.runSync({ index: 3 }), "'index'", 'a number');
      refused(() => shared.runSync([good, good]), 'takes 1', 'got 2');
      refused(() => shared.runSync(3), 'a number');
      assert.deepEqual(shared.inputs, [{ ...typed('index', [1]), dtype: 'int64' }]);
      assert.deepEqual(shared.outputs, [typed('output', [2])]);
      assert.ok(shared.describe().length > 0);
      for (const each of [second, shared, program]) each.dispose();
    },
  );
});

/** What `step` goes on with, and the bits of the logits of each step. */
function spoken(step, count) {
  const bits = [];
  const tokens = generate((token) => {
    const logits = step(token);
    bits.push([...new Uint32Array(logits.data.slice().buffer)]);
    return logits;
  }, count);
  return { tokens, bits };
}

test('a transformer with a cache in buffers generates from its program what the model does', async () => {
  om.manualSeed(7);
  const model = new CachedTransformer();
  const count = model.length - 1;
  om.setArithmetic('exact');
  try {
    const program = om.scope(() => om.exportProgram(model, { token: om.tensor([1], 'int64') }));
    assert.deepEqual(Object.keys(program.signature.parametersToMutate), []);
    assert.deepEqual(Object.values(program.signature.buffersToMutate).sort(), [
      'blocks.0.attention.keys',
      'blocks.0.attention.values',
      'blocks.1.attention.keys',
      'blocks.1.attention.values',
      'position',
    ]);
    const session = program.createSession({ arithmetic: 'exact' });
    const loaded = om.ExportedProgram.load(program.toOneModel());
    const again = loaded.createSession({ arithmetic: 'exact' });
    const expected = spoken((token) => om.noGrad(() => model.forward(token)), count);
    assert.ok(new Set(expected.tokens).size > 3, `dull text: ${expected.tokens}`);
    for (const step of [
      (token) => session.runSync({ token }).output,
      (token) => again.runSync({ token }).output,
      (token) => program.call(token),
    ]) {
      assert.deepEqual(spoken(step, count), expected);
    }
    om.scope(() => {
      const token = om.tensor([1], 'int64');
      const first = session.runSync({ token }).output.data; // position 23, the last one
      assert.ok(first.every(Number.isFinite));
      assertThrows(() => session.runSync({ token }), om.ShapeError, 'Shape');
    });
    for (const each of [session, again, loaded, program]) each.dispose();
  } finally {
    om.setArithmetic('fast');
    model.dispose();
  }
});
