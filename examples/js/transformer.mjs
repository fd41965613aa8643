// Trains a small transformer on the characters of a novel, lets it write, traces it with symbolic batch and length, and
// runs the saved files in sessions.

import assert from 'node:assert/strict';
import * as om from 'onemodel';
import { batch, continueText, learn, readCharacters } from './characters.mjs';
import { novel } from './novel.mjs';
import { compareFiles, save, train } from './steps.mjs';
import { CharTransformer } from './transformer_model.mjs';

await om.init({ threads: 1 });
om.manualSeed(7);
const text = readCharacters(novel);
console.log(`${text.tokens.length} characters, ${text.characters.length} different ones`);

const model = new CharTransformer(text.characters.length);
const optimizer = new om.optim.AdamW(model.parameters(), { lr: 0.006 });
const steps = 600;
const learnSome = (step) => {
  if (step === steps * 0.8) optimizer.lr /= 4;
  const [texts, next] = batch(text.tokens, 12, 48);
  return learn(optimizer, model.forward(texts), next);
};
train(steps, learnSome, 0.78);
model.eval();
const predict = (texts) => model.forward(texts);
console.log(`Call me${om.noGrad(() => continueText(predict, text, 'Call me', 200, model.context))}`);

const inputs = (count, length) => () => batch(text.tokens, count, length).slice(0, 1);
const traced = om.scope(() =>
  om.trace(model, inputs(3, 10)()[0], { axes: ['batch', 'length'], outputNames: ['logits'], verify: true }),
);
assert.ok(traced.verification.ok, JSON.stringify(traced.verification));
save('transformer', model, optimizer, traced);
await compareFiles('transformer', model, [inputs(3, 10), inputs(1, 48), inputs(5, 2)]);

for (const each of [model, optimizer, traced]) each.dispose();
