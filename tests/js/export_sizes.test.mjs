// Sizes that vary: how they are declared, found out, and demanded when a program runs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, scaledError, useEngine } from './support.mjs';

await useEngine();

const { Dim } = om;

/** Exports a function in a scope, runs `fn` with the program and disposes of it. */
function withProgram(model, examples, dynamicShapes, fn) {
  om.scope(() => {
    const program = om.exportProgram(model, examples, { dynamicShapes });
    try {
      program.validate();
      fn(program);
    } finally {
      program.dispose();
    }
  });
}

const refused = (fn, ...parts) => assertThrows(fn, om.ArgumentError, 'Argument', ...parts);

test('names, derived sizes and hints are written as they are meant', () => {
  const d = Dim('d', { min: 2, max: 64 });
  assert.equal(String(d), 'd');
  assert.equal(String(d.add(1).mul(2)), '2*d + 2');
  assert.equal(String(d.mul(3).sub(1).add(1)), '3*d');
  assert.equal(`${d.sub(4)}`, 'd - 4');
  assert.deepEqual([d.name, d.min, d.max, d.mul(2).scale, d.add(3).offset], ['d', 2, 64, 2, 3]);
  assert.deepEqual(om.dims('a', 'b').map(String), ['a', 'b']);
  assert.equal(String(Dim.AUTO), 'Dim.AUTO');
  assert.equal(String(Dim.DYNAMIC({ min: 2, max: 8 })), 'Dim.DYNAMIC(min=2, max=8)');
  assert.equal(Dim.STATIC.kind, 'STATIC');
});

test('what is no size is refused where it is written', () => {
  const d = Dim('d');
  for (const name of ['', '2d', 'a b', 'a-b', 7, undefined]) refused(() => Dim(name), 'Dim: expected a name');
  refused(() => Dim('d', { min: -1 }), 'min', '-1');
  refused(() => Dim('d', { min: 3, max: 2 }), 'max', 'min = 3', 'got 2');
  refused(() => Dim('d', { max: 1.5 }), 'max', '1.5');
  refused(() => d.mul(0), "'d': mul", 'positive integer', 'got 0');
  refused(() => d.mul(d), 'positive integer', '.mul(k), .add(c) and .sub(c)');
  refused(() => d.mul(0.5), 'got 0.5');
  refused(() => d.add(d), 'add expects an integer');
  refused(() => d.add('1'), 'a string');
  refused(() => d * 2, 'is no number');
  refused(() => d / 2, 'is no number');
  refused(() => Dim.STATIC({ min: 1 }), 'Dim.STATIC has no bounds');
  refused(() => Dim.AUTO({ min: 2, max: 1 }), 'Dim.AUTO: max');
});

test('a name for a size is made with new too', () => {
  const d = new Dim('d', { min: 2 });
  assert.ok(d instanceof Dim && d.add(1) instanceof Dim && Dim('e') instanceof Dim);
  assert.ok(!(Dim.AUTO instanceof Dim));
  assert.deepEqual([String(d.mul(3)), d.min], ['3*d', 2]);
  refused(() => new Dim('2d'), 'Dim: expected a name');
});

test('every form of a specification declares the same sizes', () => om.scope(checkForms));

function checkForms() {
  const n = Dim('n', { min: 1, max: 9 });
  const model = (a, { b }) => a.add(b);
  const forms = [
    [[n, null], { b: [n, null] }],
    [{ 0: n }, { b: { 0: n } }],
    { input_0: [n, Dim.STATIC], input_1: { b: [n, 3] } },
  ];
  for (const form of forms) {
    withProgram(model, [om.ones([4, 3]), { b: om.ones([4, 3]) }], form, (program) => {
      assert.deepEqual(program.rangeConstraints, [{ label: 'n', min: 1, max: 9 }]);
      assert.equal(program.equalityConstraints.length, 1);
      const { values, inputs } = program.graph.view();
      assert.deepEqual(
        inputs.map((i) => values[i].shape),
        [
          ['n', 3],
          ['n', 3],
        ],
      );
      assert.deepEqual(program.call(om.ones([7, 3]), { b: om.ones([7, 3]) }).shape, [7, 3]);
    });
  }
}

