// Trains a small U-Net to find real handwritten digits among boxes, traces it with symbolic batch, height and width, and runs the saved files
// in sessions.

import assert from 'node:assert/strict';
import * as om from 'onemodel';
import { loadDigits } from './digits_data.mjs';
import { compareFiles, save, train } from './steps.mjs';
import { learn, overlap, scenes, UNet } from './unet_model.mjs';

await om.init({ threads: 1 });
om.manualSeed(7);
const digits = loadDigits();
const model = new UNet();
const optimizer = new om.optim.Adam(model.parameters(), { lr: 0.01 });
const steps = 400;
train(
  steps,
  (step) => {
    if (step === steps * 0.75) optimizer.lr /= 5; // the running statistics settle
    return learn(model, optimizer, scenes(digits.train, 4, 48, 48));
  },
  0.4,
);
model.eval();
const reached = om.scope(() => {
  const [images, masks] = scenes(digits.test, 16, 40, 64);
  const logits = om.noGrad(() => model.forward(images));
  return overlap(logits, masks);
});
console.log(`overlap with held-out digits in images of another size: ${(reached * 100).toFixed(1)} %`);
assert.ok(reached >= 0.7, `the overlap is only ${reached}`);

const inputs = (count, height, width) => () => scenes(digits.test, count, height, width).slice(0, 1);
const traced = om.scope(() =>
  om.trace(model, inputs(3, 20, 28)()[0], {
    axes: ['batch', null, 'height', 'width'],
    outputNames: ['logits'],
    verify: true,
  }),
);
assert.ok(traced.verification.ok, JSON.stringify(traced.verification));
save('unet', model, optimizer, traced);
await compareFiles('unet', model, [inputs(3, 20, 28), inputs(1, 64, 48), inputs(2, 13, 7)]);

for (const each of [model, optimizer, traced]) each.dispose();
