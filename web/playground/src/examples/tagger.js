// ---- In this page ----

import { novel } from 'playground';

om.manualSeed(7);
const { train, heldOut } = splitWords(readWords(novel));

export const model = new WordTagger();
export const optimizer = new om.optim.Adam(model.parameters(), { lr: 0.006 });
export const steps = 400;

// Thirty-two pieces of 40 letters.
export function trainStep() {
  return learn(model, optimizer, batch(train, randomStarts(train, 32, 40), 40));
}

export const accuracy = () => shareTagged(model, heldOut);

// The letters of a text, and how likely a word begins at each.
export const tag = (text) => wordBegins(model, text);

// What Trace records: any number of texts of any length.
export const example = batch(heldOut, [0, 100, 200], 10)[0];
export const axes = ['batch', 'length'];
export const outputNames = ['logits'];

// The same for Export.
export const dynamicShapes = [[om.Dim('batch', { min: 1 }), om.Dim('length', { min: 1 })]];
