// Functions that call modules: nodes, weights, refusals and verify name them as a trace of the module does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, useEngine } from './support.mjs';

await useEngine();

class Block extends om.nn.Module {
  fc = new om.nn.Linear(3, 3);
  drop = new om.nn.Dropout();
  scale = om.nn.parameter(om.rand([3]));
  constructor() {
    super();
    this.registerBuffer('offset', om.rand([3]));
  }
  forward(x) {
    return this.drop.forward(this.fc.forward(x)).mul(this.scale).add(this.offset);
  }
}

class Net extends om.nn.Module {
  blocks = [new Block(), new Block()];
  forward(x) {
    for (const block of this.blocks) x = block.forward(x);
    return x.exp();
  }
}

/** Modules with a forward in a field of their own, as arrow functions are. */
class Arrow extends om.nn.Module {
  fc = new om.nn.Linear(3, 3);
  forward = (x) => this.fc.forward(x).neg();
}
class Around extends om.nn.Module {
  inner = new Arrow();
  forward(x) {
    return this.inner.forward(x);
  }
}

const axes = ['batch', null];
const pathsOf = (traced) => traced.view().nodes.map(({ op, modulePath }) => [op, modulePath]);
const weightsOf = (traced) =>
  Object.fromEntries(
    traced
      .view()
      .values.filter(({ kind }) => kind !== null && kind !== 'plain')
      .map(({ name, kind }) => [name, kind]),
  );

/** Gives the modules, in evaluation mode, and frees them and all tensors afterwards: none is left. */
function withModules(makers, use) {
  const { heapBytes: _, ...before } = om.memory();
  const modules = makers.map((make) => make().eval());
  try {
    om.scope(() => use(...modules));
  } finally {
    for (const each of modules) each.dispose();
  }
  const { heapBytes: __, ...after } = om.memory();
  assert.deepEqual(after, before);
}

test('a function that calls a module gives the graph of the module', () => {
  withModules([() => new Net()], (net) => {
    const x = om.rand([2, 3]);
    const own = om.trace(net, x, { axes });
    const traced = om.trace((input) => net.forward(input), x, { axes });
    assert.deepEqual(pathsOf(traced), pathsOf(own));
    assert.deepEqual(weightsOf(traced), weightsOf(own));
    assert.deepEqual(traced.toOnnx(), own.toOnnx());
    assert.deepEqual(pathsOf(traced)[0], ['MatMul', 'blocks.0.fc']);
    assert.equal(weightsOf(traced)['blocks.1.offset'], 'buffer');
    assert.equal(Object.hasOwn(net, 'forward'), false);
    own.dispose();
    traced.dispose();
  });
});

test('modules that a function calls are told apart, whatever it does between', () => {
  const makers = [() => new Block(), () => new Block(), () => new om.nn.Linear(3, 3), () => new Net()];
  withModules(makers, (first, second, linear, net) => {
    const fn = (input) => {
      const y = second.forward(first.forward(input).neg());
      return net.blocks[1].forward(net.forward(linear.forward(first.forward(y)))).abs();
    };
    const traced = om.trace(fn, om.rand([2, 3]), { axes, verify: true });
    assert.ok(traced.verification.ok, String(traced.verification));
    const add = ['MatMul', 'Add', 'Mul', 'Add'];
    const block = (path) => add.map((op, i) => [op, i < 2 ? (path ? `${path}.fc` : 'fc') : path]);
    assert.deepEqual(pathsOf(traced), [
      ...block(''),
      ['Neg', ''],
      ...block('Block'),
      ...block(''),
      ...add.slice(0, 2).map((op) => [op, 'Linear']),
      ...block('Net.blocks.0'),
      ...block('Net.blocks.1'),
      ['Exp', 'Net'],
      ...block('Net.blocks.1'),
      ['Abs', ''],
    ]);
    const names = Object.keys(weightsOf(traced)).sort();
    for (const name of ['fc.bias', 'Block.fc.bias', 'Linear.bias', 'Net.blocks.0.scale', 'scale']) {
      assert.ok(names.includes(name), `${name} in ${names}`);
    }
    assert.equal(new Set(names).size, names.length);
    traced.dispose();
  });
});

test('a part that was called before the whole keeps its place', () => {
  withModules([() => new Net()], (net) => {
    const traced = om.trace((x) => net.forward(net.blocks[1].forward(x)), om.rand([2, 3]));
    const paths = pathsOf(traced).map(([, path]) => path);
    assert.deepEqual([paths[0], paths[3], paths[4], paths.at(-1)], ['fc', '', 'Net.blocks.0.fc', 'Net']);
    assert.ok('scale' in weightsOf(traced));
    assert.ok('Net.blocks.0.scale' in weightsOf(traced));
    traced.dispose();
  });
});

test('refusals within a function name the module', () => {
  withModules([() => new Net()], (net) => {
    const x = om.rand([2, 3]);
    net.blocks[1].drop.train();
    const whole = () => om.trace((input) => net.forward(input), x);
    assertThrows(whole, om.TraceError, 'UnsupportedOperation', 'dropout', "module 'blocks.1.drop'");
    net.eval();
    const wrong = () => om.trace((input) => net.forward(input.matmul(om.ones([5, 5]))), x);
    assertThrows(wrong, om.ShapeError, 'Shape', 'MatMul');
    const traced = om.trace((input) => net.forward(input).neg(), x);
    assert.deepEqual(pathsOf(traced).at(-1), ['Neg', ''], 'the thread is as it was');
    traced.dispose();
  });
});

