// Models as PyTorch exports them (scripts/make_torch_models.py) give what PyTorch gives, and what onnxruntime-web gives.
//
// They are made once for a version of the script and of PyTorch, in the cache that scripts/bootstrap uses. Skipped, with
// the reason, where Debian's python3-torch, python3-onnx or, for the models of torchvision, python3-torchvision is missing.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as om from 'onemodel';
import { assertAgree, runOracleOn, runSession } from './support.mjs';

const names = ['resnet18', 'mobilenet_v2', 'crnn', 'gpt'];
const python = '/usr/bin/python3';
const script = fileURLToPath(new URL('../../scripts/make_torch_models.py', import.meta.url));
const versions = `
import importlib.util, torch, onnx
vision = importlib.util.find_spec("torchvision")
print(torch.__version__, onnx.__version__, "torchvision" if vision else "no torchvision")`;

/** The last line that a program said. */
const lastLine = (text) => text.trim().split('\n').at(-1);

/** { folder } with the models, or { skipped: reason }. */
function makeModels() {
  const found = spawnSync(python, ['-c', versions], { encoding: 'utf8' });
  if (found.status !== 0) return { skipped: found.error?.message ?? lastLine(found.stderr) };
  const key = createHash('sha256').update(readFileSync(script)).update(found.stdout).digest('hex').slice(0, 16);
  const cache = process.env.ONEMODEL_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'onemodel');
  const folder = join(cache, 'torch_models', key);
  if (!existsSync(join(folder, 'models.json'))) {
    const made = spawnSync(python, [script, folder], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
  }
  return { folder };
}

const { folder, skipped } = makeModels();
const models = folder ? JSON.parse(readFileSync(join(folder, 'models.json'))) : {};

function tensorOf({ file, dtype, shape }) {
  const bytes = new Uint8Array(readFileSync(join(folder, file))).buffer;
  return { dims: shape, data: dtype === 'int64' ? new BigInt64Array(bytes) : new Float32Array(bytes) };
}

await om.init({ threads: 1 });

for (const name of names) {
  const reason = skipped ?? models[name].skipped;
  const options = { skip: reason ? `PyTorch's models cannot be made: ${reason}` : false };
  for (const arithmetic of ['fast', 'exact']) {
    test(`${name} agrees with PyTorch and onnxruntime-web (${arithmetic})`, options, async () => {
      const bytes = new Uint8Array(readFileSync(join(folder, models[name].file)));
      const session = await om.Session.load(bytes, { arithmetic });
      for (const { inputs, outputs } of models[name].cases) {
        const feeds = inputs.map(tensorOf);
        const oracle = await runOracleOn(bytes, feeds);
        om.scope(() => {
          const got = runSession(session, feeds);
          assertAgree(got, outputs.map(tensorOf), `${name} ${feeds[0].dims}, PyTorch`);
          assertAgree(got, oracle, `${name} ${feeds[0].dims}, onnxruntime-web`);
        });
      }
      session.dispose();
      assert.equal(om.memory().tensors, 0);
    });
  }

  test(`${name}, optimised and saved, is the same model`, options, async () => {
    const bytes = new Uint8Array(readFileSync(join(folder, models[name].file)));
    const graph = await om.loadGraph(bytes);
    const optimised = graph.optimize();
    for (const { inputs, outputs } of models[name].cases) {
      const feeds = inputs.map(tensorOf);
      const expected = outputs.map(tensorOf);
      assertAgree(await runOracleOn(optimised.toOnnx(), feeds), expected, `${name} as .onnx in onnxruntime-web`);
      for (const file of [optimised.toOnnx(), optimised.toOneModel()]) {
        const session = await om.Session.load(file);
        om.scope(() => assertAgree(runSession(session, feeds), expected, name));
        session.dispose();
      }
    }
    for (const each of [optimised, graph]) each.dispose();
    assert.equal(om.memory().tensors, 0);
  });
}
