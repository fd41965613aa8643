// What the benchmark says of its aims, by which it ends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportingReport } from '../../bench/exporting_report.mjs';
import { report } from '../../bench/report.mjs';
import { mlpName } from '../../bench/training_cases.mjs';
import { trainingReport } from '../../bench/training_report.mjs';

const cases = ['matrix product 512', 'matrix product 1024', 'convolution 3×3, 64→64, 56×56'];
const rows = (ort) => cases.map((name) => ({ name, onemodel: 1, ort, tfjs: 3, native: 1 }));

/** Measurements that meet every aim, but for `changes`. */
const inference = (changes = {}) => ({
  where: 'here',
  measured: ['relaxed', 'simd'].map((variant) => ({
    variant,
    threads: 1,
    node: rows(1.6),
    chromium: rows(1.4),
    overhead: 9,
  })),
  startup: { onemodel: 90, ort: 200 },
  sizes: { simd: { brotli: 700_000 }, relaxed: { brotli: 790_000 } },
  ...changes,
});

const training = (changes = {}) => ({
  where: 'here',
  measured: [
    {
      variant: 'simd',
      rows: [{ name: mlpName, onemodel: 1, tfjs: 6 }],
      operator: 2,
      memory: [5000, 5000],
      ...changes,
    },
  ],
});

test('nothing is missed when every aim is met', () => {
  assert.deepEqual(report(inference()).missed, []);
  assert.deepEqual(trainingReport(training()).missed, []);
  assert.doesNotMatch(report(inference()).text, /\*\*no\*\*/);
});

test('each missed aim is told with what was measured and its bound, and stands in the text', () => {
  for (const [changes, ...parts] of [
    [{ startup: { onemodel: 151, ort: 200 } }, 'the session of a small model', '151.00, expected ≤ 150'],
    [{ sizes: { simd: { brotli: 800_001 } } }, 'largest module', 'expected ≤ 0.8'],
  ]) {
    const { text, missed } = report(inference(changes));
    assert.equal(missed.length, 1);
    for (const part of parts) assert.ok(missed[0].includes(part), missed[0]);
    assert.match(text, /\*\*no\*\*/);
  }
  const slow = inference();
  slow.measured[1].node = rows(0.9);
  assert.equal(report(slow).missed.length, cases.length);
  for (const [changes, part] of [
    [{ rows: [{ name: mlpName, onemodel: 1, tfjs: 4.9 }] }, 'expected ≥ 5'],
    [{ operator: 3.1 }, '3.10, expected ≤ 3'],
    [{ operator: Number.NaN }, 'NaN, expected ≤ 3'],
    [{ memory: [5000, 5008] }, '8.00, expected = 0'],
  ]) {
    const { missed } = trainingReport(training(changes));
    assert.equal(missed.length, 1);
    assert.ok(missed[0].includes(part), missed[0]);
  }
});

test('aims of exported programs: the check of sizes, and a token that costs the same behind a long text', () => {
  const missed = (check, cached) => {
    const tokens = [
      { length: 16, cached: 1, anew: 2 },
      { length: 256, cached, anew: 9 },
    ];
    return exportingReport({ where: 'here', checks: { natively: check }, tokens }).missed;
  };
  assert.deepEqual(missed(0.2, 1.1), []);
  assert.match(missed(1, 1.1).join(), /sizes of four inputs, natively.*1\.00, expected < 1$/);
  assert.match(missed(0.2, 1.5).join(), /behind 256 from the cache.*1\.50, expected < 1\.5$/);
});
