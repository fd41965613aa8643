// Reports: every kind of failure, with the module's path and the line of the model's code.

import assert from 'node:assert/strict';
import * as om from 'onemodel';
import { assertFailure, assertSite, Outer, scoped, withReport } from './export_draft_support.mjs';
import { Counter, withModel } from './export_models.mjs';
import { assertThrows, useEngine } from './support.mjs';

await useEngine();

scoped('a model without faults has its program', () => {
  withModel(
    () => new Counter(),
    (model) => {
      withReport(model, [om.ones([2])], {}, (report) => {
        assert.equal(report.success, true);
        assert.deepEqual(report.failures, []);
        assert.deepEqual(report.program.call(om.ones([2])).toArray(), [10, 10]);
        assert.equal(report.suggestedDynamicShapes, null);
        assert.ok(String(report).includes('can be exported'));
        report.raiseOnFailure();
        assertThrows(() => report.applySuggestedFixes(), om.ArgumentError, 'Argument', 'no other sizes');
      });
    },
  );
});

scoped('values that are read', () => {
  const model = new Outer((x) => {
    if (x.sum().item() > 0) return x; // here: read
    return x.neg();
  });
  withReport(model, [om.ones([2])], {}, (report) => {
    const [failure, ...others] = report.failures;
    assert.deepEqual(others, []);
    assert.equal(failure.kind, 'DataDependent');
    assert.equal(failure.modulePath, 'inner');
    assertSite(failure, 'read');
    assert.equal(report.program, null);
    assert.ok(String(report).includes('DataDependent'));
    assert.ok(String(report).includes(failure.callSite), String(report));
    assertThrows(() => report.raiseOnFailure(), om.TraceError, 'DataDependent', 'inner');
  });
});

scoped('updates, shapes and usage that a program cannot have', () => {
  const kindOf = (run, kind, mark) =>
    withReport(new Outer(run), [om.ones([4])], {}, (report) => {
      assert.equal(report.failures[0]?.kind, kind, String(report));
      assertSite(report.failures[0], mark);
    });
  const constant = om.ones([4]);
  kindOf((x) => x.add(constant.mul_(x)), 'UnsupportedMutation', 'update'); // here: update
  kindOf((x) => om.nn.dropout(x, 0.5), 'MissingKernel', 'random'); // here: random
  constant.dispose();
});

scoped('errors of the model itself', () => {
  const model = new Outer(() => {
    throw new RangeError('no luck'); // here: throw
  });
  withReport(model, [om.ones([2])], {}, (report) => {
    assert.equal(report.failures[0].kind, 'ModelError');
    assert.ok(report.failures[0].message.includes('no luck'));
    assertSite(report.failures[0], 'throw');
  });
});

scoped('sizes that the model fixes', () => {
  const model = new Outer((x) => x.reshape([4]).neg());
  const dynamicShapes = { x: [om.Dim('n')] };
  withReport(model, { x: om.ones([4]) }, { dynamicShapes }, (report) => {
    const [failure] = report.failures;
    assert.equal(failure.kind, 'GuardAdded');
    assert.ok(failure.callSite?.includes('export_draft.test.mjs'), failure.callSite);
    assert.deepEqual(report.suggestedDynamicShapes, { x: [4] });
    assert.deepEqual(report.program.call(om.ones([4])).toArray(), [-1, -1, -1, -1]);
    const program = report.applySuggestedFixes();
    assertThrows(() => program.call(om.ones([5])), om.ConstraintsError, 'Constraints');
    program.dispose();
    const printed = [];
    const { log } = console;
    console.log = (line) => printed.push(line);
    try {
      report.print();
    } finally {
      console.log = log;
    }
    assert.deepEqual(printed, [String(report)]);
  });
});

scoped('sizes have the module and the line that fixes them', () => {
  const n = om.Dim('n');
  const one = { dynamicShapes: { x: [n] } };
  const guarded = (run, mark) =>
    withReport(new Outer(run), { x: om.ones([4]) }, one, (report) =>
      assertFailure(report, 'GuardAdded', 'inner', mark),
    );
  guarded((x) => {
    const y = x.neg();
    return y.reshape([4]); // here: reshape
  }, 'reshape');
  guarded((x) => x.neg().add(om.ones([4])), 'operand'); // here: operand
  guarded((x) => {
    const y = x.neg();
    return y.slice(0, 0, 3); // here: slice
  }, 'slice');

  const several = new Outer(({ x, y, z }) => {
    const fixed = z.add(om.ones([5])); // here: fixes z
    const related = x.mul(y); // here: relates
    return [related, fixed];
  });
  const examples = [{ x: om.ones([3]), y: om.ones([3]), z: om.ones([5]) }];
  const [m, k] = om.dims('m', 'k');
  withReport(several, examples, { dynamicShapes: [{ x: [n], y: [m], z: [k] }] }, (report) => {
    const of = (name) => report.failures.findIndex(({ message }) => message.includes(`size '${name}'`));
    assertFailure(report, 'GuardAdded', 'inner', 'fixes z', [of('k'), 2]);
    assertFailure(report, 'GuardAdded', 'inner', 'relates', [of('m'), 2]);
  });

  class Net extends om.nn.Module {
    fc = new om.nn.Linear(3, 2);
    forward(x) {
      return this.fc.forward(x); // here: layer
    }
  }
  withModel(
    () => new Net(),
    (net) =>
      withReport(net, { x: om.ones([2, 3]) }, { dynamicShapes: { x: [null, n] } }, (report) =>
        assertFailure(report, 'GuardAdded', 'fc', 'layer'),
      ),
  );
});