test('every misuse of a specification is told with input and axis', () => {
  om.scope(() => {
    const x = om.ones([2, 3]);
    const misuse = (dynamicShapes, ...parts) =>
      refused(() => om.exportProgram((a, b) => a.add(b), { a: x, b: 3 }, { dynamicShapes }), ...parts);
    misuse({ other: [null, null] }, "'other'", "'a'", "'b'");
    misuse({ a: { 2: 4 } }, "input 'a'", 'axis 2', 'axes 0 to 1');
    misuse({ a: [null, null, null] }, "input 'a'", '3 entries');
    misuse({ a: [5, null] }, "input 'a', axis 0", 'static size 5', 'expected 2');
    misuse({ b: [null] }, "input 'b'", 'no tensor');
    misuse({ a: [Dim('n'), Dim('n', { max: 4 })] }, "'n' has two ranges");
    misuse({ a: ['n', null] }, 'got a string');
    misuse({ a: [2.5, null] }, 'got 2.5');
    misuse(new Map(), 'got Map');
    const broken = (dynamicShapes, ...parts) =>
      assertThrows(
        () => om.exportProgram((a) => a.neg(), { a: x }, { dynamicShapes }),
        om.ConstraintsError,
        'Constraints',
        ...parts,
      );
    const m = Dim('m');
    broken({ a: [Dim('n', { min: 3 }), null] }, "'a', axis 0", '2', '[3, inf]');
    broken({ a: [m, m.mul(2)] }, "'a', axis 1", '3');
    broken({ a: [m, m] }, 'm', '2', '3');
  });
});

test('ranges, equalities, relations, ranks and dtypes are demanded before anything runs', async () => {
  const n = Dim('n', { min: 2, max: 8 });
  const shapes = { a: [n, null], b: [n], c: [n.mul(2).add(1)] };
  const model = (a, b, c) => [a.sum(1).mul(b), c.neg()];
  const given = (rows, b = rows, c = 2 * rows + 1) => [om.ones([rows, 3]), om.ones([b]), om.ones([c])];
  const program = om.scope(() => {
    const [a, b, c] = given(3);
    return om.exportProgram(model, { a, b, c }, { dynamicShapes: shapes });
  });
  const loaded = om.ExportedProgram.load(program.toOneModel());
  const sessions = [
    program.createSession(),
    loaded.createSession(),
    await om.Session.load(program.toOnnx()),
    await om.Session.load(program.toOneModel()),
  ];
  om.scope(() => {
    const calls = [
      (...args) => program.call(...args),
      (...args) => loaded.call(...args),
      ...sessions.map(
        (session) =>
          (...args) =>
            Object.values(session.runSync(args)),
      ),
    ];
    for (const call of calls) {
      assert.deepEqual(call(...given(5))[0].toArray(), [3, 3, 3, 3, 3]);
      const broken = (args, ...parts) =>
        assertThrows(() => call(...args), om.ConstraintsError, 'Constraints', ...parts);
      broken(given(1), "'a'", 'axis 0', '[2, 8]', '1');
      broken(given(9), "'a'", '[2, 8]', '9');
      broken(given(3, 4), "'b'", '3', '4');
      broken(given(3, 3, 6), "'c'", '2 * n + 1 = 7', 'got 6');
      broken([om.ones([3, 4]), om.ones([3]), om.ones([7])], "'a'", 'axis 1', '4');
      broken([om.ones([3]), om.ones([3]), om.ones([7])], "'a'", 'rank');
      broken([om.ones([3, 3], 'float64'), om.ones([3]), om.ones([7])], "'a'", 'float32', 'float64');
    }
    assert.deepEqual(loaded.rangeConstraints, program.rangeConstraints);
    assert.deepEqual(loaded.equalityConstraints, program.equalityConstraints);
    assert.deepEqual(program.equalityConstraints, ["axis 0 of 'b' == axis 0 of 'a' (n)", "axis 0 of 'c' == 2*n + 1"]);
    for (const each of [...sessions, program, loaded]) each.dispose();
  });
});

