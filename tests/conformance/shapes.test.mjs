// Shape operands that a trace computes from several symbols: onnxruntime-web and our session agree with eager at sizes
// the trace has not seen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertClose, levels, noise, runOracle } from './support.mjs';

await om.init({ threads: 1 });

const models = {
  'rows joined and split': (x) => {
    const [batch, length, width] = x.shape;
    return x
      .reshape([batch * length, width])
      .relu()
      .reshape([batch, length * width]);
  },
  'heads split off and brought back': (x) => {
    const [batch, length, width] = x.shape;
    const heads = x.reshape([batch, length, 2, width / 2]).permute([0, 2, 1, 3]);
    const mixed = heads.matmul(heads.transpose(-1, -2)).softmax(-1).matmul(heads);
    return mixed.permute([0, 2, 1, 3]).reshape([batch, length, width]);
  },
  'the mean taken away': (x) => x.sub(x.mean([1], true)),
};

for (const [name, model] of Object.entries(models)) {
  test(`${name}: the same at other sizes`, async () => {
    const traced = om.scope(() => om.trace(model, om.ones([3, 5, 8]), { axes: ['batch', 'length', null] }));
    const bytes = traced.toOnnx();
    const session = traced.createSession();
    for (const dims of [
      [3, 5, 8],
      [1, 7, 8],
      [4, 1, 8],
    ]) {
      const data = noise(dims.reduce((product, extent) => product * extent, 1));
      const eager = om.scope(() => {
        const x = om.tensor(data, { shape: dims });
        const expected = model(x);
        const [got] = Object.values(session.runSync(x));
        const values = (tensor) => ({ data: tensor.data, dims: tensor.shape });
        assertClose(values(got), values(expected), 1e-5, `session at ${dims}`);
        return values(expected);
      });
      for (const level of levels) {
        assertClose(await runOracle(bytes, data, dims, level), eager, 1e-5, `onnxruntime-web (${level}) at ${dims}`);
      }
    }
    session.dispose();
    traced.dispose();
    assert.equal(om.memory().tensors, 0);
  });
}
