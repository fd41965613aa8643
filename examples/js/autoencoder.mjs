// Trains a convolutional autoencoder on real handwritten digits, traces it with a symbolic batch, and runs the saved files
// in sessions.

import assert from 'node:assert/strict';
import * as om from 'onemodel';
import { Autoencoder, learn } from './autoencoder_model.mjs';
import { loadDigits } from './digits_data.mjs';
import { batch, shuffledRows } from './digits_model.mjs';
import { compareFiles, save, train } from './steps.mjs';

await om.init({ threads: 1 });
om.manualSeed(7);
const digits = loadDigits();
const model = new Autoencoder();
const optimizer = new om.optim.Adam(model.parameters(), { lr: 0.004 });
const lists = shuffledRows(digits.train.labels.length, 32);
train(lists.length, () => learn(model, optimizer, batch(digits.train, lists.pop())[0]), 0.4);
model.eval();

const inputs = (count) => () =>
  batch(
    digits.test,
    Array.from({ length: count }, (_, i) => i * 7),
  ).slice(0, 1);
const traced = om.scope(() =>
  om.trace(model, inputs(3)()[0], { axes: ['batch', null, null, null], outputNames: ['images'], verify: true }),
);
assert.ok(traced.verification.ok, JSON.stringify(traced.verification));
save('autoencoder', model, optimizer, traced);
await compareFiles('autoencoder', model, [inputs(3), inputs(1), inputs(20)]);

for (const each of [model, optimizer, traced]) each.dispose();
