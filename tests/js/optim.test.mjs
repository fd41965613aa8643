// Parameter groups, schedules and the state of a training run.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, scaledError, useEngine } from './support.mjs';

await useEngine();

const goldens = JSON.parse(readFileSync(new URL('../data/nn/goldens.json', import.meta.url)));
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const camelKeys = (options) => Object.fromEntries(Object.entries(options).map(([key, each]) => [camel(key), each]));
const classes = { sgd: 'SGD', adam: 'Adam', adamw: 'AdamW', rmsprop: 'RMSprop', adagrad: 'Adagrad' };

/** Two parameters of shape [1] in groups with these rates. */
function twoGroups(Optimizer, rates, options = {}) {
  const parameters = rates.map(() => om.nn.parameter([1]));
  const groups = parameters.map((each, i) => ({ params: [each], lr: rates[i] }));
  return { parameters, optimizer: new Optimizer(groups, options) };
}

function disposeAll(...items) {
  for (const each of items.flat()) each.dispose();
}

for (const [name, golden] of Object.entries(goldens.grouped_optimizers)) {
  test(`${classes[name]} steps each group by its options as PyTorch does`, () => {
    om.scope(() => {
      const parameters = golden.parameters.map(({ shape, data }) => om.nn.parameter(om.tensor(data).reshape(shape)));
      const groups = golden.groups.map((options, i) => ({ params: [parameters[i]], ...camelKeys(options) }));
      const optimizer = new om.optim[classes[name]](groups);
      golden.gradients.forEach((gradients, step) => {
        gradients.forEach(({ shape, data }, i) => {
          parameters[i].grad = om.tensor(data).reshape(shape);
        });
        optimizer.step();
        parameters.forEach((each, i) => {
          const got = Array.from(each.data);
          assert.ok(scaledError(got, golden.after[step][i].data) < 2e-7, `step ${step}, parameter ${i}`);
        });
      });
      disposeAll(optimizer, parameters);
    });
  });
}

test('groups take what they leave out from the options, and have them as fields', () => {
  const { parameters, optimizer } = twoGroups(om.optim.Adam, [1e-4, undefined], { lr: 1e-3, weightDecay: 0.5 });
  const [slow, fast] = optimizer.paramGroups;
  assert.deepEqual(Object.keys(slow), ['params', 'lr', 'betas', 'eps', 'weightDecay', 'amsgrad']);
  assert.equal(slow.params[0], parameters[0]);
  assert.deepEqual([slow.lr, fast.lr, slow.weightDecay, slow.betas], [1e-4, 1e-3, 0.5, [0.9, 0.999]]);
  fast.lr = 0.25;
  fast.betas = [0.5, 0.75];
  assert.deepEqual([slow.lr, fast.lr, fast.betas, optimizer.lr], [1e-4, 0.25, [0.5, 0.75], 1e-4]);
  optimizer.lr = 2;
  assert.deepEqual(
    optimizer.paramGroups.map(({ lr }) => lr),
    [2, 2],
  );
  const more = om.nn.parameter([2]);
  optimizer.addParamGroup({ params: [more], eps: 1e-4 });
  assert.deepEqual([optimizer.paramGroups[2].lr, optimizer.paramGroups[2].eps], [1e-3, 1e-4]);
  disposeAll(optimizer, parameters, more);
});

test('truth values of groups are truth values', () => {
  const { parameters, optimizer } = twoGroups(om.optim.SGD, [1, 2], { momentum: 0.5 });
  const [group] = optimizer.paramGroups;
  assert.equal(group.nesterov, false);
  group.nesterov = true;
  assert.equal(group.nesterov, true);
  disposeAll(optimizer, parameters);
});