test('sizes that the model does not keep are told together, with fixes that can be applied', () => {
  om.scope(() => {
    const [a, b, c] = om.dims('a', 'b', 'c');
    const model = (x, y, z) => [x.add(y), z.reshape([4, 1])];
    const examples = { x: om.ones([3]), y: om.ones([3]), z: om.ones([4]) };
    const dynamicShapes = { x: [a], y: [b], z: [c] };
    let message = '';
    assert.throws(
      () => om.exportProgram(model, examples, { dynamicShapes }),
      (error) => {
        assert.ok(error instanceof om.ConstraintsError, String(error));
        message = error.message;
        return true;
      },
    );
    assert.ok(message.includes('Suggested fixes:'), message);
    assert.ok(message.includes('c = 4'), message);
    const refined = om.refineDynamicShapes(message, dynamicShapes);
    assert.deepEqual(refined.z, [4]);
    assert.equal(String(refined.x[0]), String(refined.y[0]));
    const program = om.exportProgram(model, examples, { dynamicShapes: refined });
    assert.deepEqual(program.call(om.ones([5]), om.ones([5]), om.ones([4]))[0].shape, [5]);
    program.dispose();
    refused(() => om.refineDynamicShapes('nothing', dynamicShapes), 'suggests no fixes');
    refused(() => om.refineDynamicShapes('Suggested fixes:\n  other = 3', dynamicShapes), "'other'");
  });
});

/**
 * Models that each do something else to a size: [name, model, sizes of the inputs, others that a program of the refined
 * specification takes, some that it does not].
 */
const wilful = [
  ['fixes by a reshape', (x) => x.reshape([6]), [[6]], [], [[[5]], [[12]]]],
  ['fixes by a constant operand', (x) => x.add(om.ones([5])), [[5]], [], [[[1]], [[6]]]],
  ['fixes by a loop of the host', (x) => (x.shape[0] === 4 ? x.neg() : x.abs().neg().neg()), [[4]], [], [[[3]], [[8]]]],
  [
    'relates two inputs',
    (x, y) => x.mul(y),
    [[3], [3]],
    [[[7], [7]]],
    [
      [[7], [3]],
      [[7], [1]],
    ],
  ],
  ['relates two axes', (x) => x.matmul(x), [[4, 4]], [[[6, 6]]], [[[4, 6]], [[6, 4]]]],
  [
    'doubles',
    (x, y) => om.concat([x, x]).add(y),
    [[3], [6]],
    [[[5], [10]]],
    [
      [[5], [9]],
      [[5], [5]],
    ],
  ],
  [
    'adds one',
    (x, y) => om.concat([x, om.ones([1])]).add(y),
    [[3], [4]],
    [[[6], [7]]],
    [
      [[6], [6]],
      [[6], [1]],
    ],
  ],
  ['narrows by a slice', (x) => x.slice(0, 0, 3).add(om.ones([3])), [[7]], [], [[[2]], [[1]]]],
  ['narrows from above', (x) => om.ones([10]).slice(0, 0, x.dim(0)).add(x), [[4]], [[[10]], [[2]]], [[[11]]]],
  ['fixes one and keeps one', (x, y) => [x.neg(), y.reshape([2, 3])], [[4], [6]], [[[9], [6]]], [[[9], [7]]]],
  [
    'relates three',
    (x, y, z) => x.add(y).mul(z),
    [[5], [5], [5]],
    [[[8], [8], [8]]],
    [
      [[8], [8], [7]],
      [[8], [1], [8]],
    ],
  ],
  [
    'throws at other sizes',
    (x) => {
      if (x.shape[0] !== 3) throw new Error('three, please');
      return x.neg();
    },
    [[3]],
    [],
    [[[4]]],
  ],
];

for (const [name, model, sizes, taken, excluded] of wilful) {
  test(`the fixes lead to a program: ${name}`, () => {
    om.scope(() => {
      const examples = Object.fromEntries(sizes.map((shape, i) => [`x${i}`, om.rand(shape, 1, 2)]));
      let dynamicShapes = Object.fromEntries(
        sizes.map((shape, i) => [`x${i}`, shape.map((_, axis) => Dim(`n${i}_${axis}`))]),
      );
      let program = null;
      let rounds = 0;
      for (; program === null && rounds < 6; rounds++) {
        try {
          program = om.exportProgram(model, examples, { dynamicShapes });
        } catch (error) {
          assert.ok(error instanceof om.ConstraintsError, error.stack);
          dynamicShapes = om.refineDynamicShapes(error, dynamicShapes);
        }
      }
      assert.ok(program !== null, 'no program after all fixes');
      assert.ok(rounds > 1, 'the model kept every size');
      const flat = (result) => [result].flat();
      const random = (shapes) => shapes.map((shape) => om.rand(shape, 1, 2));
      for (const inputs of [Object.values(examples), ...taken.map(random)]) {
        const got = flat(program.call(...inputs));
        for (const [i, each] of flat(model(...inputs)).entries()) {
          assert.deepEqual(got[i].shape, each.shape);
          assert.ok(scaledError(got[i].data, each.data) <= 1e-6);
        }
      }
      for (const shapes of excluded) {
        assertThrows(() => program.call(...random(shapes)), om.ConstraintsError, 'Constraints');
      }
      program.dispose();
    });
  });
}

