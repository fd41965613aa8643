// verify: sizes that a model bakes into its graph, and the warnings of sizes that could be mistaken.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertThrows, useEngine } from './support.mjs';

await useEngine();

class Inner extends om.nn.Module {
  constructor(body) {
    super();
    this.body = body;
  }
  forward(x) {
    return this.body(x);
  }
}

/** What verify says of a model of x [n, 3] of ones, n = 5, that runs in the module 'inner'. */
function verificationOf(body, verify = true) {
  const net = new om.nn.Sequential(new Inner(body));
  return om.scope(() => {
    const traced = om.trace(net, om.ones([5, 3]), { axes: ['n', null], outputNames: ['y'], verify });
    traced.dispose();
    return traced.verification;
  });
}

test('a model that follows its sizes gives an empty report', () => {
  const body = (x) => {
    const rows = x.reshape([x.shape[0] * 3]).neg();
    return om.concat([rows.reshape([x.shape[0], 3]).softmax(), x.neg().log()], 1); // the logarithms are NaN
  };
  for (const n of [2, 4, 6, 19]) {
    assert.deepEqual(verificationOf(body, { n }), {
      ok: true,
      sizes: { n },
      outputs: [],
      firstNode: null,
      message: '',
    });
  }
  assert.deepEqual(verificationOf(body).sizes, { n: 6 });
  assert.equal(String(verificationOf(body)), 'the graph agrees with the model at n = 6');
  assert.equal(`${verificationOf((x) => x.neg(), {})}`, 'the graph agrees with the model at n = 6');
});

test('the report names the output, the first node and its module path', () => {
  const report = verificationOf((x) => x.mul(x.shape[0]).neg());
  const what = 'the values differ: element 0 of float32[6, 3] is';
  assert.match(
    String(report),
    /^at n = 6 the graph differs.*\n.*output 'y'.*\n.*'Mul_0'.*\nTake such a size by x\.dim\(axis\)/,
  );
  assert.deepEqual(report, {
    ok: false,
    sizes: { n: 6 },
    outputs: [{ name: 'y', modulePath: '0', what: `${what} -5 in the graph, -6 in the model` }],
    firstNode: { name: 'Mul_0', modulePath: '0', what: `${what} 5 in the graph, 6 in the model` },
    message: [
      'at n = 6 the graph differs from the model; a size of the example may have become a constant',
      `  output 'y' in module '0': ${what} -5 in the graph, -6 in the model`,
      `  first difference: node 'Mul_0' in module '0': ${what} 5 in the graph, 6 in the model`,
    ].join('\n'),
  });
});

// What is baked, the node where it shows, what the message says, and other sizes than the next.
const baked = [
  [(x) => x.relu().add(om.arange(0, x.shape[0]).sum()), 'Add_1', 'the values differ'],
  [(x) => om.concat([x, om.zeros([x.shape[0], 3])]), 'Concat_0', 'float32[11, 3], the model float32[12, 3]'],
  [(x) => x.mul(x).select(0, x.shape[0] - 1), 'Gather_1', 'it does not run: Gather', { n: 3 }],
  [(x) => x.mul(x.shape[0] === 5 ? Number.NaN : 1), 'Mul_0', 'is nan in the graph, 1 in the model'],
  [(x) => x.neg().leakyRelu(1 / x.shape[0]), 'LeakyRelu_1', 'the model did LeakyRelu'],
  [
    (x) => {
      let total = x.select(0, 0);
      for (let i = 1; i < x.shape[0]; i++) total = total.add(x.select(0, i));
      return total;
    },
    'Gather_9',
    'the graph has nothing more, the model did Gather',
  ],
];

for (const [body, node, text, sizes] of baked) {
  test(`verify finds what is baked in by ${body}`, () => {
    const report = verificationOf(body, sizes);
    assert.equal(report.ok, false);
    assert.equal(report.firstNode.name, node);
    assert.equal(report.firstNode.modulePath, '0');
    assert.deepEqual(
      report.outputs.map(({ name }) => name),
      ['y'],
    );
    assert.ok(report.message.includes(text), report.message);
  });
}

test('where sizes were seen to be equal in the example only, the trace refuses at once', () => {
  for (const body of [
    (x) => x.add(om.zeros([x.shape[0], 3])),
    (x) => x.transpose().add(om.arange(0, x.shape[0])),
    (x) => om.concat([x, om.zeros([x.shape[0], 3])], 1),
  ]) {
    const kept = ["module '0'", 'equal in the example only'];
    assertThrows(() => verificationOf(body), om.TraceError, 'SymbolicShape', ...kept);
  }
});

test('only the outputs that differ are listed', () => {
  om.scope(() => {
    const example = { places: om.tensor([6n, 0n, 3n]), x: om.rand([3, 4]) };
    const table = om.rand([7, 2]);
    const model = (places, x) => {
      const rows = table.gather(places);
      return { fine: rows.transpose().matmul(x), baked: x.mul(rows.shape[0]) };
    };
    const traced = om.trace(model, example, { axes: { places: ['n'], x: ['n', 'm'] }, verify: true });
    const { sizes, outputs } = traced.verification;
    assert.deepEqual(sizes, { m: 5, n: 6 });
    assert.deepEqual(
      outputs.map(({ name }) => name),
      ['baked'],
    );
    traced.dispose();
  });
});

