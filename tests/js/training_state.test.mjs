// The state of optimizers and schedules, and runs that stop and go on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { disposeAll, twoGroups } from './optim_support.mjs';
import { assertThrows, useEngine } from './support.mjs';

await useEngine();

test('a state that is none changes nothing', () => {
  const { parameters, optimizer } = twoGroups(om.optim.Adam, [0.1, 0.2]);
  const schedule = new om.optim.StepLR(optimizer, 2);
  om.scope(() => {
    for (const each of parameters) each.grad = om.ones(each.shape);
    optimizer.step();
    const texts = (each) => Object.entries(each.stateDict()).map(String);
    const before = [texts(optimizer), texts(schedule)];
    for (const [name, value] of [
      ['state.0.step', om.tensor(-5, 'int64')],
      ['param_groups.0.params', om.tensor([1], 'int64')],
      ['param_groups.1.lr', om.tensor(-1, 'float64')],
    ]) {
      const state = { ...optimizer.stateDict(), [name]: value };
      assertThrows(() => optimizer.loadStateDict(state), om.ModelError, 'Malformed');
    }
    for (const [name, value] of [
      ['last_epoch', om.tensor(-3, 'int64')],
      ['last_epoch', om.tensor(1.5)],
      ['base_lrs', om.tensor([0.1, Number.NaN], 'float64')],
    ]) {
      const state = { ...schedule.stateDict(), [name]: value };
      assertThrows(() => schedule.loadStateDict(state), om.ModelError, 'Malformed', name);
    }
    assert.deepEqual([texts(optimizer), texts(schedule)], before);
  });
  disposeAll(schedule, optimizer, parameters);
});

test('the state of an optimizer holds options and parameters by group', () => {
  const { parameters, optimizer } = twoGroups(om.optim.SGD, [0.4, 0.1], { momentum: 0.5 });
  om.scope(() => {
    parameters[1].grad = om.ones([1]);
    optimizer.step();
    const state = optimizer.stateDict();
    const options = ['lr', 'momentum', 'dampening', 'weight_decay', 'nesterov', 'params'];
    assert.deepEqual(
      Object.keys(state).sort(),
      [
        ...[0, 1].flatMap((group) => options.map((name) => `param_groups.${group}.${name}`)),
        'state.1.step',
        'state.1.momentum_buffer',
      ].sort(),
    );
    assert.deepEqual(state['param_groups.1.params'].toArray(), [1n]);
    assert.equal(state['param_groups.0.lr'].item(), 0.4);
    assert.equal(state['param_groups.0.nesterov'].dtype, 'bool');
    const wrong = { ...state, 'param_groups.0.lr': om.tensor(-1, 'float64'), 'param_groups.1.params': om.ones([2]) };
    optimizer.lr = 3;
    assertThrows(() => optimizer.loadStateDict(wrong), om.ModelError, 'Malformed', 'lr', '-1', 'param_groups.1.params');
    assert.equal(optimizer.lr, 3);
    optimizer.loadStateDict(state);
    assert.deepEqual(
      optimizer.paramGroups.map(({ lr }) => lr),
      [0.4, 0.1],
    );
  });
  disposeAll(optimizer, parameters);
});

// --- a run that stops and goes on -------------------------------------------------------------------------------------

class Net extends om.nn.Module {
  hidden = new om.nn.Linear(3, 8);
  drop = new om.nn.Dropout({ p: 0.25 });
  out = new om.nn.Linear(8, 2);
  forward(x) {
    return this.out.forward(this.drop.forward(this.hidden.forward(x).tanh()));
  }
}

const examples = 12;
const batch = 4;

/** Each optimizer with groups, and a schedule for it. */
const runs = {
  SGD: [{ momentum: 0.9, nesterov: true }, (o) => new om.optim.OneCycleLR(o, [0.1, 0.05], 12)],
  Adam: [{ weightDecay: 0.01 }, (o) => new om.optim.CosineAnnealingLR(o, 12)],
  AdamW: [{}, (o) => new om.optim.LinearLR(o)],
  RMSprop: [{ momentum: 0.5, centered: true }, (o) => new om.optim.StepLR(o, 2)],
  Adagrad: [{ lrDecay: 0.1 }, (o) => new om.optim.MultiStepLR(o, [2, 5])],
};

function makeRun(name, seed, lr) {
  const [options, makeSchedule] = runs[name];
  om.manualSeed(seed);
  const model = new Net();
  const groups = [{ params: model.hidden.parameters() }, { params: model.out.parameters(), lr: lr / 10 }];
  const optimizer = new om.optim[name](groups, { ...options, lr });
  const schedule = makeSchedule(optimizer);
  return { model, optimizer, schedule, dispose: () => disposeAll(schedule, optimizer, model) };
}

