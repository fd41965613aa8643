// The convolutional network of the digits example, and how it is trained: shared by Node, tests and the playground.

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

/** Rows of `images` (Float32Array of 784 each) and `labels` chosen by `order`, as tensors. */
export function batch({ images, labels }, order) {
  const pixels = new Float32Array(order.length * 784);
  const classes = new BigInt64Array(order.length);
  order.forEach((row, i) => {
    pixels.set(images.subarray(row * 784, (row + 1) * 784), i * 784);
    classes[i] = BigInt(labels[row]);
  });
  return [om.tensor(pixels, { shape: [order.length, 1, 28, 28] }), om.tensor(classes)];
}

/** One pass over the data in random order. `onStep(step, steps, loss)` may return false to stop. */
export function trainEpoch(model, optimizer, data, { batchSize = 32, onStep } = {}) {
  model.train();
  const permutation = om.randperm(data.labels.length);
  const order = Array.from(permutation.data, Number);
  permutation.dispose();
  const steps = Math.ceil(order.length / batchSize);
  for (let step = 0; step < steps; step++) {
    const loss = om.scope(() => {
      const [x, y] = batch(data, order.slice(step * batchSize, (step + 1) * batchSize));
      const value = om.nn.crossEntropy(model.forward(x), y);
      optimizer.zeroGrad();
      value.backward();
      optimizer.step();
      return value.item();
    });
    if (onStep?.(step, steps, loss) === false) return false;
  }
  return true;
}

/** The share of digits that `model` gets right. */
export function accuracy(model, data, batchSize = 250) {
  model.eval();
  let right = 0;
  for (let at = 0; at < data.labels.length; at += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, data.labels.length - at) }, (_, i) => at + i);
    om.scope(() =>
      om.noGrad(() => {
        const [x] = batch(data, rows);
        const logits = model.forward(x).data;
        rows.forEach((row, i) => {
          const scores = logits.subarray(i * 10, (i + 1) * 10);
          if (scores.indexOf(Math.max(...scores)) === data.labels[row]) right++;
        });
      }),
    );
  }
  return right / data.labels.length;
}
