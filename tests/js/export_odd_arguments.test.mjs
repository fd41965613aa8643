// Programs that are given odd things, and names that are odd.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { withModel } from './export_models.mjs';
import { assertThrows, useEngine } from './support.mjs';

await useEngine();

const o = (...shape) => om.ones(shape);

/** Asserts that `fn` throws an ArgumentError with all parts in the message. */
const refuses = (fn, ...parts) => assertThrows(fn, om.ArgumentError, 'Argument', ...parts);

/** Runs `use` with the program of `model`, and disposes of everything. */
function withProgram(model, examples, use) {
  om.scope(() => {
    const program = om.exportProgram(model, examples());
    try {
      use(program);
    } finally {
      program.dispose();
    }
  });
}

test('a negative zero stays one', () => {
  withProgram(
    (x, zero) => [x.mul(1 / zero), zero],
    () => [o(1), -0],
    (program) => {
      const [scaled, zero] = program.call(o(1), -0);
      assert.deepEqual(scaled.toArray(), [-Infinity]);
      assert.ok(Object.is(zero, -0));
      refuses(() => program.call(o(1), 0), "'input_1'");
    },
  );
});

test('refinement asks for a message and for names', () => {
  for (const message of [3, null, undefined, {}, Object.assign(new Error(), { message: 3 })]) {
    refuses(() => om.refineDynamicShapes(message, {}), 'refineDynamicShapes', 'ConstraintsError');
  }
  refuses(() => om.refineDynamicShapes('n', {}, 'xy'), 'argumentNames', 'a list of names');
  refuses(() => om.refineDynamicShapes('n', {}, ['x', 3]), 'argumentNames[1]', 'a text');
});

test('derived sizes are exact or refused', () => {
  const large = om.Dim('n').mul(2 ** 40);
  refuses(() => large.mul(2 ** 40), "Dim '1099511627776*n'", 'mul(1099511627776)', 'safe integers');
  const most = om.Dim('n').add(Number.MAX_SAFE_INTEGER);
  refuses(() => most.add(1), 'add(1)', 'safe integers');
  refuses(() => most.mul(2), 'mul(2)', 'safe integers');
  refuses(() => om.Dim('n').sub(Number.MAX_SAFE_INTEGER).sub(1), 'sub(1)', 'safe integers');
});

test('a table of decompositions has functions', () => {
  withProgram(
    (x) => x.neg(),
    () => [o(2)],
    (program) => {
      refuses(() => program.runDecompositions({ Neg: 3 }), "runDecompositions: 'Neg'", 'a function', 'a number (3)');
      refuses(() => program.runDecompositions({ Neg: null }), "'Neg'", 'a function');
      for (const table of [3, 0, 'Neg', '', false, [() => 1], new Map(), () => 1]) {
        refuses(() => program.runDecompositions(table), 'runDecompositions', 'by the name of each operator');
      }
      refuses(
        () => program.runDecompositions({ neg: () => 1 }),
        "runDecompositions: there is no operator 'neg'",
        "'Neg'",
      );
      refuses(() => program.toOneModel({ examples: 'yes' }), 'savePrograms: examples', 'true or false');
      const own = program.runDecompositions({ Neg: ([x]) => x.mul(-1) });
      assert.deepEqual(own.call(o(2)).toArray(), [-1, -1]);
      own.dispose();
    },
  );
});

test('a tensor that was disposed of is called so', () => {
  withProgram(
    ({ a }) => a.neg(),
    () => [{ a: o(1) }],
    (program) => {
      const gone = o(1);
      gone.dispose();
      const refusesGone = (fn, ...parts) =>
        assertThrows(fn, om.ArgumentError, 'Disposed', 'this tensor was disposed of', ...parts);
      refusesGone(() => om.exportProgram((x) => x, [gone]), "exportProgram: argument 'input'");
      refusesGone(() => om.exportProgram((x) => x.a, { x: { a: gone } }), "argument 'x'.a");
      refusesGone(() => om.exportProgram((x) => [x, gone], [o(1)]), 'exportProgram: result[1]');
      refusesGone(() => program.call({ a: gone }), 'call: argument 0.a');
      const module = program.module();
      refusesGone(() => module.forward({ a: gone }), 'forward: argument 0.a');
      module.dispose();
    },
  );
});

test('an object is the only argument, or has all of them by name', () => {
  withProgram(
    ({ input }) => input.neg(),
    () => [{ input: o(1) }],
    (program) => {
      assert.deepEqual(program.call({ input: o(1) }).toArray(), [-1]);
      assert.deepEqual(program.call({ input: { input: o(1) } }).toArray(), [-1]);
    },
  );
  withProgram(
    ({ input_0: a, input_1: b }, scale) => a.sub(b).mul(scale),
    () => [{ input_0: o(1), input_1: o(1) }, 2],
    (program) => {
      const both = { input_0: om.full([1], 5), input_1: om.full([1], 3) };
      assert.deepEqual(program.call(both).toArray(), [4]);
      assert.deepEqual(program.call({ input_0: both, input_1: 2 }).toArray(), [4]);
    },
  );
});

