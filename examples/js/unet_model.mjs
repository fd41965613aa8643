// A small U-Net that finds handwritten digits among boxes in noise: shared by Node, tests and the playground.

import * as om from 'onemodel';

/** Two convolutions, each with batch normalisation. */
class Block extends om.nn.Module {
  constructor(from, to) {
    super();
    this.conv1 = new om.nn.Conv2d(from, to, 3, { padding: 1, bias: false });
    this.norm1 = new om.nn.BatchNorm2d(to);
    this.conv2 = new om.nn.Conv2d(to, to, 3, { padding: 1, bias: false });
    this.norm2 = new om.nn.BatchNorm2d(to);
  }

  forward(x) {
    const h = this.norm1.forward(this.conv1.forward(x)).relu();
    return this.norm2.forward(this.conv2.forward(h)).relu();
  }
}

/** Gives the logits of "ink of a digit" [N, 1, H, W] for the pixels of images [N, 1, H, W] of any height and width from 4 on. */
export class UNet extends om.nn.Module {
  constructor(width = 8) {
    super();
    this.pool = new om.nn.MaxPool2d(2);
    this.down1 = new Block(1, width);
    this.down2 = new Block(width, 2 * width);
    this.bottom = new Block(2 * width, 4 * width);
    this.up2 = new Block(6 * width, 2 * width);
    this.up1 = new Block(3 * width, width);
    this.head = new om.nn.Conv2d(width, 1, 1);
  }

  forward(x) {
    const fine = this.down1.forward(x);
    const middle = this.down2.forward(this.pool.forward(fine));
    const coarse = this.bottom.forward(this.pool.forward(middle));
    const joined = this.up2.forward(besides(middle, coarse));
    return this.head.forward(this.up1.forward(besides(fine, joined)));
  }
}

/** The coarse features on the grid of the fine ones, and beside them. An odd size loses a row in pooling, which returns here. */
function besides(fine, coarse) {
  const size = [fine.dim(2), fine.dim(3)];
  return om.concat([fine, om.ops.resize(coarse, null, null, size, { axes: [2, 3] })], 1);
}

const side = 28;

/**
 * `count` grey images of handwritten digits among boxes in noise, and the masks of the digits' ink: two float32
 * [count, 1, height, width]. `digits` has the rows to choose from, 28 x 28 grey levels each.
 */
export function scenes({ images: rows }, count, height, width) {
  const size = height * width;
  const images = om.scope(() => om.randn([count * size], 0.3, 0.08).data);
  const masks = new Float32Array(count * size);
  for (let i = 0; i < count; i++) {
    const light = new Float32Array(size);
    const mask = masks.subarray(i * size, (i + 1) * size);
    for (const shape of randomShapes(rows, height, width)) cover(light, mask, width, shape);
    light.forEach((level, pixel) => {
      images[i * size + pixel] += level;
    });
  }
  const shape = [count, 1, height, width];
  return [om.tensor(images, { shape }), om.tensor(masks, { shape })];
}

/** One to three digits and one to three boxes in random order; their centres are in the image. */
function randomShapes(rows, height, width) {
  return om.scope(() => {
    const numbers = om.rand([6, 6]).toArray();
    const order = Array.from(om.randperm(6).data, Number);
    const chosen = order.filter((i) => i % 3 === 0 || numbers[i][0] < 0.5);
    return chosen.map((i) => {
      const [, x, y, size, light, row] = numbers[i];
      const at = { x: Math.round(x * width), y: Math.round(y * height), light: 0.25 + 0.35 * light };
      if (i >= 3) return { ...at, isDigit: false, reach: Math.round(4 + 5 * size), levelOf: () => 1 };
      const first = Math.floor((row * rows.length) / side ** 2) * side ** 2;
      return { ...at, isDigit: true, reach: side / 2, levelOf: (dy, dx) => rows[first + dy * side + dx] };
    });
  });
}

/** Lays a shape over those before it. */
function cover(light, mask, width, shape) {
  const [top, left] = [shape.y - shape.reach, shape.x - shape.reach];
  for (let dy = 0; dy < 2 * shape.reach; dy++) {
    for (let dx = 0; dx < 2 * shape.reach; dx++) {
      const [row, column] = [top + dy, left + dx];
      const pixel = row * width + column;
      if (row < 0 || column < 0 || column >= width || pixel >= light.length) continue;
      const level = shape.levelOf(dy, dx);
      light[pixel] = (1 - level) * light[pixel] + level * shape.light;
      if (level >= 0.5) mask[pixel] = shape.isDigit ? 1 : 0;
    }
  }
}

/** One step of training. Returns the loss. */
export function learn(model, optimizer, [images, masks]) {
  const loss = om.nn.binaryCrossEntropyWithLogits(model.forward(images), masks);
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  return loss.item();
}

/** What is in both the predicted ink and the masks, as a share of what is in either. */
export function overlap(logits, masks) {
  const [predicted, wanted] = [logits.data.map((logit) => (logit > 0 ? 1 : 0)), masks.data];
  const both = predicted.reduce((sum, pixel, i) => sum + pixel * wanted[i], 0);
  const either = predicted.reduce((sum, pixel, i) => sum + Math.max(pixel, wanted[i]), 0);
  return either === 0 ? 1 : both / either;
}
