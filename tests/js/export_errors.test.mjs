// Exports that fail: what the model throws comes out as it was, and everything is as before.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { Net, stateOf, withModel } from './export_models.mjs';
import { assertThrows, useEngine } from './support.mjs';

await useEngine();

/** Asserts that exporting `net` on `x` throws what `check` accepts, and that everything is as before. */
function assertFails(net, x, check, options = {}) {
  const before = stateOf(net);
  const generator = om.generatorState();
  const data = Array.from(x.data);
  const alive = om.memory();
  assert.throws(() => om.exportProgram(net, [x], options), check);
  assert.deepEqual(om.memory(), alive);
  assert.deepEqual(stateOf(net), before);
  assert.deepEqual(om.generatorState(), generator);
  assert.deepEqual(Array.from(x.data), data);
}

class Failing extends Net {
  fails = true;
  error = new RangeError('out of luck');
  forward(x) {
    const y = super.forward(x);
    if (this.fails) throw this.error;
    return y;
  }
}

test('an error of the model is the very one, and the model can be exported afterwards', () => {
  withModel(
    () => new Failing(),
    (net) => {
      const x = om.ones([2, 4]);
      for (let i = 0; i < 3; i++) assertFails(net, x, (error) => error === net.error);
      net.error = { not: 'an Error' };
      assertFails(net, x, (error) => error === net.error);
      net.error = new om.ShapeError('mine', 'Shape');
      assertFails(net, x, (error) => error === net.error);
      net.fails = false;
      const program = om.exportProgram(net, [x]);
      assert.deepEqual(program.call(x).shape, [2, 4]);
      program.dispose();
    },
  );
});

test('an error of the engine inside the model has its stack', () => {
  class Wrong extends om.nn.Module {
    fc = new om.nn.Linear(3, 3);
    forward(x) {
      return this.fc.forward(x.reshape([4, 2]));
    }
  }
  class Outer extends om.nn.Module {
    inner = new Wrong();
    forward(x) {
      return this.inner.forward(x);
    }
  }
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 50;
  withModel(
    () => new Outer(),
    (net) => {
      assertFails(net, om.ones([2, 4]), (error) => {
        assert.ok(error instanceof om.ShapeError);
        assert.ok(error.message.includes('Linear'), error.message);
        assert.ok(error.stack.includes('Wrong.forward'), error.stack);
        return true;
      });
    },
  );
  Error.stackTraceLimit = stackTraceLimit;
});

test('many failures in a row leave the stack and the engine whole', () => {
  om.scope(() => {
    const x = om.ones([2, 2]);
    for (let i = 0; i < 2000; i++) {
      assert.throws(() => om.exportProgram((a) => a.matmul(om.ones([3, 3])), [x]), om.ShapeError);
    }
    const catching = (a) => {
      assert.throws(() => a.matmul(om.ones([3, 3])), om.ShapeError);
      return a.add(1);
    };
    for (let i = 0; i < 100; i++) {
      const program = om.exportProgram(catching, [x]);
      assert.deepEqual(program.call(x).toArray(), [
        [2, 2],
        [2, 2],
      ]);
      program.dispose();
    }
  });
});

test('modes, fields and generators that the model changes are put back', () => {
  class Restless extends om.nn.Module {
    drop = new om.nn.Dropout();
    steps = 0;
    fails = false;
    forward(x) {
      this.steps++;
      this.last = x;
      this.drop.eval();
      om.manualSeed(3);
      if (this.fails) throw new Error('no');
      return this.drop.forward(x).add(1);
    }
  }
  withModel(
    () => new Restless(),
    (net) => {
      const x = om.ones([2]);
      const before = stateOf(net);
      const generator = om.generatorState();
      om.exportProgram(net, [x]).dispose();
      assert.deepEqual(stateOf(net), before);
      assert.equal(net.steps, 0);
      assert.equal(Object.hasOwn(net, 'last'), false);
      assert.equal(net.drop.training, true);
      assert.deepEqual(om.generatorState(), generator);
      net.fails = true;
      assertFails(net, x, (error) => error.message === 'no');
    },
  );
});

test('a buffer that is replaced is no update', () => {
  class Replacing extends om.nn.Module {
    constructor() {
      super();
      this.registerBuffer('count', om.zeros([1]));
    }
    forward(x) {
      this.count = this.count.add(1);
      return x.mul(this.count);
    }
  }
  withModel(
    () => new Replacing(),
    (net) => {
      assertFails(net, om.ones([2]), (error) => {
        assert.ok(error instanceof om.TraceError);
        assert.equal(error.kind, 'InPlaceMutation');
        assert.ok(error.message.includes("field 'count'"), error.message);
        return true;
      });
    },
  );
});

