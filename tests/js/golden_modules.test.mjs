// Every module against PyTorch: outputs, gradients, buffers after the run, a state that PyTorch saved.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { architectureOf, backwardAll, goldens, moduleOf, numbersOf, operandOf, savedState } from './goldens.mjs';
import { scaledError, useEngine } from './support.mjs';

await useEngine();

const tolerance = 1e-5;

function assertClose(tensor, { shape, data }, what) {
  assert.deepEqual(tensor.shape, shape, what);
  assert.ok(scaledError(numbersOf(tensor), data) < tolerance, what);
}

function withGolden(golden, use) {
  om.scope(() => {
    const module = moduleOf(golden);
    try {
      use(module);
      for (const [path, parameter] of module.namedParameters()) {
        assertClose(parameter.grad, golden.gradients[path], path);
      }
    } finally {
      module.dispose();
    }
  });
}

for (const [name, golden] of Object.entries(goldens.modules)) {
  test(`${name} has PyTorch's output, gradients and buffers`, () => {
    withGolden(golden, (module) => {
      const x = operandOf(golden.x);
      x.requiresGrad = true;
      const y = module.forward(x);
      assertClose(y, golden.y, 'output');
      y.backward(operandOf(golden.dy));
      assertClose(x.grad, golden.dx, 'input');
      const state = module.stateDict();
      for (const [path, buffer] of Object.entries(golden.buffers)) assertClose(state[path], buffer, path);
    });
  });
}

function forward(name, module, inputs) {
  if (!name.startsWith('attention_weights')) return [module.forward(...inputs)].flat();
  const [query, key, value, keyPaddingMask = null, attnMask = null] = inputs;
  const options = { keyPaddingMask, attnMask, needWeights: true, averageAttnWeights: !name.endsWith('each') };
  return module.forward(query, key, value, options);
}

for (const [name, golden] of Object.entries(goldens.sequences)) {
  test(`${name} has PyTorch's outputs and gradients`, () => {
    withGolden(golden, (module) => {
      const inputs = golden.inputs.map((each) => operandOf(each));
      inputs.forEach((each, i) => {
        if (golden.input_gradients[i]) each.requiresGrad = true;
      });
      const outputs = forward(name, module, inputs);
      assert.equal(outputs.length, golden.outputs.length);
      outputs.forEach((each, i) => {
        assertClose(each, golden.outputs[i], `output ${i}`);
      });
      backwardAll(outputs, golden.output_gradients);
      inputs.forEach((each, i) => {
        if (golden.input_gradients[i]) assertClose(each.grad, golden.input_gradients[i], `input ${i}`);
      });
    });
  });
}

test('every module has a golden', () => {
  const seen = new Set(
    [...Object.values(goldens.modules), ...Object.values(goldens.sequences)].map((each) => each.class),
  );
  const isModule = (value) => typeof value === 'function' && value.prototype instanceof om.nn.Module;
  const classes = Object.entries(om.nn).flatMap(([name, value]) => (isModule(value) ? [name] : []));
  assert.ok(classes.length > 50);
  assert.deepEqual(
    classes.filter((name) => !seen.has(name) && !name.endsWith('Loss')).sort(), // those have a test of their own
    ['ModuleDict', 'ModuleList'], // they have no forward
  );
});

test('a state that PyTorch saved loads by name', () => {
  om.scope(() => {
    const model = architectureOf(goldens.saved);
    model.loadStateDict(om.loadSafetensors(savedState()).tensors);
    assert.equal(model.stateDict()['1.num_batches_tracked'].item(), 1);
    model.eval();
    assertClose(model.forward(operandOf(goldens.saved.x)), goldens.saved.y, 'output');
    model.dispose();
  });
});

test('a state of recurrent and attention layers loads too', () => {
  class Reader extends om.nn.Module {
    words = new om.nn.Embedding(7, 4, { paddingIdx: 0 });
    memory = new om.nn.LSTM(4, 3, { numLayers: 2, bidirectional: true, batchFirst: true });
    attention = new om.nn.MultiheadAttention(6, 2, { batchFirst: true });
    encoder = encoderOf(new om.nn.TransformerEncoderLayer(6, 3, { dimFeedforward: 5, batchFirst: true }));
    forward(words) {
      const [y] = this.memory.forward(this.words.forward(words));
      return this.encoder.forward(this.attention.forward(y));
    }
  }
  const encoderOf = (layer) => {
    const encoder = new om.nn.TransformerEncoder(layer, 2, { norm: new om.nn.LayerNorm(6) });
    layer.dispose();
    return encoder;
  };
  om.scope(() => {
    const reader = new Reader();
    reader.loadStateDict(om.loadSafetensors(savedState('reader')).tensors);
    reader.eval();
    assertClose(reader.forward(operandOf(goldens.saved_reader.x)), goldens.saved_reader.y, 'output');
    reader.dispose();
  });
});

test('an LSTM with lengths traces with a symbolic batch', () => {
  const lstm = new om.nn.LSTM(3, 4, { bidirectional: true, batchFirst: true });
  om.scope(() => {
    const run = (x, lengths) => lstm.forward(x, lengths);
    const example = { x: om.ones([2, 5, 3]), lengths: om.tensor([3, 5], 'int64') };
    const axes = { x: ['batch', 'steps', null], lengths: ['batch'] };
    const traced = om.trace(run, example, { axes, outputNames: ['y', 'h', 'c'] });
    const session = traced.createSession();
    const given = { x: om.randn([4, 7, 3]), lengths: om.tensor([7, 0, 2, 5], 'int64') };
    const expected = run(given.x, given.lengths);
    const got = session.runSync(given);
    ['y', 'h', 'c'].forEach((name, i) => {
      assert.deepEqual(got[name].shape, expected[i].shape);
      assert.ok(scaledError(numbersOf(got[name]), numbersOf(expected[i])) < tolerance);
    });
    session.dispose();
    traced.dispose();
  });
  lstm.dispose();
});
