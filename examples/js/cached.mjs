// Trains a small transformer on whole pieces of a novel, exports it as a program that reads a character at a time and keeps
// its cache in buffers, and lets sessions of the saved program write what the model writes without a cache.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as om from 'onemodel';
import { CachedTransformer, streamText } from './cached_model.mjs';
import { batch, continueText, learn, readCharacters } from './characters.mjs';
import { novel } from './novel.mjs';
import { train } from './steps.mjs';

await om.init({ threads: 1 });
om.manualSeed(7);
const text = readCharacters(novel);
const model = new CachedTransformer(text.characters.length);
const optimizer = new om.optim.AdamW(model.parameters(), { lr: 0.006 });
const learnSome = () => {
  const [texts, next] = batch(text.tokens, 12, 48);
  return learn(optimizer, model.read(texts), next);
};
train(300, learnSome, 0.8);
model.eval();

const file = new URL('../../build/examples/cached.onemodel', import.meta.url);
mkdirSync(new URL('.', file), { recursive: true });
om.scope(() => {
  const program = om.exportProgram(model, { token: om.tensor([0], 'int64') });
  writeFileSync(file, program.toOneModel());
  program.dispose();
});

const [prompt, count] = ['Call me', 200];
const timed = (how, write) => {
  om.manualSeed(1);
  const started = performance.now();
  const written = write();
  console.log(`${how}: ${((1000 * count) / (performance.now() - started)).toFixed(0)} characters per second`);
  return written;
};
const program = om.ExportedProgram.load(readFileSync(file));
const session = program.createSession();
const streamed = timed('with the cache', () => [...streamText(session, text, prompt, count)].join(''));
const read = timed('anew for each character', () =>
  om.noGrad(() => continueText((texts) => model.read(texts), text, prompt, count, model.reach)),
);
console.log(prompt + streamed);
assert.equal(streamed, read);

for (const each of [session, program, model, optimizer]) each.dispose();
