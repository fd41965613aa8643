import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, useEngine } from './support.mjs';

await useEngine();

class Mlp extends om.nn.Module {
  hidden = new om.nn.Linear(2, 16);
  out = new om.nn.Linear(16, 1);
  forward(x) {
    return this.out.forward(this.hidden.forward(x).tanh());
  }
}

function xor() {
  return [
    om.tensor([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]),
    om.tensor([[0], [1], [1], [0]]),
  ];
}

function trainSteps(model, optimizer, steps) {
  let last = 0;
  const [x, y] = xor();
  for (let i = 0; i < steps; i++) {
    last = om.scope(() => {
      const loss = om.nn.mseLoss(model.forward(x), y);
      optimizer.zeroGrad();
      loss.backward();
      optimizer.step();
      return loss.item();
    });
  }
  x.dispose();
  y.dispose();
  return last;
}

const bytesOf = (model) => model.parameters().map((each) => Array.from(each.data));

test('a small network learns exclusive or', () => {
  om.manualSeed(3);
  const model = new Mlp();
  const optimizer = new om.optim.Adam(model.parameters(), { lr: 0.02 });
  assert.ok(trainSteps(model, optimizer, 400) < 0.01);
  model.dispose();
  optimizer.dispose();
});

test('a resumed run gives the bits of an uninterrupted one', () => {
  const start = () => {
    om.manualSeed(5);
    const model = new Mlp();
    return [model, new om.optim.Adam(model.parameters(), { lr: 0.01 })];
  };
  const [whole, wholeOptimizer] = start();
  trainSteps(whole, wholeOptimizer, 20);
  const [first, firstOptimizer] = start();
  trainSteps(first, firstOptimizer, 10);
  const file = om.saveCheckpoint(first, firstOptimizer);
  const second = new Mlp();
  const secondOptimizer = new om.optim.Adam(second.parameters(), { lr: 0.5 });
  om.loadCheckpoint(file, second, secondOptimizer);
  trainSteps(second, secondOptimizer, 10);
  assert.deepEqual(bytesOf(second), bytesOf(whole));
  for (const each of [whole, wholeOptimizer, first, firstOptimizer, second, secondOptimizer]) each.dispose();
});

test('a checkpoint that does not fit changes nothing', () => {
  const model = new Mlp();
  const optimizer = new om.optim.Adam(model.parameters(), { lr: 0.01 });
  trainSteps(model, optimizer, 1);
  const { ModelError } = om;
  om.scope(() => {
    const { tensors } = om.loadSafetensors(om.saveCheckpoint(model, optimizer));
    const { generator, 'out.weight': weight, 'optimizer.state.0.exp_avg': moment, ...rest } = tensors;
    assert.deepEqual([generator.dtype, generator.shape], ['uint64', [2]]);
    const before = [bytesOf(model), om.generatorState()];
    const load = (state) => om.loadCheckpoint(om.saveSafetensors(state), model, optimizer);
    for (const each of model.parameters()) om.noGrad(() => each.copyFrom(each.add(1)));
    before[0] = bytesOf(model);
    assertThrows(
      () => load({ ...tensors, generator: om.ones([2]) }),
      ModelError,
      'Malformed',
      'generator',
      'float32[2]',
    );
    assertThrows(() => load({ ...rest, generator, 'out.weight': weight }), ModelError, 'Malformed', 'exp_avg');
    const without = { ...rest, generator, 'optimizer.state.0.exp_avg': moment };
    assertThrows(() => load(without), ModelError, 'Malformed', "missing 'out.weight'");
    assert.deepEqual([bytesOf(model), om.generatorState()], before);
  });
  model.dispose();
  optimizer.dispose();
});

