// Errors that are thrown while a module runs say in which one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as om from 'onemodel';
import { useEngine } from './support.mjs';

const { nn } = om;

await useEngine({ threads: 1, variant: 'simd' });

class Layer extends nn.Module {
  linear1 = new nn.Linear(4, 4);
  constructor(body = (x) => x) {
    super();
    this.body = body;
  }
  forward(x) {
    return this.body(this.linear1.forward(x));
  }
}

class Encoder extends nn.Module {
  constructor(layers) {
    super();
    this.layers = layers;
  }
  forward(x) {
    return this.layers.reduce((y, layer) => layer.forward(y), x);
  }
}

class Net extends nn.Module {
  constructor(...layers) {
    super();
    this.encoder = new Encoder(layers);
  }
  forward(x) {
    return this.encoder.forward(x);
  }
}

/** What `fn` throws. */
function thrownBy(fn) {
  try {
    fn();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

/** What a call of `model` with float32 ones of `shape` throws. */
function failureOf(model, shape = [2, 4]) {
  try {
    return om.scope(() => thrownBy(() => model.forward(om.ones(shape))));
  } finally {
    model.dispose();
  }
}

const failsIn = (body) => failureOf(new Net(new Layer(), new Layer(body)));

test('the error of a layer has the path from the module that was called', () => {
  const error = failureOf(new Net(new Layer()), [2, 3]);
  assert.ok(error instanceof om.ShapeError);
  assert.deepEqual([error.name, error.kind], ['ShapeError', 'Shape']);
  assert.equal(error.modulePath, 'encoder.layers.0.linear1');
  assert.match(error.message, /^module 'encoder\.layers\.0\.linear1': Linear: /);
  assert.equal(error.message.split("module '").length, 2);
  const [head, line] = error.stack.split('\n    at ');
  assert.equal(head, `ShapeError: ${error.message}`);
  assert.match(line, /error_path\.test\.mjs/);
  assert.match(inspect(error), /modulePath: 'encoder\.layers\.0\.linear1'/);
});

test('so has that of an operator, and of a function that a module calls', () => {
  const helper = (x) => x.matmul(om.ones([5, 5]));
  for (const body of [(x) => x.matmul(om.ones([5, 5])), (x) => helper(x.neg()), (x) => x.add(om.ones([3, 3]))]) {
    const error = failsIn(body);
    assert.ok(error instanceof om.ShapeError);
    assert.equal(error.modulePath, 'encoder.layers.1');
    assert.match(error.message, /^module 'encoder\.layers\.1': (MatMul|Add): /);
  }
  const ours = failsIn((x) => x.reshape(2, 2)); // the package's own check
  assert.match(ours.message, /^module 'encoder\.layers\.1': reshape: expected a list of sizes/);
  assert.equal(ours.kind, 'Argument');
});

test('an error in the module itself has an empty path, one outside of modules none', () => {
  const own = failureOf(new nn.Linear(4, 4), [2, 3]);
  assert.equal(own.modulePath, '');
  assert.match(own.message, /^Linear: /);
  const outside = om.scope(() => thrownBy(() => om.ones([2, 3]).matmul(om.ones([2, 3]))));
  assert.equal('modulePath' in outside, false);
});

test('containers, inherited forwards and shared modules have their paths', () => {
  const sequential = new nn.Sequential(new nn.ReLU(), new nn.Sequential(new nn.Tanh(), new nn.Linear(3, 3)));
  assert.equal(failureOf(sequential).modulePath, '1.1');

  class Listed extends nn.Module {
    blocks = new nn.ModuleList([new nn.ReLU(), new nn.Linear(3, 3)]);
    forward(x) {
      return [...this.blocks].reduce((y, each) => each.forward(y), x);
    }
  }
  assert.equal(failureOf(new Listed()).modulePath, 'blocks.1');

  class Scaled extends Layer {
    forward(x) {
      return super.forward(x.mul(2));
    }
  }
  const inherited = failureOf(new Net(new Scaled()), [2, 3]);
  assert.equal(inherited.modulePath, 'encoder.layers.0.linear1');

  class Tied extends nn.Module {
    first = new nn.Linear(4, 3);
    second = this.first;
    forward(x) {
      return this.second.forward(this.first.forward(x));
    }
  }
  assert.equal(failureOf(new Tied()).modulePath, 'first');
});

test("a path goes on into the engine's own modules", () => {
  const layer = new nn.TransformerEncoderLayer(8, 2);
  const model = new nn.Sequential(new nn.Sequential(layer));
  const error = failureOf(model, [3, 2, 6]);
  assert.match(error.modulePath, /^0\.0(\.\w+)?$/);
  assert.equal(error.message.split("module '").length, 2, error.message);
  assert.ok(error.message.startsWith(`module '${error.modulePath}': `), error.message);
});

test('a module that is no part of its caller counts as one with it', () => {
  const hidden = new nn.Linear(3, 3);
  const error = failsIn((x) => hidden.forward(x));
  assert.equal(error.modulePath, 'encoder.layers.1');
  const tree = new Net(new Layer());
  const inner = failsIn((x) => tree.forward(x.slice(1, 0, 2)));
  assert.equal(inner.modulePath, 'encoder.layers.0.linear1');
  for (const each of [hidden, tree]) each.dispose();
});

test('errors that are not of the engine keep their message and learn the path', () => {
  class Mine extends Error {}
  const mine = failsIn(() => {
    throw new Mine('as it was');
  });
  assert.ok(mine instanceof Mine);
  assert.deepEqual([mine.message, mine.modulePath], ['as it was', 'encoder.layers.1']);
  const frozen = Object.freeze(new Mine('frozen'));
  const same = failsIn(() => {
    throw frozen;
  });
  assert.equal(same, frozen);
  for (const thrown of ['text', null, undefined, 3]) {
    assert.equal(
      failsIn(() => {
        throw thrown;
      }),
      thrown,
    );
  }
  const named = Object.assign(new Mine('named'), { modulePath: 'theirs' });
  assert.equal(
    failsIn(() => {
      throw named;
    }).modulePath,
    'theirs',
  );
  const stopped = failsIn(() => {
    throw Object.freeze(new om.ShapeError('frozen', 'Shape'));
  });
  assert.equal(stopped.message, 'frozen');
});

test('an error that a module catches is told from there, and words put before it stay', () => {
  let seen = '';
  const error = failsIn((x) => {
    const inner = new Net(new Layer());
    try {
      return inner.forward(x.slice(1, 0, 2));
    } catch (caught) {
      seen = caught.message;
      caught.message = `while trying: ${caught.message}`;
      throw caught;
    } finally {
      inner.dispose();
    }
  });
  assert.match(seen, /^module 'encoder\.layers\.0\.linear1': Linear/);
  assert.match(error.message, /^while trying: module 'encoder\.layers\.0\.linear1': Linear/);
});

test('traces and exports tell a path once', () => {
  const bodies = [(x) => x.matmul(om.ones([5, 5])), (x) => x.sum().item(), (x) => x.reshape(2, 2)];
  const ways = [
    (model, x) => om.trace(model, x),
    (model, x) => om.exportProgram(model, [x]),
    (model, x) => om.trace((y) => model.forward(y), x),
    (model, x) => om.exportProgram((y) => model.forward(y), [x]),
  ];
  for (const body of bodies) {
    for (const way of ways) {
      const model = new Net(new Layer(), new Layer(body));
      const error = om.scope(() => thrownBy(() => way(model, om.ones([2, 4]))));
      assert.equal(error.modulePath, 'encoder.layers.1', `${body} ${way}`);
      assert.equal(error.message.split("module '").length, 2, error.message);
      assert.ok(error.message.includes("module 'encoder.layers.1'"), error.message);
      model.dispose();
    }
  }
});

test('a forward that is a field is traced with its path, and is as before afterwards', () => {
  class Field extends nn.Module {
    fc = new nn.Linear(4, 4);
    forward = (x) => this.fc.forward(x).neg();
  }
  const model = new nn.Sequential(new Field());
  const [field] = model;
  const before = Object.getOwnPropertyDescriptor(field, 'forward');
  om.scope(() => {
    for (let run = 0; run < 2; run++) {
      const traced = om.trace(model, om.ones([2, 4]));
      const { nodes } = traced.view();
      assert.equal(nodes.at(-1).modulePath, '0');
      assert.equal(nodes[0].modulePath, '0.fc');
      traced.dispose();
    }
    const error = thrownBy(() => om.trace(model, om.ones([2, 3])));
    assert.ok(error.message.startsWith("module '0.fc': "), error.message);
    assert.deepEqual(Object.getOwnPropertyDescriptor(field, 'forward'), before);
  });
  assert.equal(failureOf(model, [2, 3]).modulePath, '0.fc');
});

test('modules of a program, and those in their place, have the paths of the program', () => {
  om.scope(() => {
    const model = new Net(new Layer(), new Layer());
    const program = om.exportProgram(model, [om.ones([2, 4])]);
    const broken = new Layer((x) => x.matmul(om.ones([5, 5])));
    const tree = om.unflatten(program, { 'encoder.layers.1': broken });
    const whole = new nn.Sequential(tree);
    const error = thrownBy(() => whole.forward(om.ones([2, 4])));
    assert.ok(error instanceof om.ShapeError);
    assert.equal(error.modulePath, '0.encoder.layers.1');
    assert.match(error.message, /^module '0\.encoder\.layers\.1': MatMul: /);
    for (const each of [whole, program, model]) each.dispose();
  });
});

test('a forward stays what it was to those who look at it', () => {
  class Two extends nn.Module {
    forward(a, b) {
      return a.add(b);
    }
  }
  const two = new Two();
  assert.deepEqual([two.forward.name, two.forward.length], ['forward', 2]);
  const { forward } = Two.prototype;
  new Two();
  assert.equal(Two.prototype.forward, forward);
  class Fixed extends nn.Module {
    forward(x) {
      return x;
    }
  }
  Object.freeze(Fixed.prototype);
  assert.equal(
    om.scope(() => new Fixed().forward(3)),
    3,
  );
  assert.deepEqual(Object.keys(two), []);
});

test('a model that calls itself without end is a RangeError as before', () => {
  class Endless extends nn.Module {
    forward(x) {
      return this.forward(x);
    }
  }
  assert.ok(failureOf(new Endless()) instanceof RangeError);
});
