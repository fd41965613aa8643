// What a trace refuses: each trigger runs inside a module, is named with its place, and leaves everything as it was.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, useEngine } from './support.mjs';

await useEngine();

class Decoder extends om.nn.Module {
  drop = new om.nn.Dropout();
  act = new om.nn.ReLU();
  constructor(body) {
    super();
    this.body = body;
    this.seen = this.registerBuffer('seen', om.full([6], 2));
    this.weight = om.nn.parameter(om.ones([6]));
  }
  forward(x) {
    return this.body(x, this);
  }
}

/** Modules of which each has another mode than the one above it. */
class Net extends om.nn.Module {
  constructor(body) {
    super();
    this.decoder = new Decoder(body);
    this.decoder.eval();
    this.decoder.drop.train();
  }
  forward(x) {
    return this.decoder.forward(x);
  }
}

const modesOf = (net) => net.namedModules().map(([path, module]) => [path, module.training]);

const stateOf = (net) => net.namedTensors().map(({ path, tensor }) => [path, tensor, [...tensor.data]]);

/** Traces a net with `body` in it, on x float32[batch, 6] (batch = 4) if not told, for `check` to look at; all is as before. */
function expectRefusal(body, check, { shape = [4, 6], options = { axes: ['batch', null] } } = {}) {
  const net = new Net(body);
  om.scope(() => {
    const example = om.ones(shape);
    net.decoder.weight.grad = om.ones([6]); // for optimizers
    const modes = modesOf(net);
    assert.deepEqual(
      modes.map(([, training]) => training),
      [true, false, true, false],
    );
    const state = stateOf(net);
    const { heapBytes: _, ...before } = om.memory();
    check(() => om.trace(net, example, options));
    const { heapBytes: __, ...after } = om.memory();
    assert.deepEqual(after, before);
    assert.deepEqual(modesOf(net), modes);
    assert.deepEqual(stateOf(net), state);
    for (const [, module] of net.namedModules()) assert.equal(Object.hasOwn(module, 'forward'), false);
    net.decoder.body = (x) => x.neg();
    const again = om.trace(net, example);
    assert.deepEqual(
      again.view().nodes.map(({ op, modulePath }) => [op, modulePath]),
      [['Neg', 'decoder']],
    );
    again.dispose();
  });
  net.dispose();
}

const x46 = 'float32[batch, 6]';
const classes = () => om.tensor([0, 1, 2, 3], 'int64');
const changed = (change) => (x) => {
  const weight = om.ones([6]);
  const y = x.mul(weight);
  change(weight);
  return y;
};
const advice = 'export the program instead (exportProgram';
/** Changes the buffer, which is used afterwards. */
const updated = (update) =>
  Object.assign((x, { seen }) => x.mul(update(seen)), { toString: () => `update of a buffer: ${update}` });
const changedParts = ["operand 'B' of Mul", 'float32[6]', 'changed in place during the trace'];