test('a checkpoint that goes beyond the schedule changes nothing', () => {
  const made = (total) => {
    const model = new Mlp();
    const optimizer = new om.optim.SGD(model.parameters(), { lr: 0.1, momentum: 0.9 });
    return { model, optimizer, schedule: new om.optim.OneCycleLR(optimizer, 0.5, total) };
  };
  const [long, short] = [made(100), made(10)];
  for (let i = 0; i < 50; i++) long.schedule.step();
  const checkpoint = ({ model, optimizer, schedule }) => om.saveCheckpoint(model, optimizer, schedule);
  const before = checkpoint(short);
  const load = () => om.loadCheckpoint(checkpoint(long), short.model, short.optimizer, short.schedule);
  assertThrows(load, om.ModelError, 'Malformed', 'last_epoch', 'step 50 is beyond the last, 10');
  assert.deepEqual(checkpoint(short), before);
  for (const { model, optimizer, schedule } of [long, short])
    for (const each of [schedule, optimizer, model]) each.dispose();
});

test('a disposed module has no checkpoint', () => {
  const model = new Mlp();
  const file = om.saveCheckpoint(model);
  model.out.weight.dispose();
  const refuse = (fn, ...parts) => assertThrows(fn, om.ArgumentError, 'Disposed', ...parts);
  refuse(() => om.saveCheckpoint(model.out), 'saveCheckpoint', "'weight'");
  model.out.dispose();
  refuse(() => om.saveCheckpoint(model), 'saveCheckpoint', "'out' of the module was disposed of");
  refuse(() => om.loadCheckpoint(file, model), 'loadCheckpoint', "'out'");
  model.dispose();
  class Own extends om.nn.Module {
    scale = om.nn.parameter([2]);
    forward(x) {
      return x.mul(this.scale);
    }
  }
  const own = new Own();
  own.dispose();
  refuse(() => om.saveCheckpoint(own), "'scale' of the module was disposed of");
});

test('a checkpoint without optimizer restores module and generator', () => {
  const model = new Mlp();
  om.manualSeed(2n ** 64n - 1n);
  const file = om.saveCheckpoint(model);
  const before = [bytesOf(model), om.generatorState()];
  model.hidden.weight.fill(0);
  om.manualSeed(0);
  om.loadCheckpoint(file, model);
  assert.deepEqual([bytesOf(model), om.generatorState()], before);
  model.generator = om.nn.parameter([1]);
  assertThrows(() => om.saveCheckpoint(model), om.ArgumentError, 'Argument', "'generator'");
  model.dispose();
});

test('memory is the same after 1,000 and 10,000 steps', () => {
  const model = new Mlp();
  const optimizer = new om.optim.Adam(model.parameters());
  trainSteps(model, optimizer, 1000);
  const before = om.memory();
  trainSteps(model, optimizer, 9000);
  assert.deepEqual(om.memory(), before);
  model.dispose();
  optimizer.dispose();
});

test('loadStateDict lists every problem and changes nothing', () => {
  om.scope(() => {
    const model = new Mlp();
    const before = bytesOf(model);
    const state = { 'hidden.weight': om.ones([2, 2]), 'hidden.bias': om.ones([16]), extra: om.ones([1]) };
    assertThrows(
      () => model.loadStateDict(state),
      om.ModelError,
      'Malformed',
      "missing 'out.weight'",
      "unexpected 'extra'",
      "'hidden.weight' has shape [2,2], expected [16,2]",
    );
    assert.deepEqual(bytesOf(model), before);
    model.loadStateDict({ 'hidden.bias': om.ones([16]) }, { strict: false });
    assert.deepEqual(Array.from(model.hidden.bias.data), Array(16).fill(1));
    model.dispose();
  });
});

test('safetensors files round-trip with metadata and refuse bad bytes', () => {
  om.scope(() => {
    const file = om.saveSafetensors({ a: om.tensor([[1, 2]]), b: om.tensor([3n]) }, { made: 'here' });
    const { tensors, metadata } = om.loadSafetensors(file);
    assert.deepEqual(tensors.a.toArray(), [[1, 2]]);
    assert.deepEqual(tensors.b.toArray(), [3n]);
    assert.equal(metadata.made, 'here');
    const odd = Object.fromEntries([['__proto__', om.tensor([7])]]);
    const again = om.loadSafetensors(om.saveSafetensors(odd, Object.fromEntries([['__proto__', 'text']])));
    assert.deepEqual(Object.keys(again.tensors), ['__proto__']);
    assert.deepEqual(Object.entries(again.tensors)[0][1].toArray(), [7]);
    assert.deepEqual(Object.entries(again.metadata), [['__proto__', 'text']]);
    assertThrows(() => om.loadSafetensors(file.subarray(0, file.length - 1)), om.ModelError, 'Truncated');
    assertThrows(() => om.loadSafetensors(new Uint8Array(4)), om.ModelError, 'Truncated');
  });
});

