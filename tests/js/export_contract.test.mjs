// What programs promise: names, state that is left alone, and programs of functions for training.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { withModel } from './export_models.mjs';
import { assertThrows, scaledError, useEngine } from './support.mjs';

await useEngine();

/** The bits of a tensor. */
const bitsOf = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('hex');

/** Scales and shifts by a parameter and a buffer, and counts its calls. */
class Affine extends om.nn.Module {
  w = om.nn.parameter(om.tensor([2, 3]));

  constructor() {
    super();
    this.registerBuffer('b', om.tensor([10, 20]));
    this.registerBuffer('count', om.zeros([1]));
  }

  forward(x, y = x) {
    this.count.add_(1);
    return x.mul(this.w).add(this.b).sub(y);
  }
}

test('arguments keep their names, and state that would be called the same gets a number', () => {
  withModel(
    () => new Affine(),
    (model) => {
      const program = om.exportProgram(model, { p_w: om.ones([2]), b_b: om.ones([2]) });
      const loaded = om.ExportedProgram.load(program.toOneModel());
      for (const each of [program, loaded]) {
        each.validate();
        assert.deepEqual(
          each.signature.inputs.map(({ kind, name, target }) => [kind, name, target]),
          [
            ['Parameter', 'p_w_1', 'w'],
            ['Buffer', 'b_b_1', 'b'],
            ['Buffer', 'b_count', 'count'],
            ['UserInput', 'p_w', ''],
            ['UserInput', 'b_b', ''],
          ],
        );
        const named = { b_b: om.tensor([1, 2]), p_w: om.tensor([5, 7]) };
        assert.deepEqual(each.call(named).toArray(), [19, 39]);
        const session = each.createSession();
        assert.deepEqual(session.runSync(named).output.toArray(), [19, 39]);
        session.dispose();
      }
      for (const each of [program, loaded]) each.dispose();
    },
  );
});

test('a module that is registered twice has its state once', () => {
  class Twice extends om.nn.Module {
    first = new Affine();
    second = this.first;
    forward(x) {
      return this.second.forward(this.first.forward(x, om.ones([2])), om.ones([2]));
    }
  }
  withModel(
    () => new Twice(),
    (model) => {
      const program = om.exportProgram(model, [om.ones([2])]);
      program.validate();
      assert.deepEqual(
        program.signature.inputs.map(({ kind, target }) => [kind, target]),
        [
          ['Parameter', 'first.w'],
          ['Buffer', 'first.b'],
          ['Buffer', 'first.count'],
          ['UserInput', ''],
        ],
      );
      assert.deepEqual(Object.values(program.signature.buffersToMutate), ['first.count']);
      for (const count of [2, 4]) {
        assert.deepEqual(program.call(om.tensor([1, 2])).toArray(), [31, 94]);
        assert.deepEqual(program.stateDict()['first.count'].toArray(), [count]);
      }
      program.dispose();
    },
  );
});

test('a parameter of two modules is one input', () => {
  class Tied extends om.nn.Module {
    one = new Affine();
    two = new Affine();
    constructor() {
      super();
      this.two.w.dispose();
      this.two.w = this.one.w;
    }
    forward(x) {
      return this.two.forward(this.one.forward(x));
    }
  }
  withModel(
    () => new Tied(),
    (model) => {
      const program = om.exportProgram(model, [om.ones([2])]);
      program.validate();
      assert.deepEqual(program.signature.parameters, ['one.w']);
      assert.deepEqual(program.signature.buffers, ['one.b', 'one.count', 'two.b', 'two.count']);
      const x = om.tensor([1, 2]);
      assert.deepEqual(program.call(x).toArray(), om.noGrad(() => model.forward(x)).toArray());
      program.dispose();
    },
  );
});

test('sizes that the model does not keep leave its state as it was, bit by bit', () => {
  class Stateful extends om.nn.Module {
    fc = new om.nn.Linear(3, 3);
    norm = new om.nn.BatchNorm1d(3);
    constructor(fault) {
      super();
      this.fault = fault;
      this.registerBuffer('count', om.tensor([0.1]));
    }
    forward(x) {
      this.count.add_(1);
      return this.fault(this.norm.forward(this.fc.forward(x)).add(this.count));
    }
  }
  const faults = [
    ['n = 5', (y) => y.add(om.ones([5, 1]))], // seen while it is recorded
    ['n = 5', (y) => y.reshape([15])], // seen at other sizes
    ['max=10', (y) => om.ones([10, 1]).slice(0, 0, y.dim(0)).add(y)], // seen at an end of the range
  ];
  for (const [fix, fault] of faults) {
    withModel(
      () => new Stateful(fault),
      (model) => {
        const x = om.rand([5, 3], -1, 1);
        om.noGrad(() => model.forward(x)); // so that its statistics are not those that it began with
        const bits = () => model.namedTensors().map(({ path, tensor }) => [path, bitsOf(tensor)]);
        const before = bits();
        assert.equal(before.length, 8);
        const generator = om.generatorState();
        const dynamicShapes = { x: [om.Dim('n', { min: 2 }), null] };
        assertThrows(() => om.exportProgram(model, { x }, { dynamicShapes }), om.ConstraintsError, 'Constraints', fix);
        assert.deepEqual(bits(), before);
        assert.deepEqual(om.generatorState(), generator);
        assert.ok(model.parameters().every((each) => each.grad === null));
      },
    );
  }
});

