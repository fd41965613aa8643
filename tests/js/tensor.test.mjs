import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, useEngine } from './support.mjs';

await useEngine();

test('tensors take their dtype from the values', () => {
  om.scope(() => {
    assert.equal(
      om
        .tensor([
          [1, 2],
          [3, 4],
        ])
        .toString(),
      'float32[2, 2] [[1, 2], [3, 4]]',
    );
    assert.equal(om.tensor([1n, -2n]).dtype, 'int64');
    assert.equal(om.tensor([true, false]).dtype, 'bool');
    assert.equal(om.tensor(5).rank, 0);
    assert.deepEqual(om.tensor(new Int8Array([1, -1])).data, new Int8Array([1, -1]));
    assert.deepEqual(om.tensor(new Float32Array([1, 2, 3, 4]), { shape: [2, 2] }).shape, [2, 2]);
    assert.deepEqual(om.tensor([1, 2], 'int32').data, new Int32Array([1, 2]));
  });
});

test('64-bit integers keep all bits', () => {
  om.scope(() => {
    const big = 9007199254740993n;
    assert.deepEqual(om.tensor([big, -big]).data, new BigInt64Array([big, -big]));
    assert.deepEqual(om.tensor([2n ** 64n - 1n], 'uint64').toArray(), [2n ** 64n - 1n]);
  });
});

test('half precision converts both ways', () => {
  om.scope(() => {
    for (const dtype of ['float16', 'bfloat16']) {
      assert.deepEqual(om.tensor([1, -0.5, 2], dtype).toArray(), [1, -0.5, 2]);
    }
    assert.deepEqual(om.tensor(new Uint16Array([0x3c00]), { dtype: 'float16' }).toArray(), [1]);
    assert.deepEqual(om.tensor([1], 'float16').data, new Uint16Array([0x3c00]));
  });
});

test('toArray nests, item gives the element', () => {
  om.scope(() => {
    assert.deepEqual(om.tensor([[1, 2, 3]]).toArray(), [[1, 2, 3]]);
    assert.deepEqual(om.tensor([[true], [false]]).toArray(), [[true], [false]]);
    assert.equal(om.tensor([[7]]).item(), 7);
    assert.equal(om.tensor(2.5).toArray(), 2.5);
  });
});

test('nested arrays say where they do not fit', () => {
  const { ArgumentError, ShapeError } = om;
  assertThrows(() => om.tensor([[1, 2], [3]]), ShapeError, 'Shape', 'array of length 2 at [1] (axis 1)', 'length 1');
  assertThrows(() => om.tensor([[1, 2], 3]), ShapeError, 'Shape', 'array of length 2 at [1]', 'got a number');
  assertThrows(() => om.tensor([[1, [2]]]), ShapeError, 'Shape', 'a number at [0][1] (axis 2)', 'length 1');
  assertThrows(
    () =>
      om.tensor([
        [[1], [2]],
        [[3], 4],
      ]),
    ShapeError,
    'Shape',
    'at [1][1] (axis 2)',
    'got a number',
  );
  assertThrows(() => om.tensor([[], [1]]), ShapeError, 'Shape', 'length 0 at [1]', 'length 1');
  assertThrows(() => om.tensor([1, '2']), ArgumentError, 'Argument', 'a number at [1]', 'got a string');
  assertThrows(() => om.tensor([[1], [undefined]]), ArgumentError, 'Argument', 'at [1][0]', 'undefined');
  assertThrows(() => om.tensor([new Float32Array(2)]), ArgumentError, 'Argument', 'at [0]', 'Float32Array');
  assertThrows(() => om.tensor(null), ArgumentError, 'Argument', 'expected a number, got null');
  assertThrows(() => om.tensor([Number.NaN], 'int64'), ArgumentError, 'Argument', 'NaN', '64-bit');
});

test('values convert to the dtype that was asked for', () => {
  om.scope(() => {
    assert.deepEqual(om.tensor([1.5, -1.5], 'int64').toArray(), [1n, -1n]);
    assert.deepEqual(om.tensor([2, 0, true], 'bool').data, new Uint8Array([1, 0, 1]));
    assert.deepEqual(om.tensor(new Uint8Array([2, 0]), 'bool').data, new Uint8Array([1, 0]));
    assert.deepEqual(om.tensor(new Int32Array([3]), 'float64').data, new Float64Array([3]));
    assert.deepEqual(om.tensor([[], []]).shape, [2, 0]);
    assert.deepEqual(om.arange(3, 0, -2, 'int64').toArray(), [3n, 1n]);
    assert.deepEqual(om.arange(0, -1).shape, [0]);
    const shared = new Float32Array(new SharedArrayBuffer(8));
    shared.set([1, 2]);
    assert.deepEqual(om.tensor(shared).toArray(), [1, 2]);
    assert.deepEqual(om.tensor(new Float32Array([0, 1, 2, 3]).subarray(1, 3)).toArray(), [1, 2]);
  });
});

