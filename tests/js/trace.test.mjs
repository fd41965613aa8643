import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertRejects, scaledError, typed, useEngine } from './support.mjs';

await useEngine();

class Block extends om.nn.Module {
  fc = new om.nn.Linear(4, 4);
  norm = om.nn.parameter(om.ones([4]));
  forward(x) {
    return this.fc.forward(x).mul(this.norm).relu();
  }
}

class Net extends om.nn.Module {
  blocks = [new Block(), new Block()];
  drop = new om.nn.Dropout();
  forward(x) {
    let h = x;
    for (const block of this.blocks) h = block.forward(h);
    return this.drop.forward(h);
  }
}

/** Runs `fn` with a fresh net and disposes of everything made. */
function withNet(fn) {
  const net = new Net();
  try {
    return om.scope(() => fn(net));
  } finally {
    net.dispose();
  }
}

test('modules find their parameters under PyTorch paths', () => {
  withNet((net) => {
    assert.deepEqual(
      net.namedParameters().map(([path]) => path),
      [
        'blocks.0.norm',
        'blocks.0.fc.weight',
        'blocks.0.fc.bias',
        'blocks.1.norm',
        'blocks.1.fc.weight',
        'blocks.1.fc.bias',
      ],
    );
    assert.deepEqual(
      net
        .namedModules()
        .map(([path]) => path)
        .filter(Boolean),
      ['blocks.0', 'blocks.0.fc', 'blocks.1', 'blocks.1.fc', 'drop'],
    );
  });
});

test('a traced module runs at other sizes, from both files', async () => {
  const net = new Net();
  const example = om.rand([3, 4], -1, 1);
  const traced = om.trace(net, example, { axes: ['batch', null], outputNames: ['y'] });
  assert.equal(net.training, true);
  assert.equal(net.drop.training, true);
  net.eval();
  for (const bytes of [traced.toOnnx(), traced.toOneModel()]) {
    const session = await om.Session.load(bytes);
    assert.deepEqual(session.inputs, [typed('input', ['batch', 4])]);
    assert.deepEqual(session.outputs, [typed('y', ['batch', 4])]);
    for (const batch of [1, 3, 8]) {
      const x = om.rand([batch, 4], -1, 1);
      const expected = om.scope(() => om.noGrad(() => net.forward(x)));
      const { y } = await session.run({ input: x });
      assert.ok(scaledError(y.data, expected.data) <= 1e-6);
      for (const each of [x, expected, y]) each.dispose();
    }
    session.dispose();
  }
  for (const each of [net, example, traced]) each.dispose();
});

test('a module called past the one that holds it has its whole path', () => {
  class Inner extends om.nn.Module {
    layers = new om.nn.ModuleList([new om.nn.Linear(2, 2), new om.nn.Linear(2, 2)]);
    forward(x) {
      let h = x;
      for (const layer of this.layers) h = layer.forward(h);
      return h;
    }
  }
  class Outer extends om.nn.Module {
    inner = new Inner();
    shared = this.inner;
    forward(x) {
      return this.shared.forward(this.inner.layers.children()[1][1].forward(x));
    }
  }
  const model = new Outer();
  const traced = om.scope(() => om.trace(model, om.ones([3, 2])));
  const paths = traced.view().nodes.map(({ modulePath }) => modulePath);
  assert.deepEqual([...new Set(paths)], ['inner.layers.1', 'inner.layers.0']);
  for (const each of [model, traced]) each.dispose();
});

test('nodes carry module paths and constants their names', () => {
  withNet((net) => {
    const traced = om.trace(net, om.ones([3, 4]), { axes: { 0: 'batch' } });
    const { nodes, values } = traced.view();
    assert.ok(nodes.some((node) => node.modulePath === 'blocks.1.fc'));
    assert.ok(values.some((value) => value.name.startsWith('blocks.0.fc.weight') && value.kind === 'parameter'));
    assert.ok(traced.toString().includes('float32[batch, 4]'));
    traced.dispose();
    assert.equal(Object.hasOwn(net, 'forward'), false);
  });
});

test('a finished trace is a snapshot, and its tensors can be read', () => {
  withNet((net) => {
    const x = om.ones([3, 4]);
    let hidden;
    const traced = om.trace((input) => {
      hidden = net.blocks[0].fc.forward(input).keep();
      return hidden.neg();
    }, x);
    const session = traced.createSession();
    const before = session.runSync(x).output.data;
    assert.deepEqual(hidden.neg().data, before);
    hidden.dispose();
    const optimizer = new om.optim.SGD(net.parameters(), { lr: 1 });
    net.blocks[0].fc.forward(x).sum().backward();
    optimizer.step();
    assert.notDeepEqual(net.blocks[0].fc.forward(x).neg().data, before);
    assert.deepEqual(session.runSync(x).output.data, before);
    const later = traced.createSession();
    assert.deepEqual(later.runSync(x).output.data, before);
    for (const each of [optimizer, later, session, traced]) each.dispose();
  });
});

test('the same trace gives the same bytes', () => {
  withNet((net) => {
    const example = om.ones([3, 4]);
    const [a, b] = [om.trace(net, example), om.trace(net, example)];
    assert.deepEqual(a.toOnnx(), b.toOnnx());
    assert.deepEqual(a.toOneModel(), b.toOneModel());
    a.dispose();
    b.dispose();
  });
});

