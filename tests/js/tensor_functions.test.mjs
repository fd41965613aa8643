// Methods of tensors by the names that other libraries have for them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, useEngine } from './support.mjs';

await useEngine({ threads: 1, variant: 'simd' });

const { nn } = om;
const library = { ...om };
const matrix = () =>
  om.tensor([
    [1, -2, 3],
    [4, 5, -6],
  ]);
const other = () =>
  om.tensor([
    [2, 1, 1],
    [1, 2, 3],
  ]);

/** What each function takes after the tensor. */
const given = {
  abs: [],
  add: [other],
  argmax: [1],
  argmin: [],
  cast: ['int32'],
  clamp: [-1, 2],
  clip: [-1, 2],
  div: [other],
  equal: [4],
  erf: [],
  exp: [],
  flatten: [0],
  gather: [[1, 0]],
  gelu: [{ approximate: 'tanh' }],
  greater: [0],
  leakyRelu: [0.1],
  less: [0],
  log: [],
  logSoftmax: [0],
  logsumexp: [1, true],
  matmul: [() => other().transpose()],
  max: [0],
  mean: [1],
  min: [],
  mul: [2],
  neg: [],
  norm: [2, 1],
  permute: [[1, 0]],
  pow: [2],
  relu: [],
  reshape: [[3, 2]],
  select: [1, -1],
  sigmoid: [],
  softmax: [],
  sqrt: [],
  squeeze: [],
  std: [0],
  sub: [other],
  sum: [1, true],
  tanh: [],
  transpose: [0, 1],
  unsqueeze: [0],
  var: [1, { correction: 0 }],
};

const argumentsOf = (name) => given[name].map((each) => (typeof each === 'function' ? each() : each));

const same = (a, b) => {
  assert.deepEqual([a.dtype, a.shape], [b.dtype, b.shape]);
  assert.deepEqual(a.toArray(), b.toArray());
};

for (const name of Object.keys(given)) {
  test(`om.${name} is the method`, () => {
    om.scope(() => {
      same(library[name](matrix(), ...argumentsOf(name)), matrix()[name](...argumentsOf(name)));
      assert.equal(library[name].name, name);
      assertThrows(
        () => library[name]([1, 2]),
        om.ArgumentError,
        'Argument',
        `${name}: expected a tensor`,
        'om.tensor([…])',
      );
    });
  });
}

test('activations are functions of nn too', () => {
  for (const name of ['relu', 'sigmoid', 'tanh', 'softmax', 'logSoftmax']) assert.equal(nn[name], library[name]);
});

test("PyTorch's view, clamp and t", () => {
  om.scope(() => {
    same(matrix().view([3, -1]), matrix().reshape([3, 2]));
    same(matrix().transpose().view([6]), matrix().transpose().reshape([6]));
    same(matrix().clamp(0), matrix().clip(0));
    same(matrix().t(), matrix().transpose());
    const list = 'view: expected a list of sizes, view([2, 3]), got numbers: view(2, 3)';
    assertThrows(() => matrix().view(2, 3), om.ArgumentError, 'Argument', list);
    assertThrows(() => om.ones([2, 2, 2]).t(), om.ShapeError, 'Shape', 't: expected a matrix, got shape [2,2,2]');
    assertThrows(() => om.ones([2]).t(), om.ShapeError, 'Shape', 'permute');
  });
});

test('a function is recorded and traced as the method is', () => {
  om.scope(() => {
    const x = om.tensor([[1, -2]], { requiresGrad: true });
    om.sum(om.mul(om.relu(x), 3)).backward();
    assert.deepEqual(x.grad.toArray(), [[3, 0]]);
    const traced = om.trace((y) => om.softmax(om.matmul(y, other())), om.ones([1, 2]));
    assert.deepEqual(
      traced.view().nodes.map(({ op }) => op),
      ['MatMul', 'Softmax'],
    );
    traced.dispose();
  });
});

test('elements come in the array of the dtype that was asked for', () => {
  om.scope(() => {
    assert.ok(om.ones([2]).dataAs('float32') instanceof Float32Array);
    assert.deepEqual([...om.tensor([1n, 2n]).dataAs('int64')], [1n, 2n]);
    assert.deepEqual(om.tensor(['a']).dataAs('string'), ['a']);
    const refuse = (dtype, Class, kind, ...parts) =>
      assertThrows(() => om.ones([2]).dataAs(dtype), Class, kind, ...parts);
    refuse('int32', om.DTypeError, 'DType', "the tensor is float32, not int32; x.cast('int32') converts");
    refuse('flot32', om.ArgumentError, 'Argument', "unknown dtype 'flot32': did you mean 'float32'?");
  });
});
