// The page of docs/bundlers.md that needs no bundler, on a server of plain files.

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { serve } from '../../scripts/serve.mjs';
import { installPacked } from './packed.mjs';
import { openPage, root } from './support.mjs';

const site = join(root, 'build/no_bundler');
const [, shown] = /```html\n(.*?)```/s.exec(readFileSync(join(root, 'docs/bundlers.md'), 'utf8'));
const map = /<script type="importmap">.*?<\/script>/s.exec(shown)[0];

before(() => {
  rmSync(site, { recursive: true, force: true });
  installPacked(site, ['wasm-feature-detect', 'onnxruntime-common']);
  writeFileSync(join(site, 'index.html'), shown);
  writeFileSync(
    join(site, 'ort.html'),
    `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${map}<p id="result">…</p>
    <script type="module">
      import * as om from 'onemodel';
      import { InferenceSession, Tensor } from 'onemodel/ort';
      await om.init();
      const bytes = om.trace((x) => x.add(x), om.ones([2])).toOnnx();
      const session = await InferenceSession.create(bytes);
      const { output } = await session.run({ input: new Tensor('float32', Float32Array.of(1, 2), [2]) });
      document.querySelector('#result').textContent = [...output.data].join(' ');
    </script>`,
  );
});

async function resultOf(t, path, isolation) {
  const server = await serve(site, { isolation });
  t.after(server.close);
  const { page, close } = await openPage(server.url);
  t.after(close);
  await page.goto(server.url + path);
  await page.waitForFunction(() => document.querySelector('#result').textContent !== '…');
  return page.textContent('#result');
}

test('the page runs from plain files', async (t) => {
  assert.equal(await resultOf(t, '', false), '[3,1] on 1 threads');
});

test('with the headers it has threads', async (t) => {
  assert.match(await resultOf(t, '', true), /^\[3,1\] on ([2-9]|\d\d) threads$/);
});

test("code for ONNX Runtime runs by the page's map", async (t) => {
  assert.equal(await resultOf(t, 'ort.html', false), '2 4');
});
