// Modules: which tensors are theirs, under which names, in which mode.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, useEngine } from './support.mjs';

await useEngine();

const pathsOf = (named) => named.map(([path]) => path);

/** Two layers of which the second has the weight of the first. */
class Tied extends om.nn.Module {
  encoder = new Scaled(om.nn.parameter(om.ones([3])));
  decoder = new Scaled(this.encoder.weight);
  forward(x) {
    return this.decoder.forward(this.encoder.forward(x));
  }
}

class Scaled extends om.nn.Module {
  bias = om.nn.parameter([3]);
  constructor(weight) {
    super();
    this.weight = weight;
  }
  forward(x) {
    return x.mul(this.weight).add(this.bias);
  }
}

/** One module under two names. */
class Shared extends om.nn.Module {
  first = new om.nn.Linear(3, 3);
  second = this.first;
  drop = new om.nn.Dropout();
  forward(x) {
    return this.drop.forward(this.second.forward(this.first.forward(x)));
  }
}

function withModule(model, fn) {
  try {
    return om.scope(() => fn(model));
  } finally {
    model.dispose();
  }
}

test('a frozen parameter stays a parameter', () => {
  class Net extends om.nn.Module {
    scale = om.nn.parameter(om.ones([4]));
    fc = new om.nn.Linear(4, 2);
    forward(x) {
      return this.fc.forward(x.mul(this.scale));
    }
  }
  withModule(new Net(), (net) => {
    const paths = ['scale', 'fc.weight', 'fc.bias'];
    for (const each of net.parameters()) each.requiresGrad = false;
    assert.deepEqual(pathsOf(net.namedParameters()), paths);
    assert.deepEqual(Object.keys(net.stateDict()), paths);
    const traced = om.trace(net, om.ones([2, 4]));
    const constants = traced.view().values.filter(({ kind }) => kind === 'parameter');
    assert.deepEqual(constants.map(({ name }) => name.replace(/\.view_.*/, '')).sort(), [...paths].sort());
    traced.dispose();

    const file = om.saveCheckpoint(net);
    net.scale.fill(5);
    om.loadCheckpoint(file, net);
    assert.deepEqual(net.scale.toArray(), [1, 1, 1, 1]);
  });
});

test('optimizers leave frozen parameters alone', () => {
  withModule(new om.nn.Linear(2, 2), (fc) => {
    for (const optimizer of [
      new om.optim.SGD(fc.parameters(), { lr: 1, momentum: 0.9, weightDecay: 0.1 }),
      new om.optim.Adam(fc.parameters(), { lr: 1 }),
    ]) {
      fc.weight.requiresGrad = false;
      const [weight, bias] = [fc.weight.toArray(), fc.bias.toArray()];
      optimizer.zeroGrad();
      fc.forward(om.ones([1, 2]))
        .sum()
        .backward();
      optimizer.step();
      assert.equal(fc.weight.grad, null);
      assert.deepEqual(fc.weight.toArray(), weight);
      assert.notDeepEqual(fc.bias.toArray(), bias);
      fc.weight.requiresGrad = true;
      fc.forward(om.ones([1, 2]))
        .sum()
        .backward();
      optimizer.step();
      assert.notDeepEqual(fc.weight.toArray(), weight);
      optimizer.dispose();
    }
  });
});

test('other tensors in fields are no parameters', () => {
  class Net extends om.nn.Module {
    weight = om.nn.parameter([2]);
    mask = om.ones([2]).keep();
    last = null;
    constructor() {
      super();
      this.registerBuffer('steps', om.zeros([], 'int64'));
      this.registerBuffer('cache', om.zeros([2]), { persistent: false });
    }
    forward(x) {
      this.last = x.mul(this.weight);
      return this.last.add(this.cache);
    }
  }
  withModule(new Net(), (net) => {
    net.forward(om.ones([2]));
    assert.equal(net.last.requiresGrad, true);
    assert.deepEqual(
      net.namedTensors().map(({ path, kind }) => [path, kind]),
      [
        ['weight', 'parameter'],
        ['steps', 'buffer'],
        ['cache', 'non_persistent_buffer'],
      ],
    );
    assert.deepEqual(Object.keys(net.stateDict()), ['weight', 'steps']);
    net.mask.dispose();
  });
});