test('the keys of objects may come in any order', () => {
  withProgram(
    ({ a, parts: [{ b, c }] }) => a.sub(b).mul(c),
    () => [{ a: o(1), parts: [{ b: o(1), c: o(1) }] }],
    (program) => {
      const [a, b, c] = [5, 3, 10].map((value) => om.full([1], value));
      const mixed = { parts: [{ c, b }], a };
      assert.deepEqual(program.call(mixed).toArray(), [20]);
      assert.deepEqual(program.call({ input: mixed }).toArray(), [20]);
      const modules = [program.module(), om.unflatten(program)];
      for (const module of modules) assert.deepEqual(module.forward(mixed).toArray(), [20]);
      for (const module of modules) module.dispose();
      new om.AdditionalInputs().add([mixed]).add({ input: mixed }).verify(program);
      refuses(() => program.call({ parts: [{ c, b, a }], a }), "'input'");
    },
  );
});

test('names that objects have by nature are names like any other', () => {
  const named = (value) => ({ ['__proto__']: value, toString: value });
  withProgram(
    ({ ['__proto__']: x, toString: y }) => named(x.add(y)),
    () => [named(o(1))],
    (program) => {
      const result = program.call(named(o(1)));
      assert.deepEqual(Object.keys(result), ['__proto__', 'toString']);
      for (const each of Object.values(result)) assert.deepEqual(each.toArray(), [2]);
    },
  );
  class Odd extends om.nn.Module {
    valueOf = new om.nn.ReLU();
    forward(x) {
      return this.valueOf.forward(x);
    }
  }
  withModel(
    () => new Odd(),
    (model) => {
      const program = om.exportProgram(model, [o(1)]);
      const module = om.unflatten(program);
      assert.deepEqual(module.forward(o(1)).toArray(), [1]);
      assert.equal(module.namedModules()[1][0], 'valueOf');
      for (const each of [program, module]) each.dispose();
    },
  );
});

test('programs and state may have any name', () => {
  om.scope(() => {
    const double = om.exportProgram((x) => x.mul(2), [om.ones([1])]);
    const programs = om.loadPrograms(om.savePrograms({ ['__proto__']: double, toString: double }));
    assert.deepEqual(Object.keys(programs), ['__proto__', 'toString']);
    for (const [, each] of Object.entries(programs)) {
      assert.deepEqual(each.call(om.ones([1])).toArray(), [2]);
      each.dispose();
    }
    const named = om.exportProgram((x) => x.neg(), { ['__proto__']: om.ones([1]) });
    assert.deepEqual(Object.keys(named.exampleInputs()), ['__proto__']);
    for (const each of [double, named]) each.dispose();
  });
});

test('what is no option, program, module or table of programs is called so', () => {
  withProgram(
    (x) => x.add(1),
    () => ({ x: o(2) }),
    (program) => {
      refuses(() => program.createSession(null), 'createSession: expected an object of options', 'got null');
      refuses(() => program.createSession(5), 'createSession: expected an object of options', 'got a number');
      refuses(() => program.createSession({ sharedState: 1 }), "unknown option 'sharedState'", 'shareStateWith');
      refuses(() => om.savePrograms(null), 'savePrograms: expected an object with programs by name', 'got null');
      refuses(() => om.savePrograms({}), 'savePrograms: there are no programs');
      refuses(() => om.unflatten(program, null), 'unflatten: expected an object with modules by path', 'got null');
      refuses(() => om.unflatten({}, {}), 'unflatten: expected a program');
      refuses(() => om.unflatten(null), 'unflatten: expected a program', 'got null');
      refuses(() => new om.AdditionalInputs().verify({}), 'AdditionalInputs.verify: expected a program');
    },
  );
});

test('errors name what JavaScript has', () => {
  const only = (fn) =>
    assert.throws(fn, (error) => {
      assert.ok(error instanceof om.OneModelError, String(error));
      assert.doesNotMatch(error.message, /[a-z]+_[a-z]/);
      return true;
    });
  om.scope(() => {
    const x = om.ones([2]);
    const options = { preserveModuleCalls: ['none'] };
    for (const run of [om.exportProgram, om.exportForTraining, om.draftExport]) only(() => run((y) => y, [x], options));
    const program = om.exportProgram((y) => y.add(1), [x]);
    const session = program.createSession();
    only(() => program.loadStateDict({ w: x }));
    only(() => session.loadStateDict({ w: x }));
    only(() => program.forwardBackward());
    only(() => om.savePrograms({}));
    session.dispose();
    program.dispose();
  });
});

test('a name with half a surrogate pair is refused', () => {
  const half = '\ud800';
  const part = 'has half a surrogate pair';
  withProgram(
    (x) => x.add(1),
    () => ({ x: o(2) }),
    (program) => {
      refuses(() => om.savePrograms({ [half]: program, '\ud801': program }), 'savePrograms', part);
      refuses(() => program.call({ [half]: o(2) }), part);
      refuses(() => om.exportProgram((x) => x, { [half]: o(2) }), 'exportProgram', part);
      refuses(() => om.exportProgram((x) => x.a, { x: { a: o(2), [half]: 1 } }), "argument 'x'", part);
      refuses(() => om.exportProgram((x) => x, { x: o(2), text: half }), "argument 'text'", part);
      refuses(() => om.exportProgram((x) => ({ [half]: x }), { x: o(2) }), 'result', part);
    },
  );
});
