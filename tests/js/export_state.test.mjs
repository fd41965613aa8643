// State of programs: tied weights, frozen parameters, examples, programs inside of other models.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, scaledError, useEngine } from './support.mjs';

await useEngine();

const { nn } = om;

/** Disposes of everything that `use` keeps; other tensors are freed after it. */
function keeping(use) {
  const kept = [];
  try {
    om.scope(() => use((each) => kept.at(kept.push(each) - 1)));
  } finally {
    for (const each of kept.reverse()) each.dispose();
  }
}

class Tied extends nn.Module {
  encoder = new nn.Linear(2, 2, { bias: false });
  again = this.encoder;
  constructor() {
    super();
    this.head = this.encoder.weight;
  }
  forward(x) {
    return this.again.forward(this.encoder.forward(x)).matmul(this.head);
  }
}

test('a program takes the state dict of a model with tied weights', () => {
  keeping((keep) => {
    const model = keep(new Tied());
    const x = om.tensor([[1, 2]]);
    const program = keep(om.exportProgram(model, [x]));
    const loaded = keep(om.ExportedProgram.load(program.toOneModel()));
    const [weight] = program.signature.inputs;
    assert.deepEqual([weight.target, ...weight.aliases].sort(), Object.keys(model.stateDict()).sort());
    const state = Object.fromEntries(
      Object.keys(model.stateDict()).map((path) => [path, om.tensor([[2, 0], [1, 1]])]), // biome-ignore format: a matrix
    );
    model.loadStateDict(state);
    const expected = model.forward(x).toArray();
    const again = keep(om.exportProgram(keep(program.module()), [x]));
    for (const each of [program, loaded, again]) {
      const session = keep(each.createSession());
      const module = keep(each.module());
      const tree = keep(om.unflatten(each));
      for (const one of [session, module, tree, each]) {
        assert.deepEqual(Object.keys(one.stateDict()).sort(), Object.keys(state).sort());
        one.loadStateDict(state);
      }
      assert.equal(module.parameters().length, 1);
      assert.deepEqual(each.call(x).toArray(), expected);
      assert.deepEqual(session.runSync(x).output.toArray(), expected);
      assert.deepEqual(module.forward(x).toArray(), expected);
      assert.deepEqual(tree.forward(x).toArray(), expected);
    }
  });
});

test('paths of one tensor have one value, and one of them is enough', () => {
  keeping((keep) => {
    const program = keep(om.exportProgram(keep(new Tied()), [om.tensor([[1, 2]])]));
    const session = keep(program.createSession());
    const module = keep(program.module());
    const tree = keep(om.unflatten(program));
    const [first, ...others] = Object.keys(program.stateDict());
    const [{ target }] = program.signature.inputs;
    const matrix = (value) => om.full([2, 2], value);
    for (const each of [program, session, module, tree]) {
      const before = each.stateDict()[first].toArray();
      const state = { [first]: matrix(1), ...Object.fromEntries(others.map((path) => [path, matrix(2)])) };
      assertThrows(() => each.loadStateDict(state), om.ModelError, 'Malformed', ...Object.keys(state));
      assert.deepEqual(each.stateDict()[first].toArray(), before);
      for (const path of others) {
        each.loadStateDict({ [path]: matrix(3) });
        for (const tensor of Object.values(each.stateDict())) assert.deepEqual(tensor.toArray(), matrix(3).toArray());
      }
      assertThrows(() => each.loadStateDict({}), om.ModelError, 'Malformed', 'missing', target);
    }
  });
});

test('a tensor is saved under the path that is, also where another is not', () => {
  keeping((keep) => {
    class Both extends nn.Module {
      constructor() {
        super();
        const shared = om.ones([2]);
        this.registerBuffer('a', shared, { persistent: false });
        this.registerBuffer('b', shared);
      }
      forward(x) {
        this.a.add_(1);
        return x.mul(this.b);
      }
    }
    const model = keep(new Both());
    const program = keep(om.exportProgram(model, [om.ones([2])]));
    assert.deepEqual(Object.keys(program.stateDict()), ['b']);
    assert.deepEqual(program.signature.buffersToMutate, { [program.signature.outputs[0].name]: 'b' });
    program.loadStateDict(model.stateDict());
    program.loadStateDict({ b: om.tensor([3, 4]) });
    for (const each of [program, keep(om.ExportedProgram.load(program.toOneModel()))]) {
      assert.deepEqual(each.call(om.ones([2])).toArray(), [4, 5]);
    }
    assert.deepEqual(program.stateDict().b.toArray(), [4, 5]);
  });
});

test('frozen parameters stay frozen', () => {
  keeping((keep) => {
    const model = keep(new nn.Sequential(new nn.Linear(2, 2), new nn.Linear(2, 1)));
    model.stateDict()['0.weight'].requiresGrad = false;
    const program = keep(om.exportForTraining(model, [om.ones([1, 2])]));
    const loaded = keep(om.ExportedProgram.load(program.toOneModel()));
    for (const each of [program, loaded]) {
      assert.deepEqual(
        each.signature.inputs.filter(({ frozen }) => frozen).map(({ target }) => target),
        ['0.weight'],
      );
      for (const module of [keep(each.module()), keep(om.unflatten(each))]) {
        for (const [path, parameter] of module.namedParameters()) {
          assert.equal(parameter.requiresGrad, path !== '0.weight', path);
        }
      }
      const joint = keep(each.forwardBackward());
      assert.deepEqual(Object.keys(joint.call(om.ones([1, 2])).gradients), ['0.bias', '1.weight', '1.bias']);
    }
  });
});