/** A safetensors file of `header` with `data`, laid out byte by byte. */
function safetensorsOf(header, data) {
  const text = new TextEncoder().encode(header);
  const file = new Uint8Array(8 + text.length + data.length);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  file.set(data, 8 + text.length);
  return file;
}

test('safetensors files of other writers load: metadata first, padding, any order of the data', () => {
  const small = '{"test":{"dtype":"I32","shape":[2,2],"data_offsets":[0,16]}}';
  const integers = new Uint8Array(Int32Array.of(1, -2, 3, 4).buffer);
  const mixed =
    '{"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},' +
    '"half":{"dtype":"BF16","shape":[1],"data_offsets":[4,6]},"a":{"dtype":"BOOL","shape":[2],"data_offsets":[6,8]},' +
    '"none":{"dtype":"F32","shape":[0,3],"data_offsets":[8,8]}}';
  om.scope(() => {
    for (const header of [small, small.padEnd(64)]) {
      const { tensors, metadata } = om.loadSafetensors(safetensorsOf(header, integers));
      assert.deepEqual(tensors.test.data, Int32Array.of(1, -2, 3, 4));
      assert.deepEqual(tensors.test.shape, [2, 2]);
      assert.deepEqual(metadata, {});
    }
    const data = [0, 0, 0xc0, 0x3f, 0x80, 0x3f, 1, 0];
    const { tensors, metadata } = om.loadSafetensors(safetensorsOf(mixed, data));
    assert.deepEqual(metadata, { format: 'pt' });
    assert.deepEqual(Object.fromEntries(Object.entries(tensors).map(([name, each]) => [name, each.toArray()])), {
      a: [true, false],
      b: [1.5],
      half: [1],
      none: [],
    });
  });
});

test('our safetensors files have the layout of the format', () => {
  om.scope(() => {
    const file = om.saveSafetensors({ z: om.ones([2], 'float64'), a: om.tensor([true]), m: om.ones([3]) }, { k: 'v' });
    const length = Number(new DataView(file.buffer).getBigUint64(0, true));
    assert.equal(length % 8, 0);
    const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)));
    assert.deepEqual(header, {
      __metadata__: { k: 'v' },
      z: { dtype: 'F64', shape: [2], data_offsets: [0, 16] },
      m: { dtype: 'F32', shape: [3], data_offsets: [16, 28] },
      a: { dtype: 'BOOL', shape: [1], data_offsets: [28, 29] },
    });
    assert.equal(file.length, 8 + length + 29);
  });
});

test('native modules have PyTorch names, defaults and modes', () => {
  const conv = new om.nn.Conv2d(2, 4, 3, { stride: 2, padding: 1 });
  assert.deepEqual(conv.weight.shape, [4, 2, 3, 3]);
  assert.deepEqual(Object.keys(conv.stateDict()), ['weight', 'bias']);
  const norm = new om.nn.BatchNorm2d(4);
  assert.deepEqual(Object.keys(norm.stateDict()), [
    'weight',
    'bias',
    'running_mean',
    'running_var',
    'num_batches_tracked',
  ]);
  const net = new om.nn.Sequential(conv, norm, new om.nn.ReLU(), new om.nn.Flatten());
  om.scope(() => {
    assert.deepEqual(net.forward(om.ones([2, 2, 8, 8])).shape, [2, 64]);
    assert.notDeepEqual(norm.running_mean.toArray(), [0, 0, 0, 0]);
    net.eval();
    const mean = norm.running_mean.toArray();
    net.forward(om.ones([2, 2, 8, 8]));
    assert.deepEqual(norm.running_mean.toArray(), mean);
  });
  assert.equal(norm.training, false);
  assertThrows(() => new om.nn.Conv2d(2, 4), om.ArgumentError, 'Argument', 'Conv2d', 'kernelSize');
  net.dispose();
});
