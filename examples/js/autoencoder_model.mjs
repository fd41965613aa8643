// A convolutional autoencoder: 28 x 28 pixels through 16 numbers and back. Shared by Node and tests.

import * as om from 'onemodel';

/** Gives images [N, 1, 28, 28] as it remembers them from `code`, [N, 16]. */
export class Autoencoder extends om.nn.Module {
  constructor(numbers = 16) {
    super();
    this.conv1 = new om.nn.Conv2d(1, 8, 3, { stride: 2, padding: 1 });
    this.conv2 = new om.nn.Conv2d(8, 16, 3, { stride: 2, padding: 1 });
    this.conv3 = new om.nn.Conv2d(16, numbers, 7);
    this.deconv3 = new om.nn.ConvTranspose2d(numbers, 16, 7);
    this.deconv2 = new om.nn.ConvTranspose2d(16, 8, 3, { stride: 2, padding: 1, outputPadding: 1 });
    this.deconv1 = new om.nn.ConvTranspose2d(8, 1, 3, { stride: 2, padding: 1, outputPadding: 1 });
  }

  encode(x) {
    return this.conv3.forward(this.conv2.forward(this.conv1.forward(x).relu()).relu());
  }

  decode(code) {
    const h = this.deconv2.forward(this.deconv3.forward(code).relu()).relu();
    return this.deconv1.forward(h).sigmoid();
  }

  forward(x) {
    return this.decode(this.encode(x));
  }
}

/** One step of training. Returns the loss: how far the pixels come back. */
export function learn(model, optimizer, images) {
  const loss = om.nn.mseLoss(model.forward(images), images);
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  return loss.item();
}