test('functions take several inputs and give several outputs', async () => {
  const a = om.ones([2, 3]);
  const b = om.tensor([1, 2, 3]);
  const traced = om.trace(
    (x, y) => ({ sum: x.add(y), product: x.mul(y), same: x }),
    { a, b },
    { axes: { a: ['n', null] } },
  );
  const session = traced.createSession();
  assert.deepEqual(
    session.inputs.map((each) => each.name),
    ['a', 'b'],
  );
  const out = await session.run({ b, a });
  assert.deepEqual(out.sum.toArray(), [
    [2, 3, 4],
    [2, 3, 4],
  ]);
  assert.deepEqual(out.product.toArray(), [
    [1, 2, 3],
    [1, 2, 3],
  ]);
  assert.deepEqual(out.same.toArray(), [
    [1, 1, 1],
    [1, 1, 1],
  ]);
  for (const each of [a, b, traced, session, ...Object.values(out)]) each.dispose();
});

test('sessions refuse wrong feeds before running', async () => {
  const example = om.ones([2, 3]);
  const traced = om.trace((x) => x.neg(), example, { axes: ['n', null] });
  const session = traced.createSession();
  const wide = om.ones([2, 4]);
  const integers = om.ones([2, 3], 'int64');
  await assertRejects(session.run({ input: wide }), om.ShapeError, 'Shape', 'input', '3', '4');
  await assertRejects(session.run({ input: integers }), om.DTypeError, 'DType', 'input', 'float32', 'int64');
  await assertRejects(
    session.run({}),
    om.ArgumentError,
    'Argument',
    "input 'input' is missing: expected float32[n, 3] (inputs: input float32[n, 3])",
  );
  await assertRejects(session.run({ input: 3 }), om.ArgumentError, 'Argument', "'input' is no tensor but a number");
  await assertRejects(session.run({ input: example, more: wide }), om.ArgumentError, 'Argument', "'more'");
  await assertRejects(session.run([example, wide]), om.ArgumentError, 'Argument', '2');
  const { output } = await session.run({ input: example });
  output.dispose();
  assert.match(session.describe(), /Neg/);
  session.dispose();
  await assertRejects(session.run({ input: example }), om.ArgumentError, 'Disposed');
  for (const each of [example, traced, wide, integers]) each.dispose();
});

test('exact sessions give the bits of exact eager runs', () => {
  withNet((net) => {
    const x = om.rand([5, 4], -1, 1);
    const traced = om.trace(net, x, { axes: ['batch', null] });
    const session = traced.createSession({ arithmetic: 'exact' });
    om.setArithmetic('exact');
    net.eval();
    const eager = om.noGrad(() => net.forward(x));
    om.setArithmetic('fast');
    assert.deepEqual(session.runSync(x).output.data, eager.data);
    session.dispose();
    traced.dispose();
  });
});

test('files load from a stream of small pieces', async () => {
  const example = om.ones([2, 3]);
  const traced = om.trace((x) => x.neg(), example);
  for (const bytes of [traced.toOnnx(), traced.toOneModel()]) {
    const pieces = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 3) controller.enqueue(bytes.slice(at, at + 3));
        controller.close();
      },
    });
    let received = 0;
    const graph = await om.loadGraph(new Response(pieces), { onProgress: (count) => (received = count) });
    assert.equal(received, bytes.length);
    assert.deepEqual(graph.toOnnx(), traced.toOnnx());
    graph.dispose();
  }
  for (const each of [example, traced]) each.dispose();
});

test('axes are named for the only input, by the names of inputs, or for each input in order', () => {
  om.scope(() => {
    const shapesOf = (example, axes) => {
      const traced = om.trace((...inputs) => inputs.map((each) => each.neg()), example, { axes });
      const { values, inputs } = traced.view();
      traced.dispose();
      return inputs.map((id) => values[id].shape);
    };
    const [x, y] = [om.ones([3, 4]), om.ones([5])];
    const open = [['batch', 4]];
    for (const only of [['batch', null], { 0: 'batch' }, { '-2': 'batch' }]) {
      assert.deepEqual(shapesOf(x, only), open);
      assert.deepEqual(shapesOf({ x }, only), open);
      assert.deepEqual(shapesOf([x], only), open);
    }
    assert.deepEqual(shapesOf(x, { input: ['batch', null] }), open);
    assert.deepEqual(shapesOf({ x }, { x: { 0: 'batch' } }), open);
    assert.deepEqual(shapesOf([x], [['batch', null]]), open);
    for (const axes of [[{ 0: 'batch' }, ['length']], { a: ['batch', null], b: { 0: 'length' } }]) {
      assert.deepEqual(shapesOf({ a: x, b: y }, axes), [...open, ['length']]);
    }
    assert.deepEqual(shapesOf([x, y], [['batch', null], ['length']]), [...open, ['length']]);
    assert.deepEqual(shapesOf([x, y], [null, ['length']]), [[3, 4], ['length']]);
    assert.deepEqual(shapesOf([x, y], { input_1: ['length'] }), [[3, 4], ['length']]);
  });
});