/** A size that is computed from values. */
const sizeOf = (x) => x.abs().max().cast('int64');
// Kind, what to do with x, and what the message names besides the module.
const refusals = [
  ['DataDependent', (x) => x.data, 'data:', x46],
  ['DataDependent', (x) => x.neg().toArray(), 'toArray:', x46],
  ['DataDependent', (x) => x.item(), 'item:', x46],
  ['DataDependent', (x) => x.mul(x.sum().item()), 'item:', 'float32[]'],
  ['DataDependent', (x) => x.valueOf(), 'valueOf:', x46],
  ['DataDependent', (x) => x.toString(), 'toString:', x46],
  ['DataDependent', (x) => `${x}`, 'toString:', x46],
  ['DataDependent', (x) => [x].join(), 'toString:', x46],
  ['DataDependent', (x) => x.sum() + 1, 'valueOf:', 'float32[]'],
  ['DataDependent', (x) => x.sum() > 3, 'valueOf:', 'float32[]'],
  // biome-ignore lint/suspicious/noDoubleEquals: the conversion is what is tested
  ['DataDependent', (x) => x.sum() == 3, 'valueOf:', 'float32[]'],
  ['DataDependent', (x) => -x.sum(), 'valueOf:', 'float32[]'],
  ['DataDependent', (x) => Number(x.sum()), 'valueOf:', 'float32[]'],
  ['DataDependent', (x) => Math.max(x.sum(), 0), 'valueOf:', 'float32[]'],
  ['DataDependent', (x) => new Array(3)[x.sum()], 'toString:', 'float32[]'],
  ['DataDependent', (x) => om.zeros([4, 6]).copyFrom(x), 'copyFrom:', x46],
  ['DataDependent', (x) => om.saveSafetensors({ x }), 'saveSafetensors:', x46],
  ['InPlaceMutation', (x) => x.fill(1), 'fill:', x46],
  ['InPlaceMutation', (x) => x.add_(om.ones([5])), 'add_:', x46],
  ['InPlaceMutation', (x) => x.sliceScatter_(om.zeros([2, 6]), 0, 0, 2), 'sliceScatter_:', x46],
  ['InPlaceMutation', (x) => x.selectScatter_(om.zeros([6]), 0, 1), 'sliceScatter_:', x46],
  ['InPlaceMutation', (x) => x.indexCopy_(0, om.tensor([1], 'int64'), om.zeros([1, 6])), 'indexCopy_:', x46],
  ['InPlaceMutation', (x) => x.neg().fill(1), 'fill:', x46],
  ['InPlaceMutation', (x) => x.copyFrom(om.zeros([4, 6])), 'copyFrom:', x46],
  ['InPlaceMutation', (x) => x.add_(1), 'add_:', x46],
  ['InPlaceMutation', (x) => x.copy_(x.neg()), 'copy_:', x46],
  ['InPlaceMutation', changed((weight) => weight.mul_(3)), ...changedParts],
  ['InPlaceMutation', (x) => x.copyFrom(x.neg()), 'copyFrom:', x46],
  ['InPlaceMutation', changed((weight) => weight.fill(3)), ...changedParts],
  ['InPlaceMutation', changed((weight) => weight.copyFrom(om.zeros([6]))), ...changedParts],
  ...[
    ['add_', (seen) => seen.add_(1)],
    ['sub_', (seen) => seen.sub_(1)],
    ['mul_', (seen) => seen.mul_(2)],
    ['div_', (seen) => seen.div_(2)],
    ['copy_', (seen) => seen.copy_(om.zeros([6]))],
    ['fill', (seen) => seen.fill(1)],
    ['copyFrom', (seen) => seen.copyFrom(om.zeros([6]))],
    ['sliceScatter_', (seen) => seen.sliceScatter_(om.zeros([2]), 0, 1, 3)],
    ['sliceScatter_', (seen) => seen.selectScatter_(om.zeros([]), 0, 1)],
    ['indexCopy_', (seen) => seen.indexCopy_(0, om.tensor([1], 'int64'), om.zeros([1]))],
    ['add_', (seen) => seen.detach().add_(1)],
  ].map(([how, update]) => [
    'InPlaceMutation',
    updated(update),
    `${how}: the buffer 'decoder.seen', float32[6],`,
    advice,
  ]),
  [
    'InPlaceMutation',
    (x, decoder) => {
      decoder.seen = decoder.seen.add(1);
      return x.mul(decoder.seen);
    },
    "field 'seen' was replaced",
    advice,
  ],
  [
    'InPlaceMutation',
    (x, decoder) => {
      decoder.weight = om.ones([6]);
      return x.mul(decoder.weight);
    },
    "field 'weight' was replaced",
    advice,
  ],
  [
    'InPlaceMutation',
    (_, { seen, weight }) => weight.copyFrom(seen),
    "copyFrom: the parameter 'decoder.weight'",
    advice,
  ],
  [
    'InPlaceMutation',
    (_, decoder) => decoder.loadStateDict({ seen: om.zeros([6]), weight: om.zeros([6]) }),
    "copyFrom: the buffer 'decoder.seen'",
    advice,
  ],
  [
    'InPlaceMutation',
    (_, { weight }) => {
      const optimizer = new om.optim.SGD([weight], { lr: 1 });
      try {
        optimizer.step();
      } finally {
        optimizer.dispose();
      }
    },
    "SGD: the parameter 'decoder.weight'",
    advice,
  ],
  ['NoGradInTrace', (x) => om.noGrad(() => x.neg()), 'no-grad mode'],
  [
    'SymbolicShape',
    (x) => x.slice(0, 0, 2),
    'Slice',
    'axis 0 of shape [batch, 6]',
    'select takes one',
    'gather several',
  ],
  ['SymbolicShape', (x) => x.slice(0, 1), 'Slice', 'axis 0 of shape [batch, 6]'],
  ['SymbolicShape', (x) => x.slice(0, 0, x.shape[0], 2), 'Slice', 'axis 0 of shape [batch, 6]'],
  ['SymbolicShape', (x) => om.concat([x, x, x, x], 1).reshape([8, 12]), 'Reshape', '[8, 12] can be read as'],
  ['SymbolicShape', (x) => x.reshape([2, 2, 6]), 'Reshape', 'every symbol must stay whole'],
  [
    'SymbolicShape',
    (x) => om.ops.resize(x.unsqueeze([0, 1]), null, null, [1, 1, 8, 12]),
    'Resize',
    'axis 2 of shape [1, 1, batch, 6]',
    'by a scale',
  ],
  ['SymbolicShape', (x) => x.add(om.zeros([x.shape[0], 6])), 'Add', '[4, 6]', 'equal in the example only'],
  ['SymbolicShape', (x) => om.ones([5, 4]).matmul(x), 'MatMul', '[batch, 6]', 'equal in the example only'],
  ['SymbolicShape', (x) => om.ops.nonZero(x), 'NonZero', 'depends on values'],
  ['SymbolicShape', (x) => x.reshape([sizeOf(x), -1]), `Reshape of ${x46}`, 'depends on values'],
  ['SymbolicShape', (x) => x.expand([sizeOf(x), 6]), `Expand of ${x46}`, 'depends on values'],
  ['SymbolicShape', (x) => om.zeros([sizeOf(x)]), 'ConstantOfShape', 'depends on values'],
  [
    'SymbolicShape',
    (x) => om.ops.resize(x.unsqueeze([0, 1]), null, null, sizeOf(x).expand([4])),
    'Resize of float32[1, 1, batch, 6]',
    'depends on values',
  ],
  ['SymbolicShape', (x) => om.ops.unsqueeze(x, sizeOf(x).reshape([1])), `Unsqueeze of ${x46}`, 'depends on values'],
  ['SymbolicShape', (x) => om.ops.reduceSum(x, sizeOf(x).reshape([1])), `ReduceSum of ${x46}`, 'depends on values'],
  [
    'SymbolicShape',
    (x) => om.ops.col2Im(x.unsqueeze(0), sizeOf(x).expand([2]), om.tensor([2, 2], 'int64')),
    'Col2Im of float32[1, batch, 6]',
    'depends on values',
  ],
  ['SymbolicShape', (x) => om.ops.split(x, null, { numOutputs: 2 }), 'Split', 'cuts a symbolic extent, batch'],
  ['SymbolicShape', (x) => om.nn.glu(x, { dim: 0 }), 'Split', 'cuts a symbolic extent, batch'],
  [
    'SymbolicShape',
    (x) => om.concat([x, x], 0).mean([0], true).expand([8, 6]),
    'Expand',
    '8 at axis 0 can be read as 8 or 2*batch',
  ],
  [
    'SymbolicShape',
    (x) => om.ops.gatherND(x, x.cast('int64').transpose(0, 1)),
    'GatherND',
    'have a symbolic last extent',
  ],
  ['UnsupportedOperation', (x) => x.backward(om.ones([4, 6])), 'backward', x46],
  ['UnsupportedOperation', (x) => x.sum().backward(), 'backward', 'float32[]'],
  ['UnsupportedOperation', (x) => om.nn.crossEntropy(x, classes()), 'crossEntropy', x46],
  ['UnsupportedOperation', (x) => om.nn.nllLoss(x, classes()), 'nllLoss', x46],
  [
    'UnsupportedOperation',
    (x) => om.nn.ctcLoss(x.unsqueeze(1), om.ones([1, 2], 'int64'), [4], [2]),
    'ctcLoss',
    '[batch, 1, 6]',
  ],
  ['UnsupportedOperation', (x) => om.nn.dropout(x, 0.5, true), 'dropout', x46],
  ['UnsupportedOperation', (x) => inTraining(new om.nn.Dropout(), x), 'dropout', x46],
  ['UnsupportedOperation', (x) => inTraining(new om.nn.BatchNorm1d(6), x), 'BatchNorm1d', x46],
  [
    'UnsupportedOperation',
    (x) => inTraining(new om.nn.InstanceNorm1d(6, { trackRunningStats: true }), x.unsqueeze(2)),
    'InstanceNorm1d',
    'float32[batch, 6, 1]',
  ],
  ['UnsupportedOperation', (x) => x.add(om.rand([6])), 'rand'],
  ['UnsupportedOperation', (x) => x.add(om.randn([6])), 'randn'],
  ['UnsupportedOperation', (x) => x.gather(om.randperm(4)), 'randperm'],
  ['UnsupportedOperation', (x) => x.add(om.ops.randomNormal({ shape: [6] })), 'RandomNormal'],
  ['UnsupportedOperation', (x) => inTraining(new om.nn.Linear(6, 2), x), 'random numbers'],
  ['InvalidUsage', () => om.trace((y) => y.neg(), om.ones([2])), 'tracing already'],
];

