// Modules that script composes: the transformer's stacks, losses as modules, ModuleDict.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, scaledError, useEngine } from './support.mjs';

await useEngine();

const { nn } = om;
const small = { dimFeedforward: 3, dropout: 0 };

const withModules = (modules, use) => {
  try {
    om.scope(() => use(...modules));
  } finally {
    for (const each of modules) each.dispose();
  }
};

test('a stack copies the layer that it is given', () => {
  const layer = new nn.TransformerEncoderLayer(4, 2, small).eval();
  const norm = new nn.LayerNorm(4);
  withModules([new nn.TransformerEncoder(layer, 2, { norm }), layer], (encoder) => {
    const state = encoder.stateDict();
    assert.equal(Object.keys(state).length, 2 * Object.keys(layer.stateDict()).length + 2);
    for (const [path, tensor] of Object.entries(layer.stateDict())) {
      assert.deepEqual(state[`layers.1.${path}`].data, tensor.data);
      assert.notEqual(state[`layers.1.${path}`], tensor);
    }
    assert.ok('norm.bias' in state);
    assert.equal(encoder.layers.at(0).training, false);
    assert.match(
      `${encoder}`,
      /^TransformerEncoder\(\n {2}\(layers\): ModuleList\(\n {4}\(0\): TransformerEncoderLayer\(/,
    );
  });
});

test('stacks name what does not fit', () => {
  const encoder = new nn.TransformerEncoderLayer(4, 2, small);
  const decoder = new nn.TransformerDecoderLayer(4, 2, small);
  withModules([encoder, decoder], () => {
    const refuse = (fn, ...parts) => assertThrows(fn, om.ArgumentError, 'Argument', ...parts);
    refuse(() => new nn.TransformerEncoder(decoder, 2), 'TransformerEncoder: the layer', 'TransformerEncoderLayer');
    refuse(() => new nn.TransformerDecoder(encoder, 2), 'TransformerDecoder: the layer', 'TransformerDecoderLayer');
    refuse(() => new nn.TransformerEncoder(encoder, 0), 'TransformerEncoder: numLayers', '0');
    refuse(() => new nn.TransformerEncoder(encoder, 2, { norm: 4 }), 'TransformerEncoder: norm', '4');
    refuse(() => new nn.TransformerEncoder(encoder, 2, { mask: 4 }), "unknown option 'mask'");
    refuse(() => new nn.Transformer({ heads: 4 }), "unknown option 'heads'");
    refuse(() => new nn.Transformer({ dModel: 4, nhead: 3 }), 'num', '3', '4');
  });
});

test('a Transformer has weights of its own in each layer', () => {
  const options = { dModel: 4, nhead: 2, numEncoderLayers: 2, numDecoderLayers: 1, ...small };
  withModules([new nn.Transformer(options)], (model) => {
    const state = model.stateDict();
    const [first, second] = [0, 1].map((i) => state[`encoder.layers.${i}.linear1.weight`].toArray());
    assert.notDeepEqual(first, second);
    for (const value of first.flat()) assert.ok(Math.abs(value) <= Math.sqrt(6 / 7));
    assert.ok('decoder.layers.0.multihead_attn.in_proj_weight' in state && 'decoder.norm.weight' in state);
    const mask = nn.Transformer.generateSquareSubsequentMask(3);
    const none = Number.NEGATIVE_INFINITY;
    assert.deepEqual(mask.toArray(), [
      [0, none, none],
      [0, 0, none],
      [0, 0, 0],
    ]);
  });
});

test('a Transformer traces with symbolic batch and steps, and its nodes name their modules', () => {
  const options = { dModel: 8, nhead: 2, numEncoderLayers: 2, numDecoderLayers: 2, dimFeedforward: 12 };
  withModules([new nn.Transformer({ ...options, batchFirst: true }).eval()], (model) => {
    const axes = { src: ['batch', 'steps', null], tgt: ['batch', 'length', null] };
    const example = { src: om.randn([3, 5, 8]), tgt: om.randn([3, 4, 8]) };
    const traced = om.trace(model, example, { axes, outputNames: ['y'] });
    const paths = new Set(traced.view().nodes.map((node) => node.modulePath));
    for (const path of ['encoder.layers.1.self_attn', 'decoder.layers.0.multihead_attn', 'decoder.norm']) {
      assert.ok(paths.has(path), `${path} in ${[...paths]}`);
    }
    const session = traced.createSession();
    for (const [batch, steps, length] of [
      [2, 7, 3],
      [1, 1, 6],
    ]) {
      const given = { src: om.randn([batch, steps, 8]), tgt: om.randn([batch, length, 8]) };
      const { y } = session.runSync(given);
      assert.ok(scaledError(y.data, model.forward(given.src, given.tgt).data) < 1e-5);
    }
    session.dispose();
    traced.dispose();
  });
});

const pair = () => [om.randn([4, 3]), om.rand([4, 3], 0.1, 0.9)];
const classes = () => om.tensor([2, 0, 1, 2], 'int64');
const weight = () => om.tensor([0.5, 2, 0.75]);
const losses = {
  MSELoss: [nn.mseLoss, pair, { reduction: 'sum' }],
  L1Loss: [nn.l1Loss, pair, {}],
  SmoothL1Loss: [nn.smoothL1Loss, pair, { beta: 0.5 }],
  HuberLoss: [nn.huberLoss, pair, { delta: 0.5 }],
  BCELoss: [nn.binaryCrossEntropy, () => [om.rand([4, 3], 0.1, 0.9), pair()[1]], { reduction: 'none' }],
  BCEWithLogitsLoss: [nn.binaryCrossEntropyWithLogits, pair, { posWeight: weight }],
  KLDivLoss: [nn.klDiv, pair, { reduction: 'batchmean' }],
  NLLLoss: [nn.nllLoss, () => [pair()[0], classes()], { weight }],
  CrossEntropyLoss: [nn.crossEntropy, () => [pair()[0], classes()], { labelSmoothing: 0.25 }],
  CTCLoss: [nn.ctcLoss, () => [om.randn([6, 1, 4]).logSoftmax(), om.tensor([[1, 2]], 'int64'), [6], [2]], { blank: 3 }],
};

test('every loss has a module', () => {
  const found = Object.keys(nn).filter((name) => /^[A-Z].*Loss$/.test(name));
  assert.deepEqual(found.sort(), Object.keys(losses).sort());
});

for (const [name, [loss, inputs, options]] of Object.entries(losses)) {
  test(`${name} is the function with its options`, () => {
    om.scope(() => {
      const made = Object.entries(options).map(([key, each]) => [key, typeof each === 'function' ? each() : each]);
      const given = Object.fromEntries(made);
      const module = new nn[name](given);
      const tensors = inputs();
      assert.deepEqual(module.forward(...tensors).data, loss(...tensors, given).data);
      assert.deepEqual(module.parameters(), []);
      const expected = Object.keys(given).filter((key) => given[key] instanceof om.Tensor);
      assert.deepEqual(
        Object.keys(module.stateDict()),
        expected.map((key) => (key === 'posWeight' ? 'pos_weight' : key)),
      );
      assertThrows(() => new nn[name]({ size: 1 }), om.ArgumentError, 'Argument', name, "unknown option 'size'");
      module.dispose();
    });
  });
}

test('losses print their options', () => {
  assert.equal(`${new nn.HuberLoss({ delta: 0.5 })}`, 'HuberLoss(delta=0.5)');
});

test('modules of a ModuleDict have their names', () => {
  class Net extends nn.Module {
    heads = new nn.ModuleDict({ a: new nn.Linear(2, 1), b: new nn.Tanh() });
    forward(x, head) {
      return this.heads.get(head).forward(x);
    }
  }
  withModules([new Net()], (net) => {
    assert.deepEqual(Object.keys(net.stateDict()), ['heads.a.weight', 'heads.a.bias']);
    assert.deepEqual(net.forward(om.ones([3, 2]), 'a').shape, [3, 1]);
    const { heads } = net;
    assert.deepEqual([...heads.keys()], ['a', 'b']);
    assert.deepEqual([heads.size, heads.has('b'), heads.has('c'), heads.get('c')], [2, true, false, undefined]);
    assert.deepEqual(
      [...heads].map(([name, module]) => `${name}: ${module.constructor.name}`),
      ['a: Linear', 'b: Tanh'],
    );
    assert.equal([...heads.values()].length, 2);
    const refuse = (fn, ...parts) => assertThrows(fn, om.ArgumentError, 'Argument', ...parts);
    refuse(() => heads.forward(), 'ModuleDict has no forward');
    refuse(() => new nn.ModuleDict({ a: 1 }), 'ModuleDict', 'modules', '1');
    refuse(() => new nn.ModuleDict([heads]), 'ModuleDict', 'modules by name');
    refuse(() => new nn.ModuleDict({ 'a.b': heads }), "'a.b'", 'dot');
  });
});

test('layers take inputs without a batch', () => {
  const cases = [
    [new nn.Conv2d(3, 4, 2), [3, 5, 5], [4, 4, 4]],
    [new nn.ConvTranspose1d(3, 4, 2), [3, 5], [4, 6]],
    [new nn.MaxPool2d(2), [3, 4, 4], [3, 2, 2]],
    [new nn.AdaptiveAvgPool1d(2), [3, 5], [3, 2]],
    [new nn.InstanceNorm3d(3), [3, 2, 2, 2], [3, 2, 2, 2]],
    [new nn.TransformerEncoderLayer(4, 2), [5, 4], [5, 4]],
    [new nn.RNNCell(3, 2), [3], [2]],
  ];
  for (const [layer, shape, expected] of cases) {
    withModules([layer], () => assert.deepEqual(layer.forward(om.ones(shape)).shape, expected, `${layer}`));
  }
  withModules([new nn.LSTM(3, 2, { batchFirst: true })], (lstm) => {
    assert.deepEqual(
      lstm.forward(om.ones([5, 3])).map((each) => each.shape),
      [
        [5, 2],
        [1, 2],
        [1, 2],
      ],
    );
  });
  withModules([new nn.LSTMCell(3, 2)], (cell) => {
    const [h, c] = cell.forward(om.ones([4, 3]));
    assert.deepEqual(
      [h.shape, c.shape],
      [
        [4, 2],
        [4, 2],
      ],
    );
    assert.deepEqual(cell.forward(om.ones([4, 3]), h, c).length, 2);
  });
});
