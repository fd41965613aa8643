// Parameter groups of optimizers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { disposeAll, goldens, twoGroups } from './optim_support.mjs';
import { assertThrows, scaledError, useEngine } from './support.mjs';

await useEngine();

const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const camelKeys = (options) => Object.fromEntries(Object.entries(options).map(([key, each]) => [camel(key), each]));
const classes = { sgd: 'SGD', adam: 'Adam', adamw: 'AdamW', rmsprop: 'RMSprop', adagrad: 'Adagrad' };

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
