import * as om from 'onemodel';
import { loadDigits } from 'playground';

om.manualSeed(7);
const { train, heldOut } = await loadDigits();

class DigitsNet extends om.nn.Module {
  conv1 = new om.nn.Conv2d(1, 8, 3, { padding: 1 });
  conv2 = new om.nn.Conv2d(8, 16, 3, { padding: 1 });
  pool = new om.nn.MaxPool2d(2);
  drop = new om.nn.Dropout({ p: 0.1 });
  fc = new om.nn.Linear(16 * 7 * 7, 10);

  forward(x) {
    let h = this.pool.forward(this.conv1.forward(x).relu());
    h = this.pool.forward(this.conv2.forward(h).relu());
    return this.fc.forward(this.drop.forward(h.flatten(1)));
  }
}

export const model = new DigitsNet();
export const optimizer = new om.optim.Adam(model.parameters(), { lr: 0.002 });
export const steps = 420;

// Images and labels of these rows as tensors.
function batch({ images, labels }, rows) {
  const pixels = new Float32Array(rows.length * 784);
  rows.forEach((row, i) => {
    pixels.set(images.subarray(row * 784, (row + 1) * 784), i * 784);
  });
  const classes = BigInt64Array.from(rows, (row) => BigInt(labels[row]));
  return [om.tensor(pixels, { shape: [rows.length, 1, 28, 28] }), om.tensor(classes)];
}

const batchSize = 64;
const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);
let order = [];

export function trainStep() {
  if (order.length < batchSize) order = Array.from(om.randperm(train.labels.length).data, Number);
  const [images, labels] = batch(train, order.splice(0, batchSize));
  const loss = om.nn.crossEntropy(model.forward(images), labels);
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  return loss.item();
}

// The share of held-out digits that the model gets right.
export function accuracy() {
  let right = 0;
  for (let at = 0; at < heldOut.labels.length; at += 250) {
    const rows = range(at, Math.min(at + 250, heldOut.labels.length));
    om.scope(() => {
      const logits = model.forward(batch(heldOut, rows)[0]).data;
      rows.forEach((row, i) => {
        const scores = logits.subarray(i * 10, (i + 1) * 10);
        if (scores.indexOf(Math.max(...scores)) === heldOut.labels[row]) right++;
      });
    });
  }
  return right / heldOut.labels.length;
}

// The ten probabilities of one drawing [1, 1, 28, 28].
export const classify = (image) => model.forward(image).softmax(-1);

// What Trace records: any number of images.
export const example = batch(heldOut, [0, 300, 600])[0];
export const axes = ['batch', null, null, null];
export const outputNames = ['logits'];
