// Module trees rebuilt from programs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { Net, withModel } from './export_models.mjs';
import { assertThrows, scaledError, useEngine } from './support.mjs';

await useEngine();

class Shared extends om.nn.Module {
  fc = new om.nn.Linear(3, 3);
  act = new om.nn.Tanh();
  forward(x) {
    const h = this.act.forward(this.fc.forward(x));
    return [this.fc.forward(h), h];
  }
}

class Outer extends om.nn.Module {
  inner = new Shared();
  head = new om.nn.Linear(3, 2);
  forward(x) {
    const [y, h] = this.inner.forward(x);
    return { y: this.head.forward(y), h };
  }
}

/** Exports, unflattens, runs `fn` with both trees. */
function withTree(make, x, fn, replacements) {
  withModel(make, (model) => {
    const program = om.exportProgram(model, [x]);
    const tree = om.unflatten(program, replacements?.(model));
    program.dispose();
    try {
      fn(tree, model);
    } finally {
      tree.dispose();
    }
  });
}

test('the tree has the modules and the state of the model, and runs', () => {
  const x = om.rand([2, 3], -1, 1);
  withTree(
    () => new Outer(),
    x,
    (tree, model) => {
      assert.deepEqual(
        tree.namedModules().map(([path]) => path),
        ['', 'inner', 'inner.fc', 'inner.act', 'head'],
      );
      assert.deepEqual(Object.keys(tree.stateDict()).sort(), Object.keys(model.stateDict()).sort());
      const got = tree.forward(x);
      const expected = model.forward(x);
      assert.ok(scaledError(got.y.data, expected.y.data) <= 1e-6);
      assert.ok(scaledError(got.h.data, expected.h.data) <= 1e-6);
      const [, head] = tree.children().find(([name]) => name === 'head');
      const [alone] = head.forward(expected.h);
      assert.ok(scaledError(alone.data, model.head.forward(expected.h).data) <= 1e-6);
      om.noGrad(() => head.stateDict().bias.add_(1));
      assert.ok(scaledError(tree.forward(x).y.data, expected.y.add(1).data) <= 1e-6);
    },
  );
  x.dispose();
});

test('buffers are updated in the tree', () => {
  const x = om.rand([2, 4], -1, 1);
  withTree(
    () => new Net(),
    x,
    (tree, net) => {
      for (let i = 0; i < 3; i++) {
        assert.ok(scaledError(tree.forward(x).data, net.forward(x).data) <= 1e-6);
      }
      assert.ok(scaledError(tree.stateDict()['blocks.1.total'].data, net.blocks[1].total.data) <= 1e-6);
    },
  );
  x.dispose();
});

test('modules are replaced by others, of the engine and of JavaScript', () => {
  class Doubled extends om.nn.Module {
    factor = om.nn.parameter([1]);
    forward(x) {
      return x.mul(2).add(this.factor).slice(1, 0, 2);
    }
  }
  const x = om.rand([2, 3], -1, 1);
  const [narrow, doubled] = [new om.nn.Linear(3, 2), new Doubled()];
  for (const head of [narrow, doubled]) {
    withTree(
      () => new Outer(),
      x,
      (tree, model) => {
        const expected = om.scope(() => {
          const [y] = model.inner.forward(x);
          return head.forward(y);
        });
        assert.ok(scaledError(tree.forward(x).y.data, expected.data) <= 1e-6);
        assert.ok(tree.namedModules().some(([, module]) => module === head));
        assert.ok(tree.parameters().includes(head.parameters()[0]));
      },
      () => ({ head }),
    );
  }
  x.dispose();
});

test('what cannot be replaced is named, and errors of a replacement come out as they are', () => {
  const x = om.rand([2, 3], -1, 1);
  withModel(
    () => new Outer(),
    (model) => {
      const program = om.exportProgram(model, [x]);
      const refused = (replacements, ...parts) =>
        assertThrows(() => om.unflatten(program, replacements), om.ArgumentError, 'Argument', ...parts);
      const relu = new om.nn.ReLU();
      refused({ other: relu }, "'other'");
      refused({ head: (y) => y }, "'head'", 'a function');
      class Failing extends om.nn.Module {
        error = new RangeError('not today');
        forward() {
          throw this.error;
        }
      }
      const failing = new Failing();
      const tree = om.unflatten(program, { head: failing });
      assert.throws(
        () => tree.forward(x),
        (error) => error === failing.error,
      );
      for (const each of [tree, relu, program]) each.dispose();
    },
  );
  x.dispose();
});

/** The error that `fn` throws. */
function errorOf(fn) {
  let thrown;
  assert.throws(fn, (error) => {
    thrown = error;
    return true;
  });
  return thrown;
}

class Failing extends om.nn.Module {
  error = null;
  forward(x) {
    if (this.error) throw this.error;
    return x.tanh();
  }
}

/** A module in a module, whose result alone goes on. */
class Nested extends om.nn.Module {
  inner = new om.nn.Sequential(new om.nn.Linear(3, 3), new om.nn.Tanh());
  last = new om.nn.Tanh();
  forward(x) {
    return this.last.forward(this.inner.forward(x));
  }
}

