// What newcomers do by mistake: errors and consoles that help.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, inspect } from 'node:util';
import * as om from 'onemodel';
import { Tensor as OrtTensor } from 'onnxruntime-common';
import { assertThrows, inNode, useEngine } from './support.mjs';

const { nn, ops, optim } = om;
const { ArgumentError, ShapeError, DTypeError } = om;

await useEngine();

const refuse = (fn, ...parts) => assertThrows(fn, ArgumentError, 'Argument', ...parts);

test('a tensor of ONNX Runtime, and an array, are told from what a session takes', () => {
  om.scope(() => {
    const traced = om.trace((x) => x.add(1), om.ones([2, 3]));
    const session = traced.createSession();
    const program = om.exportProgram((x) => x.add(1), om.ones([2, 3]));
    const programSession = program.createSession();
    const foreign = new OrtTensor('float32', new Float32Array(6), [2, 3]);
    const remedy = 'one of ONNX Runtime: give om.tensor(x.data, { shape: x.dims })';
    for (const feeds of [{ input: foreign }, [foreign], foreign]) {
      refuse(() => session.runSync(feeds), "input 'input'", remedy, 'float32[2, 3]');
    }
    refuse(() => programSession.runSync({ input: foreign }), "input 'input'", remedy);
    refuse(() => om.ones([6]).add(foreign), 'Add', remedy);
    refuse(() => nn.mseLoss(om.ones([6]), foreign), 'mseLoss: target', remedy);
    refuse(() => session.runSync({ input: new Float32Array(6) }), 'Float32Array', 'om.tensor(values, { shape: […] })');
    class Tensor {}
    refuse(() => session.runSync({ input: new Tensor() }), 'another copy of this package');
    for (const each of [session, traced, programSession, program]) each.dispose();
  });
});

test('numbers in the place of a list are shown as the list', () => {
  om.scope(() => {
    const x = om.ones([2, 3]);
    refuse(() => x.reshape(3, 2), 'reshape: expected a list of sizes, reshape([3, 2]), got numbers: reshape(3, 2)');
    refuse(() => x.reshape(6), 'reshape([6])');
    refuse(() => x.expand(4, 2, 3), 'expand([4, 2, 3])');
    refuse(() => x.permute(1, 0), 'permute([1, 0])');
    refuse(() => x.transpose([1, 0]), 'transpose(0, 1), got an array of length 2', 'permute([1, 0])');
    refuse(() => x.transpose('last'), 'transpose: axis: expected an integer', "'last'");
    refuse(() => x.sum(1, { keepdims: true }), 'sum: keepdims: expected true or false');
    refuse(() => x.mean({ axis: 1 }), 'mean: axes: expected an axis or a list of axes');
    refuse(() => om.ones([2], { dtype: 'int64' }), 'expected a dtype, got Object');
  });
});

test('required arguments in an object are told apart from options', () => {
  const p = nn.parameter([1]);
  const optimizer = new optim.SGD([p]);
  refuse(() => new optim.StepLR(optimizer, { stepSize: 2 }), 'StepLR: argument 0', 'by position', '(stepSize)');
  refuse(() => new optim.StepLR(optimizer, 2, 0.5), 'StepLR: expected an object of options (gamma)', '0.5');
  refuse(() => new nn.Conv2d({ inChannels: 1 }), 'Conv2d: argument 0', 'by position', '(inChannels)');
  optimizer.dispose();
  p.dispose();
});

test('names are spelled as script spells them, and texts of the caller stay', () => {
  om.scope(() => {
    const [p, q] = [nn.parameter([1]), nn.parameter([1])];
    const x = om.ones([2, 3]);
    const sgd = new optim.SGD([p]);
    refuse(() => new nn.Conv2d(0, 1, 3), 'Conv2d: inChannels');
    refuse(() => new nn.RNN(1, 1, { nonlinearity: 'my_tanh' }), 'RNN: nonlinearity', "got 'my_tanh'");
    refuse(() => new optim.Adam([p], { weightDecay: -1 }), 'Adam: weightDecay');
    refuse(() => sgd.addParamGroup({ params: [q], weightDecay: -1 }), 'SGD: weightDecay');
    refuse(() => {
      sgd.paramGroups[0].weightDecay = -1;
    }, 'SGD: weightDecay');
    refuse(() => new optim.CosineAnnealingLR(sgd, 0), 'CosineAnnealingLR: tMax');
    refuse(() => nn.crossEntropy(x, x, { labelSmoothing: 2 }), 'crossEntropy: labelSmoothing');
    refuse(() => ops.maxPool(om.ones([1, 1, 4, 4]), { kernelShape: [0, 2] }), 'MaxPool: kernelShape');
    refuse(() => ops.maxPool(om.ones([1, 1, 4, 4]), { kernelShape: ['a'] }), 'MaxPool: kernelShape');
    for (const each of [sgd, p, q]) each.dispose();
  });
});

