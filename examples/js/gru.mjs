// Trains a GRU on the characters of a novel, traces it with its state as second input and output and with symbolic batch and
// length, and runs the saved files on whole texts and on texts that come in piece by piece.

import assert from 'node:assert/strict';
import * as om from 'onemodel';
import { batch, learn, readCharacters } from './characters.mjs';
import { CharGRU, noState, writeOn } from './gru_model.mjs';
import { novel } from './novel.mjs';
import { compareFiles, save, train } from './steps.mjs';

await om.init({ threads: 1 });
om.manualSeed(7);
const text = readCharacters(novel);
const model = new CharGRU(text.characters.length);
const optimizer = new om.optim.Adam(model.parameters(), { lr: 0.006 });
const steps = 500;
const learnSome = (step) => {
  if (step === steps * 0.8) optimizer.lr /= 4;
  const [texts, next] = batch(text.tokens, 16, 60);
  return learn(optimizer, model.forward(texts, noState(16)).logits, next);
};
train(steps, learnSome, 0.7);
model.eval();

const inputs = (count, length) => () => [batch(text.tokens, count, length)[0], noState(count)];
const traced = om.scope(() => {
  const [tokens, before] = inputs(3, 10)();
  const axes = { tokens: ['batch', 'length'], before: [null, 'batch', null] };
  return om.trace(model, { tokens, before }, { axes, verify: true });
});
assert.ok(traced.verification.ok, JSON.stringify(traced.verification));
save('gru', model, optimizer, traced);
await compareFiles('gru', model, [inputs(3, 10), inputs(1, 60), inputs(8, 1)]);

const session = traced.createSession();
const prompt = 'I thought ';
console.log(prompt + writeOn((feeds) => session.runSync(feeds), text, prompt, 200));

// Pieces that each go on from the state of the one before give what the whole gives.
om.scope(() => {
  const [tokens, before] = inputs(2, 50)();
  const whole = session.runSync({ tokens, before });
  let state = before;
  const pieces = [
    [0, 7],
    [7, 30],
    [30, 50],
  ].map(([start, end]) => {
    const piece = session.runSync({ tokens: tokens.slice(1, start, end), before: state });
    state = piece.state;
    return piece.logits;
  });
  const difference = om.concat(pieces, 1).sub(whole.logits).abs().max().item();
  console.log(`piece by piece: largest difference ${difference.toExponential(2)}`);
  assert.ok(difference <= 1e-5 * Math.max(1, whole.logits.abs().max().item()), 'pieces and whole differ');
});

for (const each of [model, optimizer, traced, session]) each.dispose();
