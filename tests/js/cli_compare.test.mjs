// The commands that measure and compare: `onemodel bench` and `onemodel diff`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { largestDifference, quantile } from '../../web/dist/cli/statistics.js';
import { useCommand } from './cli_support.mjs';
import { classifier, fileOf, mixedFile, sizesFile } from './model_files.mjs';
import { modelFile, tensorType } from './onnx_builder.mjs';
import { useEngine } from './support.mjs';

await useEngine();

/** The file of a function of x [n, 3] that gives y. */
const fileOfX = (fn) =>
  fileOf(
    (x) => ({ y: fn(x) }),
    () => ({ x: om.ones([2, 3]) }),
    { x: ['n', null] },
  );

const { textOf, jsonOf, assertFails } = useCommand({
  'mixed.onnx': mixedFile(),
  'scaled.onnx': mixedFile(1.00001),
  'doubled.onnx': mixedFile(2),
  'sizes.onnx': sizesFile(),
  'axis0.onnx': fileOfX((x) => x.softmax(0)),
  'axis1.onnx': fileOfX((x) => x.softmax(1)),
  'random.onnx': modelFile({
    inputs: { x: tensorType(['n']) },
    nodes: [['RandomUniformLike', ['x'], ['y']]],
    outputs: { y: tensorType(['n']) },
  }),
  'relu.onnx': fileOfX((x) => x.softmax(1).relu()),
});

const classifierSizes = [2, 48, 64].flatMap((size, i) => ['--dim', `p2o.DynamicDimension.${i}=${size}`]);

test('bench: order of the times, and what was measured', () => {
  const args = ['bench', classifier, ...classifierSizes, '--runs', '4', '--warmup', '1', '--threads', '1'];
  const { milliseconds, steps, ...rest } = jsonOf([...args, '--profile', '--arithmetic', 'exact']);
  const { min, median, p90, max, mean } = milliseconds;
  assert.ok(0 < min && min <= median && median <= p90 && p90 <= max && min <= mean && mean <= max);
  assert.deepEqual([rest.file, rest.runs, rest.warmup, rest.threads, rest.arithmetic], [classifier, 4, 1, 1, 'exact']);
  assert.ok(rest.arenaBytes > 0);
  assert.ok(steps.some(({ node, op }) => node === 'p2o.Conv.0' && op === 'Conv'));
  assert.ok(steps.every(({ kernel, milliseconds }) => kernel && milliseconds >= 0));
  const text = textOf([...args, '--profile']);
  assert.match(text, /^Milliseconds\n +median +p90 +mean +min +max\n( +\d+\.\d{3}){5}$/m);
  assert.match(text, /^ {2}operator +kernel +steps +ms +share\n(?: .*\n)* {2}Conv +\S+ +53 /m);
  assert.ok(!textOf(['bench', 'sizes.onnx', '--dim', 'n=3', '--runs', '1', '--warmup', '0']).includes('Profile'));
});

test('diff: equal models', () => {
  textOf(['convert', 'mixed.onnx', 'mixed.onemodel']);
  const args = ['diff', 'mixed.onnx', 'mixed.onemodel'];
  assert.equal(textOf(args), 'mixed.onnx and mixed.onemodel: no difference\n');
  const { differences, results } = jsonOf([...args, '--run', '--dim', 'n=3', '--dim', 'm=2']);
  assert.deepEqual(differences, []);
  assert.deepEqual(
    results.map(({ name, difference, equal }) => [name, difference, equal]),
    [
      ['product', 0, true],
      ['next', 0, true],
      ['positive', 0, true],
      ['half', 0, true],
    ],
  );
});

test('diff: constants by their elements', () => {
  const { differences, results } = jsonOf(['diff', 'mixed.onnx', 'doubled.onnx'], 1);
  assert.equal(results, null);
  assert.equal(differences.length, 1);
  const [{ what, first, second }] = differences;
  assert.deepEqual([what, first], ['constant', 'float32[3, 4]']);
  assert.match(second, /^float32\[3, 4\] that differs by up to 1$/);
  assert.match(
    textOf(['diff', 'mixed.onnx', 'doubled.onnx'], 1),
    /1 difference\n\nConstants\n {2}- .*\n {2}\+ .*up to 1\n$/,
  );
});

test('diff: models that draw numbers draw the same ones', () => {
  textOf(['convert', 'random.onnx', 'random.onemodel']);
  const { results } = jsonOf(['diff', 'random.onnx', 'random.onemodel', '--run', '--dim', 'n=40']);
  assert.deepEqual(
    results.map(({ difference, equal }) => [difference, equal]),
    [[0, true]],
  );
});

test('diff: attributes, nodes, inputs and outputs', () => {
  const [attribute] = jsonOf(['diff', 'axis0.onnx', 'axis1.onnx'], 1).differences;
  assert.deepEqual(
    [attribute.what, /axis=0/.test(attribute.first), /axis=1/.test(attribute.second)],
    ['node', true, true],
  );
  const added = jsonOf(['diff', 'axis1.onnx', 'relu.onnx'], 1).differences;
  assert.ok(
    added.some(({ what, first, second }) => what === 'node' && first === null && second.startsWith('Relu of ')),
  );
  const kinds = (a, b) => new Set(jsonOf(['diff', a, b], 1).differences.map(({ what }) => what));
  assert.deepEqual(kinds('axis0.onnx', 'mixed.onnx'), new Set(['input', 'output', 'node', 'constant']));
});

test('diff: results within a tolerance', () => {
  const run = ['diff', 'mixed.onnx', 'scaled.onnx', '--run', '--no-graph', '--dim', 'n=3', '--dim', 'm=2'];
  const { differences, results } = jsonOf(run);
  assert.deepEqual(differences, []);
  const { difference } = results.find(({ name }) => name === 'product');
  assert.ok(difference > 0 && difference < 1e-4);
  const text = textOf([...run, '--tolerance', '1e-7'], 1);
  assert.match(text, /^ {2}product +float32\[3, 4\] +\S+ {2}differs$/m);
  assert.match(text, /^ {2}next +int64\[2\] +0 {2}same$/m);
  assertFails(['diff', 'axis0.onnx', 'mixed.onnx', '--run', '--dim', 'n=2'], 1, "input 'y' is missing");
});

test('quantiles lie between neighbours, and what is not finite differs', () => {
  assert.deepEqual(
    [0, 0.5, 0.9, 1].map((share) => quantile([1, 2, 3, 5], share)),
    [1, 2.5, 4.4, 5],
  );
  assert.equal(quantile([7], 0.9), 7);
  const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
  const difference = (a, b) => largestDifference(Float64Array.from(a), Float64Array.from(b));
  assert.equal(difference([1, nan, inf, 0], [1.5, nan, inf, -0]), 0.5);
  assert.equal(difference([nan], [1]), inf);
  assert.equal(difference([inf], [-inf]), inf);
  assert.equal(difference([], []), 0);
});