/** One pass over shuffled data: `examples / batch` steps. */
function trainEpoch({ model, optimizer, schedule }) {
  om.scope(() => {
    const x = om.tensor(Float32Array.from({ length: 3 * examples }, (_, i) => Math.sin(i))).reshape([examples, 3]);
    const y = om.tensor(Array.from({ length: examples }, (_, i) => i % 2)).cast('int64');
    const order = om.randperm(examples);
    for (let at = 0; at < examples; at += batch) {
      const rows = order.slice(0, at, at + batch);
      const loss = om.nn.crossEntropy(model.forward(om.ops.gather(x, rows)), om.ops.gather(y, rows), {
        labelSmoothing: 0.1,
      });
      optimizer.zeroGrad();
      loss.backward();
      om.nn.clipGradNorm(model.parameters(), 1);
      optimizer.step();
      schedule.step();
    }
  });
}

const bitsOf = ({ model, optimizer }) =>
  om.scope(() =>
    Object.entries({ ...model.stateDict(), ...optimizer.stateDict() }).map(([name, each]) => [
      name,
      String(each.detach().reshape([-1]).toArray()),
    ]),
  );

for (const name of Object.keys(runs)) {
  test(`a resumed run of ${name} gives the bits of an uninterrupted one`, () => {
    const whole = makeRun(name, 7, 0.05);
    for (let epoch = 0; epoch < 4; epoch++) trainEpoch(whole);
    const first = makeRun(name, 7, 0.05);
    for (let epoch = 0; epoch < 2; epoch++) trainEpoch(first);
    const file = om.saveCheckpoint(first.model, first.optimizer, first.schedule);
    first.dispose();
    const second = makeRun(name, 99, 3);
    om.loadCheckpoint(file, second.model, second.optimizer, second.schedule);
    for (let epoch = 0; epoch < 2; epoch++) trainEpoch(second);
    assert.deepEqual(bitsOf(second), bitsOf(whole));
    assert.notDeepEqual(second.schedule.getLastLr(), [3, 0.3]);
    whole.dispose();
    second.dispose();
  });
}

test('a checkpoint without the schedule changes nothing', () => {
  const run = makeRun('Adam', 1, 0.05);
  const file = om.saveCheckpoint(run.model, run.optimizer);
  trainEpoch(run);
  const before = bitsOf(run);
  assertThrows(
    () => om.loadCheckpoint(file, run.model, run.optimizer, run.schedule),
    om.ModelError,
    'Malformed',
    'last_epoch',
  );
  assert.deepEqual(bitsOf(run), before);
  run.dispose();
});

test('a checkpoint keeps a rate that was set by hand', () => {
  om.scope(() => {
    const run = () => {
      const module = new om.nn.Linear(2, 1);
      const optimizer = new om.optim.SGD(module.parameters(), { lr: 0.1, momentum: 0.9 });
      const schedule = new om.optim.StepLR(optimizer, 3, { gamma: 0.5 });
      return { module, optimizer, schedule, all: [module, optimizer, schedule] };
    };
    const whole = run();
    const second = run();
    const step = ({ module, optimizer, schedule }) => {
      for (const each of module.parameters()) each.grad = om.ones(each.shape);
      optimizer.step();
      schedule.step();
    };
    const resume = () => {
      const file = om.saveCheckpoint(whole.module, whole.optimizer, whole.schedule);
      om.loadCheckpoint(file, second.module, second.optimizer, second.schedule);
    };
    for (let i = 0; i < 4; i++) {
      step(whole);
      if (i === 2) whole.optimizer.lr = 0.5;
      resume();
      assert.equal(second.optimizer.lr, whole.optimizer.lr);
    }
    assert.equal(second.optimizer.lr, 0.05);
    for (const each of [whole, second]) step(each);
    const bits = ({ module }) => module.parameters().map((each) => Array.from(each.data));
    assert.deepEqual(bits(second), bits(whole));
    disposeAll(whole.all, second.all);
  });
});

test('a trace refuses a checkpoint before anything is loaded', () => {
  const module = new om.nn.Linear(2, 1);
  const optimizer = new om.optim.SGD(module.parameters(), { lr: 0.1 });
  const file = om.saveCheckpoint(module, optimizer);
  optimizer.lr = 0.5;
  const load = (x) => {
    om.loadCheckpoint(file, module, optimizer);
    return module.forward(x);
  };
  om.scope(() => assert.throws(() => om.trace(load, om.ones([1, 2])), om.TraceError));
  assert.equal(optimizer.lr, 0.5);
  disposeAll(module, optimizer);
});