test('errors of gradients, state and masks are spelled so too', () => {
  om.scope(() => {
    const p = nn.parameter([2]);
    const twice = p.mul(p).sum();
    twice.backward();
    const adam = new optim.Adam([p]);
    const attention = new nn.MultiheadAttention(8, 2);
    const [x, mask] = [om.ones([3, 1, 8]), om.ones([2, 2])];
    const named = [
      [() => twice.backward(), 'retainGraph'],
      [
        () => {
          p.grad = om.ones([3]);
        },
        'grad: ',
      ],
      [
        () => {
          om.tensor([1n]).requiresGrad = true;
        },
        'requiresGrad',
      ],
      [() => om.ones([4]).copyFrom(x), 'copyFrom'],
      [() => adam.loadStateDict({}), 'loadStateDict', 'param_groups.0.weight_decay'],
      [() => attention.forward(x, x, x, { attnMask: mask }), 'MultiheadAttention: attnMask'],
      [() => attention.forward(x, x, x, { keyPaddingMask: mask }), 'MultiheadAttention: keyPaddingMask'],
    ];
    for (const [fn, ...parts] of named) {
      assert.throws(fn, ({ message }) => parts.every((part) => message.includes(part)), parts[0]);
    }
    for (const each of [adam, attention, p]) each.dispose();
  });
});

test("an option in another language's spelling is recognised", () => {
  om.scope(() => {
    const x = om.ones([2, 3]);
    refuse(() => ops.reduceSum(x, [1], { keep_dims: true }), "'keep_dims': did you mean 'keepdims'?");
    refuse(() => new nn.LSTM(1, 1, { num_layers: 2 }), "'num_layers': did you mean 'numLayers'?");
    refuse(() => nn.crossEntropy(x, x, { label_smoothing: 0 }), "'label_smoothing': did you mean 'labelSmoothing'?");
  });
});

test('an export reads errors that were spelled anew as the engine wrote them', () => {
  om.scope(() => {
    const sizes = { x: { 1: om.Dim('stash_type') }, s: { 0: om.Dim('other') } }; // stash_type: an attribute, too
    assertThrows(
      () =>
        om.exportProgram(
          (x, s) => ops.layerNormalization(x, s),
          { x: om.ones([2, 4]), s: om.ones([4]) },
          {
            dynamicShapes: sizes,
          },
        ),
      om.ConstraintsError,
      'Constraints',
      'other = stash_type',
    );
  });
});

test('floats as classes are told how classes are made', () => {
  om.scope(() => {
    const scores = om.ones([2, 3]);
    const remedy = 'cast the target to int64';
    assertThrows(() => nn.crossEntropy(scores, om.tensor([0, 1])), ShapeError, 'Shape', 'crossEntropy', remedy);
    assertThrows(() => nn.nllLoss(scores, om.tensor([0, 1])), DTypeError, 'DType', 'nllLoss', remedy);
    assert.throws(
      () => nn.crossEntropy(scores, om.ones([2, 4])),
      (error) => !error.message.includes('int64'),
    );
  });
});

test('updates in place name the argument, and keep every digit of a bigint', () => {
  om.scope(() => {
    const ints = om.tensor([1, 2], 'int32');
    refuse(() => ints.add_(1.5), "add_: input 'other': 1.5 is no int32");
    refuse(() => ints.copy_(1.5), "copy_: input 'source': 1.5 is no int32");
    refuse(() => ints.fill_(1.5), "fill_: input 'value': 1.5 is no int32");
    refuse(() => ints.sliceScatter_(1.5, 0), "sliceScatter_: input 'source': 1.5 is no int32");
    for (const [value, dtype] of [
      [2n ** 62n + 1n, 'int64'],
      [-(2n ** 63n), 'int64'],
      [2n ** 64n - 1n, 'uint64'],
    ]) {
      assert.deepEqual(om.zeros([2], dtype).fill_(value).toArray(), [value, value]);
    }
    refuse(() => om.zeros([1], 'uint64').fill_(2n ** 64n), 'fill_: value: expected uint64, 0 to 18446744073709551615');
    refuse(() => om.zeros([1], 'int64').fill_(2n ** 63n), 'fill_: value: expected int64', 'got 9223372036854775808');
    refuse(() => ints.fill_(2n ** 31n), "fill_: input 'value': 2147483648 is no int32");
    assert.deepEqual(ints.fill_(7n).toArray(), [7, 7]);
    assert.deepEqual(om.zeros([1]).fill_(-3n).toArray(), [-3]);
  });
});

test('numbers beyond an integer dtype fill nothing', () => {
  om.scope(() => {
    refuse(() => om.full([1], 300, 'int8'), 'full: 300 is out of the range of int8');
    refuse(() => om.full([1], -1, 'uint8'), 'full: -1 is out of the range of uint8');
    refuse(() => om.full([1], Number.NaN, 'int64'), 'full: nan is out of the range of int64');
    refuse(() => om.full([1], 8, 'int4'), 'full: 8 is out of the range of int4');
    refuse(() => om.zeros([1], 'int8').fill(-129), 'fill: -129 is out of the range of int8');
    assert.deepEqual(om.full([2], -128.5, 'int8').toArray(), [-128, -128]);
    assert.deepEqual(om.full([1], 2 ** 63, 'uint64').toArray(), [2n ** 63n]);
    assert.deepEqual(om.zeros([1], 'uint8').fill(255.5).toArray(), [255]);
  });
});