test('hints: kept where the model allows', () => {
  const model = (x, y) => [x.neg(), y.reshape([6])];
  om.scope(() => {
    const examples = [om.ones([4]), om.ones([6])];
    const program = om.exportProgram(model, examples, { dynamicShapes: [[Dim.AUTO], [Dim.AUTO]] });
    assert.deepEqual(program.call(om.ones([9]), om.ones([6]))[0].shape, [9]);
    assertThrows(() => program.call(om.ones([9]), om.ones([7])), om.ConstraintsError, 'Constraints', "'input_1'", '6');
    program.dispose();
    assertThrows(
      () => om.exportProgram(model, examples, { dynamicShapes: [[Dim.DYNAMIC], [Dim.DYNAMIC]] }),
      om.ConstraintsError,
      'Constraints',
      'input_1',
      '= 6',
    );
  });
});

test('hints: their bounds hold when the program runs', () => {
  om.scope(() => {
    for (const hint of [Dim.AUTO, Dim.DYNAMIC]) {
      const dynamicShapes = { x: [hint({ min: 2, max: 8 })] };
      const program = om.exportProgram((x) => x.neg(), { x: om.ones([4]) }, { dynamicShapes });
      const loaded = om.ExportedProgram.load(program.toOneModel());
      for (const each of [program, loaded]) {
        assert.deepEqual(each.rangeConstraints, [{ label: 'x_dim_0', min: 2, max: 8 }]);
        for (const size of [2, 8]) assert.deepEqual(each.call(om.ones([size])).shape, [size]);
        for (const size of [1, 9]) {
          const call = () => each.call(om.ones([size]));
          assertThrows(call, om.ConstraintsError, 'Constraints', "'x', axis 0", '[2, 8]', `got ${size}`);
        }
        each.dispose();
      }
    }
  });
});

test('a collection names tensors, further examples show what varies', () => {
  om.scope(() => {
    const [x, y] = [om.ones([3, 2]), om.ones([3])];
    const n = Dim('n');
    const shapes = new om.ShapesCollection().set(x, [n, null]).set(y, { 0: n });
    const model = ({ x: a, y: b }) => a.mul(b.unsqueeze(1));
    const program = om.exportProgram(model, [{ x, y }], { dynamicShapes: shapes });
    assert.deepEqual(program.call({ x: om.ones([5, 2]), y: om.ones([5]) }).shape, [5, 2]);
    const written = shapes.dynamicShapes([{ x, y }]);
    assert.equal(String(written.input.x[0]), 'n');
    refused(() => shapes.dynamicShapes([{ x, y: om.ones([3]) }]), 'none of the arguments');
    refused(() => new om.ShapesCollection().set(3, [n]), 'ShapesCollection.set');

    const more = new om.AdditionalInputs().add([om.ones([4, 2])]).add([om.ones([6, 2])]);
    assert.deepEqual(more.dynamicShapes([om.ones([3, 2])]).input.map(String), ['Dim.DYNAMIC', 'null']);
    const second = om.exportProgram((a) => a.sum(1), [om.ones([3, 2])], { dynamicShapes: more });
    assert.deepEqual(second.call(om.ones([8, 2])).shape, [8]);
    more.verify(second);
    more.add([om.ones([4, 3])]);
    assertThrows(() => more.verify(second), om.ConstraintsError, 'Constraints', 'additional inputs 2', "'input'");
    refused(
      () => new om.AdditionalInputs().add([om.ones([3])]).dynamicShapes([om.ones([3, 2])]),
      'additional inputs 0',
    );
    for (const each of [program, second]) each.dispose();
  });
});