test('parameter refuses what has no gradient', () => {
  om.scope(() => {
    assertThrows(() => om.nn.parameter(om.zeros([2], 'int64')), om.DTypeError, 'DType', 'int64');
    const weight = om.tensor([1], { requiresGrad: true });
    assertThrows(() => om.nn.parameter(weight.mul(2)), om.GradientError, 'Gradient', 'leaves');
  });
});

test('a tied weight is one parameter under two paths of the state dict', () => {
  withModule(new Tied(), (tied) => {
    assert.deepEqual(pathsOf(tied.namedParameters()), ['encoder.bias', 'encoder.weight', 'decoder.bias']);
    assert.equal(tied.parameters().length, 3);
    const state = tied.stateDict();
    assert.deepEqual(Object.keys(state), ['encoder.bias', 'encoder.weight', 'decoder.bias', 'decoder.weight']);
    assert.equal(state['decoder.weight'], state['encoder.weight']);

    const file = om.saveSafetensors(state);
    tied.encoder.weight.fill(7);
    tied.loadStateDict(om.loadSafetensors(file).tensors);
    assert.deepEqual(tied.decoder.weight.toArray(), [1, 1, 1]);
    const { 'decoder.weight': _, ...rest } = state;
    assertThrows(() => tied.loadStateDict(rest), om.ModelError, 'Malformed', "missing 'decoder.weight'");

    const checkpoint = om.saveCheckpoint(tied);
    tied.encoder.weight.fill(7);
    om.loadCheckpoint(checkpoint, tied);
    assert.deepEqual(tied.encoder.weight.toArray(), [1, 1, 1]);
  });
});

test('a tied weight gets both gradients and one constant in a trace', () => {
  withModule(new Tied(), (tied) => {
    tied
      .forward(om.ones([2, 3]))
      .sum()
      .backward();
    assert.deepEqual(tied.encoder.weight.grad.toArray(), [4, 4, 4]);
    const traced = om.trace(tied, om.ones([2, 3]));
    const names = traced
      .view()
      .values.filter(({ kind }) => kind === 'parameter')
      .map(({ name }) => name);
    assert.deepEqual(names.sort(), ['decoder.bias', 'encoder.bias', 'encoder.weight']);
    traced.dispose();
  });
});

test('a shared module is one module under two paths of the state dict', () => {
  withModule(new Shared(), (shared) => {
    assert.deepEqual(pathsOf(shared.namedModules()), ['', 'first', 'drop']);
    assert.deepEqual(pathsOf(shared.namedParameters()), ['first.weight', 'first.bias']);
    const state = shared.stateDict();
    assert.deepEqual(Object.keys(state), ['first.weight', 'first.bias', 'second.weight', 'second.bias']);
    const file = om.saveSafetensors(state);
    const weight = shared.first.weight.toArray();
    shared.first.weight.fill(0);
    shared.loadStateDict(om.loadSafetensors(file).tensors);
    assert.deepEqual(shared.second.weight.toArray(), weight);
    const traced = om.trace(shared, om.ones([2, 3]));
    assert.ok(traced.view().values.every(({ name }) => !name.startsWith('second')));
    traced.dispose();
  });
});

test('a trace gives every module its own mode back, also a shared one', () => {
  class Two extends om.nn.Module {
    a = new Shared();
    b = new Shared();
    constructor() {
      super();
      this.b.first.dispose();
      this.b.first = this.a.first;
      this.b.second = this.a.first;
    }
    forward(x) {
      return this.b.forward(this.a.forward(x));
    }
  }
  withModule(new Two(), (two) => {
    two.a.first.eval();
    two.b.drop.eval();
    const modes = () => two.namedModules().map(([path, { training }]) => [path, training]);
    const before = modes();
    om.trace(two, om.ones([2, 3])).dispose();
    assert.deepEqual(modes(), before);
    assert.deepEqual(Object.fromEntries(before), {
      '': true,
      a: true,
      'a.first': false,
      'a.drop': true,
      b: true,
      'b.drop': false,
    });
  });
});

