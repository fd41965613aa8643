// Fits y = 2x + 1 with one linear layer, saves and loads a checkpoint, traces the layer with a symbolic batch, saves both
// model files, and runs them in sessions.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as om from 'onemodel';

const folder = new URL('../../build/examples/', import.meta.url);
mkdirSync(folder, { recursive: true });

await om.init({ threads: 1 });
om.manualSeed(42);

const x = om.tensor([[0], [1], [2], [3]]);
const y = om.tensor([[1], [3], [5], [7]]);
const model = new om.nn.Linear(1, 1);
const optimizer = new om.optim.SGD(model.parameters(), { lr: 0.05 });
for (let step = 0; step < 200; step++) {
  om.scope(() => {
    const loss = om.nn.mseLoss(model.forward(x), y);
    optimizer.zeroGrad();
    loss.backward();
    optimizer.step();
  });
}

const checkpoint = om.saveCheckpoint(model, optimizer);
writeFileSync(new URL('line.safetensors', folder), checkpoint);
const restored = new om.nn.Linear(1, 1);
om.loadCheckpoint(checkpoint, restored);

const traced = om.trace(restored, x, { axes: ['batch', null] });
writeFileSync(new URL('line.onnx', folder), traced.toOnnx());
writeFileSync(new URL('line.onemodel', folder), traced.toOneModel());

const points = om.tensor([[4], [5], [6]]);
const eager = om.noGrad(() => restored.forward(points));
const expected = Array.from(eager.data);
for (const file of ['line.onnx', 'line.onemodel']) {
  const session = await om.Session.load(new URL(file, folder));
  const { output } = await session.run({ input: points });
  const values = Array.from(output.data);
  const difference = Math.max(...values.map((value, i) => Math.abs(value - expected[i])));
  console.log(`${file}: x = 4, 5, 6`);
  console.log(`  eager ${expected.map((value) => value.toFixed(5)).join('  ')}`);
  console.log(`  graph ${values.map((value) => value.toFixed(5)).join('  ')}`);
  console.log(`  largest difference ${difference}`);
  assert.ok(difference <= 1e-5, 'graph and eager differ');
  for (const [i, value] of values.entries()) {
    assert.ok(Math.abs(value - (9 + 2 * i)) < 0.1, `${value} is not near ${9 + 2 * i}`);
  }
  output.dispose();
  session.dispose();
}

for (const each of [x, y, points, eager, model, restored, optimizer, traced]) each.dispose();
