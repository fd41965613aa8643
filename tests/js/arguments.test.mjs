// What callers give by mistake: each error says who asked, which argument, what was expected and what came.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertRejects, assertThrows, useEngine } from './support.mjs';

const { nn, ops, optim } = om;
const { ArgumentError, GradientError, MemoryError, ShapeError, TraceError } = om;

await useEngine({ threads: 1, variant: 'simd' });

/** Asserts in a scope that every call throws ArgumentError with all parts in its message. */
function refuse(calls) {
  om.scope(() => {
    for (const [fn, ...parts] of calls) assertThrows(fn, ArgumentError, 'Argument', ...parts);
  });
}

/** As `refuse`, of errors of another class and kind. */
function refuseAs(Class, kind, calls) {
  om.scope(() => {
    for (const [fn, ...parts] of calls) assertThrows(fn, Class, kind, ...parts);
  });
}

test('options must be an object', () => {
  const x = om.ones([2, 3]);
  const p = nn.parameter([1]);
  refuse([
    [() => new nn.Dropout(0.2), 'Dropout: expected an object of options (p), got a number (0.2)'],
    [() => new nn.Linear(4, 2, false), 'Linear: expected an object of options (bias), got a boolean'],
    [() => new nn.Linear(4, 2, null), 'Linear', 'got null'],
    [() => new nn.GELU('tanh'), "GELU: expected an object of options (approximate), got a string ('tanh')"],
    [() => new nn.Upsample([4, 4]), 'Upsample', 'an array of length 2'],
    [() => new optim.Adam([p], 0.1), 'Adam: expected an object of options (lr, betas', 'a number (0.1)'],
    [() => ops.softmax(x, 1), 'Softmax: expected an object of options (axis)', 'a number (1)'],
    [() => ops.softmax(x, x), 'Softmax', 'got Tensor'],
    [() => ops.split(x, [1, 1], null), 'Split: expected an object of options (axis, numOutputs), got null'],
    [() => nn.mseLoss(x, x, 'sum'), 'mseLoss', "a string ('sum')"],
    [() => nn.clipGradNorm([p], 1, 2), 'clipGradNorm: expected an object of options (normType)'],
    [() => x.gelu('tanh'), 'Gelu: expected an object of options (approximate)'],
    [() => x.backward(undefined, true), 'backward: expected an object of options (retainGraph, createGraph)'],
    [() => x.var(0, true), 'var: expected an object of options (correction, keepdims), got a boolean'],
    [() => x.std(0, true), 'std: expected an object of options (correction, keepdims), got a boolean'],
    [() => x.add_(x, 2), 'add_: expected an object of options (alpha), got a number (2)'],
    [() => om.tensor([1], 3), 'tensor: expected an object of options (dtype, shape, requiresGrad)'],
    [() => om.trace((y) => y, x, null), 'trace: expected an object of options (axes, outputNames, verify), got null'],
  ]);
  x.dispose();
  p.dispose();
});