/** The layer as it is made: in training mode. */
function inTraining(layer, x) {
  try {
    return layer.forward(x);
  } finally {
    layer.dispose();
  }
}

for (const [kind, body, ...parts] of refusals) {
  test(`a trace refuses: ${kind}: ${body}`, () => {
    expectRefusal(body, (trace) => assertThrows(trace, om.TraceError, kind, "module 'decoder'", ...parts));
  });
}

test('a traced tensor is no feed of a session or of a program', () => {
  om.scope(() => {
    const x = om.ones([4, 6]);
    const graph = om.trace((each) => each.neg(), { x });
    const program = om.exportProgram((each) => each.neg(), [x]);
    const [session, ofProgram] = [graph.createSession(), program.createSession()];
    for (const [name, feed] of [
      ['run', (each) => session.runSync({ x: each })],
      ['profile', (each) => session.profile({ x: each })],
      ['run', (each) => ofProgram.runSync([each])],
    ]) {
      expectRefusal(feed, (trace) =>
        assertThrows(trace, om.TraceError, 'DataDependent', "module 'decoder'", ` ${name}: `, x46),
      );
    }
    for (const each of [session, ofProgram, graph, program]) each.dispose();
  });
});

test('what was kept from a trace before is a constant, and a kept size a number', () => {
  om.scope(() => {
    const kept = {};
    const before = om.trace(
      (x) => {
        Object.assign(kept, { y: x.neg(), size: x.dim(0) });
        for (const each of Object.values(kept)) each.keep();
        return x.exp();
      },
      om.ones([4, 6]),
      { axes: ['batch', null] },
    );
    assert.deepEqual(om.zeros([kept.size, 2]).shape, [4, 2]);
    const after = om.trace((x) => x.reshape([kept.size, 2]).add(kept.y.slice(1, 0, 2)), om.ones([2, 4]));
    assert.deepEqual(
      after.view().nodes.map(({ op }) => op),
      ['Reshape', 'Add'],
    );
    const y = after.createSession();
    assert.deepEqual([...y.runSync(om.ones([2, 4])).output.data], Array(8).fill(0));
    for (const each of [kept.y, kept.size, before, after, y]) each.dispose();
  });
});

