// Functions of tensors against PyTorch: values, gradients, and traces with a symbolic first axis.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { backwardAll, camel, goldens, numbersOf, operandOf, optionsOf } from './goldens.mjs';
import { assertThrows, scaledError, useEngine } from './support.mjs';

await useEngine();

const { nn } = om;
const both = ({ values, indices }) => [values, indices];
const places = () => om.tensor([2, 0, 1, 1, 0, 0, 2, 1], 'int64').reshape([2, 1, 4]);

/** golden: the same call here */
const calls = {
  min: (x) => x.min([0, 2]),
  logsumexp: (x) => x.logsumexp([1, 2]),
  argmax: (x) => x.argmax(1),
  argmax_all: (x) => x.argmax(),
  argmin: (x) => x.argmin(-1, true),
  topk: (x) => both(om.topk(x, 2, 2)),
  topk_smallest: (x) => both(om.topk(x, 2, 1, false)),
  sort: (x) => both(om.sort(x)),
  sort_descending: (x) => both(om.sort(x, 1, true)),
  flip: (x) => om.flip(x, [0, -1]),
  one_hot: (x) => om.oneHot(x, 4),
  cumsum: (x) => om.cumsum(x, 1),
  tril: (x) => om.tril(x, 1),
  triu: (x) => om.triu(x, -1),
  tile: (x) => om.tile(x, [2, 1, 2, 3]),
  tile_last: (x) => om.tile(x, [2]),
  split: (x) => om.split(x, 3, 2),
  split_sizes: (x) => om.split(x, [1, 0, 3], -1),
  chunk: (x) => om.chunk(x, 3, 2),
  stack: (a, b) => om.stack([a, b], 1),
  gather_elements: (x) => om.ops.gatherElements(x, places(), { axis: 1 }),
  scatter: (x, source) => om.scatter(x, 1, places(), source),
  scatter_add: (x, source) => om.scatter(x, 1, places(), source, 'add'),
  einsum: (a, b) => om.einsum('bij,bkj->bik', a, b),
};

/** The call of a golden that names its function and options: of the package, or of the first operand. */
function declaredCall({ function: name, options }) {
  const { p, dim = [], keepdim = false, correction } = optionsOf(options);
  if (name === 'norm') return (x) => x.norm(p, dim, keepdim);
  if (name === 'var' || name === 'std') return (x) => x[name](dim, { correction, keepdims: keepdim });
  return (...inputs) => nn[camel(name)](...inputs, ...restOf(name, inputs, optionsOf(options)));
}

/** What comes after the operands: those that are left out, options that go by position, and the others. */
function restOf(name, inputs, options) {
  const absent = name === 'scaled_dot_product_attention' && inputs.length === 3 ? [null] : [];
  const entries = Object.entries(options);
  const count = Math.min(nn[camel(name)].length - inputs.length - absent.length, entries.length);
  const others = Object.fromEntries(entries.slice(count));
  const positional = entries.slice(0, count).map(([, value]) => value);
  return [...absent, ...positional, ...(entries.length > count ? [others] : [])];
}

const all = [
  ...Object.entries(goldens.functions).map(([name, golden]) => [name, golden, declaredCall(golden)]),
  ...Object.entries(goldens.other_functions).map(([name, golden]) => [name, golden, calls[name]]),
];

function assertSame(tensor, { shape, data, dtype = 'float32' }, what) {
  assert.equal(tensor.dtype, dtype, what);
  assert.deepEqual(tensor.shape, shape, what);
  if (dtype === 'float32') assert.ok(scaledError(numbersOf(tensor), data) < 1e-5, what);
  else assert.deepEqual(numbersOf(tensor), data, what);
}

for (const [name, golden, call] of all) {
  test(`${name} has PyTorch's value and gradient`, () => {
    om.scope(() => {
      const inputs = golden.inputs.map((each) => operandOf(each));
      inputs.forEach((each, i) => {
        if (golden.input_gradients[i]) each.requiresGrad = true;
      });
      const outputs = [call(...inputs)].flat();
      assert.equal(outputs.length, golden.outputs.length);
      outputs.forEach((each, i) => {
        assertSame(each, golden.outputs[i], `output ${i}`);
      });
      backwardAll(outputs, golden.output_gradients);
      inputs.forEach((each, i) => {
        if (golden.input_gradients[i]) assertSame(each.grad, golden.input_gradients[i], `input ${i}`);
      });
    });
  });
}

test('every function has a golden', () => {
  const seen = new Set([
    ...Object.values(goldens.functions).map((each) => each.function),
    ...Object.keys(goldens.losses),
  ]);
  const known = new Set([...seen].map(camel));
  const functions = Object.keys(nn).filter((name) => typeof nn[name] === 'function' && /^[a-z]/.test(name));
  assert.ok(functions.length > 60);
  const ofTensors = new Set(Object.values(om)); // methods as functions, which tensor_functions.test.mjs compares
  assert.deepEqual(
    functions.filter((name) => !known.has(name) && !ofTensors.has(nn[name])).sort(),
    ['clipGradNorm', 'clipGradValue', 'dropout', 'parameter'], // tests of their own
  );
  assert.deepEqual(Object.keys(calls).sort(), Object.keys(goldens.other_functions).sort());
});

