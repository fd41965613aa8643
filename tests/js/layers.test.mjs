// The engine's layers from JavaScript: shapes, state-dict paths, several inputs and outputs, traces.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, scaledError, useEngine } from './support.mjs';

await useEngine();

const withModule = (module, use) => {
  try {
    om.scope(() => use(module));
  } finally {
    module.dispose();
  }
};

test('layers give the shapes that PyTorch gives', () => {
  const image = [2, 4, 6, 6];
  const cases = [
    [() => new om.nn.LayerNorm([6]), image, image],
    [() => new om.nn.GroupNorm(2, 4), image, image],
    [() => new om.nn.InstanceNorm2d(4), image, image],
    [() => new om.nn.RMSNorm([6]), image, image],
    [() => new om.nn.BatchNorm1d(4), [2, 4], [2, 4]],
    [() => new om.nn.Conv1d(4, 3, 3), [2, 4, 6], [2, 3, 4]],
    [() => new om.nn.ConvTranspose2d(4, 3, 2, { stride: 2 }), image, [2, 3, 12, 12]],
    [() => new om.nn.MaxPool1d(2), [2, 4, 6], [2, 4, 3]],
    [() => new om.nn.GLU(), [2, 6], [2, 3]],
    [() => new om.nn.PReLU(), image, image],
    [() => new om.nn.SiLU(), image, image],
    [() => new om.nn.TransformerEncoderLayer(8, 2), [5, 3, 8], [5, 3, 8]],
  ];
  for (const [make, input, output] of cases) {
    withModule(make(), (module) => assert.deepEqual(module.forward(om.ones(input)).shape, output, `${module}`));
  }
});

test('batch norm without momentum keeps the means of all batches, in a program too', () => {
  const norm = new om.nn.BatchNorm1d(1, { momentum: null });
  assert.ok(String(norm).includes('momentum=null'), String(norm));
  const batch = (mean) => om.tensor([[mean - 3], [mean + 3]]);
  om.scope(() => {
    for (const mean of [1, 4]) norm.forward(batch(mean));
    const program = om.exportProgram(norm, [batch(0)]);
    norm.forward(batch(10));
    program.call(batch(10));
    for (const state of [norm.stateDict(), program.stateDict()]) {
      assert.deepEqual([...state.running_mean.data, ...state.running_var.data], [5, 18]);
      assert.equal(state.num_batches_tracked.item(), 3);
    }
    norm.eval();
    const traced = om.trace(norm, batch(0));
    assert.deepEqual(
      traced.view().nodes.map(({ op }) => op),
      ['BatchNormalization'],
    );
    for (const each of [traced, program]) each.dispose();
  });
  norm.dispose();
  for (const momentum of [undefined, 0.1]) {
    withModule(new om.nn.BatchNorm1d(1, { momentum }), (other) => assert.ok(String(other).includes('momentum=0.1')));
  }
});

test('recurrent layers take first states and give the last ones', () => {
  withModule(new om.nn.LSTM(3, 4, { numLayers: 2, bidirectional: true }), (lstm) => {
    assert.ok('weight_ih_l1_reverse' in lstm.stateDict());
    const [y, h, c] = lstm.forward(om.ones([5, 2, 3]));
    assert.deepEqual(
      [y.shape, h.shape, c.shape],
      [
        [5, 2, 8],
        [4, 2, 4],
        [4, 2, 4],
      ],
    );
    const [again] = lstm.forward(om.ones([5, 2, 3]), om.zeros([4, 2, 4]), om.zeros([4, 2, 4]));
    assert.deepEqual(again.data, y.data);
  });
  withModule(new om.nn.GRU(3, 4, { batchFirst: true }), (gru) => {
    assert.deepEqual(
      gru.forward(om.ones([2, 5, 3])).map((each) => each.shape),
      [
        [2, 5, 4],
        [1, 2, 4],
      ],
    );
  });
});

test('attention takes query, key, value and masks', () => {
  withModule(new om.nn.MultiheadAttention(8, 2), (attention) => {
    const [query, memory] = [om.randn([3, 2, 8]), om.randn([5, 2, 8])];
    assert.deepEqual(attention.forward(query, memory, memory).shape, [3, 2, 8]);
    const masked = om.tensor([[false, false, false, false, true]]).expand([2, 5]);
    const part = memory.slice(0, 0, 4);
    const expected = attention.forward(query, part, part).data;
    attention.forward(query, memory, memory, masked).data.forEach((value, i) => {
      assert.ok(Math.abs(value - expected[i]) < 1e-5);
    });
  });
});