test('friendly methods chain', () => {
  om.scope(() => {
    const x = om.tensor([
      [1, -2],
      [3, 4],
    ]);
    const w = om.tensor([
      [1, 0],
      [0, -1],
    ]);
    assert.deepEqual(
      x
        .matmul(w)
        .add(om.tensor([0.5, 0.5]))
        .relu()
        .toArray(),
      [
        [1.5, 2.5],
        [3.5, 0],
      ],
    );
    assert.deepEqual(x.sum().item(), 6);
    assert.deepEqual(x.mean(0).toArray(), [2, 1]);
    assert.deepEqual(x.max(1, true).toArray(), [[1], [4]]);
    assert.deepEqual(x.transpose().toArray(), [
      [1, 3],
      [-2, 4],
    ]);
    assert.deepEqual(x.reshape([-1]).shape, [4]);
    assert.deepEqual(x.slice(1, 0, 1).toArray(), [[1], [3]]);
    assert.deepEqual(x.select(0, -1).toArray(), [3, 4]);
    assert.deepEqual(x.mul(2).sub(1).toArray(), [
      [1, -5],
      [5, 7],
    ]);
    assert.deepEqual(om.concat([x, x], 1).shape, [2, 4]);
    assert.deepEqual(om.stack([x, x]).shape, [2, 2, 2]);
    assert.deepEqual(om.where(x.greater(0), x, 0).toArray(), [
      [1, 0],
      [3, 4],
    ]);
    assert.deepEqual(x.cast('int64').toArray(), [
      [1n, -2n],
      [3n, 4n],
    ]);
    assert.deepEqual(x.unsqueeze(0).squeeze(0).shape, [2, 2]);
    assert.deepEqual(om.arange(0, 5, 2).toArray(), [0, 2, 4]);
  });
});

test('every operator takes options by ONNX name in camel case', () => {
  om.scope(() => {
    const x = om.tensor([
      [1, 2],
      [3, 4],
    ]);
    assert.deepEqual(om.ops.flatten(x, { axis: 0 }).shape, [1, 4]);
    assert.deepEqual(om.ops.gemm(x, x, null, { transB: true, alpha: 2 }).toArray(), [
      [10, 22],
      [22, 50],
    ]);
    assert.deepEqual(om.ops.reduceSum(x, [1], { keepdims: false }).toArray(), [3, 7]);
  });
});

test('errors name operator, argument, expected and got', () => {
  om.scope(() => {
    const x = om.tensor([[1, 2, 3]]);
    assertThrows(() => x.matmul(x), om.ShapeError, 'Shape', 'MatMul', '[1, 3]');
    assertThrows(() => x.softmax(5), om.ShapeError, 'Shape', 'Softmax', '5', 'rank 2');
    assertThrows(() => x.add(om.tensor([1n])), om.DTypeError, 'DType', 'Add', 'float32', 'int64');
    assertThrows(() => om.tensor([[1], [1, 2]]), om.ShapeError, 'Shape', 'axis 1');
    assertThrows(() => om.tensor(new Float32Array(3), { shape: [2] }), om.ShapeError, 'Shape', '[2]', '3');
    assertThrows(() => om.tensor([1], 'complex'), om.ArgumentError, 'Argument', 'complex', 'float32');
    assertThrows(() => om.zeros([-1]), om.ShapeError, 'Shape', '-1');
    assertThrows(() => om.tensor([1, 2]).item(), om.ShapeError, 'Shape', 'item');
    assertThrows(() => x.reshape([2, 2]), om.ShapeError, 'Shape', 'Reshape');
    assertThrows(() => x.gather(om.tensor([7n]), 1), om.ShapeError, 'Shape', 'Gather', '7', '3');
    assertThrows(() => om.ops.softmax(x, { axis: 1.5 }), om.ArgumentError, 'Argument', 'axis', '1.5');
    assertThrows(() => x.flatten(2), om.ShapeError, 'Shape', 'flatten', 'axis 2', 'rank 2');
    assertThrows(() => x.transpose(0, 2), om.ShapeError, 'Shape', 'transpose', 'axis 2', 'rank 2');
    assertThrows(() => om.randperm(1.5), om.ArgumentError, 'Argument', 'randperm', '1.5');
    assertThrows(() => om.arange(0, 1, 0), om.ArgumentError, 'Argument', 'arange', 'step');
    assertThrows(() => om.manualSeed(0.5), om.ArgumentError, 'Argument', 'manualSeed', '0.5');
  });
});

