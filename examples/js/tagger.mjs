// Trains a bidirectional LSTM to find the words in a novel without spaces, traces it with symbolic batch and length, and
// runs the saved files in sessions.

import assert from 'node:assert/strict';
import * as om from 'onemodel';
import { novel } from './novel.mjs';
import { compareFiles, save, train } from './steps.mjs';
import {
  batch,
  learn,
  randomStarts,
  readWords,
  shareTagged,
  splitWords,
  WordTagger,
  wordBegins,
} from './tagger_model.mjs';

await om.init({ threads: 1 });
om.manualSeed(7);
const words = splitWords(readWords(novel));
console.log(`${words.train.letters.length} letters to learn from, ${words.heldOut.letters.length} held out`);

const model = new WordTagger();
const optimizer = new om.optim.Adam(model.parameters(), { lr: 0.006 });
const piece = (count, length) => batch(words.train, randomStarts(words.train, count, length), length);
train(400, () => learn(model, optimizer, piece(32, 40)), 0.3);
model.eval();
const right = om.noGrad(() => shareTagged(model, words.heldOut));
console.log(`held-out letters tagged rightly: ${(right * 100).toFixed(2)} %`);
assert.ok(right >= 0.9, `only ${right} of the held-out letters are tagged rightly`);
const found = om.noGrad(() => wordBegins(model, 'thelettersofasentencewithoutspaces'));
console.log(found.map(({ letter, begins }) => (begins > 0.5 ? ` ${letter}` : letter)).join(''));

const inputs = (count, length) => () => piece(count, length).slice(0, 1);
const traced = om.scope(() =>
  om.trace(model, inputs(3, 10)()[0], { axes: ['batch', 'length'], outputNames: ['logits'], verify: true }),
);
assert.ok(traced.verification.ok, JSON.stringify(traced.verification));
save('tagger', model, optimizer, traced);
await compareFiles('tagger', model, [inputs(3, 10), inputs(1, 100), inputs(7, 1)]);

for (const each of [model, optimizer, traced]) each.dispose();