test('two parts of a module cannot have one name', () => {
  class Leaf extends om.nn.Module {
    b = om.nn.parameter([1]);
    forward(x) {
      return x;
    }
  }
  class Net extends om.nn.Module {
    p = om.nn.parameter([1]);
    a = new Leaf();
    forward(x) {
      return x;
    }
  }
  withModule(new Net(), (net) => {
    const refuse = (fn, ...parts) => assertThrows(fn, om.ArgumentError, 'Argument', ...parts);
    const buffer = om.zeros([1]);
    refuse(() => net.registerBuffer('p', buffer), "registerBuffer: the module's 'p' is there already, a parameter");
    refuse(() => net.registerBuffer('a', buffer), "'a' is there already, Leaf");
    refuse(() => net.registerBuffer('forward', buffer), "'forward' is there already, a function");
    refuse(() => net.registerBuffer('a.b', buffer), "field 'a.b'", 'dot');
    net.registerBuffer('seen', buffer);
    net.registerBuffer('seen', buffer);
    assert.deepEqual(Object.keys(net.stateDict()), ['p', 'seen', 'a.b']);
    net['a.b'] = om.nn.parameter([2]);
    refuse(() => net.stateDict(), "field 'a.b'", 'dot');
    net['a.b'].dispose();
    net['a.b'] = new Leaf();
    refuse(() => net.parameters(), "field 'a.b'", 'dot');
    net['a.b'].dispose();
    delete net['a.b'];
  });
});

test('a module inside itself is refused', () => {
  class Child extends om.nn.Module {
    forward(x) {
      return x;
    }
  }
  const parent = new om.nn.Sequential(new Child());
  parent.at(0).parent = parent;
  assertThrows(() => parent.parameters(), om.ArgumentError, 'Argument', "'0.parent'", 'itself');
});

test('containers take modules only', () => {
  assertThrows(() => new om.nn.Sequential(3), om.ArgumentError, 'Argument', 'Sequential', 'a number');
  const [first, last] = [new om.nn.ReLU(), new om.nn.Tanh()];
  const modules = [first, last];
  for (const list of [new om.nn.ModuleList(modules), new om.nn.Sequential(...modules)]) {
    assert.deepEqual(
      [list.length, [...list], list.at(0), list.at(-1), list.at(2)],
      [2, modules, first, last, undefined],
    );
    assert.deepEqual(list.children(), Object.entries(modules));
  }
  for (const each of modules) each.dispose();
  assertThrows(() => new om.nn.ModuleList([null]), om.ArgumentError, 'Argument', 'ModuleList', 'null');
});

test('errors of modules name the module and what was wrong', () => {
  const fc = new om.nn.Linear(2, 2);
  const x = om.ones([1, 2]);
  x.dispose();
  assertThrows(() => fc.forward(x), om.ArgumentError, 'Disposed', 'Linear', 'input 0', 'disposed');
  assertThrows(() => fc.forward('x'), om.ArgumentError, 'Argument', 'Linear', 'input 0', 'a string');
  assertThrows(() => new om.nn.Linear({}, 2), om.ArgumentError, 'Argument', 'Linear', 'argument 0', 'Object');
  assertThrows(() => new om.optim.SGD([x]), om.ArgumentError, 'Disposed', 'SGD', 'input 0');
  const optimizer = new om.optim.SGD(fc.parameters());
  for (const each of [optimizer, optimizer, fc, fc]) each.dispose();
  om.scope(() => assertThrows(() => fc.forward(om.ones([1, 2])), om.ArgumentError, 'Disposed', 'module'));
  assertThrows(() => optimizer.step(), om.ArgumentError, 'Disposed', 'optimizer');
});

/** What the console is warned of while `fn` runs. */
function warningsOf(fn) {
  const warn = mock.method(console, 'warn', () => {});
  try {
    fn();
    return warn.mock.calls.map(({ arguments: [text] }) => text);
  } finally {
    warn.mock.restore();
  }
}

/** A module with these fields. */
class Fields extends om.nn.Module {
  constructor(fields) {
    super();
    Object.assign(this, fields);
  }
  forward(x) {
    return x;
  }
}

