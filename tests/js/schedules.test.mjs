// Schedules: the rates and momenta that they give, and what they refuse.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { disposeAll, goldens, twoGroups } from './optim_support.mjs';
import { assertThrows, scaledError, useEngine } from './support.mjs';

await useEngine();

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
