// The command `onemodel run`.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as om from 'onemodel';
import { readNpy, writeNpy } from '../../web/dist/cli/npy.js';
import { useCommand } from './cli_support.mjs';
import { fileOf, mixedFile, repeatFile, sizesFile } from './model_files.mjs';
import { useEngine } from './support.mjs';

await useEngine();

const x = { dtype: 'float32', shape: [2, 3], data: Float32Array.of(1, 2, 3, -1, 0.5, 0) };
const y = { dtype: 'int64', shape: [3], data: BigInt64Array.of(-2n, 0n, 7n) };

const { folder, textOf, jsonOf, assertFails } = useCommand({
  'mixed.onnx': mixedFile(),
  'half.onnx': repeatFile('bfloat16'),
  'sizes.onnx': sizesFile(),
  'names.onnx': fileOf(
    (v) => ({ '../up': v.add(1), '.hidden': v.add(2), 'a/b': v.add(3), 'a:b': v.add(4), A_b: v.log() }),
    () => ({ x: om.ones([2]) }),
    { x: ['n'] },
  ),
  'next.onnx': fileOf(
    (x) => ({ y: x.add(1) }),
    () => ({ x: om.ones([2], 'int64') }),
  ),
  'words.onnx': om.scope(() => {
    const words = om.tensor(['a', 'b']);
    return fileOf(
      (x) => ({ word: om.ops.gather(words, x), next: x.add(1) }),
      () => ({ x: om.ones([1], 'int64') }),
    );
  }),
  'x.npy': writeNpy(x),
  'y.npy': writeNpy(y),
  'double.npy': writeNpy({ dtype: 'float64', shape: [2, 3], data: new Float64Array(6) }),
  'bad.npy': 'no array',
});

const npy = (name) => readNpy(new Uint8Array(readFileSync(join(folder, name))));

const tensorOf = ({ data, dtype, shape }) => om.tensor(data, { dtype, shape });

test('integers of 64 bits are given exactly', () => {
  for (const [number, sum] of [
    ['9223372036854775806', 2n ** 63n - 1n],
    ['-9223372036854775808', 1n - 2n ** 63n],
  ]) {
    textOf(['run', 'next.onnx', '--input', `x=${number}`, '--output', 'exact']);
    assert.deepEqual(
      readNpy(new Uint8Array(readFileSync(join(folder, 'exact/y.npy')))).data,
      BigInt64Array.of(sum, sum),
    );
  }
});

test('outputs of strings have no file', () => {
  const args = ['run', 'words.onnx', '--input', 'ones', '--output', 'words'];
  assert.match(textOf(args), /^ {2}word: not written, .*strings.*\n {2}words\/next\.npy$/m);
  assert.deepEqual(
    jsonOf(args).outputs.map(({ name, file }) => [name, file]),
    [
      ['word', undefined],
      ['next', join('words', 'next.npy')],
    ],
  );
});

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
  jsonOf(['run', 'mixed.onnx', '--input', 'x=x.npy', '--dim', 'm=5', '--dim', 'n=2']);
  const other = ['run', 'mixed.onnx', '--input', 'x=x.npy', '--dim', 'm=5', '--dim', 'n=3'];
  assertFails(other, 2, '--dim n=3: x.npy shows n = 2');
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
  for (const number of ['2.5', 'nan', 'inf', '1e30', '9223372036854775808']) {
    assertFails(
      run('--input', `y=${number}`),
      2,
      "'y' is int64, integers from -9223372036854775808 to 9223372036854775807",
    );
  }
  assertFails(run('--input', 'y=random:0:1.5'), 2, "'y' is int64, random integers from");
  for (const number of ['1e400', '-1e400'])
    assertFails(run('--input', `x=${number}`), 2, `${number} is beyond the largest`);
  assertFails(run('--input', 'x=none.npy'), 1, 'cannot read none.npy');
  assertFails(run('--input', 'x=bad.npy'), 1, 'onemodel run: bad.npy: the .npy file', 'NumPy');
  assertFails(run('--output', 'bad.npy/results'), 1, 'cannot write bad.npy/results/');
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
