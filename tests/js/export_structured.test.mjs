// Programs whose modules are called with nested arguments, and names that collide or are odd.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { withModel } from './export_models.mjs';
import { assertThrows, useEngine } from './support.mjs';

await useEngine();

const refuses = (fn, ...parts) => assertThrows(fn, om.ArgumentError, 'Argument', ...parts);

/** Scales a by the factor, adds b, and gives {sum, parts}. */
class Inner extends om.nn.Module {
  weight = om.nn.parameter(om.full([3], 10));
  forward({ a, b }, [factor, label]) {
    assert.equal(label, 'text');
    return { sum: a.mul(factor).add(b).mul(this.weight), parts: [a] };
  }
}

class Outer extends om.nn.Module {
  inner = new Inner();
  forward(x) {
    const { sum, parts } = this.inner.forward({ a: x, b: om.ones([3]) }, [2, 'text']);
    return sum.add(parts[0]);
  }
}

/** The program of an `Outer`, which keeps the form of its inner call, after a file. */
function withOuter(use) {
  om.scope(() =>
    withModel(
      () => new Outer(),
      (model) => {
        const first = om.exportProgram(model, [om.tensor([1, 2, 3])], { preserveModuleCalls: ['inner'] });
        const program = om.ExportedProgram.load(first.toOneModel());
        first.dispose();
        try {
          use(program);
        } finally {
          program.dispose();
        }
      },
    ),
  );
}

test('a replacement gets the arguments in the form of the call', () => {
  class Other extends om.nn.Module {
    seen = [];
    forward(pair, rest) {
      this.seen.push([Object.keys(pair), rest]);
      return { parts: [pair.b], sum: pair.a.add(pair.b) };
    }
  }
  withOuter((program) => {
    const other = new Other();
    const tree = om.unflatten(program, { inner: other });
    assert.deepEqual(tree.forward(om.tensor([1, 2, 3])).toArray(), [3, 4, 5]);
    assert.deepEqual(other.seen, [
      [
        ['a', 'b'],
        [2, 'text'],
      ],
    ]);
    other.forward = ({ a }) => a;
    refuses(() => tree.forward(om.tensor([1, 2, 3])), "in the place of 'inner'", '{sum: *, parts: [*]}, got *');
    tree.dispose();
  });
});

test('a module of the tree is called in the form of its call', () => {
  withOuter((program) => {
    const tree = om.unflatten(program);
    const [[name, inner]] = tree.children();
    assert.equal(name, 'inner');
    const [a, b] = [om.tensor([1, 2, 3]), om.ones([3])];
    const { sum, parts } = inner.forward({ b, a }, [2, 'text']);
    assert.deepEqual(sum.toArray(), [30, 50, 70]);
    assert.deepEqual(parts[0].toArray(), [1, 2, 3]);
    refuses(() => inner.forward({ a, b }, [3, 'text']), 'is 2 in the program, got 3');
    refuses(() => inner.forward(a, b), '[{a: *, b: *}, [*, *]], got [*, *]');
    tree.dispose();
  });
});

test('nested names that are taken get a suffix', () => {
  om.scope(() => {
    const examples = { a: [om.ones([3])], a_0: om.ones([1]) };
    const dynamicShapes = { a: [[om.Dim.DYNAMIC({ min: 2 })]] };
    const program = om.exportProgram((a, b) => ({ y: [a[0].add(b)], y_0: a[0].mul(2) }), examples, { dynamicShapes });
    assert.deepEqual(program.signature.userInputs, ['a_0_1', 'a_0']);
    assert.deepEqual(program.signature.userOutputs, ['output_y_0', 'output_y_0_1']);
    assert.equal(program.rangeConstraints[0].label, 'a_0_1_dim_0');
    const { y } = program.call({ a_0: om.ones([1]), a: [om.ones([2])] });
    assert.deepEqual(y[0].toArray(), [2, 2]);
    program.dispose();
  });
});

test('"__proto__" is a key as others are', () => {
  om.scope(() => {
    const key = '__proto__';
    const odd = (x) => ({ [key]: x, b: om.ones([2]) });
    const program = om.exportProgram((pair) => ({ [key]: pair[key].add(pair.b) }), {
      pair: odd(om.ones([2])),
    });
    const [{ structure }] = program.arguments;
    assert.deepEqual(Object.keys(structure), [key, 'b']);
    assert.deepEqual(program.signature.userInputs, ['pair___proto__', 'pair_b']);
    const result = program.call({ pair: { b: om.ones([2]), [key]: om.full([2], 4) } });
    assert.deepEqual(Object.keys(result), [key]);
    assert.deepEqual(result[key].toArray(), [5, 5]);
    const loaded = om.ExportedProgram.load(program.toOneModel());
    assert.deepEqual(loaded.arguments, program.arguments);
    for (const each of [loaded, program]) each.dispose();
  });
});