test('what models call beside modules is here by name', () => {
  const homes = {
    tensor:
      'add sub mul div pow abs exp log sqrt erf relu sigmoid tanh softmax logSoftmax clip equal greater less matmul',
    method:
      'sum mean max min argmax argmin norm var std logsumexp reshape permute transpose expand slice select gather',
    om: 'concat stack where sort topk flip cumsum tril triu tile split chunk oneHot scatter einsum arange full',
    nn: `softplus elu selu celu mish silu prelu glu hardtanh relu6 leakyRelu gelu hardsigmoid hardswish softsign logsigmoid
      pad normalize cosineSimilarity scaledDotProductAttention dropout linear conv1d conv2d conv3d convTranspose1d
      convTranspose2d convTranspose3d embedding layerNorm groupNorm batchNorm instanceNorm maxPool1d maxPool2d maxPool3d
      avgPool1d avgPool2d avgPool3d adaptiveAvgPool2d adaptiveMaxPool2d interpolate pixelShuffle`,
    ops: 'gather gatherElements gatherND scatterElements scatterND and or not lessOrEqual greaterOrEqual cumSum resize',
  };
  const objects = { tensor: om.Tensor.prototype, method: om.Tensor.prototype, om, nn, ops: om.ops };
  for (const [home, names] of Object.entries(homes)) {
    for (const name of names.split(/\s+/)) assert.equal(typeof objects[home][name], 'function', `${home}.${name}`);
  }
});

/** Those whose first axis belongs to constants. */
const fixed = new Set(['gather_elements', 'scatter', 'scatter_add']);

const isOpen = (each) => each !== null && !Array.isArray(each) && each.shape.length > 1 && each.shape[0] === 2;

for (const [name, golden, call] of all.filter(([name, { inputs }]) => !fixed.has(name) && inputs.some(isOpen))) {
  test(`${name} traces with a symbolic first axis`, () => {
    om.scope(() => {
      const open = golden.inputs.filter(isOpen).map((each) => operandOf(each));
      const run = (...given) => {
        let next = 0;
        return call(...golden.inputs.map((each) => (isOpen(each) ? given[next++] : operandOf(each))));
      };
      const axes = open.map((each, i) => [`input_${i}`, ['n', ...each.shape.slice(1).map(() => null)]]);
      const traced = om.trace(run, open, { axes: Object.fromEntries(axes) });
      const session = traced.createSession();
      const more = open.map((each) => om.concat([each, each, each.slice(0, 1)], 0)); // five instead of two
      const expected = [run(...more)].flat();
      const got = Object.values(session.runSync(more));
      assert.equal(got.length, expected.length);
      expected.forEach((each, i) => {
        assert.deepEqual(got[i].shape, each.shape);
        assert.ok(scaledError(numbersOf(got[i]), numbersOf(each)) < 1e-5, `output ${i}`);
      });
      session.dispose();
      traced.dispose();
    });
  });
}

test('functions name what does not fit', () => {
  om.scope(() => {
    const x = om.ones([2, 3]);
    const refuse = (fn, Class, kind, ...parts) => assertThrows(fn, Class, kind, ...parts);
    refuse(() => om.topk(x, 2.5), om.ArgumentError, 'Argument', 'topk: k', '2.5');
    refuse(() => om.chunk(x, 0), om.ArgumentError, 'Argument', 'chunk: chunks', '0');
    refuse(() => om.chunk(x, 2, 2), om.ShapeError, 'Shape', 'chunk: axis 2', 'rank 2');
    refuse(() => om.split(x, [1, 3], 1), om.ShapeError, 'Shape', 'Split', 'sum to 4');
    refuse(() => om.sort(x, 3), om.ShapeError, 'Shape', 'sort: axis 3', 'rank 2');
    refuse(() => om.split(om.ones([70]), 1), om.ArgumentError, 'Argument', 'Split', '64', '70');
    refuse(() => om.oneHot(om.tensor([1], 'int64'), 0), om.ArgumentError, 'Argument', 'oneHot: numClasses');
    refuse(() => om.einsum('ij->k', x), om.ArgumentError, 'Argument', 'Einsum');
    refuse(() => x.norm(0), om.ArgumentError, 'Argument', 'norm: p must be positive');
    refuse(() => nn.glu(om.ones([2, 3])), om.ShapeError, 'Shape', 'glu', 'even');
    refuse(() => nn.pad(x, [1]), om.ShapeError, 'Shape', 'pad: two numbers');
    refuse(() => nn.pad(x, [1, 1], { mode: 'mirror' }), om.ArgumentError, 'Argument', 'pad: mode', "'mirror'");
    refuse(() => nn.pad(x), om.ArgumentError, 'Argument', 'pad: pad');
    refuse(() => nn.normalize(x, { axis: 1 }), om.ArgumentError, 'Argument', "unknown option 'axis'");
    refuse(
      () => nn.scaledDotProductAttention(x, x, x, om.ones([2, 2]), { isCausal: true }),
      om.ArgumentError,
      'Argument',
      'exclude each other',
    );
    refuse(() => nn.scaledDotProductAttention(x, x), om.ArgumentError, 'Argument', 'scaledDotProductAttention: value');
  });
});