test('arguments that are no tensors are told by operator and place', () => {
  om.scope(() => {
    const x = om.ones([2, 3]);
    const { ArgumentError } = om;
    assertThrows(() => x.add('one'), ArgumentError, 'Argument', "Add: input 'B': expected a tensor", 'got a string');
    assertThrows(() => om.where(x.greater(0), x, {}), ArgumentError, 'Argument', "Where: input 'Y'", 'Object');
    assertThrows(() => om.concat([x, true]), ArgumentError, 'Argument', 'Concat: input 1', 'a boolean');
    assertThrows(() => om.ops.softmax(x, { axis: {} }), ArgumentError, 'Argument', 'Softmax: axis', 'Object');
    assertThrows(() => om.nn.mseLoss(x, 3), ArgumentError, 'Argument', 'mseLoss: target', 'a number');
    assertThrows(() => om.nn.mseLoss(null, x), ArgumentError, 'Argument', 'mseLoss: input', 'null');
    assertThrows(() => om.nn.mseLoss(x, x, { reduction: 7 }), ArgumentError, 'Argument', 'reduction');
    assertThrows(() => x.copyFrom([1]), ArgumentError, 'Argument', 'copyFrom: source', 'array of length 1');
    assertThrows(
      () => om.ops.gather(x, [0.5]),
      ArgumentError,
      'Argument',
      "Gather: input 'indices'",
      'integers, got 0.5',
    );
    assertThrows(() => x.select(0, 0.5), ArgumentError, 'Argument', 'select', '0.5');
    assertThrows(() => x.select(0, x.dim(0)), ArgumentError, 'Argument', 'select: index', 'gather takes tensors');
    assertThrows(() => om.zeros(5), ArgumentError, 'Argument', 'zeros', 'a shape', 'a number');
    assertThrows(() => om.saveSafetensors({ w: 3 }), ArgumentError, 'Argument', "saveSafetensors: 'w'", 'a number');
    assertThrows(() => om.loadSafetensors(new ArrayBuffer(8)), ArgumentError, 'Argument', 'ArrayBuffer');
    assertThrows(() => om.trace(3, x), ArgumentError, 'Argument', 'trace', 'a number');
    assertThrows(() => om.trace((z) => z, { x: 1 }), ArgumentError, 'Argument', "trace: example 'x'", 'a number');
  });
});

test('operands of fractions are lists of numbers or tensors, whole ones too', () => {
  om.scope(() => {
    const x = om.tensor([[1, 2, 3, 4]]);
    const linear = { mode: 'linear' };
    const half = om.ops.resize(x, null, [1, 0.5], null, linear);
    assert.deepEqual(half.toArray(), [[1.5, 3.5]]);
    assert.deepEqual(om.ops.resize(x, null, om.tensor([1, 0.5]), null, linear).data, half.data);
    assert.deepEqual(om.ops.resize(x, null, [2, 1]).shape, [2, 4]);
    const crop = { mode: 'linear', coordinateTransformationMode: 'tf_crop_and_resize' };
    assert.deepEqual(om.ops.resize(x, [0, 0, 1, 1 / 3], null, [1, 2], crop).toArray(), [[1, 2]]);
    assert.deepEqual(om.ops.range(0.5, 2, 0.5).toArray(), [0.5, 1, 1.5]);
    assertThrows(() => om.ops.resize(x, null, ['2', {}]), om.ArgumentError, 'Argument', 'Resize');
  });
});

test('a result has its gradient though another use of it was freed', () => {
  om.scope(() => {
    const x = om.tensor([2, 3], { requiresGrad: true });
    const y = x.mul(x);
    y.sum().dispose();
    y.sum().backward();
    assert.deepEqual(x.grad.toArray(), [4, 6]);
  });
});

