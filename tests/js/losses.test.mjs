// Losses with every option, and gradient clipping, against PyTorch's values.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, scaledError, useEngine } from './support.mjs';

await useEngine();

const goldens = JSON.parse(readFileSync(new URL('../data/nn/goldens.json', import.meta.url))).losses;
const tensorOf = ({ shape, data }, dtype = 'float32') => om.tensor(data, { dtype }).reshape(shape);
const weight = () => om.tensor([0.5, 2, 0.75]);

const { nn } = om;
/** golden: [loss, options, dtype of the target] */
const cases = {
  mse_loss: [nn.mseLoss],
  l1_loss: [nn.l1Loss],
  smooth_l1_loss: [nn.smoothL1Loss, { beta: 0.5 }],
  huber_loss: [nn.huberLoss, { delta: 0.75 }],
  binary_cross_entropy: [nn.binaryCrossEntropy],
  binary_cross_entropy_weight: [nn.binaryCrossEntropy, { weight }],
  binary_cross_entropy_with_logits: [nn.binaryCrossEntropyWithLogits, { posWeight: weight }],
  binary_cross_entropy_with_logits_weight: [nn.binaryCrossEntropyWithLogits, { weight }],
  kl_div: [nn.klDiv],
  kl_div_log: [nn.klDiv, { logTarget: true }],
  kl_div_positive: [nn.klDiv],
  nll_loss: [nn.nllLoss, {}, 'int64'],
  nll_loss_options: [nn.nllLoss, { weight, ignoreIndex: 7 }, 'int64'],
  cross_entropy: [nn.crossEntropy, {}, 'int32'],
  cross_entropy_images: [nn.crossEntropy, {}, 'int64'],
  cross_entropy_probabilities: [nn.crossEntropy],
  cross_entropy_options: [nn.crossEntropy, { weight, labelSmoothing: 0.25 }, 'int64'],
  cross_entropy_smoothing: [nn.crossEntropy, { ignoreIndex: 7, labelSmoothing: 0.25 }, 'int64'],
  cross_entropy_probabilities_options: [nn.crossEntropy, { weight, labelSmoothing: 0.25 }],
  nll_loss_one: [nn.nllLoss, { weight }, 'int64'],
  cross_entropy_one: [nn.crossEntropy, {}, 'int64'],
  cross_entropy_one_options: [nn.crossEntropy, { weight, labelSmoothing: 0.25 }, 'int64'],
  cross_entropy_one_probabilities: [nn.crossEntropy, { weight, labelSmoothing: 0.25 }],
};
const sequenceCases = { ctc_loss: {}, ctc_loss_joined: {}, ctc_loss_options: { blank: 3, zeroInfinity: true } };

/** Value and gradients of `loss(x, target, reduction)` for each reduction of the golden. */
function expectGolden(golden, loss, dtype) {
  const reductions = ['mean', 'batchmean', 'sum', 'none'].filter((each) => each in golden);
  assert.ok(reductions.length >= 3);
  for (const reduction of reductions) {
    om.scope(() => {
      const x = tensorOf(golden.x);
      x.requiresGrad = true;
      const target = tensorOf(golden.target, dtype);
      const ofTarget = golden[`dtarget_${reduction}`];
      if (ofTarget) target.requiresGrad = true;
      const value = loss(x, target, reduction);
      assert.deepEqual(value.shape, golden[reduction].shape);
      assert.ok(scaledError(value.detach().reshape([-1]).toArray(), golden[reduction].data) < 1e-5, reduction);
      value.sum().backward();
      assert.ok(scaledError(x.grad.reshape([-1]).toArray(), golden[`dx_${reduction}`].data) < 1e-5, reduction);
      if (ofTarget) assert.ok(scaledError(target.grad.reshape([-1]).toArray(), ofTarget.data) < 1e-5, reduction);
    });
  }
}

test('every golden of a loss has a case', () => {
  assert.deepEqual(Object.keys({ ...cases, ...sequenceCases }).sort(), Object.keys(goldens).sort());
});

for (const [name, [loss, options = {}, dtype]] of Object.entries(cases)) {
  test(`${name} has PyTorch's value and gradient`, () => {
    const run = (x, target, reduction) => {
      const made = Object.entries(options).map(([key, each]) => [key, typeof each === 'function' ? each() : each]);
      return loss(x, target, { ...Object.fromEntries(made), reduction });
    };
    expectGolden(goldens[name], run, dtype);
  });
}

for (const [name, options] of Object.entries(sequenceCases)) {
  test(`${name} has PyTorch's value and gradient`, () => {
    const { input_lengths: inputs, target_lengths: targets } = goldens[name];
    const lengths = [
      [inputs, targets],
      [() => om.tensor(inputs, 'int32'), () => om.tensor(targets, 'int64')],
    ];
    for (const [input, wanted] of lengths) {
      const given = (each) => (typeof each === 'function' ? each() : each);
      const run = (x, target, reduction) =>
        nn.ctcLoss(logSoftmax(x), target, given(input), given(wanted), { ...options, reduction });
      expectGolden(goldens[name], run, 'int64');
    }
  });
}

