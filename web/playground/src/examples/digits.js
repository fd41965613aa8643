// ---- In this page ----

import { loadDigits } from 'playground';

om.manualSeed(7);
const { train, heldOut } = await loadDigits();

export const model = new DigitsNet();
export const optimizer = new om.optim.Adam(model.parameters(), { lr: 0.006 });
export const steps = 700;

let waiting = [];

// Five passes over 9,000 digits, 64 at a time; the last one goes slower.
export function trainStep(step) {
  if (step === 560) optimizer.lr /= 4;
  if (waiting.length === 0) waiting = shuffledRows(train.labels.length, 64);
  return learn(model, optimizer, batch(train, waiting.pop()));
}

export const accuracy = () => shareRight(model, heldOut);

// The ten probabilities of one drawing [1, 1, 28, 28].
export const classify = (image) => model.forward(image).softmax(-1);

// What Trace records: any number of images.
export const example = batch(heldOut, [0, 300, 600])[0];
export const axes = ['batch', null, null, null];
export const outputNames = ['logits'];

// The same for Export.
export const dynamicShapes = [{ 0: om.Dim('batch', { min: 1 }) }];