test('functions of layers name what does not fit', () => {
  om.scope(() => {
    const x = om.ones([2, 4, 5, 5]);
    const weight = om.ones([3, 4, 2, 2]);
    const refuse = (fn, Class, ...parts) => assertThrows(fn, Class, Class.name.replace('Error', ''), ...parts);
    refuse(() => nn.conv2d(x, weight, null, { stride: [1, 2, 3] }), om.ArgumentError, 'conv2d: stride', '2', '3');
    refuse(() => nn.conv2d(x, weight, null, { padding: 'full' }), om.ArgumentError, 'conv2d: padding', "'full'");
    refuse(() => nn.conv2d(x, weight, null, { groups: 0 }), om.ArgumentError, 'conv2d: groups', '0');
    refuse(() => nn.conv3d(x, weight), om.ShapeError, 'conv3d: weight must have 5 axes', '[3, 4, 2, 2]');
    refuse(() => nn.conv2d(om.ones([5, 5]), weight), om.ShapeError, 'conv2d: the input', '[5, 5]');
    refuse(() => nn.convTranspose2d(x, weight, null, { outputPadding: -1 }), om.ArgumentError, 'outputPadding', '-1');
    refuse(() => nn.groupNorm(x, [2, 2]), om.ArgumentError, 'groupNorm: numGroups', '2');
    refuse(() => nn.groupNorm(x), om.ArgumentError, 'groupNorm: numGroups');
    refuse(() => nn.layerNorm(x, 4), om.ShapeError, 'layerNorm', '[4]');
    refuse(() => nn.maxPool2d(x), om.ArgumentError, "maxPool2d: 'kernelSize'");
    refuse(() => nn.maxPool2d(x, { stride: 2 }), om.ArgumentError, 'maxPool2d', 'stride');
    refuse(() => nn.maxPool2d(x, 2, { kernel: 2 }), om.ArgumentError, "unknown option 'kernel'");
    refuse(() => nn.interpolate(x, {}), om.ArgumentError, 'interpolate: either size or scaleFactor');
    refuse(() => nn.batchNorm(x), om.ArgumentError, 'batchNorm: evaluation mode needs running statistics');
    refuse(() => nn.adaptiveMaxPool2d(om.ones([4]), 2), om.ShapeError, 'adaptiveMaxPool2d', '[4]');
  });
});

test('one number stands for a list of it', () => {
  om.scope(() => {
    const x = om.randn([2, 4, 6]);
    assert.deepEqual(nn.layerNorm(x, 6).data, nn.layerNorm(x, [6]).data);
    assert.deepEqual(nn.groupNorm(x, 2).data, nn.groupNorm(x, [2]).data);
    const logProbs = om.randn([6, 4]).logSoftmax();
    const labels = om.tensor([1, 2, 1], 'int64');
    assert.deepEqual(nn.ctcLoss(logProbs, labels, 6, 3).shape, []);
  });
});

test('batchNorm moves the running statistics while training', () => {
  om.scope(() => {
    const [mean, variance] = [om.zeros([1]), om.ones([1])];
    nn.batchNorm(om.tensor([[1], [3]]), mean, variance, null, null, { training: true, momentum: 0.5 });
    assert.deepEqual([mean.item(), variance.item()], [1, 1.5]);
  });
});

test('dropout of attention draws from the generator of the package', () => {
  om.scope(() => {
    const x = om.randn([1, 2, 8, 4]);
    const run = () => {
      om.manualSeed(9);
      return nn.scaledDotProductAttention(x, x, x, null, { dropoutP: 0.5 });
    };
    assert.deepEqual(run().data, run().data);
    assert.ok(scaledError(run().data, nn.scaledDotProductAttention(x, x, x).data) > 1e-3);
  });
});

test('convolutions take words for their padding', () => {
  om.scope(() => {
    const same = new nn.Conv2d(1, 2, [4, 3], { padding: 'same', paddingMode: 'reflect' });
    assert.deepEqual(same.forward(om.ones([1, 1, 6, 5])).shape, [1, 2, 6, 5]);
    same.dispose();
    const refuse = (options, ...parts) =>
      assertThrows(() => new nn.Conv1d(1, 1, 3, options), om.ArgumentError, 'Argument', 'Conv1d', ...parts);
    refuse({ padding: 'full' }, 'padding', "'full'");
    refuse({ padding: 'same', stride: 2 }, "'same' needs a stride of 1");
    refuse({ paddingMode: 'edge' }, 'paddingMode', "'edge'");
  });
});