test('softmax of a scalar is that of one element', () => {
  om.scope(() => {
    const x = om.tensor(3, { requiresGrad: true });
    assert.deepEqual([x.softmax().item(), x.softmax(0).item(), x.logSoftmax(-1).item()], [1, 1, 0]);
    assert.deepEqual(x.softmax(0).shape, []);
    assertThrows(() => x.softmax(1), ShapeError, 'Shape', 'Softmax', 'axis 1 is out of range for rank 1');
    x.softmax().add(x.logSoftmax()).backward();
    assert.equal(x.grad.item(), 0);
  });
});

test('whatever was computed without a gradient may require one', () => {
  om.scope(() => {
    const x = om.tensor([1, -2], { requiresGrad: true });
    const leaves = [om.ones([2]).mul(2), x.detach(), x.greater(0).cast('float32'), om.noGrad(() => x.mul(2))];
    leaves.push(x.argmax().cast('float32'), om.zeros([1]).expand([3]));
    for (const leaf of leaves) {
      leaf.requiresGrad = true;
      leaf.mul(3).sum().backward();
      assert.deepEqual(leaf.grad.reshape([-1]).toArray(), Array(leaf.size).fill(3));
      leaf.requiresGrad = false;
      assert.equal(leaf.requiresGrad, false);
    }
    const made = x.mul(2);
    assert.throws(() => Object.assign(made, { requiresGrad: true }), om.GradientError);
    assert.throws(() => Object.assign(made, { requiresGrad: false }), om.GradientError);
  });
});

test('parameters and buffers have elements of their own', () => {
  const module = new (class extends nn.Module {})();
  om.scope(() => {
    const wide = om.zeros([1]).expand([3]);
    const why = 'share memory';
    refuse(() => nn.parameter(wide), 'parameter: the elements along axis 0 of float32[3] share memory', 'clone()');
    refuse(() => module.registerBuffer('seen', wide), "registerBuffer: 'seen': the elements along axis 0", why);
    assert.equal(module.registerBuffer('seen', wide.clone()).size, 3);
  });
  module.dispose();
});

