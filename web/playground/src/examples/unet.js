// ---- In this page ----

import { loadDigits } from 'playground';

om.manualSeed(7);
const { train, heldOut } = await loadDigits();

export const model = new UNet();
export const optimizer = new om.optim.Adam(model.parameters(), { lr: 0.01 });
export const steps = 400;

// Four new images each time; the last part goes slower, and the running statistics settle.
export function trainStep(step) {
  if (step === steps * 0.75) optimizer.lr /= 5;
  return learn(model, optimizer, scenes(train, 4, 48, 48));
}

// New digits in larger images than those of the training: how likely each pixel is ink, and how well that fits.
export function segment() {
  const [images, masks] = scenes(heldOut, 3, 64, 64);
  const logits = model.forward(images);
  const overlaps = [0, 1, 2].map((i) => overlap(logits.slice(0, i, i + 1), masks.slice(0, i, i + 1)));
  return { images, masks, found: logits.sigmoid(), overlaps };
}

// What Trace records: any number of images of any height and width.
export const example = scenes(heldOut, 3, 20, 28)[0];
export const axes = ['batch', null, 'height', 'width'];
export const outputNames = ['logits'];

// The same for Export.
export const dynamicShapes = [
  [om.Dim('batch', { min: 1 }), null, om.Dim('height', { min: 4 }), om.Dim('width', { min: 4 })],
];