test('attention that gives its weights is a call', () => {
  class Attending extends om.nn.Module {
    attention = new om.nn.MultiheadAttention(4, 2);
    forward(x) {
      const [y, weights] = this.attention.forward(x, x, x, { needWeights: true });
      return { y, weights };
    }
  }
  om.scope(() =>
    withModel(
      () => new Attending(),
      (model) => {
        const program = om.exportProgram(model, [om.ones([3, 1, 4])]);
        const call = program.moduleCallGraph.find(({ path }) => path === 'attention');
        assert.deepEqual(call.inputs.slice(0, 3), ['input', 'input', 'input']);
        assert.equal(call.outputs.length, 2);
        assert.ok(program.moduleCallGraph.some(({ path }) => path === 'attention.out_proj'));
        const tree = om.unflatten(program);
        assert.ok(tree.children().some(([name]) => name === 'attention'));
        for (const each of [tree, program]) each.dispose();
      },
    ),
  );
});

test('refusals name the call that was made', () => {
  om.scope(() => {
    const refused = (fn, how) =>
      assertThrows(
        () => om.exportProgram(fn, [om.ones([2])]),
        om.TraceError,
        'InPlaceMutation',
        `${how}:`,
        'changed in place',
      );
    refused((x) => x.zero_(), 'zero_');
    refused((x) => x.fill_(3), 'fill_');
    refused((x) => x.fill(3), 'fill');
    refused((x) => x.copyFrom(om.ones([2])), 'copyFrom');
    refused((x) => x.copy_(om.ones([2])), 'copy_');
  });
});

test('additional inputs may have their keys in any order', () => {
  om.scope(() => {
    const more = new om.AdditionalInputs().add({ y: om.ones([1]), pair: { b: om.ones([5]), a: om.ones([5]) } });
    const examples = { pair: { a: om.ones([3]), b: om.ones([3]) }, y: om.ones([1]) };
    const model = (pair, y) => [pair.a.mul(2), pair.b.add(y)];
    const program = om.exportProgram(model, examples, { dynamicShapes: more });
    more.verify(program);
    const [doubled, sum] = program.call({ y: om.ones([1]), pair: { b: om.ones([4]), a: om.ones([7]) } });
    assert.deepEqual([doubled.shape, sum.shape], [[7], [4]]);
    program.dispose();
  });
});

test('an updated element shares no memory with other inputs and requires no gradient', () => {
  om.scope(() => {
    const program = om.exportProgram((x, { total }) => total.add_(x).mul(2), {
      x: om.ones([2]),
      state: { total: om.ones([2]) },
    });
    const session = program.createSession();
    const x = om.ones([2]);
    const leaf = om.ones([2]);
    leaf.requiresGrad = true;
    const runs = [
      (value, total) => program.call(value, { total }),
      (value, total) => session.runSync({ x: value, state_total: total }),
    ];
    for (const run of runs) {
      refuses(() => run(x, x), "updates its input 'state_total'", "shares memory with the input 'x'");
      assertThrows(() => run(x, leaf), om.GradientError, 'Gradient', "'state_total'", 'requires a gradient');
      assert.deepEqual(
        [x.toArray(), leaf.detach().toArray()],
        [
          [1, 1],
          [1, 1],
        ],
      );
    }
    for (const each of [session, program]) each.dispose();
  });
});

test('a session takes a state dict, and a wrong one changes nothing', () => {
  class Scaled extends om.nn.Module {
    weight = om.nn.parameter(om.ones([2]));
    constructor() {
      super();
      this.registerBuffer('count', om.zeros([1]));
    }
    forward(x) {
      const y = x.mul(this.weight).add(this.count);
      this.count.add_(1);
      return y;
    }
  }
  om.scope(() =>
    withModel(
      () => new Scaled(),
      (model) => {
        const x = om.ones([2]);
        const program = om.exportProgram(model, [x]);
        const session = program.createSession();
        const shared = program.createSession({ shareStateWith: session });
        const values = (each) => each.runSync(x).output.toArray();
        assert.deepEqual(values(session), [1, 1]);
        session.loadStateDict({ weight: om.tensor([3, 4]), count: om.full([1], 10) });
        assert.deepEqual(values(session), [13, 14]);
        assert.deepEqual(values(shared), [14, 15]);
        assert.deepEqual(program.stateDict().count.toArray(), [0]);
        const wrong = { weight: om.ones([3]), other: om.ones([1]) };
        assertThrows(
          () => session.loadStateDict(wrong),
          om.ModelError,
          'Malformed',
          'missing: count',
          'weight: expected float32[2], got float32[3]',
          'unexpected: other',
        );
        refuses(() => session.loadStateDict({ weight: 3 }), "loadStateDict: 'weight'");
        assert.deepEqual(values(session), [15, 16]);
        for (const each of [shared, session, program]) each.dispose();
      },
    ),
  );
});

