// Random small models give in this engine, in fast and in exact arithmetic, what they give in onnxruntime-web; what one
// refuses the other refuses.
//
// ONEMODEL_CASES: how many are drawn (1000). ONEMODEL_SEED: another sequence of them (1). ONEMODEL_ONLY: names of generators
// or families, as "Conv,reduce". ONEMODEL_CASE: the number of one case, to run it alone; a failure tells it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { compareOutputs } from './differential/compare.mjs';
import { declared, missingFrom, needlessIn, notCompared } from './differential/coverage.mjs';
import { Draw } from './differential/draw.mjs';
import { Refusal, runAll } from './differential/engines.mjs';
import { families } from './differential/families/all.mjs';
import { judge, resultsText } from './differential/judge.mjs';
import { textOf } from './differential/model.mjs';
import { onnxruntimeFaults } from './differential/onnxruntime_faults.mjs';
import { oursToMend } from './differential/ours_to_mend.mjs';
import { Tally } from './differential/tally.mjs';

const setting = (name, otherwise) => Number(process.env[name] ?? otherwise);
const [count, seed] = [setting('ONEMODEL_CASES', 1000), setting('ONEMODEL_SEED', 1)];
const only = process.env.ONEMODEL_ONLY?.split(',');

const generators = Object.entries(families).flatMap(([family, drawn]) =>
  Object.entries(drawn)
    .filter(([name]) => !only || only.includes(family) || only.includes(name))
    .map(([name, draw]) => ({ family, name, draw })),
);

/** Case number `at` of a sequence; each generator has its turn. */
function drawCase(at) {
  const { family, name, draw } = generators[at % generators.length];
  return { family, name, model: draw(new Draw(seed * 0x9e3779b1 + at)) };
}

const compared = new Set();

async function runCase(at, tally) {
  const { family, name, model } = drawCase(at);
  const results = await runAll(model);
  const verdict = judge(results);
  if (verdict.agree) for (const { op } of model.nodes) compared.add(op);
  const known = (list) => verdict.kind && list.some((each) => each.covers(model, verdict.kind));
  if (known(onnxruntimeFaults)) return tally.add(family, name, 'a fault of onnxruntime-web');
  if (known(oursToMend)) return tally.add(family, name, 'ours to mend');
  if (verdict.lacking) return tally.add(family, name, 'not compared', verdict.lacking);
  if (verdict.refused && family !== 'refusals') return tally.add(family, name, 'both refuse', results.oracle.message);
  if (verdict.agree || verdict.refused) return tally.add(family, name, 'agree');
  const said = `case ${at}, ${name}: ${verdict.kind}: ${verdict.text}\n  ${textOf(model)}\n${resultsText(results)}`;
  tally.add(family, name, 'differ', `${name}: ${verdict.kind}`, said);
}

await om.init({ threads: 1 });

const one = process.env.ONEMODEL_CASE;

test('random models agree with onnxruntime-web', async (t) => {
  const tally = new Tally();
  const cases = one === undefined ? Array.from({ length: count }, (_, at) => at) : [Number(one)];
  for (const at of cases) await runCase(at, tally);
  tally.print((line) => t.diagnostic(line));
  assert.equal(tally.failures.length, 0, tally.failures.join('\n\n'));
  assert.ok(one !== undefined || tally.of('agree') > cases.length / 2, 'too few cases are compared');
  assert.equal(om.memory().tensors, 0, 'tensors are left');
});

/** Runs on until every declared operator is compared, with the cases in which those that lack are drawn. */
async function compareMore() {
  const tally = new Tally();
  for (let at = count; at < 40 * generators.length && missingFrom(compared).length > 0; at++) {
    const lacks = missingFrom(compared);
    if (drawCase(at).model.nodes.some(({ op }) => lacks.includes(op))) await runCase(at, tally);
  }
  assert.deepEqual(tally.failures, []);
}

test('every operator with samples is compared, or it is said why not', { skip: Boolean(one ?? only) }, async (t) => {
  await compareMore();
  t.diagnostic(`${declared.filter((name) => compared.has(name)).length} of ${declared.length} operators are compared`);
  for (const [name, reason] of Object.entries(notCompared)) t.diagnostic(`${name} is not: ${reason}`);
  assert.deepEqual(missingFrom(compared), []);
  assert.deepEqual(needlessIn(compared), []);
});

/** Whether a result is that of the list: null stands for a refusal. */
function isExpected(result, expected) {
  if (expected === null || result instanceof Refusal) return expected === null && result instanceof Refusal;
  return compareOutputs(result, expected) === null;
}

for (const { op, fault, example, expected } of onnxruntimeFaults) {
  test(`onnxruntime-web, ${op}: ${fault}`, async () => {
    const results = await runAll(example());
    const text = resultsText(results);
    assert.ok(isExpected(results.fast, expected) && isExpected(results.exact, expected), `ours is wrong:\n${text}`);
    assert.ok(!isExpected(results.oracle, expected), `onnxruntime-web is right: remove it from the list\n${text}`);
  });
}

for (const { op, fault, example, expected } of oursToMend) {
  test(`to mend, ${op}: ${fault}`, async () => {
    const results = await runAll(example());
    const mended = isExpected(results.fast, expected) && isExpected(results.exact, expected);
    assert.ok(!mended, `it is right now: remove it from the list\n${resultsText(results)}`);
  });
}