test('modules and parameters that a module does not see are warned of, once', () => {
  const [a, b, c] = [new om.nn.Linear(1, 1), new om.nn.Linear(1, 1), om.nn.parameter([1])];
  const hidden = [
    [
      { heads: { a } },
      "Fields: field 'heads.a' is a module (Linear) in a plain object, where it is neither trained nor saved",
    ],
    [{ heads: new Map([['x', a]]) }, "'heads.x' is a module (Linear) in a Map"],
    [{ heads: new Set([c]) }, "'heads.0' is a parameter in a Set"],
    [{ blocks: [[a], [b]] }, "'blocks.0.0' is a module (Linear) in an array"],
    [{ scales: [c] }, "'scales.0' is a parameter in an array"],
    [{ config: { sizes: [1], deep: { list: [{ c }] } } }, "'config.deep.list.0.c' is a parameter in a plain object"],
    [{ blocks: [new Fields({ parts: { b } })] }, "'parts.b' is a module (Linear) in a plain object"],
  ];
  for (const [fields, expected] of hidden) {
    const model = new Fields(fields);
    const [warning, ...others] = warningsOf(() => {
      assert.deepEqual(model.parameters(), []);
      model.stateDict();
      model.train();
    });
    assert.ok(warning?.includes(expected), warning);
    assert.match(warning, /nn\.ModuleList.*#private/);
    assert.deepEqual(others, []);
  }
  for (const each of [a, b, c]) each.dispose();
});

test('what a module keeps on purpose is not warned of', () => {
  om.scope(() => {
    const [fc, scale, other] = [new om.nn.Linear(1, 1), om.nn.parameter([1]), om.nn.parameter([1])];
    const gone = om.nn.parameter([1]);
    gone.dispose();
    const loop = { list: [] };
    loop.list.push(loop);
    const model = new Fields({
      fc,
      scale,
      byName: { fc, scale },
      order: new Map([[fc, [scale]]]),
      tensors: [om.ones([1]), { x: om.ones([1]) }],
      blocks: [new om.nn.ReLU(), null, 3],
      options: {
        get lazy() {
          throw new Error('not to be called');
        },
      },
      gone: [gone],
      loop,
      date: new Date(0),
      numbers: new Float32Array(4),
    });
    Object.defineProperty(model, 'teacher', { value: { other }, enumerable: false });
    assert.deepEqual(
      warningsOf(() => assert.equal(model.parameters().length, 3)),
      [],
    );
    other.dispose();
    model.dispose();
  });
});

test('classes that extend containers and layers have what their own fields hold, too', () => {
  class Headed extends om.nn.Sequential {
    head = new om.nn.Linear(2, 2);
    drop = new om.nn.Dropout();
  }
  class Gained extends om.nn.Linear {
    gain = om.nn.parameter(om.ones([1]));
    constructor() {
      super(2, 2);
      this.registerBuffer('offset', om.zeros([1]));
    }
    forward(x) {
      return super.forward(x).mul(this.gain).add(this.offset);
    }
  }
  om.scope(() => {
    const [headed, gained] = [new Headed(new om.nn.ReLU()), new Gained()];
    assert.deepEqual(Object.keys(headed.stateDict()), ['head.weight', 'head.bias']);
    assert.equal(headed.eval().drop.training, false);
    assert.deepEqual(Object.keys(gained.stateDict()), ['weight', 'bias', 'gain', 'offset']);
    assert.equal(gained.parameters().length, 3);
    const copy = new Gained();
    om.noGrad(() => gained.gain.fill_(3));
    copy.loadStateDict(gained.stateDict());
    assert.equal(copy.gain.item(), 3);
    for (const each of [headed, gained, copy]) each.dispose();
  });
});

test('options are an object of options, not a module or a Map in their place', () => {
  const layer = new om.nn.TransformerEncoderLayer(8, 2);
  const norm = new om.nn.LayerNorm(8);
  for (const options of [norm, new Map([['norm', norm]]), new Date()]) {
    assertThrows(() => new om.nn.TransformerEncoder(layer, 2, options), om.ArgumentError, 'Argument', 'norm');
  }
  for (const each of [layer, norm]) each.dispose();
});
