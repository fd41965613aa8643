// Arrays where tensors are wanted: taken as integers where operators take axes, sizes and indices, refused elsewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, useEngine } from './support.mjs';

const { nn, ops } = om;

await useEngine({ threads: 1, variant: 'simd' });

const remedy = ', of which om.tensor([…]) makes one';
const refuse = (fn, ...parts) => assertThrows(fn, om.ArgumentError, 'Argument', ...parts, remedy);

test('modules refuse arrays, numbers and typed arrays', () => {
  const [linear, lstm, attention] = [new nn.Linear(3, 2), new nn.LSTM(3, 2), new nn.MultiheadAttention(4, 2)];
  const sequential = new nn.Sequential(linear);
  om.scope(() => {
    const x = om.ones([2, 1, 3]);
    const q = om.ones([2, 1, 4]);
    refuse(() => linear.forward([1, 2, 3]), 'Linear: input 0: expected a tensor, got an array of length 3');
    refuse(() => sequential.forward([[1, 2, 3]]), 'Linear: input 0: expected a tensor, got an array of length 1');
    refuse(() => lstm.forward(x, [0, 0]), 'LSTM: input 1: expected a tensor, got an array of length 2');
    refuse(() => attention.forward(q, [1], q), 'MultiheadAttention: input 1');
    refuse(() => attention.forward(q, q, q, { attnMask: [1], needWeights: true }), 'MultiheadAttention: input 4');
    const wrong = (input, ...parts) =>
      assertThrows(() => linear.forward(input), om.ArgumentError, 'Argument', 'Linear: input 0', ...parts);
    wrong(3, 'a number (3)');
    wrong(new Float32Array(3), 'Float32Array', 'om.tensor(values, { shape: […] })');
    assertThrows(() => linear.forward(x, x), om.ArgumentError, 'Argument', 'one input was expected, got 2');
  });
  for (const each of [sequential, lstm, attention]) each.dispose();
});

test('operators, methods and losses refuse arrays of values', () => {
  om.scope(() => {
    const x = om.ones([2]);
    refuse(() => x.add([1, 2]), "Add: input 'B': expected a tensor or a number, got an array of length 2");
    refuse(() => x.add_([1, 2]), 'add_: input 1: expected a tensor or a number, got an array of length 2');
    refuse(() => om.where([true, false], x, x), "Where: input 'condition'");
    refuse(() => om.concat([x, [1, 2]]), 'Concat: input 1');
    refuse(() => ops.clip(x, [0], [1]), "Clip: input 'min'");
    refuse(() => x.matmul([[1], [2]]), "MatMul: input 'B'");
    refuse(() => nn.mseLoss(x, [1, 2]), 'mseLoss: target');
    refuse(() => nn.crossEntropy(om.ones([2, 3]), [0, 1]), 'crossEntropy: target');
  });
});

test('operators take lists of axes, sizes and indices', () => {
  om.scope(() => {
    const x = om.arange(0, 6).reshape([2, 3]);
    assert.deepEqual(ops.gather(x, [2, 0], { axis: 1 }).toArray(), [[2, 0], [5, 3]]); // biome-ignore format: rows
    assert.deepEqual(x.gather([-1]).toArray(), [[3, 4, 5]]);
    assert.deepEqual(ops.reduceSum(x, [0], { keepdims: false }).toArray(), [3, 5, 7]);
    assert.deepEqual(ops.slice(x, [0], [2], [1]).shape, [2, 2]);
    assert.deepEqual(ops.tile(x, [1, 2]).shape, [2, 6]);
    assertThrows(() => ops.gather(x, [0.5]), om.ArgumentError, 'Argument', "Gather: input 'indices'", 'integers');
  });
});

test('sessions and traces refuse arrays', () => {
  om.scope(() => {
    const traced = om.trace((a) => a.neg(), om.ones([2, 3]), { axes: ['n', null] });
    const session = traced.createSession();
    for (const feeds of [{ input: [1, 2, 3] }, [[1, 2, 3]], [1, 2, 3]]) {
      refuse(() => session.runSync(feeds), "input 'input' is no tensor but an array of length 3", 'float32[n, 3]');
    }
    refuse(() => om.trace((a) => a.neg(), { a: [1, 2] }), "trace: example 'a': expected a tensor");
    for (const each of [session, traced]) each.dispose();
  });
});