class Sized extends om.nn.Module {
  forward(x) {
    return x.mul(x.shape[0]);
  }
}
class Wrong extends om.nn.Module {
  forward(x) {
    return x.matmul(om.ones([5, 5]));
  }
}
class Holder extends om.nn.Module {
  constructor(head) {
    super();
    this.head = head;
  }
  forward(x) {
    return this.head.forward(x).neg();
  }
}

test('errors within a function name the module', () => {
  withModules([() => new Holder(new Wrong())], (net) => {
    const trace = () => om.trace((x) => net.forward(x), om.ones([2, 3]));
    assertThrows(trace, om.ShapeError, 'Shape', "module 'head': MatMul");
  });
});

test('verify of a function names the module of what differs', () => {
  withModules([() => new Holder(new Sized())], (net) => {
    const traced = om.trace((x) => net.forward(x), om.ones([2, 3]), { axes, verify: true });
    assert.equal(traced.verification.firstNode.modulePath, 'head');
    assert.match(traced.verification.message, /node 'Mul_0' in module 'head'/);
    traced.dispose();
  });
});

test('a forward in a field of its own has its path, and the modules below it, and is as before', () => {
  withModules([() => new Arrow(), () => new Around()], (arrow, around) => {
    const { forward } = arrow;
    const fields = Object.getOwnPropertyDescriptors(arrow);
    const own = om.trace(arrow, om.rand([2, 3]));
    assert.deepEqual(pathsOf(own), [
      ['MatMul', 'fc'],
      ['Add', 'fc'],
      ['Neg', ''],
    ]);
    assert.equal(arrow.forward, forward);
    assert.deepEqual(Object.getOwnPropertyDescriptors(arrow), fields);
    for (const target of [around, (x) => around.forward(x)]) {
      const traced = om.trace(target, om.rand([2, 3]));
      assert.deepEqual(pathsOf(traced), [
        ['MatMul', 'inner.fc'],
        ['Add', 'inner.fc'],
        ['Neg', 'inner'],
      ]);
      traced.dispose();
    }
    own.dispose();
    around.inner.fc.dispose();
    assert.throws(() => om.trace(around, om.rand([2, 3])), om.ArgumentError);
    assert.deepEqual(Object.keys(around.inner), ['fc', 'forward']);
  });
});

test('modules may be called within one another, made in the function, and inherit forward', () => {
  class Twice extends Block {
    forward(x) {
      return super.forward(super.forward(x));
    }
  }
  withModules([() => new Twice()], (twice) => {
    const seen = [];
    class Late extends om.nn.Module {
      forward(x) {
        seen.push(this);
        return twice.forward(x).tanh();
      }
    }
    const traced = om.trace((x) => new Late().forward(x), om.rand([2, 3]));
    assert.equal(seen.length, 1);
    assert.deepEqual(
      pathsOf(traced)
        .map(([op]) => op)
        .join(),
      `${Array(2).fill('MatMul,Add,Mul,Add').join()},Tanh`,
    );
    const plain = om.trace((x) => twice.forward(x), om.rand([2, 3]));
    assert.deepEqual(pathsOf(plain)[4], ['MatMul', 'fc']);
    traced.dispose();
    plain.dispose();
  });
});

test('calls outside of a trace, and after one that failed, are plain calls', () => {
  withModules([() => new Net()], (net) => {
    const x = om.rand([2, 3]);
    const expected = net.forward(x).toArray();
    assert.throws(() => om.trace((input) => net.forward(input).item(), x), om.TraceError);
    assert.deepEqual(net.forward(x).toArray(), expected);
    assert.equal(net.forward.name, 'forward');
  });
});

test('a forward that calls another one is traced as it runs', () => {
  class Base extends om.nn.Module {
    w = om.nn.parameter(om.ones([2]));
    forward(x) {
      return x.add(this.w);
    }
  }
  class Arrow extends Base {
    forward = (x) => super.forward(x).mul(3);
  }
  const patched = () => {
    const layer = new om.nn.Linear(2, 2);
    const forward = layer.forward.bind(layer);
    layer.forward = (x) => forward(x).mul(3);
    return layer;
  };
  withModules([() => new Arrow(), patched, () => Object.freeze(new om.nn.ReLU())], (...modules) => {
    const x = om.tensor([[1, 2]]);
    const calls = [
      ...modules.map((each) => (input) => each.forward(input)),
      (input) => Base.prototype.forward.call(modules[0], input),
    ];
    for (const call of calls) {
      const traced = om.trace(call, { x });
      const session = traced.createSession();
      assert.deepEqual(session.runSync({ x }).output.toArray(), call(x).toArray());
      for (const each of [session, traced]) each.dispose();
    }
    for (const each of modules)
      assert.equal(Object.hasOwn(each, 'forward'), each === modules[0] || each === modules[1]);
  });
});

test('a model that a traced function calls is as before; one that gives a buffer another tensor is refused', () => {
  class Counting extends om.nn.Module {
    calls = 0;
    replaces = false;
    constructor() {
      super();
      this.registerBuffer('count', om.zeros([2]));
    }
    forward(x) {
      this.calls++;
      const y = x.add(this.count);
      if (this.replaces) this.count = this.count.add(1);
      return y;
    }
  }
  withModules([() => new Counting()], (model) => {
    const x = om.ones([1, 2]);
    om.trace((input) => model.forward(model.forward(input)), x, { verify: true }).dispose();
    assert.equal(model.calls, 0);
    model.replaces = true;
    const trace = () => om.trace((input) => model.forward(input), x);
    assertThrows(trace, om.TraceError, 'InPlaceMutation', "'count'", 'exportProgram');
    assert.deepEqual(model.count.toArray(), [0, 0]);
    assert.equal(model.calls, 0);
  });
});