test('elements that share memory are written one by one to nobody', () => {
  om.scope(() => {
    const base = om.zeros([1, 2]);
    const wide = base.expand([3, 2]);
    const three = om.tensor([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    for (const [fn, how] of [
      [() => wide.add_(three), 'add_'],
      [() => wide.copy_(three), 'copy_'],
      [() => wide.copyFrom(three), 'copyFrom'],
      [() => wide.sliceScatter_(three, 0), 'sliceScatter_'],
      [() => wide.selectScatter_(om.ones([2]), 0, 1), 'sliceScatter_'],
      [() => wide.indexCopy_(0, om.tensor([1], 'int64'), om.ones([1, 2])), 'indexCopy_'],
    ]) {
      refuse(fn, `${how}: the elements along axis 0 of float32[3, 2] share memory`, 'clone()');
    }
    assert.deepEqual(base.toArray(), [[0, 0]]);
    wide.fill_(2);
    assert.deepEqual(base.toArray(), [[2, 2]]);
    assert.deepEqual(wide.clone().add_(three).select(0, 2).toArray(), [5, 5]);
  });
});

test('errors of modules begin with the module, and say what script calls', () => {
  om.scope(() => {
    const x = om.ones([2, 3]);
    const message = (fn) => {
      let said = '';
      assert.throws(fn, (error) => {
        said = error.message;
        return error instanceof om.OneModelError;
      });
      return said;
    };
    for (const [make, input, expected] of [
      [() => new nn.LayerNorm(4), x, /^LayerNorm: the input must end in \[4\]/],
      [() => new nn.BatchNorm1d(3), om.ones([1, 3]), /^BatchNorm1d: training needs more than one value/],
      [() => new nn.Upsample({ scaleFactor: [2, 2, 2] }), om.ones([1, 1, 2, 2]), /^Upsample: 2 numbers or one/],
      [
        () => new nn.Upsample({ scaleFactor: 0.1 }),
        om.ones([1, 1, 3]),
        /^Upsample: scaleFactor 0\.1 leaves nothing of axis 2/,
      ],
      [
        () => new nn.MaxPool2d(3, { padding: 2 }),
        om.ones([1, 1, 5, 5]),
        /^MaxPool2d: padding must be at most half of the window, 3, got 2/,
      ],
      [() => new nn.AvgPool1d(3, { padding: 2 }), om.ones([1, 1, 5]), /^AvgPool1d: padding must be at most half/],
      [() => new nn.Identity(), null, /^Identity: input 0: expected a tensor, got null/],
      [() => new nn.Linear(2, 2), undefined, /^Linear.*: input 0: expected a tensor, got undefined/],
      [() => new nn.MultiheadAttention(4, 2), undefined, /^MultiheadAttention.*: input 0: expected a tensor/],
    ]) {
      const module = make();
      assert.match(
        message(() => module.forward(input)),
        expected,
      );
      module.dispose();
    }
    assert.match(
      message(() => om.saveSafetensors({ x: om.tensor(['a']) })),
      /^saveSafetensors: tensor 'x' is string/,
    );
    assert.match(
      message(() => om.trace((each) => [each.neg(), each], x, { outputNames: ['y', 'y'] })),
      /^trace: the name 'y'/,
    );
    assert.match(
      message(() => x.cast('int32').mean()),
      /^mean: expected a floating dtype, got int32.*x\.cast\('float32'\)/,
    );
    assert.match(
      message(() => om.ops.reshape(om.zeros([0, 4]), [0, -1], { allowzero: true })),
      /an extent 0, beside which -1/,
    );
    assert.match(
      message(() => om.arange(3)),
      /^arange: end is missing: arange\(0, 3\)/,
    );
    assert.match(
      message(() => om.randperm(1e12)),
      /^randperm: 1000000000000 elements are more than memory can hold/,
    );
    assert.equal(String(om.tensor([0, 1, -1]).div(0)), 'float32[3] [NaN, Infinity, -Infinity]');
    assert.equal(String(om.tensor(['nan', 'info'])), 'string[2] ["nan", "info"]');
  });
});

test('arguments of modules that nothing can be made of are refused at once', () => {
  refuse(() => new nn.LayerNorm(3, { eps: -1 }), 'LayerNorm: eps must not be negative, got -1');
  refuse(() => new nn.BatchNorm2d(3, { eps: -1 }), 'BatchNorm2d: eps');
  refuse(() => new nn.BatchNorm2d(3, { momentum: Number.NaN }), 'BatchNorm2d: momentum must be finite, got nan');
  om.scope(() => refuse(() => new nn.BatchNorm2d(3, { momentum: om.ones([]) }), "'momentum' expects a number"));
  refuse(() => new nn.InstanceNorm2d(3, { momentum: null }), 'InstanceNorm2d: momentum cannot be null');
  refuse(() => new nn.MaxPool2d(2, { stride: 0 }), 'MaxPool2d: stride must be at least 1, got 0');
  refuse(() => new nn.InstanceNorm1d(3, { eps: -1 }), 'InstanceNorm1d: eps');
  refuse(() => new nn.GroupNorm(1, 3, { eps: Number.NaN }), 'GroupNorm: eps');
  refuse(() => new nn.RMSNorm(3, { eps: -1 }), 'RMSNorm: eps');
  refuse(() => new nn.Hardtanh({ minVal: 2, maxVal: 1 }), 'Hardtanh: minVal must be less than maxVal, got 2 and 1');
  refuse(() => new nn.CELU({ alpha: 0 }), 'CELU: alpha must not be 0');
  refuse(() => new nn.Conv2d(3, 4, [1, 2, 3]), 'Conv2d', 'kernelSize');
});

test('padding that the axis has no elements for is refused, eagerly and in a session', async () => {
  om.scope(() => {
    const x = om.ones([1, 1, 3]);
    assertThrows(() => nn.pad(x, [3, 0], { mode: 'reflect' }), ShapeError, 'Shape', 'more than the 2 elements');
    assertThrows(() => nn.pad(x, [0, 4], { mode: 'circular' }), ShapeError, 'Shape', 'more than the 3 elements');
    assert.equal(nn.pad(x, [2, 2], { mode: 'reflect' }).shape[2], 7);
    assert.equal(nn.pad(x, [3, 3], { mode: 'circular' }).shape[2], 9);
  });
  const example = om.ones([1, 1, 5]);
  const traced = om.trace((x) => nn.pad(x, [3, 0], { mode: 'reflect' }), example, { axes: [null, null, 'n'] });
  const session = await om.Session.load(traced.toOnnx());
  const short = om.ones([1, 1, 3]);
  await assert.rejects(session.run({ input: short }), /more than the 2 elements/);
  for (const each of [session, traced, example, short]) each.dispose();
});

test('oneHot gives no 1 for what is no class, and takes integers only', () => {
  om.scope(() => {
    const [none, last] = [
      [0, 0, 0],
      [0, 0, 1],
    ];
    for (const dtype of ['int32', 'int64']) {
      const given = om.oneHot(om.tensor([2, -1, 3, -3], dtype), 3);
      assert.deepEqual(
        [given.dtype, ...given.toArray().map((row) => row.map(Number))],
        ['int64', last, none, none, none],
      );
    }
    assertThrows(() => om.oneHot(om.tensor([1]), 3), DTypeError, 'DType', 'oneHot: indices', 'float32');
  });
});

test('a tensor used as a number tells of item and methods', () => {
  om.scope(() => {
    const x = om.ones([2]);
    for (const fn of [() => x + 1, () => x > 0, () => Math.max(x), () => Number(x)]) {
      assertThrows(fn, ShapeError, 'Shape', 'valueOf', 'x.item()', 'x.add(y)');
    }
    assert.equal(om.ones([1]) + 1, 2);
  });
});

test('toOnnx says that the opset cannot be chosen', () => {
  om.scope(() => {
    const traced = om.trace((x) => x.add(1), om.ones([2]));
    const program = om.exportProgram((x) => x.add(1), om.ones([2]));
    for (const each of [traced, program]) refuse(() => each.toOnnx({ opset: 13 }), 'the opset cannot be chosen', '20');
    refuse(() => traced.toOnnx({ version: 1 }), "toOnnx: unknown option 'version'");
    refuse(() => traced.toOneModel({ opset: 13 }), 'toOneModel', "'opset'");
    for (const each of [traced, program]) each.dispose();
  });
});

test('consoles show dtype, shape and elements', () => {
  om.scope(() => {
    const x = om.tensor([[1, 2]]);
    assert.equal(format(x), 'Tensor float32[1, 2] [[1, 2]]');
    assert.equal(inspect({ x, list: [om.tensor([true])] }), `{ x: ${format(x)}, list: [ Tensor bool[1] [true] ] }`);
    const long = inspect(om.zeros([10_000]));
    assert.ok(long.startsWith('Tensor float32[10000] [0, ') && long.length < 200, long);
    const gone = om.ones([1]);
    gone.dispose();
    assert.equal(inspect(gone), 'Tensor (disposed of)');
  });
});

test('consoles do not disturb a trace or a run', () => {
  om.scope(() => {
    const shown = [];
    const traced = om.trace(
      (x) => {
        shown.push(inspect(x), inspect(x.add(1)));
        return x.add(1);
      },
      om.ones([2]),
    );
    assert.deepEqual(shown, Array(2).fill('Tensor float32[2] (while tracing)'));
    const session = traced.createSession();
    const x = om.ones([2]);
    session.runSync(x, { onProgress: () => shown.push(inspect(x)) });
    assert.equal(shown.at(-1), 'Tensor (the engine is busy)');
    traced.dispose();
    session.dispose();
  });
});

test('a later init that asks for another engine is refused, one that does not gets what runs', async () => {
  const { runs, same, errors } = await inNode(
    `const runs = await om.init({ threads: 1, variant: 'simd' });
     const same = [];
     for (const options of [undefined, {}, { threads: 1 }, { variant: 'simd' }]) same.push(await om.init(options));
     const errors = [];
     for (const options of [{ threads: 2 }, { variant: 'simd-threads' }, { wasmBaseUrl: 'file:///elsewhere/' }]) {
       await om.init(options).catch(({ name, kind, message }) => errors.push({ name, kind, message }));
     }
     report({ runs, same, errors });`,
  );
  for (const each of same) assert.deepEqual(each, runs);
  assert.deepEqual(
    errors.map(({ name, kind }) => [name, kind]),
    Array(3).fill(['ArgumentError', 'Running']),
  );
  assert.match(errors[0].message, /runs already, with threads 1, and cannot change to 2/);
  assert.match(errors[1].message, /with variant simd, and cannot change to simd-threads/);
  assert.match(errors[2].message, /with wasmBaseUrl the default, and cannot change to file:\/\/\/elsewhere/);
});

test('the options of two calls at once are compared, and what was asked for may be asked for again', async () => {
  const { kinds, threads } = await inNode(
    `const options = { threads: 2, variant: 'simd' }; // that variant has one thread
     const calls = [options, options, { threads: 3 }].map((each) => om.init(each));
     const settled = await Promise.allSettled(calls);
     report({ kinds: settled.map(({ status, reason }) => reason?.kind ?? status), threads: om.environment().threads });`,
  );
  assert.deepEqual([kinds, threads], [['fulfilled', 'fulfilled', 'Running'], 1]);
});

test('a dtype of another language, and tensors, models and lists in a wrong place', () => {
  om.scope(() => {
    const x = om.ones([2]);
    const [linear, relu] = [new nn.Linear(2, 2), new nn.ReLU()];
    refuse(() => om.zeros([1], 'float'), "unknown dtype 'float': did you mean 'float32'? (known: float32");
    refuse(() => om.tensor([1], 'long'), "did you mean 'int64'?");
    refuse(() => om.tensor([x, x]), 'tensor: expected a number at [0] (axis 1), got Tensor: om.stack joins tensors');
    refuse(() => om.tensor(x), 'tensor: expected a number, got Tensor: its clone() is another');
    refuse(() => new optim.Adam(linear), 'Adam: a list of tensors', '(its parameters(), for example)', 'got Linear');
    refuse(
      () => new nn.Sequential([relu]),
      'Sequential: expected modules, not a list of them, got an array of length 1',
    );
    for (const each of [linear, relu]) each.dispose();
  });
});

test('what is no graph, a bound that is missing, and a file of weights', () => {
  const hint = '; Session.load takes bytes and addresses';
  refuse(() => om.Session.fromGraph(new Uint8Array(3)), `fromGraph: expected a Graph, got Uint8Array${hint}`);
  refuse(() => om.Session.fromGraph(), `fromGraph: expected a Graph, got undefined${hint}`);
  refuse(() => om.arange(5), 'arange: end is missing: arange(0, 5)');
  om.scope(() => {
    const model = new nn.Linear(2, 2);
    const file = om.loadSafetensors(om.saveSafetensors(model.stateDict()));
    refuse(() => model.loadStateDict(file), 'loadStateDict', 'give its `.tensors`');
    model.loadStateDict(file.tensors);
    model.dispose();
  });
});

test('the stack of an error begins with the line that called the engine', () => {
  const frames = (fn) => {
    try {
      fn();
    } catch (error) {
      assert.ok(error instanceof om.OneModelError);
      assert.ok(error.stack.startsWith(`${error.name}: ${error.message}`), error.stack);
      return error.stack.slice(error.stack.indexOf(error.message) + error.message.length + 1).split('\n');
    }
    assert.fail('nothing was thrown');
  };
  om.scope(() => {
    const linear = new nn.Linear(2, 3);
    const deep = (depth) => (depth > 0 ? deep(depth - 1) : om.ones([2]).add(om.ones([3])));
    const calls = [
      () => om.ones([2]).add(om.ones([3])),
      () => linear.forward(om.ones([4])),
      () => om.ones([2]).reshape(6),
      () => om.trace((x) => x.add(om.ones([3])), om.ones([2])),
      () => deep(40),
    ];
    for (const call of calls) {
      const [first, ...others] = frames(call);
      assert.match(first, /messages\.test\.mjs:\d+:\d+/);
      assert.ok(others.length < Error.stackTraceLimit, 'no more frames than the program wants');
      assert.ok(!others.some((line) => /wasm:|web\/dist/.test(line)), others.join('\n'));
    }
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    assert.deepEqual(frames(calls[0]), ['']);
    assert.equal(Error.stackTraceLimit, 0);
    Error.stackTraceLimit = stackTraceLimit;
    linear.dispose();
  });
});

test("other engines' stacks, and a stack with nothing of the caller's", async () => {
  const { callSite, dropOwnFrames } = await import('../../web/dist/stack.js');
  const own = (name) => new URL(`../../web/dist/${name}`, import.meta.url).href;
  const page = 'forward@http://localhost/app/wasm-model.js:3:9';
  const engine = [
    `makeError@${own('errors.js')}:9:3`,
    'a@http://localhost/onemodel.wasm:wasm-function[12]:0x1',
    '<?>.wasm-function[3]@[wasm code]',
    `add@${own('tensor.js')}:1:2`,
  ];
  const error = new om.ArgumentError('text', 'Argument');
  const left = (lines) => {
    error.stack = lines.join('\n');
    dropOwnFrames(error);
    return error.stack.split('\n');
  };
  assert.deepEqual(left([...engine, page, '']), [page, '']);
  assert.deepEqual(left(engine), engine);
  assert.equal(callSite([...engine, page].join('\n')), 'http://localhost/app/wasm-model.js:3:9');
  assert.equal(callSite(engine.join('\n')), null);
});

test('what is made by functions is not made by new', () => {
  for (const [Made, maker] of [
    [om.Session, 'await om.Session.load(…)'],
    [om.Graph, 'await om.loadGraph(…)'],
    [om.Tensor, 'om.tensor([1, 2])'],
    [om.ExportedProgram, 'om.loadPrograms(bytes)'],
    [om.ProgramSession, 'program.createSession()'],
  ]) {
    refuse(() => new Made('x.onnx'), `${Made.name} is not made by new: use `, maker);
    refuse(() => new Made(), maker);
  }
});

test('one element of several, an input by another name, states in a list, and a class for a module', () => {
  om.scope(() => {
    const x = om.ones([2]);
    assertThrows(() => x.item(), ShapeError, 'Shape', 'exactly one element', 'toArray()');
    const traced = om.trace((y) => y.add(1), { x });
    const session = traced.createSession();
    refuse(() => session.runSync({ X: x }), "input 'x' is missing, and there is no input 'X'", 'inputs: x float32[2]');
    refuse(() => session.runSync({}), "input 'x' is missing: expected");
    const [lstm, gru] = [new nn.LSTM(2, 3), new nn.GRU(2, 3)];
    const [steps, h] = [om.ones([4, 1, 2]), om.zeros([1, 1, 3])];
    refuse(() => lstm.forward(steps, [h, h]), 'LSTM: ', 'forward(x, h, c), got an array of length 2');
    refuse(() => gru.forward(steps, [h]), 'GRU: ', 'forward(x, h), got an array of length 1');
    refuse(() => new nn.Sequential(nn.ReLU), 'Sequential: expected modules, new ReLU(…), not their class');
    refuse(() => new nn.ModuleList([om.relu]), 'ModuleList: expected modules, got');
    for (const each of [traced, session, lstm, gru]) each.dispose();
  });
});

test('a checkpoint as a state dict, and a path as a file', () => {
  om.scope(() => {
    const model = new nn.Linear(2, 2);
    const optimizer = new optim.Adam(model.parameters());
    const schedule = new optim.StepLR(optimizer, 2);
    const { tensors } = om.loadSafetensors(om.saveCheckpoint(model, optimizer, schedule));
    for (const each of [model, optimizer, schedule]) {
      assertThrows(() => each.loadStateDict(tensors), om.ModelError, 'Malformed', 'om.loadCheckpoint(file, ');
    }
    model.loadStateDict(tensors, { strict: false });
    refuse(() => om.loadCheckpoint('a.safetensors', model), 'loadCheckpoint: expected the file', 'readFileSync(path)');
    refuse(() => om.loadSafetensors('a.safetensors'), 'loadSafetensors: expected the file', "'a.safetensors'");
    refuse(() => om.loadPrograms(new ArrayBuffer(8)), 'loadPrograms: ', 'new Uint8Array(');
    for (const each of [schedule, optimizer, model]) each.dispose();
  });
});

test('arguments that take the place of others are told from them', () => {
  om.scope(() => {
    const [a, b] = [om.ones([2, 3]), om.ones([3, 2])];
    refuse(() => om.einsum('ij,jk->ik', [a, b]), "einsum('ij,jk->ik', a, b), got an array of length 2");
    refuse(() => om.einsum(a, b), 'einsum: equation: expected a text, got Tensor');
    const module = new nn.Linear(1, 1);
    const file = om.saveCheckpoint(module);
    for (const wrong of [false, 0, '', { strict: false }]) {
      refuse(() => om.loadCheckpoint(file, module, wrong), 'loadCheckpoint: expected an optimizer, got');
      refuse(() => om.loadCheckpoint(file, module, undefined, wrong), 'loadCheckpoint: expected a schedule, got');
      refuse(() => om.saveCheckpoint(module, wrong), 'saveCheckpoint: expected an optimizer, got');
    }
    om.loadCheckpoint(file, module, null, null);
    module.dispose();
    refuse(() => om.savePrograms(new Map()), 'programs by name (Object.fromEntries makes one), got Map');
    refuse(() => om.Dim('n').mul(2 ** 53), 'mul expects a positive integer below 2^53, got 9007199254740992');
    refuse(() => om.Dim('n').add(-(2 ** 60)), 'add expects an integer below 2^53');
    refuse(() => om.Dim('n').mul(0), 'mul expects a positive integer, got 0');
  });
});

test('inputs of operators, and runs of sessions, are named as script has them', () => {
  om.scope(() => {
    const [x, w, r] = [om.ones([2, 3, 4]), om.ones([1, 5, 4]), om.ones([1, 5, 5])];
    const lengths = om.tensor([1, 1], 'int32');
    const wrong = [
      () => ops.rNN(x, w, r, null, lengths, null, { hiddenSize: 5 }),
      () => ops.reverseSequence(om.ones([2, 3]), [1]),
      () => ops.reverseSequence(om.ones([2, 3]), ['a']),
    ];
    for (const each of wrong) {
      assert.throws(each, ({ message }) => message.includes("'sequenceLens'") && !message.includes('sequence_lens'));
    }
    assert.throws(
      () => ops.matMul(x, 'y'),
      ({ message }) => message.startsWith("MatMul: input 'B'"),
    );
    const graph = om.trace((y) => y.neg(), om.ones([2]));
    const session = graph.createSession();
    const run = (y) => session.runSync(y).output.neg();
    assertThrows(() => om.trace(run, om.ones([2])), om.TraceError, 'DataDependent', 'run: ');
    assert.throws(
      () => om.trace(run, om.ones([2])),
      ({ message }) => !message.includes('Session::'),
    );
    for (const each of [session, graph]) each.dispose();
  });
});

test('a word that is nearly another is recognised', () => {
  refuse(() => om.ones([2], 'flaot32'), "unknown dtype 'flaot32': did you mean 'float32'?");
  refuse(() => om.ones([2], 'long'), "did you mean 'int64'?");
  refuse(() => new nn.Conv2d(1, 1, 3, { paddng: 1 }), "unknown option 'paddng': did you mean 'padding'?");
  refuse(() => new nn.Conv2d(1, 1, 3, { colour: 1 }), "unknown option 'colour' (known: stride");
});

test('what is written as in other libraries is told how it is written here', () => {
  om.scope(() => {
    const x = om.ones([2, 3]);
    refuse(
      () => om.tensor([1, 2, 3, 4], [2, 2]),
      'tensor: expected an object of options, { shape: [2,2] }, got an array',
    );
    refuse(() => om.zeros(2, 3), 'zeros: expected a shape, a list of extents, zeros([2, 3]), got a number (2)');
    refuse(() => om.zeros([2], { dtype: 'int64' }), "expected a dtype, got Object: give 'int64' itself (known:");
    refuse(() => x.cast('long'), "unknown dtype 'long': did you mean 'int64'?");
    refuse(() => x.cast({ to: 'int64' }), 'expected a dtype, got Object');
    refuse(
      () => x.softmax({ axis: 1 }),
      'Softmax: axis: ',
      'got Object (axis): give the value itself, not an object of options',
    );
    refuse(() => x.slice([0, 1], [1, 1]), 'slice: axis: expected an integer, got an array of length 2');
    refuse(() => x.std('1'), 'std: axes: expected an axis or a list of axes');
    for (const wrong of [Number.NaN, 0.5, ['a'], [1n]]) refuse(() => x.sum(wrong), 'sum: axes: expected integers, got');
    refuse(() => om.tensor(new ArrayBuffer(8)), 'got ArrayBuffer: give a typed array on it');
    refuse(() => nn.parameter([0.5, 0.5]), 'parameter: expected a shape, or a tensor of values (om.tensor makes one)');
    refuse(() => nn.parameter(3), 'parameter: expected a shape');
    refuse(() => new nn.Sequential().train('eval'), 'train: mode: expected true or false');
    refuse(() => om.tile(1, []), 'tile: expected a tensor');
    for (const fn of [om.chunk, om.split]) refuse(() => fn(x, 1, 1n), 'axis: expected an integer, got a bigint');
    refuse(() => om.sort(x, 1n), 'sort: axis: expected an integer, got a bigint');
    refuse(() => x.sliceScatter_(x, 1n), 'sliceScatter_: argument: expected a number, got a bigint');
    refuse(() => ops.dynamicQuantizeLinear(x, 1n), 'DynamicQuantizeLinear: outputs: expected how many, got a bigint');
    refuse(() => om.Dim('n', { min: '3' }), "min expects an integer from 0 on, got a string ('3')");
    const pixels = om.tensor(new Uint8ClampedArray([0, 300, 7, 8, 9]).subarray(1), { shape: [2, 2] });
    assert.deepEqual(
      [pixels.dtype, pixels.toArray()],
      [
        'uint8',
        [
          [255, 7],
          [8, 9],
        ],
      ],
    );
  });
});

test('what has a tensor in it is told from a tensor', () => {
  om.scope(() => {
    const [linear, x] = [new nn.Linear(2, 2), om.ones([1, 2])];
    refuse(() => linear.forward([x, x]), 'an array of length 2, of tensors: give one of them');
    refuse(() => linear.forward([[1, 2]]), 'of which om.tensor([…]) makes one');
    refuse(() => x.add(Promise.resolve(x)), "input 'B'", 'got Promise: await it first');
    linear.dispose();
  });
});

test('a module or an optimizer in the place of its state, or of its parameters', () => {
  const linear = new nn.Linear(1, 1);
  const adam = new optim.Adam(linear.parameters());
  refuse(() => om.saveSafetensors(linear), 'tensors by name (its stateDict(), for example), got Linear');
  refuse(() => linear.loadStateDict(linear), 'tensors by path (its stateDict(), for example), got Linear');
  refuse(() => adam.loadStateDict(adam), 'its stateDict()');
  refuse(() => new optim.SGD(linear.namedParameters()), 'tensors, as parameters() gives them, were expected');
  refuse(() => linear.registerBuffer(linear.weight, linear.weight), 'registerBuffer: name: expected a text');
  const schedule = new optim.StepLR(adam, 2);
  assertThrows(
    () => adam.loadStateDict({}),
    om.ModelError,
    'Malformed',
    'Adam(lr=0.001',
    'weightDecay=0',
    '0.weight_decay',
  );
  assertThrows(
    () => schedule.loadStateDict({}),
    om.ModelError,
    'Malformed',
    'StepLR(stepSize=2, gamma=0.1)',
    'last_epoch',
  );
  for (const each of [schedule, adam, linear]) each.dispose();
});

test('what is made by other functions is not made by new', () => {
  refuse(() => new om.DraftReport(), 'a DraftReport is not made by new: use om.draftExport(model, inputs)');
  refuse(() => new om.ProgramModule(), 'a ProgramModule is not made by new: use program.module()');
  refuse(
    () => new om.AdditionalInputs().verify({ moduleCallGraph: [] }),
    'AdditionalInputs.verify: there are no examples',
  );
});

test('a mode of padding that the other of function and operator has is told by its name here', () => {
  om.scope(() => {
    const x = om.ones([1, 4]);
    for (const mode of ['edge', 'wrap']) {
      refuse(() => nn.pad(x, [1, 1], { mode }), "replicate (Pad's edge) or circular (wrap)", `got '${mode}'`);
    }
    for (const mode of ['replicate', 'circular']) {
      refuse(
        () => ops.pad(x, [0, 1, 0, 1], null, null, { mode }),
        `'${mode}'`,
        "edge (pad's replicate) or wrap (circular)",
      );
    }
  });
});

test('a view that is read after an update of its tensor is named with who reads it', () => {
  om.scope(() => {
    const x = om.ones([3]);
    const model = new (class extends nn.Module {
      state = this.registerBuffer('state', om.ones([3]));
      forward(y) {
        const view = this.state.reshape([3, 1]);
        this.state.copy_(y);
        return view.add(y);
      }
    })();
    const read = () => om.exportProgram(model, [x]);
    assertThrows(
      read,
      om.TraceError,
      'InPlaceMutation',
      'Add: float32[3, 1] is a view of a tensor that was updated since',
    );
    model.dispose();
  });
});