test('sizes that check nothing are refused', () => {
  for (const [sizes, ...parts] of [
    [{ m: 7 }, "'m' is no symbol"],
    [{ n: 5 }, "'n' is 5 in the example", 'got 5'],
    [{ n: 1 }, "'n'", 'at least 2', 'got 1'],
    [{ n: 2.5 }, "'n'", 'an integer', '2.5'],
  ]) {
    assertThrows(() => verificationOf((x) => x.neg(), sizes), om.TraceError, 'InvalidUsage', ...parts);
  }
});

test('a model that gives another number of outputs is an error', () => {
  om.scope(() => {
    const model = (x) => Array.from({ length: x.shape[0] }, (_, i) => x.select(0, i));
    const trace = () => om.trace(model, om.ones([3, 2]), { axes: ['n', null], verify: true });
    assertThrows(trace, om.TraceError, 'InvalidUsage', 'the model gives 4 outputs, the graph 3');
  });
});

test('a trace that fails while it is verified leaves nothing', () => {
  om.scope(() => {
    const example = om.ones([3, 2]);
    const before = om.memory();
    let runs = 0;
    const onlyOnce = (x) => {
      if (runs++ > 0) throw new RangeError('the second run');
      return x.neg();
    };
    const axes = ['n', null];
    const second = /^verify: the trace is made, but the model itself does not run at n = 4: /;
    const isMarked = (Class) => (error) =>
      error instanceof Class && second.test(error.message) && error.stack.includes(error.message);
    assert.throws(() => om.trace(onlyOnce, example, { axes, verify: true }), isMarked(RangeError));
    const onlyThree = (x) => x.add(om.ones([3, 1]).expand([x.shape[0], 1]));
    assert.throws(() => om.trace(onlyThree, example, { axes, verify: true }), om.OneModelError);
    const onlyOnceToo = (x) => (runs++ > 2 ? x.reshape([0, 0, 0]) : x.neg());
    assert.throws(() => om.trace(onlyOnceToo, example, { axes, verify: true }), isMarked(om.ShapeError));
    assert.equal(om.memory().graphs, 0);
    assert.equal(om.memory().sessions, 0);
    assert.equal(om.memory().tensors, before.tensors);
    om.trace((x) => x.neg(), example, { axes, verify: true }).dispose();
  });
});

test('warnings of sizes that could be mistaken name operator and module path', () => {
  const net = new om.nn.Sequential(new Inner((x) => x.reshape([x.shape[0] * 12]).reshape([x.shape[0], 12])));
  om.scope(() => {
    const traced = om.trace(net, om.ones([6, 12]), { axes: ['batch', null], verify: { batch: 9 } });
    const reading = '[6, 12] was read as [batch, 12] (batch = 6 in the example); other readings are possible';
    const named = traced.warnings.filter((each) => each.startsWith("node 'Reshape_1' in module '0': "));
    assert.equal(named.length, 1);
    assert.ok(named[0].endsWith(reading), named[0]);
    assert.ok(traced.verification.ok, 'the reading was the right one');
    traced.dispose();
    const fixed = om.trace((x) => x.matmul(om.ones([3, 6])), om.ones([6, 3]), { axes: ['batch', null] });
    assert.equal(fixed.warnings.length, 1);
    assert.match(fixed.warnings[0], /'batch' has example size 6.*made by node 'MatMul_0';/);
    fixed.dispose();
  });
});

test('a size that was read wrongly is warned of and found, at the same node of the same module', () => {
  // What is meant are rows of 6, of which there are twice as many as in x.
  const net = new om.nn.Sequential(new Inner((x) => x.neg().reshape([2 * x.shape[0], 6])));
  om.scope(() => {
    const traced = om.trace(net, om.ones([6, 12]), { axes: ['batch', null], verify: true });
    const { firstNode, message } = traced.verification;
    assert.equal(firstNode.name, 'Reshape_1');
    assert.equal(firstNode.modulePath, '0');
    assert.ok(
      message.includes("first difference: node 'Reshape_1' in module '0': the graph gives float32[12, "),
      message,
    );
    assert.equal(traced.warnings.length, 1);
    assert.ok(traced.warnings[0].startsWith("node 'Reshape_1' in module '0': reshape of [batch, 12] to [12, 6]"));
    const named = traced.view().nodes.filter(({ name }) => name === firstNode.name);
    assert.deepEqual(
      named.map(({ op, modulePath }) => [op, modulePath]),
      [['Reshape', '0']],
    );
    traced.dispose();
    // Where the size is taken with dim, there is nothing to be read.
    const exact = new om.nn.Sequential(new Inner((x) => x.neg().reshape([x.dim(0).mul(2), 6])));
    const clear = om.trace(exact, om.ones([6, 12]), { axes: ['batch', null], verify: true });
    assert.ok(!clear.warnings.some((each) => each.includes('was read as')), String(clear.warnings));
    assert.ok(clear.verification.ok, clear.verification.message);
    clear.dispose();
  });
});

test('a model that does not run at the second size is told from a trace that fails', () => {
  const start = 'verify: the trace is made, but the model itself does not run at n = 6: ';
  assertThrows(() => verificationOf((x) => x.reshape([5, 3]).neg()), om.ShapeError, 'Shape', start);
  const own = (x) => {
    if (x.shape[0] === 6) throw new RangeError('six');
    return x.neg();
  };
  assert.throws(
    () => verificationOf(own),
    ({ name, message, stack }) => name === 'RangeError' && message === `${start}six` && stack.includes(message),
  );
});
