// Training steps, each written for both libraries with the same weights: cross entropy and Adam on one batch.

const classes = 10;
const rate = 1e-3;
const epsilon = 1e-8;

/** What a step of OneModel does, given the module and the batch. Gives the loss. */
function stepOf(om, model, input, target) {
  const optimizer = new om.optim.Adam(model.parameters(), { lr: rate, eps: epsilon });
  const step = () =>
    om.scope(() => {
      const loss = om.nn.crossEntropy(model.forward(input), target);
      optimizer.zeroGrad();
      loss.backward();
      optimizer.step();
      return loss.item();
    });
  const end = () => {
    for (const each of [optimizer, model, input, target]) each.dispose();
  };
  return { step, end };
}

/** The same in tfjs: `forward` gives the logits from variables and the batch. */
function tfjsStepOf(tf, { variables, labels, forward }) {
  const optimizer = tf.train.adam(rate, 0.9, 0.999, epsilon);
  const weights = variables.map((each) => tf.variable(each));
  const target = tf.cast(tf.oneHot(tf.tensor1d(labels, 'int32'), classes), 'float32');
  const step = () =>
    tf.tidy(
      () => optimizer.minimize(() => tf.losses.softmaxCrossEntropy(target, forward(weights)), true).dataSync()[0],
    );
  return { step, end: () => optimizer.dispose() };
}

function batchOf(om, shape) {
  om.manualSeed(1);
  const labels = Int32Array.from({ length: shape[0] }, (_, i) => (i * 7) % classes);
  return { input: om.rand(shape), target: om.tensor(labels), labels };
}

const tfTensor = (tf, tensor) => tf.tensor(tensor.data, tensor.shape);

/** A linear layer of tfjs by PyTorch's weights, [out, in]. */
const linear = (tf, x, weight, bias) => tf.add(tf.matMul(x, weight, false, true), bias);

function mlp(om) {
  const { input, target, labels } = batchOf(om, [64, 784]);
  const { Sequential, Linear, ReLU } = om.nn;
  const model = new Sequential(new Linear(784, 256), new ReLU(), new Linear(256, classes));
  return {
    onemodel: () => stepOf(om, model, input, target),
    tfjs(tf) {
      const x = tfTensor(tf, input);
      const forward = ([w1, b1, w2, b2]) => linear(tf, tf.relu(linear(tf, x, w1, b1)), w2, b2);
      return tfjsStepOf(tf, { variables: model.parameters().map((each) => tfTensor(tf, each)), labels, forward });
    },
  };
}

// tfjs holds images with the channels last, and so the features that the last layer sees.
function cnn(om) {
  const { input, target, labels } = batchOf(om, [32, 1, 28, 28]);
  const { Sequential, Conv2d, MaxPool2d, ReLU, Flatten, Linear } = om.nn;
  const block = (from, to) => [new Conv2d(from, to, 3, { padding: 1 }), new ReLU(), new MaxPool2d(2)];
  const model = new Sequential(...block(1, 8), ...block(8, 16), new Flatten(), new Linear(16 * 7 * 7, classes));
  return {
    onemodel: () => stepOf(om, model, input, target),
    tfjs(tf) {
      const variables = om.scope(() => {
        const [w1, b1, w2, b2, w3, b3] = model.parameters();
        const filters = [w1, w2].map((each) => each.permute([2, 3, 1, 0]));
        const last = w3.reshape([classes, 16, 7, 7]).permute([0, 2, 3, 1]).reshape(w3.shape);
        return [filters[0], b1, filters[1], b2, last, b3].map((each) => tfTensor(tf, each));
      });
      const x = tf.tensor(input.data, [32, 28, 28, 1]);
      const layer = (image, w, b) => tf.maxPool(tf.relu(tf.add(tf.conv2d(image, w, 1, 'same'), b)), 2, 2, 'valid');
      const forward = ([w1, b1, w2, b2, w3, b3]) =>
        linear(tf, tf.reshape(layer(layer(x, w1, b1), w2, b2), [32, -1]), w3, b3);
      return tfjsStepOf(tf, { variables, labels, forward });
    },
  };
}

const [steps, batch, inputs, hidden] = [28, 32, 28, 64];

/** The rows of an image one after the other; the last state decides. */
function lstm(om) {
  const { input, target, labels } = batchOf(om, [batch, steps, inputs]);
  class Reader extends om.nn.Module {
    lstm = new om.nn.LSTM(inputs, hidden, { batchFirst: true });
    out = new om.nn.Linear(hidden, classes);
    forward(x) {
      const [, h] = this.lstm.forward(x);
      return this.out.forward(h.reshape([batch, hidden]));
    }
  }
  const model = new Reader();
  return {
    onemodel: () => stepOf(om, model, input, target),
    tfjs(tf) {
      // PyTorch's gates are i f g o, those of tfjs i g f o, with one bias and inputs and state in one matrix.
      const variables = om.scope(() => {
        const { weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0 } = model.lstm.stateDict();
        const swap = (x) => om.concat([0, 2, 1, 3].map((gate) => x.slice(0, gate * hidden, (gate + 1) * hidden)));
        const kernel = swap(om.concat([weight_ih_l0, weight_hh_l0], 1)).permute([1, 0]);
        const bias = swap(bias_ih_l0.add(bias_hh_l0));
        return [kernel, bias, model.out.weight, model.out.bias].map((each) => tfTensor(tf, each));
      });
      const rows = tf.unstack(tfTensor(tf, input), 1);
      const zero = tf.zeros([batch, hidden]);
      const forward = ([kernel, bias, weight, outBias]) => {
        let [c, h] = [zero, zero];
        for (const row of rows) [c, h] = tf.basicLSTMCell(0, kernel, bias, row, c, h);
        return linear(tf, h, weight, outBias);
      };
      return tfjsStepOf(tf, { variables, labels, forward });
    },
  };
}

export const mlpName = 'MLP 784-256-10, batch 64';

/** What is trained, in the order of the table: `make(om)` gives a function for each library that makes its step. */
export const trainingCases = [
  { name: mlpName, make: mlp },
  { name: 'CNN of two convolutions 3×3, 28×28, batch 32', make: cnn },
  { name: 'LSTM 28-64, 28 steps, batch 32', make: lstm },
];
