// The engine's layers and losses from JavaScript: shapes, state-dict paths, several inputs and outputs, traces.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { useEngine } from './support.mjs';

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

test('losses agree with their formulas', () => {
  om.scope(() => {
    const x = om.tensor([0.2, 0.7]);
    const y = om.tensor([1, 0.5]);
    const near = (loss, expected) => assert.ok(Math.abs(loss.item() - expected) < 1e-6, `${loss.item()} ${expected}`);
    near(om.nn.l1Loss(x, y), 0.5);
    near(om.nn.smoothL1Loss(x, y), (0.32 + 0.02) / 2);
    near(om.nn.huberLoss(x, y, 'sum'), 0.34);
    const cross = (p, t) => -(t * Math.log(p) + (1 - t) * Math.log(1 - p));
    near(om.nn.binaryCrossEntropy(x, y), (cross(0.2, 1) + cross(0.7, 0.5)) / 2);
    const sigmoid = (v) => 1 / (1 + Math.exp(-v));
    near(om.nn.binaryCrossEntropyWithLogits(x, y), (cross(sigmoid(0.2), 1) + cross(sigmoid(0.7), 0.5)) / 2);
    near(om.nn.klDiv(x.log(), y, 'sum'), Math.log(1 / 0.2) + 0.5 * Math.log(0.5 / 0.7));
  });
});