test('a trace changes no gradients, no rates and no generator', () => {
  const net = new Net((x) => x);
  const { decoder } = net;
  const optimizer = new om.optim.SGD(net.parameters(), { lr: 0.5 });
  const schedule = new om.optim.StepLR(optimizer, 1);
  om.scope(() => {
    decoder.weight.grad = om.ones([6]);
    const generator = om.generatorState();
    const states = [optimizer.stateDict(), schedule.stateDict()];
    for (const [what, change] of [
      ['zeroGrad of float32[6]', () => optimizer.zeroGrad()],
      ['grad of float32[6]', () => net.zeroGrad()],
      ['setGrad of float32[6]', () => om.nn.clipGradValue(net.parameters(), 0.5)],
      ['SGD', () => Object.assign(optimizer, { lr: 3 })],
      ['SGD', () => optimizer.loadStateDict(states[0])],
      ['a schedule', () => schedule.step()],
      ['a schedule', () => schedule.loadStateDict(states[1])],
      ['manualSeed', () => om.manualSeed(5)],
      ['setGeneratorState', () => om.setGeneratorState({ seed: 5n, offset: 0n })],
    ]) {
      decoder.body = (x) => {
        change();
        return x.neg();
      };
      const trace = () => om.trace(net, om.ones([4, 6]));
      assertThrows(trace, om.TraceError, 'UnsupportedOperation', `${what} in module 'decoder' cannot be traced`);
      assert.deepEqual([...decoder.weight.grad.data], [1, 1, 1, 1, 1, 1], what);
      assert.deepEqual([optimizer.lr, schedule.lastEpoch], [0.5, 0], what);
      assert.deepEqual(om.generatorState(), generator, what);
    }
  });
  for (const each of [schedule, optimizer, net]) each.dispose();
});

