// What a program tells of itself, and what is made of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { Block, Counter, withModel, withProgram } from './export_models.mjs';
import { assertThrows, scaledError, useEngine } from './support.mjs';

await useEngine();

test('a program shows itself', () => {
  withModel(
    () => new Counter(),
    (model) => {
      withProgram(model, [om.ones([2])], {}, (program) => {
        const text = String(program);
        for (const part of ["b_count: Buffer 'count'", 'BufferMutation', 'input', 'Mul']) {
          assert.ok(text.includes(part), `no '${part}' in: ${text}`);
        }
        const lines = [];
        const { log } = console;
        console.log = (line) => lines.push(line);
        try {
          program.print();
        } finally {
          console.log = log;
        }
        assert.deepEqual(lines, [text]);
        assert.equal(program.graph, program.graph);
        assert.ok(program.graph.view().nodes.length >= 4);
        assert.deepEqual(program.warnings, []);
        assert.deepEqual(program.rangeConstraints, []);
        assert.deepEqual(program.equalityConstraints, []);
      });
    },
  );
});

test('state can be replaced as a whole', () => {
  withModel(
    () => new Block(),
    (block) => {
      withProgram(block, [om.ones([1, 4])], {}, (program) => {
        const state = program.stateDict();
        state.scale = om.zeros([4]);
        program.loadStateDict(state);
        assert.deepEqual(program.stateDict().scale.toArray(), [0, 0, 0, 0]);
        assert.deepEqual(program.call(om.ones([1, 4])).toArray(), [[6, 6, 6, 6]]);
        const constants = program.constants();
        assert.deepEqual(constants.shift.toArray(), [3, 3, 3, 3]);
        assert.deepEqual(constants.seen.toArray(), [1]);
        assert.equal(Object.hasOwn(constants, 'total'), false);
        assertThrows(
          () => program.loadStateDict({ scale: om.zeros([3]), other: om.zeros([1]) }),
          om.ModelError,
          'Malformed',
          'missing: fc.bias',
          'unexpected: other',
          'scale: expected',
        );
        assertThrows(() => program.loadStateDict({ scale: 3 }), om.ArgumentError, 'Argument', "'scale'");
        assert.deepEqual(program.stateDict().scale.toArray(), [0, 0, 0, 0]);
      });
    },
  );
});

test('a program and its graph go with dispose', () => {
  const program = om.scope(() => om.exportProgram((x) => x.neg(), [om.ones([1])]));
  const { graph } = program;
  const text = String(graph);
  assert.ok(text.includes('Neg'));
  program.dispose();
  program.dispose();
  assertThrows(() => program.call(1), om.ArgumentError, 'Disposed', 'program was disposed of');
  assertThrows(() => String(graph), om.ArgumentError, 'Disposed');
});

test('the module of a program runs with gradients on a state of its own', () => {
  class Scaled extends om.nn.Module {
    scale = om.nn.parameter(om.full([4], 2));
    fc = new om.nn.Linear(4, 4);
    constructor() {
      super();
      this.registerBuffer('count', om.zeros([1]));
    }
    forward(x) {
      this.count.add_(1);
      return this.fc.forward(x).mul(this.scale).tanh();
    }
  }
  withModel(
    () => new Scaled(),
    (model) => {
      const x = om.rand([2, 4], -1, 1);
      const program = om.exportForTraining(model, [x]);
      const module = program.module();
      assert.deepEqual(
        module.namedParameters().map(([path, each]) => [path, each.requiresGrad]),
        [
          ['scale', true],
          ['fc.weight', true],
          ['fc.bias', true],
        ],
      );
      assert.deepEqual(Object.keys(module.stateDict()).sort(), ['count', 'fc.bias', 'fc.weight', 'scale']);
      module.forward(x).sum().backward();
      model.forward(x).sum().backward();
      const gradients = Object.fromEntries(module.namedParameters().map(([path, each]) => [path, each.grad]));
      for (const [path, each] of model.namedParameters()) {
        assert.ok(scaledError(gradients[path].data, each.grad.data) <= 1e-5, path);
      }
      assert.deepEqual(module.stateDict().count.toArray(), [1]);
      assert.deepEqual(program.stateDict().count.toArray(), [0]);
      assertThrows(() => module.forward(), om.ArgumentError, 'Argument', "'input' is missing");
      program.dispose();
      assert.deepEqual(module.forward(x).shape, [2, 4]);
      module.dispose();
    },
  );
});

test('operators are decomposed, by the default table and by a given one', () => {
  om.scope(() => {
    const x = om.rand([2, 3], -1, 1);
    const program = om.exportProgram((a) => a.softmax(1).mul(a.gelu()), { x });
    const expected = program.call(x);
    const plain = program.runDecompositions();
    const operators = (each) => each.graph.view().nodes.map(({ op }) => op);
    assert.ok(operators(program).includes('Softmax') && operators(program).includes('Gelu'));
    assert.ok(!operators(plain).includes('Softmax') && !operators(plain).includes('Gelu'));
    assert.ok(scaledError(plain.call(x).data, expected.data) <= 1e-6);
    const seen = [];
    const own = program.runDecompositions({
      Softmax: ([a], operator) => {
        seen.push(operator);
        const e = a.exp();
        return e.div(e.sum(1, true));
      },
    });
    assert.deepEqual(seen, ['Softmax(axis=1)']);
    assert.ok(!operators(own).includes('Softmax') && operators(own).includes('Gelu'));
    assert.ok(scaledError(own.call(x).data, expected.data) <= 1e-6);
    assert.deepEqual(own.signature.inputs, program.signature.inputs);
    const failure = new RangeError('no');
    const failing = () => {
      throw failure;
    };
    assert.throws(
      () => program.runDecompositions({ Gelu: failing }),
      (error) => error === failure,
    );
    assertThrows(() => program.runDecompositions({ Gelu: () => om.ones([1]) }), om.ArgumentError, 'Argument', 'Gelu');
    for (const each of [program, plain, own]) each.dispose();
  });
});