test('an update of a constant is refused, and names it', () => {
  class Shifted extends om.nn.Module {
    shift = om.ones([2]).keep();
    constructor(update) {
      super();
      this.update = update;
    }
    forward(x) {
      this.update(this.shift, x);
      return x.mul(this.shift);
    }
    dispose() {
      super.dispose();
      this.shift.dispose();
    }
  }
  class Outer extends om.nn.Module {
    constructor(update) {
      super();
      this.inner = new Shifted(update);
    }
    forward(x) {
      return this.inner.forward(x);
    }
  }
  const updates = [
    (shift, x) => shift.add_(x),
    (shift, x) => shift.copy_(x),
    (shift, x) => shift.copyFrom(x),
    (shift) => shift.fill(2),
    (shift) => shift.selectScatter_(2, 0, 1),
  ];
  for (const update of updates) {
    for (const [make, path] of [
      [() => new Shifted(update), 'shift'],
      [() => new Outer(update), 'inner.shift'],
    ]) {
      withModel(make, (net) => {
        assertFails(net, om.ones([2]), (error) => {
          assert.ok(error instanceof om.TraceError, String(error));
          assert.equal(error.kind, 'InPlaceMutation');
          assert.ok(error.message.includes(`Constant '${path}'`), error.message);
          return true;
        });
        const { shift } = net.inner ?? net;
        assert.deepEqual(shift.toArray(), [1, 1]);
      });
    }
  }
});

test('what a trace refuses is refused', () => {
  om.scope(() => {
    const x = om.ones([2]);
    const refused = (model, kind, ...parts) =>
      assertThrows(() => om.exportProgram(model, [x]), om.TraceError, kind, ...parts);
    refused((a) => a.mul(a.sum().item()), 'DataDependent', 'item');
    refused((a) => a.add_(1), 'InPlaceMutation', "the input 'input'");
    refused((a) => om.exportProgram((b) => b, [om.ones([1])]) && a, 'InvalidUsage');
    const constant = om.ones([2]);
    refused((a) => a.add(constant.add_(a)), 'InPlaceMutation', 'constant');
    assertThrows(() => om.trace((a) => a.neg().add_(1), x), om.TraceError, 'InPlaceMutation');
    assertThrows(
      () => om.trace((a) => om.exportProgram((b) => b, [om.ones([1])]) && a, x),
      om.TraceError,
      'InvalidUsage',
    );
    om.trace((a) => a.neg(), x).dispose();
  });
});

test('one thing inside another: an export in the middle of eager work and scopes', () => {
  const outer = om.scope(() => {
    const kept = om.ones([2]);
    const program = om.scope(() => om.exportProgram((a) => a.add(kept), [om.ones([2])]));
    const result = program.call(kept);
    program.dispose();
    return result;
  });
  assert.deepEqual(outer.toArray(), [2, 2]);
  outer.dispose();
});

test('options that do not exist are refused by name', () => {
  withModel(
    () => new om.nn.Linear(2, 1),
    (net) => {
      const x = [om.ones([3, 2])];
      const refuse = (fn, ...parts) => assertThrows(fn, om.ArgumentError, 'Argument', ...parts);
      refuse(
        () => om.exportProgram(net, x, { dynamicShape: {} }),
        'exportProgram',
        'dynamicShape',
        'preserveModuleCalls',
      );
      const spelled = { preserve_module_calls: [] };
      refuse(() => om.exportProgram(net, x, spelled), "'preserve_module_calls': did you mean 'preserveModuleCalls'?");
      refuse(() => om.draftExport(net, x, null), 'draftExport', 'null');
      refuse(() => om.exportProgram(net, x, { preserveModuleCalls: 'fc' }), 'preserveModuleCalls', 'paths');
      refuse(() => om.Dim('n', { minimum: 2 }), 'minimum');
      refuse(() => om.Dim.AUTO({ least: 2 }), 'least');
      const program = om.exportProgram(net, x);
      refuse(() => program.toOnnx({ states: true }), 'toOnnx', 'states');
      refuse(() => program.toOneModel({ example: true }), 'savePrograms', 'example');
      refuse(() => program.createSession({ share: program }), 'createSession', 'share');
      program.dispose();
    },
  );
});
