// ---- In this page ----

import { novel } from 'playground';

om.manualSeed(7);
const text = readCharacters(novel);
const length = 300;

export const model = new CachedTransformer(text.characters.length);
export const optimizer = new om.optim.AdamW(model.parameters(), { lr: 0.006 });
export const steps = 400;

// Twelve pieces of 48 characters, each read at once; the last fifth goes slower.
export function trainStep(step) {
  if (step === steps * 0.8) optimizer.lr /= 4;
  const [texts, next] = batch(text.tokens, 12, 48);
  return learn(optimizer, model.read(texts), next);
}

// What Export records: one character. Its cache and its position are buffers, which the program updates.
export const example = { token: om.tensor([0], 'int64') };

// What a session of the exported program writes after `prompt`, a character at a time.
export const stream = (session, prompt) => streamText(session, text, prompt, length);

// The same without a cache: the model reads the text anew for every character.
export const write = (prompt) => continueText((texts) => model.read(texts), text, prompt, length, model.reach);