test('an unknown option is named beside those that exist', () => {
  const x = om.ones([2, 3]);
  const q = om.ones([3, 2, 4]);
  const p = nn.parameter([1]);
  const attention = new nn.MultiheadAttention(4, 2);
  const sgd = new optim.SGD([p], { lr: 3, momentum: 0.9 });
  refuse([
    [
      () => new nn.Conv2d(1, 1, 3, { strides: 2 }),
      "Conv2d: unknown option 'strides': did you mean 'stride'? (known: stride, padding, dilation",
    ],
    [() => new nn.ReLU({ inplace: true }), "ReLU: unknown option 'inplace' (there are none)"],
    [() => new nn.Softmax(1, { dtype: 'float64' }), "Softmax: unknown option 'dtype' (there are none)"],
    [() => new nn.Tanh(1), 'Tanh: expected no options, got a number (1)'],
    [
      () => new optim.SGD([p], { learningRate: 3, momentun: 0.9 }),
      "SGD: unknown option 'learningRate': did you mean 'lr'? (known: lr,",
    ],
    [() => new optim.SGD([{ params: [p], LR: 3 }]), "SGD: a group: unknown option 'LR'"],
    [() => new optim.StepLR(sgd, 2, 0.5), 'StepLR: expected an object of options (gamma), got a number (0.5)'],
    [
      () => new optim.StepLR(sgd, 2, { gama: 0.5 }),
      "StepLR: unknown option 'gama': did you mean 'gamma'? (known: gamma)",
    ],
    [() => attention.forward(q, q, q, { needweights: true }), "MultiheadAttention: unknown option 'needweights'"],
    [() => ops.softmax(x, { dim: 1 }), "Softmax: unknown option 'dim': did you mean 'axis'? (known: axis)"],
    [() => nn.crossEntropy(x, om.tensor([0n, 1n]), { smoothing: 1 }), "crossEntropy: unknown option 'smoothing'"],
    [() => om.tensor([1], { requires_grad: true }), "tensor: unknown option 'requires_grad'"],
    [() => x.sum().backward(null, { retain: true }), "backward: unknown option 'retain'"],
    [() => x.var(0, { unbiased: false }), "var: unknown option 'unbiased' (known: correction, keepdims)"],
    [
      () => x.std(0, { keepdim: true }),
      "std: unknown option 'keepdim': did you mean 'keepdims'? (known: correction, keepdims)",
    ],
    [() => x.add_(x, { beta: 2 }), "add_: unknown option 'beta' (known: alpha)"],
    [() => om.trace((y) => y, x, { axis: ['b', null] }), "trace: unknown option 'axis'"],
    [() => attention.loadStateDict({}, { strick: false }), "loadStateDict: unknown option 'strick'"],
  ]);
  for (const each of [x, q, p, attention, sgd]) each.dispose();
});

test('sessions and loads name an unknown option', async () => {
  const traced = om.scope(() => om.trace((x) => x.neg(), om.ones([2])));
  const file = traced.toOnnx();
  refuse([
    [() => traced.createSession({ arithmetics: 'exact' }), "Session: unknown option 'arithmetics'"],
    [() => traced.createSession({ intermediates: 'x' }), 'Session: intermediates: expected a list of names'],
    [() => traced.optimize({ exact: true }), "optimize: unknown option 'exact' (known: arithmetic)"],
    [() => traced.optimize({ arithmetic: 'Exact' }), "optimize: arithmetic expects 'fast' or 'exact', got 'Exact'"],
    [() => traced.createSession({ arithmetic: 'Exact' }), "Session: arithmetic expects 'fast' or 'exact', got 'Exact'"],
    [() => om.setArithmetic('Exact'), "setArithmetic expects 'fast' or 'exact', got 'Exact'"],
  ]);
  await assertRejects(om.loadGraph(file, { progress: 1 }), ArgumentError, 'Argument', "unknown option 'progress'");
  await assertRejects(
    om.Session.load(file, { optimise: false }),
    ArgumentError,
    'Argument',
    "Session.load: unknown option 'optimise': did you mean 'optimize'? (known: arithmetic, optimize, intermediates, onProgress, signal",
  );
  const session = await om.Session.load(file, { arithmetic: 'exact', onProgress: () => {} });
  const x = om.ones([2]);
  refuse([
    [() => session.profile(x, 0), 'profile: runs: expected an integer of 1 or more, got a number (0)'],
    [() => session.profile(x, Number.NaN), 'profile: runs', 'NaN'],
  ]);
  for (const each of [traced, session, x]) each.dispose();
});

