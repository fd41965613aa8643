// A small convolutional network for handwritten digits, and how it learns: shared by Node, tests and the playground.

import * as om from 'onemodel';

/** Classifies [N, 1, 28, 28] images into ten digits. */
export class DigitsNet extends om.nn.Module {
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

/** These rows of `images` (784 grey levels each) and `labels`, as tensors. */
export function batch({ images, labels }, rows) {
  const pixels = new Float32Array(rows.length * 784);
  rows.forEach((row, i) => {
    pixels.set(images.subarray(row * 784, (row + 1) * 784), i * 784);
  });
  const classes = BigInt64Array.from(rows, (row) => BigInt(labels[row]));
  return [om.tensor(pixels, { shape: [rows.length, 1, 28, 28] }), om.tensor(classes)];
}

/** All rows in random order, in lists of `size`. */
export function shuffledRows(count, size) {
  const order = om.scope(() => Array.from(om.randperm(count).data, Number));
  return Array.from({ length: Math.ceil(count / size) }, (_, i) => order.slice(i * size, (i + 1) * size));
}

/** One step of training. Returns the loss. */
export function learn(model, optimizer, [images, labels]) {
  const loss = om.nn.crossEntropy(model.forward(images), labels);
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  return loss.item();
}

/** The share of digits that the model gets right. */
export function shareRight(model, data) {
  model.eval();
  let right = 0;
  for (let at = 0; at < data.labels.length; at += 250) {
    const rows = Array.from({ length: Math.min(250, data.labels.length - at) }, (_, i) => at + i);
    om.scope(() => {
      const logits = om.noGrad(() => model.forward(batch(data, rows)[0])).data;
      rows.forEach((row, i) => {
        const scores = logits.subarray(i * 10, (i + 1) * 10);
        if (scores.indexOf(Math.max(...scores)) === data.labels[row]) right++;
      });
    });
  }
  return right / data.labels.length;
}
