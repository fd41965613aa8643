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

/** Steps of two sizes and a mask that leaves the third query of each nothing. */
const blindRow = (steps, none) => {
  const rows = Array.from({ length: steps }, (_, i) => Array.from({ length: steps }, () => (i === 2 ? none : 0)));
  return om.tensor(rows);
};

test('a query that a mask leaves nothing gets NaN of an added mask, zeros of one of bools, eagerly and in every session', () => {
  const attend = (q, mask) => om.nn.scaledDotProductAttention(q, q, q, mask);
  om.scope(() => {
    const q = om.rand([2, 3, 5, 4], -1, 1);
    const added = blindRow(5, Number.NEGATIVE_INFINITY);
    for (const [mask, isGone] of [
      [added, Number.isNaN],
      [added.equal(0), (each) => each === 0],
    ]) {
      const eager = [...attend(q, mask).data];
      const isBlind = (i) => Math.floor(i / 4) % 5 === 2;
      assert.ok(eager.every((each, i) => (isBlind(i) ? isGone(each) : Number.isFinite(each))));
      const example = mask.dtype === 'bool' ? om.ones([5, 5], 'bool') : om.zeros([5, 5]);
      const ofInput = om.trace(attend, { q, mask: example });
      const ofConstant = om.trace((x) => attend(x, mask), { q });
      for (const [traced, feeds] of [
        [ofInput, { q, mask }],
        [ofConstant, { q }],
      ]) {
        for (const options of [{}, { optimize: false }, { arithmetic: 'exact' }]) {
          const session = traced.createSession(options);
          const got = [...session.runSync(feeds).output.data];
          assert.ok(got.every((each, i) => (isBlind(i) ? isGone(each) : Math.abs(each - eager[i]) < 1e-5)));
          session.dispose();
        }
        traced.dispose();
      }
    }
  });
});

test('a mask for every head follows the batch, whose multiple its first axis is', () => {
  const layer = new om.nn.MultiheadAttention(8, 2, { batchFirst: true });
  om.scope(() => {
    const model = (x, mask) => layer.forward(x, x, x, { attnMask: mask });
    const inputs = (batch, steps) => ({
      x: om.rand([batch, steps, 8], -1, 1),
      mask: om.rand([2 * batch, steps, steps], -1, 1),
    });
    const axes = { x: ['batch', 'steps', null], mask: ['2*batch', 'steps', 'steps'] };
    const traced = om.trace(model, inputs(3, 5), { axes, verify: { batch: 5 } });
    assert.ok(traced.verification.ok, String(traced.verification));
    assert.equal(traced.verification.sizes.batch, 5);
    const { values, inputs: ids } = traced.view();
    assert.deepEqual(values[ids[1]].shape, ['2*batch', 'steps', 'steps']);
    const session = traced.createSession();
    for (const sizes of [
      [1, 7],
      [4, 3],
    ]) {
      const feeds = inputs(...sizes);
      const { output } = session.runSync(feeds);
      assert.ok(scaledError(output.data, model(feeds.x, feeds.mask).data) <= 1e-5);
    }
    assert.throws(() => session.runSync({ ...inputs(2, 3), mask: om.rand([6, 3, 3]) }), om.ShapeError);
    session.dispose();
    traced.dispose();
    const wrong = { ...axes, mask: ['bh', 'steps', 'steps'] };
    assert.throws(() => om.trace(model, inputs(3, 5), { axes: wrong }), { name: 'TraceError', kind: 'SymbolicShape' });
  });
  layer.dispose();
});