test('a stack that overflows in the model leaves nothing behind', () => {
  class Endless extends om.nn.Module {
    fc = new om.nn.Linear(3, 3);
    forward(x) {
      return this.again(this.fc.forward(x));
    }
    again(x) {
      return this.forward(x).add(1);
    }
  }
  om.scope(() => {
    const endless = (x) => endless(x.add(1)).mul(2);
    const [x, model] = [om.ones([3]), new Endless()];
    const before = om.memory();
    for (const target of [endless, model]) {
      assert.throws(() => om.exportProgram(target, [x]), RangeError);
      const report = om.draftExport(target, [x]);
      assert.equal(report.failures[0].kind, 'ModelError');
      report.dispose();
    }
    const { heapBytes: _, ...after } = om.memory();
    assert.deepEqual({ ...after, heapBytes: 0 }, { ...before, heapBytes: 0 });
    const program = om.exportProgram(model.fc, [x]);
    program.dispose();
    model.dispose();
  });
});

test('a program with the gradients of its loss trains its model', () => {
  class Loss extends om.nn.Module {
    fc = new om.nn.Linear(3, 1);
    forward(x, y) {
      const distance = this.fc.forward(x).sub(y);
      return distance.mul(distance).mean();
    }
  }
  om.scope(() =>
    withModel(
      () => new Loss(),
      (model) => {
        const [x, y] = [om.rand([4, 3], -1, 1), om.rand([4, 1], -1, 1)];
        const program = om.exportForTraining(model, { x, y });
        const joint = program.forwardBackward({ inputs: ['x'] });
        assert.equal(joint.signature.lossOutput, 'output');
        assert.deepEqual(joint.signature.gradientsToParameters, {
          p_fc_weight_grad: 'fc.weight',
          p_fc_bias_grad: 'fc.bias',
        });
        assert.deepEqual(joint.signature.gradientsToUserInputs, { x_grad: 'x' });
        const { output, gradients } = joint.call(x, y);
        const leaf = x.clone();
        leaf.requiresGrad = true;
        const loss = model.forward(leaf, y);
        loss.backward();
        const expected = { 'fc.weight': model.fc.weight.grad, 'fc.bias': model.fc.bias.grad, x: leaf.grad };
        assert.deepEqual(Object.keys(gradients), Object.keys(expected));
        const isClose = (a, b) => a.data.every((value, i) => Math.abs(value - b.data[i]) <= 1e-5);
        assert.ok(isClose(output, loss.detach()));
        for (const [name, gradient] of Object.entries(gradients)) assert.ok(isClose(gradient, expected[name]), name);
        refuses(() => program.forwardBackward({ loss: 'other' }), "no output 'other'");
        refuses(() => program.forwardBackward({ inputs: ['z'] }), "no user input 'z'");
        for (const each of [joint, program]) each.dispose();
      },
    ),
  );
});

test('gradients in a program are finite where those of its model are', () => {
  const seen = [true, true, false, false];
  for (const [loss, values, expected] of [
    [(x) => om.nn.binaryCrossEntropy(x.sigmoid(), om.tensor([1, 0, 1, 0.5])), [200, -200, -200, 0], [0, 0, 0, 0]],
    [(x) => x.std(), [1, 1, 1, 1], [0, 0, 0, 0]],
    [(x) => x.norm(3), [0, 0, 0, 0], [0, 0, 0, 0]],
    [(x) => x.norm(0.5), [0, 0, 0, 2], [0, 0, 0, 1]],
    [(x) => om.nn.hardtanh(x).sum(), [1, -1, 0.5, 4], [0, 0, 1, 0]],
    [
      (x) => {
        const rows = x.reshape([2, 2]);
        return om.nn.scaledDotProductAttention(rows, rows, om.ones([2, 1]), om.tensor(seen).reshape([2, 2])).sum();
      },
      [1, 2, 3, 4],
      [0, 0, 0, 0],
    ],
  ]) {
    class Loss extends om.nn.Module {
      forward(x) {
        return loss(x);
      }
    }
    om.scope(() => {
      const x = om.tensor(values);
      const program = om.exportForTraining(new Loss(), { x });
      const joint = program.forwardBackward({ inputs: ['x'] });
      const { gradients } = joint.call(x);
      const found = Array.from(gradients.x.data);
      assert.ok(
        found.every((value, i) => Math.abs(value - expected[i]) < 1e-6),
        `${loss}: ${found}`,
      );
      for (const each of [joint, program]) each.dispose();
    });
  }
});
