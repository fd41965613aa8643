// Reports: what the second run of a model gives, and what a model keeps between its runs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { assertFailure, Outer, scoped, withReport } from './export_draft_support.mjs';
import { withModel } from './export_models.mjs';
import { useEngine } from './support.mjs';

await useEngine();

scoped('results and updates that are other in the second run', () => {
  const x = om.tensor([1, -4, 2]);
  /** What a report has on a model that does `first` when it is recorded and `second` afterwards. */
  const compared = (first, second, check) => {
    for (const wrap of [(run) => run, (run) => new Outer(run)]) {
      let runs = 0;
      const model = wrap((a) => (runs++ === 0 ? first : second)(a));
      withReport(model, [x], {}, (report) => {
        assert.equal(runs, report.success ? 3 : 2); // what agrees once is run again
        assert.ok(report.program !== null);
        check(report, model instanceof Outer);
      });
    }
  };
  const same = (first, second) => compared(first, second, ({ failures }) => assert.deepEqual(failures, []));
  const differs = (first, second, ...parts) =>
    compared(first, second, (report, isModule) => {
      const [failure] = report.failures;
      if (isModule) assertFailure(report, 'Mismatched', 'inner', 'call');
      else assert.deepEqual([report.failures.length, failure.kind, failure.modulePath], [1, 'Mismatched', '']);
      for (const part of parts) assert.ok(failure.message.includes(part), failure.message);
    });
  const neg = (a) => a.neg();
  differs(neg, (a) => a.slice(0, 0, 2).neg(), "'output'", '[3] in the program', '[2] in the model');
  differs(neg, (a) => a.neg().reshape([3, 1]), '[3, 1] in the model');
  differs(neg, (a) => a.neg().cast('int64'), 'int64');
  differs(neg, (a) => a.mul(-1.0002), 'element 1');
  differs(neg, (a) => a.neg().add(2e-4 * 4), 'element 0');
  same(neg, (a) => a.mul(-1.00005));
  same(neg, (a) => a.neg().add(5e-5 * 4));
  differs(
    (a) => [a.neg(), a.abs()],
    (a) => [a.neg(), a.exp()],
    "'output_1'",
  );
  for (const more of [(a) => [a.neg(), a.abs()], () => []]) {
    compared(
      (a) => [a.neg()],
      more,
      ({ failures }) => {
        assert.deepEqual(
          failures.map(({ kind }) => kind),
          ['Mismatched'],
        );
        assert.ok(failures[0].message.includes('1 tensors, the model'), failures[0].message);
      },
    );
  }

  let runs = 0;
  class Drifting extends om.nn.Module {
    constructor() {
      super();
      this.registerBuffer('count', om.zeros([1]));
    }
    forward(a) {
      this.count.add_(++runs);
      return a.neg();
    }
  }
  withModel(
    () => new Drifting(),
    (model) =>
      withReport(model, [x], {}, ({ failures }) => {
        assert.equal(failures.length, 1);
        assert.equal(failures[0].kind, 'Mismatched');
        assert.ok(failures[0].message.includes("state 'count'"), failures[0].message);
      }),
  );
});

scoped('a program that is not the model', () => {
  let calls = 0;
  const model = (x) => x.mul(++calls);
  withReport(model, [om.ones([2])], {}, (report) => {
    assert.equal(report.failures[0].kind, 'Mismatched');
    assert.ok(report.program !== null);
  });
});

scoped('the form of a result, its constants and updated elements are compared, too', () => {
  let runs = 0;
  const mismatch = (model, examples, what) =>
    withReport(model, examples, {}, ({ failures: [failure, ...others] }) => {
      assert.deepEqual(others, []);
      assert.equal(failure?.kind, 'Mismatched');
      assert.ok(failure.message.includes(what), failure.message);
    });
  mismatch((x) => ({ [`run_${runs++}`]: x.neg() }), [om.ones([2])], 'run_1: *} in the model');
  mismatch((x) => [x.neg(), runs++], [om.ones([2])], "'output_1'");
  mismatch(([a]) => [a.add_(++runs).mul(0)], [[om.ones([2])]], "input 'input_0' differs");
  withReport(
    (x, s) => [x.neg(), s],
    [om.ones([2]), om.tensor(['a', 'b'])],
    {},
    ({ success }) => assert.ok(success),
  );
});

scoped('a number in a field that the model counts is seen, and put back', () => {
  class Counting extends om.nn.Module {
    runs = 0;
    seen = [];
    forward(x) {
      this.seen.push(++this.runs);
      return x.mul(this.runs);
    }
  }
  class Watching extends Counting {
    forward(x) {
      super.forward(x);
      return x.add(1);
    }
  }
  const model = new Counting();
  withReport(model, { x: om.ones([2]) }, {}, (report) => {
    const [{ kind, message }] = report.failures;
    assert.equal(kind, 'Mismatched');
    assert.match(message, /element 0 is 1 in the program, 2 in the model; in a first run both were the same/);
  });
  assert.deepEqual([model.runs, model.seen], [0, []]);
  withReport(new Watching(), { x: om.ones([2]) }, {}, (report) => assert.ok(report.success, String(report)));
});

test('tensors that a model keeps in a field are there in its next run', () => {
  class Last extends om.nn.Module {
    last = null;
    forward(x) {
      const y = this.last ? x.add(this.last) : x.mul(1);
      this.last = y;
      return y;
    }
  }
  class Kept extends om.nn.Module {
    all = [];
    forward(x) {
      this.all.push(x.mul(2));
      return x.mul(3);
    }
  }
  om.scope(() => {
    const last = om.draftExport(new Last(), [om.ones([2])]);
    assert.deepEqual(
      last.failures.map(({ kind }) => kind),
      ['Mismatched'],
    );
    assert.ok(last.failures[0].message.includes('has to be in a buffer'), last.failures[0].message);
    last.dispose();
    const tensors = om.memory().tensors;
    const model = new Kept();
    const input = om.ones([2]);
    const kept = om.draftExport(model, [input]);
    assert.deepEqual(kept.failures, []);
    assert.deepEqual(model.all, []);
    assert.equal(om.memory().tensors, tensors + 1); // the input's
    kept.dispose();
  });
});
