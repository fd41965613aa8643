// What consoles and String show of modules, optimizers and schedules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as om from 'onemodel';
import { useEngine } from './support.mjs';

const { nn, optim } = om;

await useEngine({ threads: 1, variant: 'simd' });

class Block extends nn.Module {
  fc = new nn.Linear(4, 2);
  scale = nn.parameter([2]);
  forward(x) {
    return this.fc.forward(x).mul(this.scale);
  }
}

class Net extends nn.Module {
  blocks = [new Block(), new nn.ReLU()];
  head = new nn.Sequential(new nn.Dropout({ p: 0.25 }), new nn.ModuleList([new nn.Softmax(1)]));
  forward(x) {
    return x;
  }
}

test('a module is shown as a tree with arguments', () => {
  const net = new Net();
  const expected = [
    'Net(',
    '  (blocks.0): Block(',
    '    (fc): Linear(inFeatures=4, outFeatures=2, bias=true)',
    '  )',
    '  (blocks.1): ReLU()',
    '  (head): Sequential(',
    '    (0): Dropout(p=0.25)',
    '    (1): ModuleList(',
    '      (0): Softmax(dim=1)',
    '    )',
    '  )',
    ')',
  ].join('\n');
  assert.equal(String(net), expected);
  assert.equal(inspect(net), expected);
  assert.equal(inspect(net.blocks[0].fc), 'Linear(inFeatures=4, outFeatures=2, bias=true)');
  assert.equal(inspect({ net: net.blocks[1] }), '{ net: ReLU() }');
  net.dispose();
});

test('consoles show what is disposed of, and what contains itself', () => {
  const linear = new nn.Linear(1, 1);
  linear.dispose();
  assert.equal(inspect(linear), 'Linear (disposed of)');
  class Loop extends nn.Module {
    self = this;
    forward(x) {
      return x;
    }
  }
  assert.equal(inspect(new Loop()), 'Loop(\n  (self): Loop()\n)');
});

test('a module of a program is shown with what it has', () => {
  om.scope(() => {
    const net = new nn.Sequential(new nn.Linear(2, 2), new nn.ReLU());
    const program = om.exportProgram(net, [om.ones([1, 2])]);
    const tree = om.unflatten(program);
    assert.match(inspect(tree), /^ProgramModule\(\n.*\n {2}\(0\): .*\n {2}\(1\): .*\n\)$/);
    for (const each of [tree, program, net]) each.dispose();
  });
});

test('arguments of modules have their JavaScript names', () => {
  const modules = [
    [new nn.BatchNorm1d(3), /^BatchNorm1d\(numFeatures=3, .*trackRunningStats=true\)$/],
    [new nn.Conv2d(1, 2, 3), /^Conv2d\(inChannels=1, .*paddingMode=/],
    [new nn.TransformerEncoderLayer(8, 2), /dModel=8/],
  ];
  for (const [module, expected] of modules) {
    const text = String(module);
    assert.match(text, expected);
    assert.doesNotMatch(text, /_\w+=/);
    module.dispose();
  }
});

test('an optimizer is shown with the options of its groups, a schedule with where it is', () => {
  const [a, b, c] = [nn.parameter([2]), nn.parameter([2]), nn.parameter([2])];
  const adam = new optim.Adam([{ params: [a, b] }, { params: [c], weightDecay: 0.1 }], { lr: 0.5 });
  const schedule = new optim.StepLR(adam, 1);
  adam.step();
  schedule.step();
  const group = (decay) =>
    ['lr: 0.05', 'betas: [0.9, 0.999]', 'eps: 1e-8', `weightDecay: ${decay}`, 'amsgrad: false'].map(
      (each) => `    ${each}`,
    );
  const expected = ['Adam(', '  group 0: 2 parameters', ...group(0), '  group 1: 1 parameter', ...group(0.1), ')'];
  assert.equal(String(adam), expected.join('\n'));
  assert.equal(inspect(adam), String(adam));
  assert.equal(String(schedule), 'StepLR(lastEpoch=1, lr=[0.05, 0.05])');
  assert.equal(inspect(schedule), String(schedule));
  for (const each of [schedule, adam, a, b, c]) each.dispose();
  assert.equal(inspect(adam), 'Adam (disposed of)');
  assert.equal(inspect(schedule), 'StepLR (disposed of)');
});