test('disposed tensors say so, and in which operation', () => {
  const x = om.tensor([1]);
  const y = om.tensor([1]);
  x.dispose();
  x.dispose();
  assert.equal(x.isDisposed, true);
  const uses = {
    "Neg: input 'X'": () => x.neg(),
    "Mul: input 'B'": () => y.mul(x),
    'ConstantOfShape: value': () => om.ops.constantOfShape([2], { value: x }),
    shape: () => x.shape,
    dtype: () => x.dtype,
    data: () => x.data,
    toArray: () => x.toArray(),
    toString: () => `${x}`,
    fill: () => x.fill(1),
    'copyFrom: source': () => y.copyFrom(x),
    clone: () => x.clone(),
    detach: () => x.detach(),
    requiresGrad: () => x.requiresGrad,
    grad: () => x.grad,
    'grad: gradient': () => {
      y.grad = x;
    },
    backward: () => x.backward(),
    'backward: gradient': () => y.backward(x),
    'mseLoss: target': () => om.nn.mseLoss(y, x),
    dropout: () => om.nn.dropout(x),
    "saveSafetensors: 'w'": () => om.saveSafetensors({ w: x }),
    "trace: example 'input'": () => om.trace((z) => z, x),
  };
  for (const [where, use] of Object.entries(uses)) {
    assertThrows(use, om.ArgumentError, 'Disposed', `${where}: this tensor was disposed of`);
  }
  y.dispose();
});

test('Symbol.dispose frees', () => {
  const x = om.tensor([1]);
  x[Symbol.dispose]();
  assert.equal(x.isDisposed, true);
});

test('scope frees all but its result', () => {
  const { kept, list } = om.scope(() => {
    const a = om.tensor([1, 2]);
    const b = a.add(1).mul(3);
    return { kept: b, list: [a.neg()] };
  });
  assert.deepEqual(kept.toArray(), [6, 9]);
  assert.equal(om.memory().tensors, 2);
  kept.dispose();
  list[0].dispose();
});

test('scope frees when its function throws, and waits for a promise', async () => {
  assert.throws(() =>
    om.scope(() => {
      om.tensor([1]);
      throw new Error('mine');
    }),
  );
  const result = await om.scope(async () => {
    const x = om.tensor([1]);
    await null;
    return x.add(1);
  });
  assert.equal(om.memory().tensors, 1);
  result.dispose();
});

test('random numbers follow the seed', () => {
  om.scope(() => {
    om.manualSeed(1);
    const a = om.randn([3]).toArray();
    const state = om.generatorState();
    const b = om.rand([3]).toArray();
    om.manualSeed(1n);
    assert.deepEqual(om.randn([3]).toArray(), a);
    om.setGeneratorState(state);
    assert.deepEqual(om.rand([3]).toArray(), b);
    assert.deepEqual(Array.from(om.randperm(5).data, Number).sort(), [0, 1, 2, 3, 4]);
  });
});

test('gradients reach leaves and sum', () => {
  om.scope(() => {
    const x = om.tensor([2, 3], { requiresGrad: true });
    x.mul(x).sum().backward();
    assert.deepEqual(x.grad.toArray(), [4, 6]);
    x.sum().backward();
    assert.deepEqual(x.grad.toArray(), [5, 7]);
    x.grad = null;
    assert.equal(x.grad, null);
    assert.equal(om.noGrad(() => x.mul(2)).requiresGrad, false);
    assertThrows(() => x.mul(2).backward(), om.GradientError, 'Gradient', '[2]');
  });
});

test('an operator gives its further results where they are asked for', () => {
  om.scope(() => {
    const x = om.tensor([[[1, 4, 2, 3]]]);
    const window = { kernelShape: [2], strides: [2] };
    assert.deepEqual(om.ops.maxPool(x, window).toArray(), [[[4, 3]]]);
    const [highest, indices] = om.ops.maxPool(x, window, 2);
    assert.deepEqual([highest.toArray(), Array.from(indices.data, Number)], [[[[4, 3]]], [1, 3]]);
    const steps = om.ops.lSTM(
      om.randn([3, 2, 2]),
      om.randn([1, 8, 2]),
      om.randn([1, 8, 2]),
      null,
      null,
      null,
      null,
      null,
      { hiddenSize: 2 },
      3,
    );
    assert.deepEqual(
      steps.map(({ shape }) => shape),
      [
        [3, 1, 2, 2],
        [1, 2, 2],
        [1, 2, 2],
      ],
    );
    assertThrows(() => om.ops.maxPool(x, window, 3), om.ArgumentError, 'Argument', 'MaxPool');
  });
});
