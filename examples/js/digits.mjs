// Trains a small convolutional network on real handwritten digits, traces it with a symbolic batch, and runs the saved
// files in sessions.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as om from 'onemodel';
import { loadDigits } from './digits_data.mjs';
import { batch, DigitsNet, learn, shareRight, shuffledRows } from './digits_model.mjs';

const folder = new URL('../../build/examples/', import.meta.url);
mkdirSync(folder, { recursive: true });

await om.init();
om.manualSeed(7);
const { train, test } = loadDigits();
console.log(`${train.labels.length} digits to learn, ${test.labels.length} held out`);

const model = new DigitsNet();
const optimizer = new om.optim.Adam(model.parameters(), { lr: 0.003 });
const started = performance.now();
let reached = 0;
for (let epoch = 1; epoch <= 6 && reached < 0.975; epoch++) {
  model.train();
  let sum = 0;
  const lists = shuffledRows(train.labels.length, 32);
  for (const rows of lists) sum += om.scope(() => learn(model, optimizer, batch(train, rows)));
  reached = shareRight(model, test);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `epoch ${epoch}: loss ${(sum / lists.length).toFixed(4)}, held-out accuracy ${(reached * 100).toFixed(2)} % (${seconds} s)`,
  );
}
assert.ok(reached >= 0.97, `held-out accuracy ${reached} is below 97 %`);

writeFileSync(new URL('digits.safetensors', folder), om.saveCheckpoint(model, optimizer));

const everySeventh = (count) => Array.from({ length: count }, (_, i) => i * 7);
const [example, exampleLabels] = batch(test, everySeventh(5));
const traced = om.trace(model, example, { axes: ['batch', null, null, null], outputNames: ['logits'] });
writeFileSync(new URL('digits.onnx', folder), traced.toOnnx());
writeFileSync(new URL('digits.onemodel', folder), traced.toOneModel());

for (const file of ['digits.onnx', 'digits.onemodel']) {
  const session = await om.Session.load(new URL(file, folder));
  for (const count of [5, 1, 32]) {
    om.scope(() => {
      const [x] = batch(test, everySeventh(count));
      const eager = om.noGrad(() => model.forward(x)).data;
      const graph = session.runSync({ input: x }).logits.data;
      const scale = Math.max(1, ...Array.from(eager, Math.abs));
      const error = Math.max(...Array.from(graph, (value, i) => Math.abs(value - eager[i]))) / scale;
      console.log(`${file}: batch ${count}, largest scaled difference ${error.toExponential(2)}`);
      assert.ok(error <= 1e-5, 'graph and eager differ');
    });
  }
  session.dispose();
}

for (const each of [example, exampleLabels, model, optimizer, traced]) each.dispose();
