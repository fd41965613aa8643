// The commands that measure and compare: `onemodel bench` and `onemodel diff`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { largestDifference, quantile } from '../../web/dist/cli/statistics.js';
import { useCommand } from './cli_support.mjs';
import { classifier, fileOf, mixedFile, sizesFile } from './model_files.mjs';
import { modelFile, sequenceType, tensorType } from './onnx_builder.mjs';
import { useEngine } from './support.mjs';

await useEngine();

/** The file of a function of x [n, 3] that gives y. */
const fileOfX = (fn) =>
  fileOf(
    (x) => ({ y: fn(x) }),
    () => ({ x: om.ones([2, 3]) }),
    { x: ['n', null] },
  );

/** x [n] to the sum with a constant of these values, of one dtype. */
const sumFile = (values, dtype) =>
  om.scope(() => {
    const constant = om.tensor(values, dtype);
    return fileOf(
      (x) => ({ y: x.add(constant) }),
      () => ({ x: om.zeros([1]).cast(dtype) }),
    );
  });

/** Those of the words that x [2] says, and -x. */
const wordsFile = (...words) =>
  om.scope(() => {
    const constant = om.tensor(words);
    return fileOf(
      (x) => ({ y: om.ops.gather(constant, x), same: x.neg() }),
      () => ({ x: om.zeros([2], 'int64') }),
    );
  });

const listFile = (...nodes) =>
  modelFile({
    inputs: { x: tensorType([2]) },
    nodes: [...nodes, ['Neg', ['x'], ['z']]],
    outputs: { y: sequenceType(tensorType(null)), z: tensorType([2]) },
  });

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
  'int64.onnx': sumFile([2n ** 62n], 'int64'),
  'int64_next.onnx': sumFile([2n ** 62n + 1n], 'int64'),
  'uint64.onnx': sumFile([2n ** 64n - 1n], 'uint64'),
  'uint64_less.onnx': sumFile([2n ** 64n - 500n], 'uint64'),
  'words.onnx': wordsFile('1', 'b'),
  'other_words.onnx': wordsFile('1.0', 'b'),
  'no_list.onnx': listFile(['SequenceEmpty', [], ['y']]),
  'list.onnx': listFile(['SequenceConstruct', ['x'], ['y']]),
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

test('diff: integers that are one number as floats differ', () => {
  for (const [a, b, most] of [
    ['int64.onnx', 'int64_next.onnx', '1'],
    ['uint64.onnx', 'uint64_less.onnx', '499'],
  ]) {
    const { differences, results } = jsonOf(['diff', a, b, '--run', '--input', 'zeros'], 1);
    assert.match(differences[0].second, new RegExp(`that differs by up to ${most}$`));
    assert.ok(results[0].difference > 0 && !results[0].equal);
    assert.ok(jsonOf(['diff', a, a, '--run']).results[0].equal);
  }
});

test('diff: strings by their texts', () => {
  const { differences, results } = jsonOf(['diff', 'words.onnx', 'other_words.onnx', '--run', '--input', 'zeros'], 1);
  assert.deepEqual(
    differences.map(({ what, second }) => [what, second]),
    [['constant', 'string[2] of which 1 differs']],
  );
  assert.deepEqual(
    results.map(({ name, equal, difference }) => [name, equal, difference]),
    [
      ['y', false, null],
      ['same', true, 0],
    ],
  );
  assert.match(textOf(['diff', 'words.onnx', 'words.onnx', '--run']), /^ {2}y +string\[2\] +- {2}same$/m);
});

test('diff: an empty list is an output', () => {
  const run = (a, b, code) =>
    jsonOf(['diff', a, b, '--run', '--no-graph'], code).results.map((each) => Object.values(each));
  assert.deepEqual(run('no_list.onnx', 'list.onnx', 1), [
    ['z', 'float32[2]', 'float32[2]', 0, true],
    ['y', 'an empty list', null, null, false],
    ['y[0]', null, 'float32[2]', null, false],
  ]);
  assert.deepEqual(run('no_list.onnx', 'no_list.onnx', 0)[1], ['y', 'an empty list', 'an empty list', null, true]);
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