test('a tensor of no module that was there before the trace is not changed either', () => {
  om.scope(() => {
    const older = om.ones([6]);
    const what = 'fill: float32[6], which was there before the trace,';
    expectRefusal(
      (x) => x.mul(older.fill(3)),
      (trace) => assertThrows(trace, om.TraceError, 'InPlaceMutation', "module 'decoder'", what, advice),
    );
    assert.deepEqual([...older.data], [1, 1, 1, 1, 1, 1]);
    older.fill(3);
    assert.deepEqual([...older.data], [3, 3, 3, 3, 3, 3]);
  });
});

// What is done to x, float32[3, 3, 1], in a function and in modules, the options, and what the message names.
const misuses = [
  [() => om.ones([2]), {}, "output 'output', float32[2]", 'does not depend on an input'],
  [(x) => ({ a: x.neg(), b: om.ones([2]) }), {}, "output 'b', float32[2]"],
  [(x) => ({ a: x.neg(), b: 3 }), {}, "'b'", 'expected a tensor, got'],
  [() => undefined, {}, 'returned no tensor'],
  [async (x) => x.neg(), {}, 'asynchronous'],
  [(x) => x.neg(), { outputNames: [] }, '1 outputs, got 0 names'],
  [(x) => [x.neg(), x.exp()], { outputNames: ['y', 'y'] }, "'y' is used twice"],
  [(x) => x.neg(), { outputNames: ['input'] }, "'input' is that of an input"],
  [(x) => x.neg(), { axes: ['n'] }, "'input' has rank 3, got 1 axis names"],
  [(x) => x.neg(), { axes: { x: ['n', null, null] } }, "unknown input 'x'", 'known: input'],
  [(x) => x.neg(), { axes: { 3: 'n' } }, "axis 3 of input 'input' is out of range for rank 3"],
  [(x) => x.neg(), { axes: { '0x1': 'n' } }, "axis 0x1 of input 'input' is out of range for rank 3"],
  [(x) => x.neg(), { axes: { '-3': 'n', 0: 'm' } }, "axes of input 'input': axis 0 has two names"],
  [(x) => x.neg(), { axes: ['n', 'm', null] }, "axis 1 of 'input', float32[3, 3, 1]", "'m'", "'n'", 'size 3'],
  [(x) => x.neg(), { axes: [null, null, 'n'] }, "axis 2 of 'input', float32[3, 3, 1]", "'n'", 'at least 2'],
  [(x) => x.neg(), { axes: ['n+1', null, null] }, "'n+1'"],
];

for (const [fn, options, ...parts] of misuses) {
  test(`a trace refuses: InvalidUsage: ${fn} with ${JSON.stringify(options)}`, () => {
    om.scope(() => {
      const example = om.ones([3, 3, 1]);
      const before = om.memory();
      assertThrows(() => om.trace(fn, example, options), om.TraceError, 'InvalidUsage', ...parts);
      assert.equal(om.memory().tensors, before.tensors);
      assert.equal(om.memory().bytes, before.bytes);
      om.trace((x) => x.neg(), example).dispose();
    });
    expectRefusal(fn, (trace) => assertThrows(trace, om.TraceError, 'InvalidUsage', ...parts), {
      shape: [3, 3, 1],
      options,
    });
  });
}

test('symbols of two inputs are told apart, and inputs are known', () => {
  om.scope(() => {
    const inputs = { a: om.ones([3, 2]), b: om.ones([4, 3]) };
    const refuse = (axes, ...parts) => {
      const trace = () => om.trace((a, b) => a.sum().add(b.sum()), inputs, { axes });
      assertThrows(trace, om.TraceError, 'InvalidUsage', ...parts);
    };
    refuse({ a: ['n', null], b: [null, 'm'] }, "axis 1 of 'b', float32[4, 3]", "'n'", "'m'", 'size 3');
    refuse({ a: ['n', null], b: ['n', null] }, "axis 0 of 'b', float32[4, 3]", "'n'", 'size 4', 'size 3');
    refuse({ c: ['n', null] }, "unknown input 'c'", 'a, b');
    refuse([['n', null]], 'a list of names for each of 2 inputs', 'got 1');
    refuse(['n', null], "axes of input 'a'", "'n'");
  });
});

