// Queries that a mask leaves nothing: onnxruntime-web and our session give what eager attention gives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import * as ort from 'onnxruntime-web';
import { levels, noise } from './support.mjs';

await om.init({ threads: 1 });

const shape = [2, 3, 5, 4];
const q = noise(120);
const attend = (x, mask) => om.nn.scaledDotProductAttention(x, x, x, mask);

async function oracle(bytes, mask, graphOptimizationLevel) {
  const session = await ort.InferenceSession.create(bytes, { graphOptimizationLevel });
  const type = mask instanceof Float32Array ? 'float32' : 'bool';
  const results = await session.run({
    q: new ort.Tensor('float32', q, shape),
    mask: new ort.Tensor(type, mask, [5, 5]),
  });
  await session.release();
  return [...results.output.data];
}

/** NaN at the same places, and close elsewhere. */
function assertSame(got, expected, what) {
  const isSame = (a, i) => Object.is(a, expected[i]) || Math.abs(a - expected[i]) < 1e-5;
  assert.ok(got.every(isSame), what);
}

for (const dtype of ['float32', 'bool']) {
  test(`a mask of ${dtype} that leaves a query nothing`, async () => {
    const isBlind = (i) => Math.floor(i / 5) === 2;
    const mask =
      dtype === 'bool'
        ? Uint8Array.from({ length: 25 }, (_, i) => (isBlind(i) ? 0 : 1))
        : Float32Array.from({ length: 25 }, (_, i) => (isBlind(i) ? Number.NEGATIVE_INFINITY : i / 25));
    const x = om.tensor(q, { shape });
    const tensor = om.tensor(dtype === 'bool' ? [...mask].map(Boolean) : mask, { shape: [5, 5] });
    const expected = om.scope(() => [...attend(x, tensor).data]);
    const gone = expected.filter((each) => (dtype === 'bool' ? each === 0 : Number.isNaN(each)));
    assert.equal(gone.length, 2 * 3 * 4);
    const traced = om.scope(() => om.trace(attend, { q: x, mask: om.ones([5, 5], dtype) }));
    const session = traced.createSession();
    om.scope(() => assertSame([...session.runSync({ q: x, mask: tensor }).output.data], expected, 'session'));
    for (const level of levels)
      assertSame(await oracle(traced.toOnnx(), mask, level), expected, `onnxruntime-web (${level})`);
    for (const each of [x, tensor, session, traced]) each.dispose();
  });
}
