// A small U-Net that finds discs among boxes in noise: shared by Node, tests and the playground.

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

/** Gives the logits of "part of a disc" [N, 1, H, W] for the pixels of images [N, 1, H, W] of any height and width from 4 on. */
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

/** `count` grey images of discs and boxes in noise, and the masks of the discs: two float32 [count, 1, height, width]. */
export function scenes(count, height, width) {
  const size = height * width;
  const images = om.scope(() => om.randn([count * size], 0.3, 0.08).data);
  const masks = new Float32Array(count * size);
  for (let i = 0; i < count; i++) {
    const owner = randomShapes(height, width).reduce(cover(height, width), Array(size).fill(null));
    owner.forEach((shape, pixel) => {
      if (!shape) return;
      images[i * size + pixel] += shape.light;
      masks[i * size + pixel] = shape.isDisc ? 1 : 0;
    });
  }
  const shape = [count, 1, height, width];
  return [om.tensor(images, { shape }), om.tensor(masks, { shape })];
}

/** One to three discs and one to three boxes in random order. */
function randomShapes(height, width) {
  return om.scope(() => {
    const numbers = om.rand([6, 5]).toArray();
    const order = Array.from(om.randperm(6).data, Number);
    const chosen = order.filter((i) => i % 3 === 0 || numbers[i][0] < 0.5);
    return chosen.map((i) => {
      const [, x, y, size, light] = numbers[i];
      return {
        isDisc: i < 3,
        x: x * width,
        y: y * height,
        radius: 4 + 5 * size,
        light: 0.25 + 0.35 * light,
      };
    });
  });
}

/** Gives each pixel inside of `shape` to it; later shapes cover earlier ones. */
const cover = (height, width) => (owner, shape) => {
  const { isDisc, x, y, radius } = shape;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [dx, dy] = [Math.abs(column + 0.5 - x), Math.abs(row + 0.5 - y)];
      if (isDisc ? Math.hypot(dx, dy) < radius : Math.max(dx, dy) < 0.88 * radius) owner[row * width + column] = shape;
    }
  }
  return owner;
};

/** One step of training. Returns the loss. */
export function learn(model, optimizer, [images, masks]) {
  const loss = om.nn.binaryCrossEntropyWithLogits(model.forward(images), masks);
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  return loss.item();
}

/** What is in both the predicted discs and the masks, as a share of what is in either. */
export function overlap(logits, masks) {
  const [predicted, wanted] = [logits.data.map((logit) => (logit > 0 ? 1 : 0)), masks.data];
  const both = predicted.reduce((sum, pixel, i) => sum + pixel * wanted[i], 0);
  const either = predicted.reduce((sum, pixel, i) => sum + Math.max(pixel, wanted[i]), 0);
  return either === 0 ? 1 : both / either;
}