test('a list is not one thing, and one thing is no list', () => {
  const x = om.ones([2, 3]);
  const linear = new nn.Linear(2, 2);
  refuse([
    [() => nn.clipGradNorm(linear, 1), 'clipGradNorm: parameters: expected a list of tensors, got Linear'],
    [() => nn.clipGradNorm([1], 1), 'clipGradNorm: parameters[0]: expected a tensor, got a number (1)'],
    [() => nn.clipGradNorm([x], 'x'), 'clipGradNorm: maxNorm: expected a number'],
    [() => nn.clipGradValue(linear, 1), 'clipGradValue: parameters: expected a list of tensors, got Linear'],
    [() => om.concat(x), 'Concat: expected a list of tensors, got Tensor'],
    [() => om.stack(['a']), "stack: tensors[0]: expected a tensor, got a string ('a')"],
    [() => om.stack(x), 'stack: tensors: expected a list of tensors, got Tensor'],
    [() => ops.einsum(x, { equation: 'ij->ji' }), 'Einsum: expected a list of tensors, got Tensor'],
    [() => new nn.ModuleList(), 'ModuleList: expected a list of modules, got undefined'],
    [() => x.permute(), 'permute: axes: expected a list of axes, got undefined'],
    [() => x.permute(1, 0), 'permute: expected a list of axes, permute([1, 0]), got numbers: permute(1, 0)'],
    [() => x.slice(0), "Slice: input 'starts': expected integers, got undefined"],
    [() => ops.maxPool(x, { kernelShape: [2n] }), 'MaxPool', 'expected numbers, got a bigint'],
  ]);
  refuseAs(ShapeError, 'Shape', [[() => x.permute([-3, 0]), 'permute: axis -3 is out of range for rank 2']]);
  refuse([[() => ops.einsum([x]), 'Einsum: expected an object of options (equation), got undefined']]);
  x.dispose();
  linear.dispose();
});

test('states and checkpoints are objects of tensors', () => {
  const linear = new nn.Linear(2, 2);
  const sgd = new optim.SGD(linear.parameters());
  refuse([
    [() => linear.loadStateDict(null), 'loadStateDict: expected an object with tensors by path, got null'],
    [() => linear.loadStateDict({ weight: 3 }), "loadStateDict: 'weight': expected a tensor, got a number (3)"],
    [() => sgd.loadStateDict(null), 'loadStateDict: expected an object with tensors by name, got null'],
    [() => om.saveCheckpoint(null), 'saveCheckpoint: expected a module, got null'],
    [() => om.saveCheckpoint(linear, linear), 'saveCheckpoint: expected an optimizer, got Linear'],
    [() => om.loadCheckpoint(new Uint8Array(), sgd), 'loadCheckpoint: expected a module, got SGD'],
    [() => om.saveSafetensors(null), 'saveSafetensors: expected an object with tensors by name, got null'],
    [() => om.saveSafetensors({}, { a: 1 }), "saveSafetensors: metadata 'a': expected a text, got a number (1)"],
    [() => om.setGeneratorState(null), 'setGeneratorState: expected an object with seed and offset, got null'],
    [() => om.setGeneratorState({ seed: 1n }), 'setGeneratorState: offset: expected an integer, got undefined'],
    [() => om.manualSeed('x'), "manualSeed: expected an integer, got a string ('x')"],
  ]);
  om.setGeneratorState({ seed: 1, offset: 2 });
  assert.deepEqual(om.generatorState(), { seed: 1n, offset: 2n });
  sgd.dispose();
  linear.dispose();
});

test('integers that a dtype cannot hold are refused with their place', () => {
  const i64 = om.tensor([1n, 2n]);
  const u8 = om.tensor([1, 2], 'uint8');
  refuse([
    [() => om.tensor([1, 300], 'uint8'), 'tensor: element 1 is 300, expected uint8, 0 to 255'],
    [() => om.tensor([[-129]], 'int8'), 'tensor: element 0 is -129, expected int8, -128 to 127'],
    [() => om.tensor([Number.NaN], 'int32'), 'tensor: element 0 is NaN, expected int32'],
    [
      () => om.tensor([2n ** 64n + 5n]),
      'tensor: element 0 is 18446744073709551621, expected int64',
      '9223372036854775807',
    ],
    [() => om.tensor([1e30], 'int64'), 'tensor: element 0 is 1e+30, expected int64'],
    [() => om.tensor([-1n], 'uint64'), 'expected uint64, 0 to 18446744073709551615'],
    [() => i64.add(1.9), "Add: input 'B': 1.9 is no int64"],
    [() => u8.mul(300), "Mul: input 'B': 300 is no uint8"],
    [() => i64.pow(0.5), "Pow: input 'Y': 0.5 is no int64"],
    [() => i64.greater(0.5), "Greater: input 'B': 0.5 is no int64"],
  ]);
  om.scope(() => {
    assert.deepEqual([...om.tensor([1.9, -1.9, 255.5, true], 'int32').data], [1, -1, 255, 1]);
    assert.deepEqual([...i64.add(-3).data], [-2n, -1n]);
    assert.deepEqual([...u8.mul(255).data], [255, 254], 'results still wrap');
    assert.deepEqual([...om.tensor(Int32Array.of(300, -1), 'uint8').data], [44, 255], 'typed arrays still wrap');
  });
  i64.dispose();
  u8.dispose();
});