test('examples are copies', () => {
  keeping((keep) => {
    const program = keep(om.exportProgram((x) => x.softmax(0), [om.tensor([1, 2])]));
    program.exampleInputs().input.fill(50);
    assert.deepEqual(program.exampleInputs().input.toArray(), [1, 2]);
  });
});

test("a model's own buffer may be the example", () => {
  keeping((keep) => {
    class Total extends nn.Module {
      constructor() {
        super();
        this.registerBuffer('total', om.tensor([1, 2]));
      }
      forward(x, parts) {
        parts[0].mul_(2);
        return this.total.add_(x).add(parts[0]);
      }
    }
    const model = keep(new Total());
    const program = keep(om.exportProgram(model, { x: model.total, parts: [model.total] }));
    assert.deepEqual(model.total.toArray(), [1, 2]);
    const part = om.tensor([100, 200]);
    assert.deepEqual(program.call(om.tensor([10, 20]), [part]).toArray(), [211, 422]);
    assert.deepEqual(part.toArray(), [200, 400]);
    assert.deepEqual(program.stateDict().total.toArray(), [11, 22]);
  });
});

test('a program that updates nothing is traced and exported where it is called', () => {
  keeping((keep) => {
    const inner = keep(om.exportProgram((x) => x.mul(2), [om.ones([2])]));
    const x = om.tensor([3, 4]);
    const graph = keep(om.trace((y) => inner.call(y).add(1), [om.ones([2])]));
    const session = keep(om.Session.fromGraph(graph));
    assert.deepEqual(session.runSync(x).output.toArray(), [7, 9]);
    const outer = keep(om.exportProgram((y) => inner.call(y).add(1), [om.ones([2])]));
    assert.deepEqual(outer.call(x).toArray(), [7, 9]);
  });
});

test('a size that is kept by a decomposition is told, with the name of the operator', () => {
  keeping((keep) => {
    const n = om.Dim('n');
    const examples = { x: om.tensor([1, 2, 3]) };
    const program = keep(om.exportProgram((x) => x.mean(0).relu(), examples, { dynamicShapes: { x: [n] } }));
    const table = {
      Relu: ([x]) => x.clip(0),
      ReduceMean: ([x]) => x.sum(0).div(x.shape[0]),
    };
    const parts = ['decomposition of ReduceMean keeps a size of the example', 'n = 4'];
    assertThrows(() => program.runDecompositions(table), om.ArgumentError, 'Argument', ...parts);
    const simple = keep(program.runDecompositions({ Relu: table.Relu }));
    assert.equal(simple.call(om.ones([7])).item(), 1);
  });
});

test('what a decomposition throws at another size comes out', () => {
  keeping((keep) => {
    const dynamicShapes = { x: [om.Dim('n')] };
    const program = keep(om.exportProgram((x) => x.relu(), { x: om.tensor([1, 2, 3]) }, { dynamicShapes }));
    const error = new RangeError('three or nothing');
    const Relu = ([x]) => {
      if (x.shape[0] !== 3) throw error;
      return x.clip(0);
    };
    assert.throws(
      () => program.runDecompositions({ Relu }),
      (thrown) => thrown === error,
    );
  });
});

test('a joint graph of attention, an embedding and a convolution has the gradients of autograd', () => {
  keeping((keep) => {
    class Net extends nn.Module {
      embed = new nn.Embedding(5, 4);
      attention = new nn.MultiheadAttention(4, 2);
      conv = new nn.Conv1d(4, 2, 2, { stride: 2 });
      forward(ids) {
        const y = this.attention.forward(this.embed.forward(ids));
        return this.conv
          .forward(y.permute([1, 2, 0]))
          .pow(2)
          .sum();
      }
    }
    const model = keep(new Net());
    const ids = om.tensor([[1, 4], [1, 0], [3, 2], [2, 2]], 'int64'); // biome-ignore format: a matrix
    const joint = keep(keep(om.exportForTraining(model, [ids])).forwardBackward());
    model.forward(ids).backward();
    const { gradients } = joint.call(ids);
    const session = keep(joint.createSession());
    const results = session.runSync(ids);
    assert.deepEqual(Object.keys(gradients), model.namedParameters().map(([path]) => path)); // biome-ignore format: one line
    for (const [path, parameter] of model.namedParameters()) {
      assert.ok(scaledError(gradients[path], parameter.grad) < 1e-5, path);
      assert.ok(scaledError(results[`p_${path.replaceAll('.', '_')}_grad`], parameter.grad) < 1e-5, path);
    }
    assert.ok(joint.toOnnx({ stateInputs: true }).length > 0);
  });
});
