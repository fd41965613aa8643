// Reports: every kind of failure, with the module's path and the line of the model's code.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as om from 'onemodel';
import { Counter, stateOf, withModel } from './export_models.mjs';
import { assertThrows, useEngine } from './support.mjs';

await useEngine();

/** A test whose tensors go at its end. */
const scoped = (name, fn) => test(name, () => om.scope(fn));

const lines = readFileSync(fileURLToPath(import.meta.url), 'utf8').split('\n');

/** The number of the line of this file that is marked. */
const marked = (mark) => lines.findIndex((line) => line.includes(`// here: ${mark}`)) + 1;

function assertSite({ callSite }, mark) {
  assert.ok(callSite?.includes(`export_draft.test.mjs:${marked(mark)}:`), `expected line ${marked(mark)}: ${callSite}`);
}

/** Reports on a model, checks that it is as before, runs `fn` with the report and disposes of it. */
function withReport(model, examples, options, fn) {
  const before = model instanceof om.nn.Module ? stateOf(model) : null;
  const report = om.draftExport(model, examples, options);
  try {
    if (before) assert.deepEqual(stateOf(model), before);
    fn(report);
  } finally {
    report.dispose();
  }
}

class Inner extends om.nn.Module {
  constructor(run) {
    super();
    this.run = run;
  }
  forward(x) {
    return this.run(x);
  }
}

class Outer extends om.nn.Module {
  constructor(run) {
    super();
    this.inner = new Inner(run);
  }
  forward(x) {
    return this.inner.forward(x); // here: call
  }
}

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

scoped('a program that is not the model', () => {
  let calls = 0;
  const model = (x) => x.mul(++calls);
  withReport(model, [om.ones([2])], {}, (report) => {
    assert.equal(report.failures[0].kind, 'Mismatched');
    assert.ok(report.program !== null);
  });
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
