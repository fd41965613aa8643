// ---- In this page ----

import { novel } from 'playground';

om.manualSeed(7);
const text = readCharacters(novel);

export const model = new CharTransformer(text.characters.length);
export const optimizer = new om.optim.AdamW(model.parameters(), { lr: 0.006 });
export const steps = 500;

// Twelve pieces of 48 characters; the last fifth goes slower.
export function trainStep(step) {
  if (step === steps * 0.8) optimizer.lr /= 4;
  const [texts, next] = batch(text.tokens, 12, 48);
  return learn(optimizer, model.forward(texts), next);
}

// What the model writes after `prompt`.
export const write = (prompt) => continueText((texts) => model.forward(texts), text, prompt, 200, model.context);

// What Trace records: any number of texts, of any length up to 48.
export const example = batch(text.tokens, 3, 10)[0];
export const axes = ['batch', 'length'];
export const outputNames = ['logits'];

// The same for Export.
export const dynamicShapes = [[om.Dim('batch', { min: 1 }), om.Dim('length', { min: 1, max: model.context })]];