test('optimizers refuse groups and options that do not fit', () => {
  const { parameters, optimizer } = twoGroups(om.optim.SGD, [1, 2]);
  const refuse = (fn, ...parts) => assertThrows(fn, om.ArgumentError, 'Argument', ...parts);
  const [first, second] = parameters;
  refuse(() => new om.optim.SGD(first), 'SGD', 'Tensor');
  refuse(() => new om.optim.SGD([]), 'SGD: there are no parameters');
  refuse(() => new om.optim.SGD([3]), 'SGD: tensors', 'a number');
  refuse(() => new om.optim.SGD([{ params: [first] }, second]), 'SGD: a group', 'Tensor');
  refuse(() => new om.optim.SGD([{ params: [first] }, { params: [first] }]), 'SGD: parameter 0 of group 1');
  refuse(() => new om.optim.SGD([{ params: [first] }, { params: [second], lr: -1 }]), 'SGD: lr', '-1');
  refuse(() => new om.optim.SGD([{ params: [first], lr: 'fast' }]), "SGD: 'lr'");
  refuse(() => {
    optimizer.paramGroups[1].momentum = -1;
  }, 'SGD: momentum must not be negative');
  refuse(() => {
    optimizer.lr = undefined;
  }, 'SGD: lr cannot be undefined');
  refuse(() => {
    optimizer.lr = Number.NaN;
  }, 'SGD: lr');
  refuse(() => optimizer.addParamGroup({ params: [second] }), 'is there already');
  refuse(() => new om.optim.SGD([{ lr: 0.1 }]), 'SGD: a group { params: […] }', 'one without a list of params (lr)');
  refuse(() => new om.optim.SGD([first], { momentum: null }), 'SGD: momentum cannot be null');
  refuse(() => new om.optim.SGD([{ params: [first], momentum: null }]), 'SGD: momentum cannot be null');
  assert.equal(optimizer.paramGroups.length, 2);
  const { paramGroups } = optimizer;
  assert.throws(() => {
    paramGroups[0].params = [];
  }, TypeError);
  assert.throws(() => {
    paramGroups[0].weight_decay = 1;
  }, TypeError);
  optimizer.dispose();
  assertThrows(() => paramGroups[0].lr, om.ArgumentError, 'Disposed', 'optimizer');
  disposeAll(parameters);
});

test('lists among the options are set as a whole', () => {
  const { parameters, optimizer } = twoGroups(om.optim.Adam, [1, 2]);
  const [group] = optimizer.paramGroups;
  assert.throws(() => {
    group.betas[0] = 0.5;
  }, TypeError);
  group.betas = [0.5, 0.9];
  assert.deepEqual(group.betas, [0.5, 0.9]);
  disposeAll(optimizer, parameters);
});

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

/** The values of `steps` steps of rates and momenta: [step][group]. */
function courseOf(optimizer, schedule, steps) {
  const momentum = (group) => group.betas?.[0] ?? group.momentum;
  const course = [[], []];
  for (let step = 0; step < steps; step++) {
    course[0].push(schedule.getLastLr());
    course[1].push(optimizer.paramGroups.map(momentum));
    if (step + 1 < steps) schedule.step();
  }
  return course;
}

const sgd = () => twoGroups(om.optim.SGD, [0.4, 0.1], { momentum: 0.9 });
const schedules = {
  multi_step: [sgd, (o) => new om.optim.MultiStepLR(o, [2, 3, 6], { gamma: 0.5 })],
  linear: [sgd, (o) => new om.optim.LinearLR(o, { startFactor: 0.5, totalIters: 3 })],
  one_cycle: [sgd, (o) => new om.optim.OneCycleLR(o, [1, 0.5], 10)],
  one_cycle_linear: [
    sgd,
    (o) =>
      new om.optim.OneCycleLR(o, 1, 12, {
        pctStart: 0.4,
        annealStrategy: 'linear',
        threePhase: true,
        baseMomentum: 0.5,
        maxMomentum: 0.75,
        divFactor: 10,
        finalDivFactor: 100,
      }),
  ],
  one_cycle_betas: [() => twoGroups(om.optim.Adam, [0.4, 0.1]), (o) => new om.optim.OneCycleLR(o, 1, 10)],
};

for (const [name, [makeOptimizer, makeSchedule]] of Object.entries(schedules)) {
  test(`the schedule ${name} has PyTorch's rates and momenta for groups`, () => {
    const [rates, momenta] = goldens.grouped_schedules[name];
    const { parameters, optimizer } = makeOptimizer();
    const schedule = makeSchedule(optimizer);
    const got = courseOf(optimizer, schedule, rates.length);
    assert.ok(scaledError(got[0].flat(), rates.flat()) < 1e-12);
    const first = momenta.map((groups) => groups.map((each) => (Array.isArray(each) ? each[0] : each)));
    assert.ok(scaledError(got[1].flat(), first.flat()) < 1e-12);
    assert.equal(schedule.lastEpoch, rates.length - 1);
    disposeAll(schedule, optimizer, parameters);
  });
}

const plainSchedules = {
  step: (o) => new om.optim.StepLR(o, 3, { gamma: 0.5 }),
  cosine: (o) => new om.optim.CosineAnnealingLR(o, 5, { etaMin: 0.1 }),
  linear: (o) => new om.optim.LinearLR(o, { startFactor: 0.25, totalIters: 4 }),
  one_cycle: (o) => new om.optim.OneCycleLR(o, 1, 10, { cycleMomentum: false }),
};

