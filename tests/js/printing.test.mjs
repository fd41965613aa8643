// What consoles and String show of modules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as om from 'onemodel';
import { useEngine } from './support.mjs';

const { nn } = om;

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
    '    (fc): Linear(in_features=4, out_features=2, bias=true)',
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
  assert.equal(inspect(net.blocks[0].fc), 'Linear(in_features=4, out_features=2, bias=true)');
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