test('a function is exported for training: what it uses is constant, and its inputs have gradients', () => {
  om.scope(() => {
    const layer = new om.nn.Linear(3, 2);
    const model = (x, y) => layer.forward(x).mul(y).tanh();
    const examples = { x: om.rand([4, 3], -1, 1), y: om.rand([4, 2], -1, 1) };
    const n = om.Dim('n');
    const dynamicShapes = { x: [n, null], y: [n, null] };
    const program = om.exportForTraining(model, examples, { dynamicShapes });
    program.validate();
    assert.deepEqual(program.signature.parameters, []);
    assert.deepEqual(program.signature.userInputs, ['x', 'y']);
    assert.equal(Object.keys(program.constants()).length, 2);
    const module = program.module();
    assert.deepEqual(module.parameters(), []);
    for (const rows of [4, 6]) {
      const [x, y, again, same] = [0, 1, 0, 1].map((i) => om.full([rows, 3 - i], 0.5 + i));
      for (const each of [x, y, again, same]) each.requiresGrad = true;
      const expected = model(x, y);
      const got = module.forward(again, same);
      assert.ok(scaledError(got.data, expected.data) <= 1e-6);
      assert.ok(scaledError(program.call(x, y).data, expected.data) <= 1e-6);
      expected.sum().backward();
      got.sum().backward();
      assert.ok(scaledError(again.grad.data, x.grad.data) <= 1e-6);
      assert.ok(scaledError(same.grad.data, y.grad.data) <= 1e-6);
      assert.ok(x.grad.data.some((value) => value !== 0));
    }
    for (const each of [module, program, layer]) each.dispose();
  });
});

test('modules of programs take the sizes that the programs take', () => {
  om.scope(() => {
    const n = om.Dim('n', { min: 2, max: 8 });
    const program = om.exportProgram(
      (x, y) => x.add(y),
      { x: om.ones([3]), y: om.ones([3]) },
      { dynamicShapes: [[n], [n]] },
    );
    for (const module of [program.module(), om.unflatten(program)]) {
      assert.deepEqual(module.forward(om.ones([8]), om.ones([8])).shape, [8]);
      const refused = (...args) => assertThrows(() => module.forward(...args), om.ConstraintsError, 'Constraints', 'x');
      refused(om.ones([9]), om.ones([9]));
      refused(om.ones([4]), om.ones([5]));
      refused(om.ones([4], 'float64'), om.ones([4]));
      module.dispose();
    }
    program.dispose();
  });
});

test('states are shared by sessions of programs that update the same, and state dicts are copies', () => {
  withModel(
    () => new Affine(),
    (model) => {
      const x = om.ones([2]);
      const program = om.exportProgram(model, [x]);
      const other = om.exportProgram((y) => y.neg(), [x]);
      const session = program.createSession();
      session.stateDict().count.fill(50);
      assert.deepEqual(session.stateDict().count.toArray(), [0]);
      session.runSync(x);
      assert.deepEqual(session.stateDict().count.toArray(), [1]);
      const share = () => other.createSession({ shareStateWith: session });
      assertThrows(share, om.ArgumentError, 'Argument', 'has other state');
      const keep = () => program.createSession({ intermediates: ['Mul_0'] });
      assertThrows(keep, om.ArgumentError, 'Argument', 'no intermediate values');
      assertThrows(() => session.runSync(x, x), om.ArgumentError, 'Argument', 'expected one argument', 'got 2');
      for (const each of [session, program, other]) each.dispose();
    },
  );
});

test('a program that is disposed of by its own decomposition is there until the end', () => {
  om.scope(() => {
    const program = om.exportProgram((x) => x.softmax(-1), [om.ones([2])]);
    const dispose = ([x]) => {
      program.dispose();
      return x.exp();
    };
    const simple = program.runDecompositions({ Softmax: dispose });
    assert.deepEqual(simple.call(om.zeros([2])).toArray(), [1, 1]);
    const next = om.exportProgram((x) => x.neg(), [om.ones([1])]);
    assert.deepEqual(next.call(om.ones([1])).toArray(), [-1]);
    for (const each of [simple, next]) each.dispose();
  });
});