function logSoftmax(x) {
  return om.ops.logSoftmax(x, { axis: 2 });
}

test('losses name what does not fit', () => {
  om.scope(() => {
    const x = om.ones([2, 3]);
    const refuse = (fn, ...parts) => assertThrows(fn, om.ArgumentError, 'Argument', ...parts);
    refuse(() => nn.mseLoss(x, x, { reduction: 'median' }), 'mseLoss', 'reduction', "'median'");
    refuse(() => nn.mseLoss(x, x, { reduction: 7 }), 'mseLoss', 'reduction');
    refuse(() => nn.mseLoss(x, x, 'sum'), 'mseLoss', 'an object of options', 'a string');
    refuse(() => nn.huberLoss(x, x, { delta: 0 }), 'huberLoss: delta must be positive, got 0');
    refuse(() => nn.huberLoss(x, x, { delta: 'a' }), "huberLoss: 'delta'");
    refuse(() => nn.smoothL1Loss(x, x, { beta: -1 }), 'smoothL1Loss: beta');
    refuse(() => nn.crossEntropy(x, x, { labelSmoothing: 2 }), 'crossEntropy: labelSmoothing');
    refuse(() => nn.crossEntropy(x, om.tensor([0, 3], 'int64')), 'element 1 is class 3');
    refuse(() => nn.ctcLoss(x, null, [1], [1]), 'ctcLoss: targets', 'null');
    refuse(() => nn.ctcLoss(x, x, null, [1]), 'ctcLoss: inputLengths', 'null');
    const probabilities = om.zeros([2, 1, 3]);
    refuse(() => nn.ctcLoss(probabilities, om.tensor([[1]], 'int64'), [3], [1]), 'inputLengths', '[0, 2]');
    assertThrows(
      () => nn.crossEntropy(x, om.tensor([0, 1], 'int64'), { weight: om.ones([2]) }),
      om.ShapeError,
      'Shape',
      'crossEntropy: weight must be [3], got [2]',
    );
  });
});

/** Two leaves with gradients (3, 0) and (0, -4), together of norm 5, and one without. */
function leaves() {
  return [[3, 0], [0, -4], null].map((gradient) => {
    const leaf = om.nn.parameter([2]);
    if (gradient) leaf.grad = om.tensor(gradient);
    return leaf;
  });
}

test('clipGradNorm scales all gradients together and gives the norm before', () => {
  om.scope(() => {
    const parameters = leaves();
    assert.ok(Math.abs(nn.clipGradNorm(parameters, 7, { normType: 1 }) - 7) < 1e-9);
    assert.ok(Math.abs(nn.clipGradNorm(parameters, 1) - 5) < 1e-5);
    assert.ok(scaledError(parameters[0].grad.toArray(), [0.6, 0]) < 1e-6);
    assert.ok(scaledError(parameters[1].grad.toArray(), [0, -0.8]) < 1e-6);
    assert.equal(parameters[2].grad, null);
    assert.ok(Math.abs(nn.clipGradNorm(parameters, 0.4, { normType: Infinity }) - 0.8) < 1e-5);
    assert.ok(scaledError(parameters[0].grad.toArray(), [0.3, 0]) < 1e-5);
    assertThrows(() => nn.clipGradNorm(parameters, -1), om.ArgumentError, 'Argument', 'maxNorm');
    assertThrows(() => nn.clipGradNorm(parameters, 1, { normType: 0 }), om.ArgumentError, 'Argument', 'normType');
    for (const each of parameters) each.dispose();
  });
});

test('clipGradValue bounds each element', () => {
  om.scope(() => {
    const parameters = leaves();
    nn.clipGradValue(parameters, 2);
    assert.deepEqual(parameters[0].grad.toArray(), [2, 0]);
    assert.deepEqual(parameters[1].grad.toArray(), [0, -2]);
    assert.equal(parameters[2].grad, null);
    assertThrows(() => nn.clipGradValue(parameters, -1), om.ArgumentError, 'Argument', 'clipValue');
    for (const each of parameters) each.dispose();
  });
});

test('the mean over a batch follows the batch in a trace', () => {
  om.scope(() => {
    const { nn } = om;
    const loss = (input, target) => nn.klDiv(input, target, { reduction: 'batchmean' });
    const operands = (n) => [om.zeros([n, 2]), om.full([n, 2], 0.5)];
    const axes = { input_0: ['n', null], input_1: ['n', null] };
    const traced = om.trace(loss, operands(3), { axes });
    const session = traced.createSession();
    const [result] = Object.values(session.runSync(operands(6)));
    assert.ok(Math.abs(result.item() - loss(...operands(6)).item()) < 1e-6);
    session.dispose();
    traced.dispose();
  });
});