test('numbers must be numbers, and sizes must fit', () => {
  const x = om.ones([2]);
  refuse([
    [() => om.full([2]), 'full: value: expected a number, got undefined'],
    [() => x.fill('x'), "fill: value: expected a number, got a string ('x')"],
    [() => om.rand([1], 'a', 'b'), "rand: low: expected a number, got a string ('a')"],
    [() => om.randn([1], 0, {}), 'randn: deviation: expected a number, got Object'],
    [() => om.randperm(1.5), 'randperm: n: expected an integer of 0 or more, got a number (1.5)'],
    [() => om.tensor([1], 'constructor'), "unknown dtype 'constructor' (known: float32"],
    [() => x.cast('float33'), "unknown dtype 'float33': did you mean 'float32'? (known: float32"],
    [() => ops.cast(x, { to: 1 }), 'Cast: to expects the name of a dtype, got 1'],
    [() => nn.dropout(x, 'x'), 'dropout: p: expected a number'],
  ]);
  refuseAs(MemoryError, 'OutOfMemory', [
    [() => om.arange(0, 1e12), 'arange: 1000000000000 elements'],
    [() => om.randperm(1e12), 'elements'],
  ]);
  x.dispose();
});

test('arguments of traces', () => {
  const x = om.ones([3, 4]);
  const negate = (y) => y.neg();
  refuse([
    [() => om.trace(nn.ReLU, x), 'trace: expected a module, got the class ReLU'],
    [() => om.scope(), 'scope: expected a function, got undefined'],
    [() => om.noGrad(x), 'noGrad: expected a function, got Tensor'],
    [() => om.trace(negate), 'trace: example: expected a tensor, or a list or an object of tensors, got undefined'],
    [
      () => om.trace(negate, x, { axes: ['b', null], verify: 'yes' }),
      'trace: verify: expected an object with sizes by symbol',
    ],
  ]);
  refuseAs(TraceError, 'InvalidUsage', [
    [
      () => om.trace(negate, x, { axes: 'abc' }),
      "trace: axes of input 'input': expected a list or an object of names",
      "'abc'",
    ],
    [() => om.trace(negate, x, { axes: 3 }), "trace: axes of input 'input'", 'a number (3)'],
    [() => om.trace(negate, x, { axes: [1, 2] }), "trace: axes of input 'input': expected names, got a number (1)"],
    [() => om.trace(negate, [x, x], { axes: 'abc' }), 'trace: axes: expected lists of names by input', "'abc'"],
    [
      () => om.trace(negate, [x], { axes: 'abc' }),
      "trace: axes of input 'input_0': expected a list or an object",
      "'abc'",
    ],
    [() => om.trace(negate, x, { outputNames: 'y' }), "outputNames: expected a list of names, got a string ('y')"],
    [() => om.trace(negate, x, { outputNames: [1] }), 'outputNames: expected a list of names'],
    [() => om.trace(negate, x, { verify: { b: 5 } }), "verify: 'b' is no symbol of the inputs, which have none"],
    [
      () => om.trace(negate, x, { axes: ['a', null], verify: { b: 5 } }),
      "'b' is no symbol of the inputs, which have a = 3",
    ],
    [() => om.trace(negate, x, { axes: ['a', null], verify: { a: '5' } }), "verify: the size of 'a'", "'5'"],
  ]);
  x.dispose();
});

