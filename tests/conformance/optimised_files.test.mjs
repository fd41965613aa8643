// Optimised graphs can be saved: what passes fused is written as the ONNX operators that it stands for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { fileOf } from './differential/model.mjs';
import { tensor } from './differential/numbers.mjs';
import { noise, runOracleOn, runSession } from './support.mjs';

const step = 0.05;

/** A quantised layer, in the form that quantisers write: product, bias and transposition between dequantised numbers. */
function quantisedModel(zeroType = 'uint8') {
  const nodes = [];
  const node = (op, inputs, attributes = {}) => {
    nodes.push({ op, inputs, attributes, outputs: [`v${nodes.length}`] });
    return `v${nodes.length - 1}`;
  };
  const constant = (name, each) => ({ ...each, name, constant: true });
  const both = (value, names) => node('DequantizeLinear', [node('QuantizeLinear', [value, ...names]), ...names]);
  const weights = Array.from(noise(8 * 6, 2), (x) => Math.round(100 * x));
  const w = node('DequantizeLinear', ['w', 'w_scale', 'w_zero'], { axis: 1 });
  const product = node('MatMul', [both('x', ['x_scale', 'x_zero']), w]);
  const sum = both(node('Add', [product, 'bias']), ['y_scale', 'y_zero']);
  const y = both(node('Transpose', [sum], { perm: [1, 0] }), ['y_scale', 'y_zero']);
  const tensors = [
    { ...tensor('float32', Array.from(noise(5 * 8)), [5, 8]), name: 'x' },
    constant('w', tensor('int8', weights, [8, 6])),
    constant('w_scale', tensor('float32', Array(6).fill(0.01))),
    constant('w_zero', tensor('int8', Array(6).fill(0))),
    constant('x_scale', tensor('float32', [0.01], [])),
    constant('x_zero', tensor('uint8', [128], [])),
    constant('bias', tensor('float32', [1, -1, 0.5, 0, 2, -0.25])),
    constant('y_scale', tensor('float32', [step], [])),
    constant('y_zero', tensor(zeroType, [100], [])),
  ];
  return { nodes, tensors, outputs: [y], opset: zeroType === 'uint8' ? 20 : 21, symbolic: true };
}

await om.init({ threads: 1 });

/** Asserts that results differ by at most one step of the quantisation. */
function assertNear([got], [expected], what) {
  assert.deepEqual([...got.dims], expected.dims, what);
  for (const [i, value] of expected.data.entries()) {
    assert.ok(Math.abs(got.data[i] - value) <= 1.01 * step, `${what}: ${got.data[i]} at ${i}, expected ${value}`);
  }
}

async function assertSavable(model, fused) {
  const bytes = fileOf(model);
  const feeds = [model.tensors[0]];
  const expected = await runOracleOn(bytes, feeds);
  const graph = await om.loadGraph(bytes);
  const optimised = graph.optimize();
  assert.match(String(optimised), fused);
  const files = { '.onnx': optimised.toOnnx(), '.onemodel': optimised.toOneModel() };
  assertNear(await runOracleOn(files['.onnx'], feeds), expected, 'onnxruntime-web');
  for (const [ending, file] of Object.entries(files)) {
    const session = await om.Session.load(file);
    om.scope(() => assertNear(runSession(session, feeds), expected, ending));
    session.dispose();
  }
  const again = await om.loadGraph(files['.onnx']);
  const twice = again.optimize();
  assert.match(String(twice), fused, 'what was written is recognised again');
  for (const each of [graph, optimised, again, twice]) each.dispose();
  assert.equal(om.memory().tensors, 0);
}

test('an optimised quantised layer is saved as .onnx and .onemodel', () =>
  assertSavable(quantisedModel(), /= FusedQLinearMatMul.*uint8\[6, x_0\] = Transpose/s));

test('numbers quantised to 16 bits are saved in an opset that has them', () =>
  assertSavable(quantisedModel('uint16'), /QuantizeLinear/));