test('a bidirectional LSTM traces with symbolic batch and steps', () => {
  class Tagger extends om.nn.Module {
    lstm = new om.nn.LSTM(3, 4, { bidirectional: true, batchFirst: true });
    fc = new om.nn.Linear(8, 2);
    forward(x) {
      return this.fc.forward(this.lstm.forward(x)[0]);
    }
  }
  withModule(new Tagger(), (tagger) => {
    const traced = om.trace(tagger, om.ones([2, 5, 3]), { axes: ['batch', 'steps', null] });
    const session = traced.createSession({ arithmetic: 'exact' });
    om.setArithmetic('exact');
    const x = om.randn([4, 7, 3]);
    const { output } = session.runSync(x);
    assert.deepEqual(output.data, tagger.forward(x).data);
    om.setArithmetic('fast');
    session.dispose();
    traced.dispose();
  });
});

test('adaptive pools give the means of as many windows as are wanted', () => {
  withModule(new om.nn.AdaptiveAvgPool1d(2), (pool) => {
    const x = om.tensor([[[1, 2, 3, 4, 6]]]);
    x.requiresGrad = true;
    const y = pool.forward(x); // windows of three that share the middle
    assert.ok(scaledError(y.toArray().flat(2), [2, 13 / 3]) < 1e-6);
    y.sum().backward();
    assert.ok(scaledError(x.grad.toArray().flat(2), [1 / 3, 1 / 3, 2 / 3, 1 / 3, 1 / 3]) < 1e-6);
  });
  withModule(new om.nn.AdaptiveAvgPool2d([3, 2]), (pool) => {
    assert.deepEqual(pool.forward(om.ones([2, 3, 6, 5])).shape, [2, 3, 3, 2]);
    const traced = om.trace(pool, om.ones([2, 3, 6, 5]), { axes: ['batch', null, null, null] });
    const session = traced.createSession();
    assert.deepEqual(session.runSync(om.ones([4, 3, 6, 5])).output.shape, [4, 3, 3, 2]);
    session.dispose();
    traced.dispose();
    const axes = ['batch', null, 'height', null];
    assertThrows(
      () => om.trace(pool, om.ones([2, 3, 6, 5]), { axes }),
      om.TraceError,
      'SymbolicShape',
      'AdaptiveAvgPool2d',
      'height',
      'outputSize 3',
    );
  });
  assertThrows(() => new om.nn.AdaptiveAvgPool2d(0), om.ArgumentError, 'Argument', 'outputSize', 'got 0');
});

test('attention gives its weights, of each head or their mean', () => {
  withModule(new om.nn.MultiheadAttention(8, 2), (attention) => {
    const [query, memory] = [om.randn([3, 2, 8]), om.randn([5, 2, 8])];
    const keyPaddingMask = om.tensor([[false, false, false, false, true]]).expand([2, 5]);
    const options = { keyPaddingMask, needWeights: true };
    const [y, mean] = attention.forward(query, memory, memory, options);
    assert.deepEqual(y.data, attention.forward(query, memory, memory, { keyPaddingMask }).data);
    assert.deepEqual(y.data, attention.forward(query, memory, memory, keyPaddingMask).data);
    assert.deepEqual(mean.shape, [2, 3, 5]);
    const [, each] = attention.forward(query, memory, memory, { ...options, averageAttnWeights: false });
    assert.deepEqual(each.shape, [2, 2, 3, 5]);
    assert.ok(scaledError(each.mean(1).data, mean.data) < 1e-6);
    mean.toArray().forEach((rows) => {
      for (const row of rows) {
        assert.ok(Math.abs(row.reduce((sum, value) => sum + value) - 1) < 1e-6);
        assert.equal(row[4], 0);
      }
    });
  });
});

test('attention weights are an output of a trace, under the path of their module', () => {
  class Seen extends om.nn.Module {
    attention = new om.nn.MultiheadAttention(8, 2, { batchFirst: true });
    forward(x) {
      const [y, weights] = this.attention.forward(x, x, x, { needWeights: true });
      return { y, weights };
    }
  }
  withModule(new Seen(), (model) => {
    const traced = om.trace(model, om.ones([2, 5, 8]), { axes: ['batch', 'steps', null] });
    assert.ok(traced.view().nodes.every(({ modulePath }) => modulePath.startsWith('attention')));
    const session = traced.createSession();
    model.eval();
    const x = om.randn([3, 4, 8]);
    const expected = model.forward(x);
    const got = session.runSync(x);
    assert.ok(scaledError(got.weights.data, expected.weights.data) < 1e-5);
    assert.ok(scaledError(got.y.data, expected.y.data) < 1e-5);
    session.dispose();
    traced.dispose();
  });
});