test('a split gives as many parts as its extents or its option say', () => {
  om.scope(() => {
    const x = om.arange(0, 12).reshape([3, 4]);
    const widths = (parts) => parts.map((part) => part.shape[1]);
    assert.deepEqual(widths(ops.split(x, [1, 3], { axis: 1 })), [1, 3]);
    assert.deepEqual(widths(ops.split(x, om.tensor([1n, 1n, 1n, 1n]), { axis: 1 })), [1, 1, 1, 1]);
    assert.deepEqual(widths(ops.split(x, null, { axis: 1, numOutputs: 2 })), [2, 2]);
    assertThrows(() => ops.split(x), ArgumentError, 'Argument', "Split: expects either 'numOutputs' or 'split'");
    assertThrows(() => ops.split(x, [1, 3], { axis: 1 }, 3), ArgumentError, 'Argument', 'expected 3');
  });
});

test('an operand that is one integer is a scalar in the graph', () => {
  om.scope(() => {
    const signal = om.arange(0, 8).reshape([1, 8, 1]);
    const list = ops.dFT(signal, [4], [-2]);
    assert.deepEqual([...ops.dFT(signal, 4, -2).data], [...list.data]);
    const traced = om.trace((x) => ops.dFT(x, [4], [1]), signal);
    const scalars = traced.view().values.filter((value) => value.dtype === 'int64');
    assert.deepEqual(
      scalars.map((value) => value.shape),
      [[], []],
    );
    traced.dispose();
    assert.deepEqual([...ops.cumSum(om.tensor([1, 2, 3]), 0).data], [1, 3, 6]);
    assertThrows(() => ops.cumSum(signal, 1.5), ArgumentError, 'Argument', "CumSum: input 'axis': expected integers");
  });
});

test('a copy does not lose a gradient silently', () => {
  om.scope(() => {
    const p = om.tensor([1, 2], { requiresGrad: true });
    const target = om.zeros([2]);
    assertThrows(() => target.copyFrom(p.mul(2)), GradientError, 'Gradient', 'copyFrom', 'detach()', 'noGrad');
    target.copyFrom(p.mul(2).detach());
    assert.deepEqual([...target.data], [2, 4]);
    om.noGrad(() => target.copyFrom(p));
    assert.deepEqual([...target.data], [1, 2]);
    assertThrows(() => new optim.SGD([p.mul(2)]), GradientError, 'Gradient', 'SGD: parameter 0 was computed');
  });
  const [from, to] = [new nn.Linear(2, 2), new nn.Linear(2, 2)];
  to.loadStateDict(from.stateDict());
  assert.deepEqual([...to.weight.data], [...from.weight.data]);
  from.dispose();
  to.dispose();
});

test('a module that contains itself is refused, and disposed of', () => {
  class Loop extends nn.Module {
    inner = new nn.Linear(2, 2);
    constructor() {
      super();
      this.self = this;
    }
    forward(x) {
      return this.inner.forward(x);
    }
  }
  const loop = new Loop();
  refuse([
    [() => loop.train(), 'train: a module contains itself'],
    [() => loop.parameters(), "field 'self': a module contains itself"],
  ]);
  loop.dispose();
  const shared = new nn.Linear(2, 2);
  const twice = new nn.Sequential(shared, shared);
  assert.equal(twice.eval().at(1).training, false);
  twice.dispose();
});

test('a recorded gradient goes with its leaf', () => {
  const before = om.memory();
  om.scope(() => {
    const x = om.tensor([1, 2], { requiresGrad: true });
    x.pow(3).sum().backward(null, { createGraph: true });
    assert.equal(x.grad.requiresGrad, true);
  });
  const after = om.memory();
  assert.deepEqual([after.storages, after.bytes], [before.storages, before.bytes]);
  om.scope(() => {
    const x = om.tensor([3], { requiresGrad: true });
    x.pow(3).backward(null, { createGraph: true });
    const gradient = x.grad;
    x.grad = null;
    gradient.backward();
    assert.equal(x.grad.item(), 18);
  });
});

test('batch norm without running statistics is traced with those of the batch', () => {
  const norm = new nn.BatchNorm2d(3, { trackRunningStats: false }).eval();
  om.scope(() => {
    const traced = om.trace(norm, om.rand([4, 3, 5, 6]), { axes: ['b', null, 'h', 'w'], verify: true });
    assert.equal(traced.verification.message, '');
    traced.dispose();
  });
  norm.dispose();
});