scoped('usage that a program cannot have', () => {
  const nested = (run, mark) =>
    withReport(new Outer(run), [om.ones([4])], {}, (report) => {
      assertFailure(report, 'UnsupportedUsage', 'inner', mark);
      assert.equal(report.program, null);
      assertThrows(() => report.raiseOnFailure(), om.TraceError, 'UnsupportedUsage', 'inner');
    });
  nested((x) => om.exportProgram((a) => a.neg(), [x]) && x, 'export'); // here: export
  nested((x) => om.trace((a) => a.neg(), x) && x, 'trace'); // here: trace
  withReport(
    () => om.ones([3]),
    [om.ones([4])],
    {},
    ({ failures }) => {
      assert.equal(failures.length, 1);
      assert.equal(failures[0].kind, 'UnsupportedUsage');
      assert.ok(failures[0].message.includes("output 'output'"), failures[0].message);
    },
  );
});

scoped('what is not the fault of the model is thrown', () => {
  om.scope(() => {
    const x = om.ones([2]);
    assertThrows(() => om.draftExport(3, [x]), om.ArgumentError, 'Argument', 'draftExport');
    assertThrows(
      () => om.draftExport((a) => a, { a: x }, { dynamicShapes: { b: null } }),
      om.ArgumentError,
      'Argument',
      "'b'",
    );
  });
});

scoped('what a function gives is refused as in an export', () => {
  const kinds = [() => 3, async (x) => x, () => new Map()].map((model) => {
    const report = om.draftExport(model, [om.ones([2])]); // here: wrong result
    const [{ kind, modulePath, callSite }] = report.failures;
    assertSite({ callSite }, 'wrong result');
    report.dispose();
    return [report.failures.length, kind, modulePath];
  });
  assert.deepEqual(kinds, Array(3).fill([1, 'UnsupportedUsage', '']));
});

scoped('a model that throws, in its module', () => {
  const model = new Outer(() => {
    throw new RangeError('out of ideas'); // here: own error
  });
  withReport(model, [om.ones([2])], {}, ({ failures: [failure, ...others] }) => {
    assert.deepEqual(others, []);
    assert.deepEqual([failure.kind, failure.modulePath], ['ModelError', 'inner']);
    assertSite(failure, 'own error');
  });
});

scoped('strict: sizes that may be mistaken are an error', () => {
  const model = (x) => [x.mul(2), om.ones([5, 3]).matmul(x.sum(0))];
  const examples = { x: om.ones([5, 3]) };
  const dynamicShapes = { x: { 0: om.Dim('batch') } };
  const loose = om.exportProgram(model, examples, { dynamicShapes });
  assert.equal(loose.warnings.length, 1);
  loose.dispose();
  const strict = { dynamicShapes, strict: true };
  const words = ['strict', "symbol 'batch' has example size 5"];
  assertThrows(() => om.exportProgram(model, examples, strict), om.TraceError, 'SymbolicShape', ...words);
  withReport(model, examples, strict, ({ failures }) => assert.equal(failures[0].kind, 'UnsupportedShape'));
  assertThrows(() => om.exportProgram(model, examples, { strict: 1 }), om.ArgumentError, 'Argument', 'strict');
});

scoped('messages name what JavaScript has', () => {
  class Viewing extends om.nn.Module {
    constructor() {
      super();
      this.registerBuffer('seen', om.zeros([2, 3]), { persistent: false });
    }
    forward(x) {
      this.seen.reshape([6]).add_(1);
      return x;
    }
  }
  const model = new Viewing();
  withReport(model, [om.ones([2])], {}, (report) => {
    for (const text of [report.failures[0].message, String(report)]) {
      assert.ok(text.includes('update that with sliceScatter_'), text);
      assert.ok(!text.includes('slice_scatter'), text);
    }
  });
  model.dispose();
});
