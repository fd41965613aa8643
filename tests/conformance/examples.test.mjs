// The examples run, and onnxruntime-web agrees with eager on the files they write.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as om from 'onemodel';
import { DigitsNet } from '../../examples/js/digits_model.mjs';
import { assertClose, levels, noise, runOracle } from './support.mjs';

const root = new URL('../../', import.meta.url);
const written = (name) => new Uint8Array(readFileSync(new URL(`build/examples/${name}`, root)));

function runExample(name) {
  const { status, stdout, stderr } = spawnSync('node', [`examples/js/${name}.mjs`], {
    cwd: fileURLToPath(root),
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  return stdout;
}

async function compareWithOracle(name, model, sizes) {
  await om.init({ threads: 1 });
  om.loadCheckpoint(written(`${name}.safetensors`), model, undefined);
  model.eval();
  const file = written(`${name}.onnx`);
  for (const dims of sizes) {
    const data = noise(dims.reduce((product, extent) => product * extent, 1));
    const expected = om.scope(() => {
      const result = om.noGrad(() => model.forward(om.tensor(data, { shape: dims })));
      return { data: result.data, dims: [...result.shape] };
    });
    for (const level of levels) {
      assertClose(await runOracle(file, data, dims, level), expected, 1e-5, `${name} ${dims} optimisation ${level}`);
    }
  }
  model.dispose();
}

test('line: runs, and onnxruntime-web agrees', async () => {
  const output = runExample('line');
  assert.match(output, /line\.onnx: x = 4, 5, 6/);
  await om.init({ threads: 1 });
  await compareWithOracle('line', new om.nn.Linear(1, 1), [
    [4, 1],
    [1, 1],
    [9, 1],
  ]);
});

test('digits: learns real digits to 97 %, and onnxruntime-web agrees', async () => {
  const output = runExample('digits');
  const best = Math.max(...[...output.matchAll(/held-out accuracy ([\d.]+) %/g)].map((match) => Number(match[1])));
  assert.ok(best >= 97, output);
  await om.init({ threads: 1 });
  await compareWithOracle('digits', new DigitsNet(), [
    [5, 1, 28, 28],
    [1, 1, 28, 28],
    [12, 1, 28, 28],
  ]);
});

for (const name of ['transformer', 'tagger', 'unet', 'autoencoder', 'gru']) {
  test(`${name}: learns, is traced, and its saved files agree with it`, () => {
    const output = runExample(name);
    for (const file of [`${name}.onnx`, `${name}.onemodel`]) {
      assert.equal(output.split(`${file} on [`).length - 1, 3, output);
    }
  });
}

test('cached: sessions of the saved program write what the model writes', () => {
  assert.match(runExample('cached'), /with the cache: \d+ characters per second/);
});