test('errors of a replacement come out of each module around it', () => {
  const x = om.rand([2, 3], -1, 1);
  for (const preserveModuleCalls of [[], ['inner']]) {
    withModel(
      () => new Nested(),
      (model) => {
        const program = om.exportProgram(model, [x], { preserveModuleCalls });
        const failing = new Failing();
        const tree = om.unflatten(program, { 'inner.1': failing });
        const [, inner] = tree.children().find(([name]) => name === 'inner');
        const [y] = [inner.forward(x)].flat(); // a list where the form of the call was not preserved
        assert.ok(scaledError(y.data, model.inner.forward(x).data) <= 1e-6);
        failing.error = new TypeError('not today');
        for (const module of [inner, tree])
          assert.equal(
            errorOf(() => module.forward(x)),
            failing.error,
          );
        for (const each of [tree, program]) each.dispose();
      },
    );
  }
  x.dispose();
});

test('an error is that of the replacement that failed now, not one with the same text that failed before', () => {
  const x = om.rand([2, 3], -1, 1);
  withModel(
    () => new Nested(),
    (model) => {
      const program = om.exportProgram(model, [x]);
      const [first, last] = [new Failing(), new Failing()];
      const tree = om.unflatten(program, { last, 'inner.1': first }); // the last is asked first
      for (const text of ['the same', '']) {
        [first.error, last.error] = [null, new RangeError(text)];
        assert.equal(
          errorOf(() => tree.forward(x)),
          last.error,
        );
        first.error = new TypeError(text);
        assert.equal(
          errorOf(() => tree.forward(x)),
          first.error,
        );
      }
      for (const each of [tree, program]) each.dispose();
    },
  );
  x.dispose();
});

test('a program without records of modules gives a flat module', () => {
  om.scope(() => {
    const program = om.exportProgram((a) => a.neg(), [om.ones([2])]);
    const tree = om.unflatten(program);
    assert.deepEqual(tree.children(), []);
    assert.deepEqual(tree.forward(om.ones([2])).toArray(), [-1, -1]);
    for (const each of [tree, program]) each.dispose();
  });
});

test('a tree that is exported again has the calls that it had', () => {
  const x = om.ones([2, 3]);
  const callsOf = (program) =>
    program.moduleCallGraph.map(({ path, index, parent, inputs, outputs }) =>
      [path, index, parent, inputs.length, outputs.length].join(),
    );
  /** Exports `model`, and hands the program to `fn`. */
  const exporting = (model, fn) => {
    const program = om.exportProgram(model, [x]);
    try {
      fn(program);
    } finally {
      program.dispose();
    }
  };
  class Act extends om.nn.Module {
    forward(y) {
      return y.tanh();
    }
  }
  class Around extends om.nn.Module {
    constructor(tree) {
      super();
      this.tree = tree;
    }
    forward(y) {
      return this.tree.forward(this.tree.forward(y).h);
    }
  }
  withModel(
    () => new Outer(),
    (model) => {
      exporting(model, (program) => {
        const expected = callsOf(program);
        assert.equal(expected.length, 6);
        for (const others of [{}, { 'inner.act': new om.nn.Tanh() }, { 'inner.act': new Act() }]) {
          const tree = om.unflatten(program, others);
          exporting(tree, (again) => {
            assert.deepEqual(callsOf(again), expected);
            assert.deepEqual(again.moduleStacks(), program.moduleStacks());
            const twice = om.unflatten(again);
            assert.ok(scaledError(twice.forward(x).y, model.forward(x).y) < 1e-6);
            twice.dispose();
          });
          exporting(new Around(tree), (around) => {
            const paths = around.moduleCallGraph.map(({ path, index }) => (index ? `${path}@${index}` : path));
            assert.deepEqual(paths.slice(0, 8), [
              '',
              'tree.inner.fc',
              'tree.inner.act',
              'tree.inner.fc@1',
              'tree.inner',
              'tree.head',
              'tree',
              'tree.inner.fc@2',
            ]);
            assert.equal(paths.length, 13);
          });
          tree.dispose();
        }
      });
    },
  );
  x.dispose();
});

test('a part of a tree that a model calls is recorded', () => {
  const x = om.ones([2, 3]);
  withModel(
    () => new Outer(),
    (model) => {
      const program = om.exportProgram(model, [x], { preserveModuleCalls: ['inner'] });
      const tree = om.unflatten(program);
      class Part extends om.nn.Module {
        tree = tree;
        forward(y) {
          const inner = this.tree.children().find(([name]) => name === 'inner')[1];
          return inner.forward(y)[0];
        }
      }
      const again = om.exportProgram(new Part(), [x]);
      assert.deepEqual(
        again.moduleCallGraph.map(({ path }) => path),
        ['', 'tree.inner.fc', 'tree.inner.act', 'tree.inner.fc', 'tree.inner'],
      );
      again.dispose();
      tree.dispose();
      program.dispose();
    },
  );
  x.dispose();
});