for (const [name, makeSchedule] of Object.entries(plainSchedules)) {
  test(`the schedule ${name} has PyTorch's rates, also when it is resumed`, () => {
    const golden = goldens.schedules[name];
    const parameter = om.nn.parameter([1]);
    const optimizer = new om.optim.SGD([parameter], { lr: 0.4 });
    let schedule = makeSchedule(optimizer);
    golden.forEach((rate, step) => {
      assert.ok(Math.abs(optimizer.lr - rate) < 1e-12, `step ${step}`);
      schedule.step();
      if (step !== 2) return;
      om.scope(() => {
        const state = schedule.stateDict();
        assert.deepEqual(Object.keys(state).sort(), ['base_lrs', 'last_epoch']);
        schedule.dispose();
        optimizer.lr = 7;
        schedule = makeSchedule(optimizer);
        schedule.loadStateDict(state);
      });
    });
    disposeAll(schedule, optimizer, parameter);
  });
}

test('schedules refuse what does not fit', () => {
  const { parameters, optimizer } = twoGroups(om.optim.SGD, [0.4, 0.1]);
  const refuse = (fn, ...parts) => assertThrows(fn, om.ArgumentError, 'Argument', ...parts);
  refuse(() => new om.optim.StepLR(parameters[0], 1), 'StepLR: expected an optimizer', 'Tensor');
  refuse(() => new om.optim.StepLR(optimizer), 'StepLR', 'stepSize');
  refuse(() => new om.optim.OneCycleLR(optimizer, [1, 2, 3], 5), 'OneCycleLR: maxLr');
  const adagrad = new om.optim.Adagrad([parameters[0]]);
  refuse(() => new om.optim.OneCycleLR(adagrad, 1, 5), 'cycleMomentum', 'Adagrad');
  const schedule = new om.optim.StepLR(optimizer, 1);
  om.scope(() => {
    const { last_epoch: _, ...rest } = schedule.stateDict();
    const state = { ...rest, base_lrs: om.zeros([3], 'float64') };
    assert.equal(schedule.stateProblems(state).length, 2);
    assertThrows(() => schedule.loadStateDict(state), om.ModelError, 'Malformed', 'last_epoch', 'base_lrs', '[3]');
  });
  optimizer.dispose();
  schedule.step(); // the engine's optimizer lives as long as its schedule
  assert.ok(Math.abs(schedule.getLastLr()[0] - 0.04) < 1e-12);
  schedule.dispose();
  assertThrows(() => schedule.step(), om.ArgumentError, 'Disposed', 'schedule');
  disposeAll(adagrad, parameters);
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

test('groups are added by addParamGroup alone', () => {
  const { parameters, optimizer } = twoGroups(om.optim.SGD, [1, 2]);
  const more = om.nn.parameter([1]);
  const push = () => optimizer.paramGroups.push({ params: [more] });
  assertThrows(push, om.ArgumentError, 'Argument', 'SGD: paramGroups', 'addParamGroup');
  assert.throws(() => {
    optimizer.paramGroups[2] = { params: [more] };
  }, TypeError);
  optimizer.addParamGroup({ params: [more] });
  assert.equal(optimizer.paramGroups.length, 3);
  optimizer.lr = 0.5;
  assert.deepEqual(
    optimizer.paramGroups.map(({ lr }) => lr),
    [0.5, 0.5, 0.5],
  );
  disposeAll(optimizer, parameters, more);
});

test('amsgrad keeps the largest second moment, as PyTorch does', () => {
  for (const [name, Optimizer] of [
    ['adam_amsgrad', om.optim.Adam],
    ['adamw_amsgrad', om.optim.AdamW],
  ]) {
    om.scope(() => {
      const golden = goldens.optimizers[name];
      const { shape } = golden.parameter;
      const parameter = om.nn.parameter(om.tensor(golden.parameter.data).reshape(shape));
      const optimizer = new Optimizer([parameter], camelKeys(golden.arguments));
      golden.gradients.forEach(({ data }, step) => {
        parameter.grad = om.tensor(data).reshape(shape);
        optimizer.step();
        assert.ok(scaledError(Array.from(parameter.data), golden.after[step].data) < 2e-7, `${name}, step ${step}`);
      });
      disposeAll(optimizer, parameter);
    });
  }
});