// What is no refusal of the trace ends it in the same way.
test('other errors leave nothing either', () => {
  expectRefusal(
    () => {
      throw new RangeError('mine');
    },
    (trace) => assert.throws(trace, RangeError),
  );
  expectRefusal(
    (x) => x.neg().matmul(om.zeros([5, 5])),
    (trace) => assertThrows(trace, om.ShapeError, 'Shape', "module 'decoder'", 'MatMul'),
  );
  const disposed = (x) => {
    const y = x.neg();
    y.dispose();
    return y.add(x);
  };
  expectRefusal(disposed, (trace) => assertThrows(trace, om.ArgumentError, 'Disposed', 'Add'));
  const disposedOutput = (x) => {
    const y = x.neg();
    y.dispose();
    return y;
  };
  expectRefusal(disposedOutput, (trace) => assertThrows(trace, om.ArgumentError, 'Disposed', "output 'output'"));
  // A tensor has no iterator: nothing is read.
  expectRefusal(
    (x) => [...x],
    (trace) => assert.throws(trace, TypeError),
  );
});

test("modules of the engine have their mode back, not only the package's", () => {
  om.scope(() => {
    const ones = om.ones([100]);
    const drop = new om.nn.Dropout();
    const net = new om.nn.Sequential(drop, new Decoder((x) => x.data));
    assert.throws(() => om.trace(net, ones), om.TraceError);
    assert.ok(drop.forward(ones).data.includes(0), 'it drops as in training');
    net.dispose();
  });
});

test('a tensor kept from a trace that failed can be read afterwards', () => {
  let kept;
  om.scope(() => {
    const body = (x) => {
      kept = x.neg().keep();
      return kept.data;
    };
    assertThrows(() => om.trace(body, om.ones([2])), om.TraceError, 'DataDependent', 'data');
    assert.deepEqual([...kept.data], [-1, -1]);
    kept.dispose();
  });
});

test('tracing without gradients around it is no refusal', () => {
  om.scope(() => {
    const traced = om.noGrad(() => om.trace((x) => x.neg(), om.ones([2])));
    assert.equal(traced.view().nodes.length, 1);
    traced.dispose();
  });
});

test('resizing by a scale keeps a symbolic axis', () => {
  om.scope(() => {
    const x = om.rand([1, 1, 4, 3]);
    const scales = om.tensor([1, 1, 2.5, 2]);
    const model = (image) => om.ops.resize(image, null, scales, null, { mode: 'linear' });
    const traced = om.trace(model, x, { axes: [null, null, 'h', null], verify: { h: 6 } });
    assert.ok(traced.verification.ok, traced.verification.message);
    const { values, outputs } = traced.view();
    assert.match(String(values[outputs[0]].shape[2]), /h/);
    traced.dispose();
  });
});

// One element, repeated by a view: other operators would take as much memory for a copy.
test('a constant over 2 GiB is refused where it is used', () => {
  om.scope(() => {
    const table = om.full([1, 1, 1], 2).expand([1, 2 ** 28, 3]);
    expectRefusal(
      (x) =>
        x.mul(
          table
            .expand([x.dim(0), 2 ** 28, 3])
            .dim(0)
            .cast('float32'),
        ),
      (trace) =>
        assertThrows(
          trace,
          om.TraceError,
          'UnsupportedOperation',
          "operand 'input' of Expand",
          "module 'decoder'",
          'float32[1, 268435456, 3]',
          'over the 2 GiB',
        ),
    );
  });
});

test('dropout within layers in training mode is refused with the path of the layer', () => {
  const options = { numLayers: 2, dropout: 0.5 };
  const [d, part] = [4, { dimFeedforward: 6, dropout: 0.5 }];
  for (const [make, path, forward] of [
    [() => new om.nn.RNN(4, 4, options), 'layer', (layer, x) => layer.forward(x)[0]],
    [() => new om.nn.GRU(4, 4, options), 'layer', (layer, x) => layer.forward(x)[0]],
    [() => new om.nn.LSTM(4, 4, options), 'layer', (layer, x) => layer.forward(x)[0]],
    [() => new om.nn.MultiheadAttention(d, 2, { dropout: 0.5 }), 'layer', (layer, x) => layer.forward(x)],
    [() => new om.nn.TransformerEncoderLayer(d, 2, part), 'layer.self_attn', (layer, x) => layer.forward(x)],
    [() => new om.nn.TransformerDecoderLayer(d, 2, part), 'layer.self_attn', (layer, x) => layer.forward(x, x)],
  ]) {
    class Outer extends om.nn.Module {
      layer = make();
      forward(x) {
        return forward(this.layer, x);
      }
    }
    const outer = new Outer();
    om.scope(() => {
      const x = om.rand([5, 2, 4]);
      const trace = () => om.trace((each) => outer.forward(each), x);
      assertThrows(trace, om.TraceError, 'UnsupportedOperation', 'dropout', `module '${path}'`);
      outer.eval();
      trace().dispose();
    });
    outer.dispose();
  }
});
