// An application that has the package as npm installs it, put together by a bundler that was told nothing of it.

import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { build, createServer } from 'vite';
import { installPacked } from './packed.mjs';
import { openFolder, openPage, root } from './support.mjs';

const folder = join(root, 'build/bundle');
const app = join(folder, 'app');
const built = join(folder, 'built');

const files = {
  'index.html': '<!doctype html><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>',
  'main.js': `
    import { compute } from './compute.js';
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = async ({ data }) => {
      window.results = [await compute(), data];
    };`,
  'worker.js': `
    import { compute } from './compute.js';
    postMessage(await compute());`,
  'compute.js': `
    import * as om from 'onemodel';
    import 'onemodel/ort'; // its effect is all that is wanted
    import { InferenceSession, Tensor } from 'onnxruntime-common';
    export async function compute() {
      const { variant, threads, threadsReason } = await om.init({ threads: 2 });
      const sum = om.scope(() => om.ones([256, 256]).matmul(om.ones([256, 256])).data[0]);
      return { variant, threads, threadsReason, sum, half: await addHalves() };
    }
    async function addHalves() {
      const traced = om.scope(() => om.trace((x) => x.add(x), om.ones([2]).cast('float16')));
      const session = await InferenceSession.create(traced.toOnnx());
      const x = new Tensor('float16', Float16Array.of(1.5, -0.25), [2]);
      const kept = new Tensor('float16', new Float16Array(2), [2]);
      const { output } = await session.run({ input: x });
      await session.run({ input: x }, { output: kept });
      return [output, kept].map(({ data }) => [data.constructor.name, ...data]);
    }`,
};

/** Only what such an application may need itself: chunks in its worker. */
const config = {
  root: app,
  base: './',
  configFile: false,
  logLevel: 'warn',
  cacheDir: join(folder, 'cache'),
  worker: { format: 'es' },
  build: { outDir: built, emptyOutDir: true },
  server: {
    headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
  },
};

async function results(page, url) {
  await page.goto(url);
  await page.waitForFunction(() => window.results);
  return page.evaluate(() => window.results);
}

before(() => {
  rmSync(folder, { recursive: true, force: true });
  installPacked(app);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(app, name), text);
});

test('Vite bundles it: threads in the page and in a worker, each wasm file once, no eval', async (t) => {
  await build(config);
  const wasm = readdirSync(join(built, 'assets')).filter((name) => name.endsWith('.wasm'));
  assert.equal(wasm.length, 4, wasm.join(' '));
  for (const isolation of [true, false]) {
    const { page, url, close } = await openFolder(built, { isolation });
    t.after(close);
    for (const { variant, threads, threadsReason, sum, half } of await results(page, url)) {
      assert.equal(threads, isolation ? 2 : 1);
      assert.equal(variant.endsWith('-threads'), isolation);
      assert.equal(threadsReason === null, isolation);
      assert.equal(sum, 256);
      for (const values of half) assert.deepEqual(values, ['Float16Array', 3, -0.5]);
    }
  }
});

test("Vite's development server runs it", async (t) => {
  const server = await createServer(config);
  t.after(() => server.close());
  await server.listen();
  const [url] = server.resolvedUrls.local;
  const { page, close } = await openPage(url);
  t.after(close);
  for (const { threads, sum, half } of await results(page, url)) {
    assert.equal(threads, 2);
    assert.equal(sum, 256);
    for (const values of half) assert.deepEqual(values, ['Float16Array', 3, -0.5]);
  }
});
