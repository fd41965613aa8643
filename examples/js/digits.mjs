// Trains a small convolutional network on real handwritten digits, traces it with a symbolic batch, and runs the saved
// files in sessions.

import assert from 'node:assert/strict';
import * as om from 'onemodel';
import { loadDigits } from './digits_data.mjs';
import { batch, DigitsNet, learn, shareRight, shuffledRows } from './digits_model.mjs';
import { compareFiles, save } from './steps.mjs';

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

const everySeventh = (count) =>
  batch(
    test,
    Array.from({ length: count }, (_, i) => i * 7),
  );
const [example, exampleLabels] = everySeventh(5);
const traced = om.trace(model, example, { axes: ['batch', null, null, null], outputNames: ['logits'] });
save('digits', model, optimizer, traced);
await compareFiles(
  'digits',
  model,
  [5, 1, 32].map((count) => () => everySeventh(count).slice(0, 1)),
);

for (const each of [example, exampleLabels, model, optimizer, traced]) each.dispose();
