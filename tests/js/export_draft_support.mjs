// What the tests of reports share: models, and assertions on what a report says.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as om from 'onemodel';
import { stateOf } from './export_models.mjs';

/** A test whose tensors go at its end. */
export const scoped = (name, fn) => test(name, () => om.scope(fn));

/** Asserts that the call site is the line of a file in this folder that ends with `// here: ` and the mark. */
export function assertSite({ callSite }, mark) {
  const [, file, line] = callSite?.match(/([\w.]+\.mjs):(\d+):/) ?? assert.fail(`no line of a test: ${callSite}`);
  const text = readFileSync(new URL(file, import.meta.url), 'utf8').split('\n')[line - 1];
  assert.ok(text.endsWith(`// here: ${mark}`), `expected the line marked '${mark}': ${callSite}: ${text}`);
}

/** Asserts kind, module and line of a report's only failure, or of failure `i` of `count`. */
export function assertFailure({ failures }, kind, path, mark, [i, count] = [0, 1]) {
  assert.equal(failures.length, count, JSON.stringify(failures));
  assert.equal(failures[i].kind, kind);
  assert.equal(failures[i].modulePath, path);
  assertSite(failures[i], mark);
}

/** Reports on a model, checks that it is as before, runs `fn` with the report and disposes of it. */
export function withReport(model, examples, options, fn) {
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

export class Outer extends om.nn.Module {
  constructor(run) {
    super();
    this.inner = new Inner(run);
  }
  forward(x) {
    return this.inner.forward(x); // here: call
  }
}
