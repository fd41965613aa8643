// Attention in traced models: one node in fast sessions, the separate operators in exact ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { scaledError, useEngine } from './support.mjs';

await useEngine();

test('the attention of a traced transformer layer is one node in fast sessions only', async () => {
  for (const batchFirst of [true, false]) {
    const layer = new om.nn.TransformerEncoderLayer(16, 4, { dimFeedforward: 32, batchFirst });
    const example = om.rand([2, 5, 16], -1, 1);
    const axes = batchFirst ? ['batch', 'steps', null] : ['steps', 'batch', null];
    const traced = om.trace(layer, example, { axes, outputNames: ['y'] });
    const fast = traced.createSession();
    const exact = traced.createSession({ arithmetic: 'exact' });
    layer.eval();
    for (const [first, second] of [
      [1, 1],
      [3, 7],
      [2, 70],
      [150, 3],
    ]) {
      const x = om.rand([first, second, 16], -1, 1);
      const eager = om.scope(() => om.noGrad(() => layer.forward(x)));
      const { y } = await fast.run({ input: x });
      const { y: separate } = await exact.run({ input: x });
      assert.ok(scaledError(y.data, separate.data) <= 1e-5);
      assert.ok(scaledError(y.data, eager.data) <= 1e-5);
      for (const each of [x, eager, y, separate]) each.dispose();
    }
    assert.match(fast.describe(), /FusedAttention\(.*\) \[simd\.attention\].* # self_attn/);
    assert.doesNotMatch(fast.describe(), /Softmax/);
    assert.match(exact.describe(), /Softmax/);
    assert.doesNotMatch(exact.describe(), /FusedAttention/);
    for (const each of [layer, example, traced, fast, exact]) each.dispose();
  }
});

test('masks are bool or floating-point numbers', async () => {
  om.scope(() => {
    const layer = new om.nn.MultiheadAttention(4, 2);
    const x = om.ones([2, 1, 4]);
    for (const mask of ['keyPaddingMask', 'attnMask']) {
      const shape = mask === 'attnMask' ? [2, 2] : [1, 2];
      const integers = om.zeros(shape, 'uint8');
      assert.throws(() => layer.forward(x, x, x, { [mask]: integers }), {
        name: 'DTypeError',
        message: /mask expects bool or a floating-point type, got uint8/,
      });
    }
    layer.dispose();
  });
});
