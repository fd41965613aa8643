// Files with much in them: the engine's memory holds the weights about once, also while they arrive.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import * as om from 'onemodel';
import { modelFile, tensorType } from './onnx_builder.mjs';
import { inNode, useEngine } from './support.mjs';

await useEngine({ variant: 'simd', threads: 1 });

const folder = mkdtempSync(join(tmpdir(), 'onemodel-weights-'));
after(() => rmSync(folder, { recursive: true }));
const written = (name, bytes) => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};

const [tables, rows, columns] = [3, 16_384, 1024]; // the allocator rounds each table up by megabytes
const tableBytes = 4 * rows * columns;
const names = Array.from({ length: tables }, (_, i) => `w${i}`);

/** Of each table the row `at`. */
const model = modelFile({
  inputs: { at: tensorType([], 7) },
  externals: Object.fromEntries(names.map((name, i) => [name, { rows, columns, offset: i * tableBytes }])),
  nodes: names.map((name, i) => ['Gather', [name, 'at'], [`y${i}`]]),
  outputs: Object.fromEntries(names.map((_, i) => [`y${i}`, tensorType([columns])])),
});
const weights = Float32Array.from({ length: tables * rows * columns }, (_, i) => i % 1000);

/** How much the engine's memory grew over the weights, in a process of its own, and the last number of the last table. */
const measured = (load) =>
  inNode(`
    import { openAsBlob, readFileSync } from 'node:fs';
    await om.init({ variant: 'simd', threads: 1 });
    const before = om.memory().heapBytes;
    const session = await (${load});
    const growth = (om.memory().heapBytes - before) / ${tables * tableBytes};
    const results = session.runSync(om.tensor(${rows - 1}, { dtype: 'int64' }));
    report({ growth, last: results.y${tables - 1}.data.at(-1) });
  `);

async function check(load) {
  const { growth, last } = await measured(load);
  assert.equal(last, weights.at(-1));
  assert.ok(growth < 1.5, `the memory grew by ${growth} of the weights`);
}

test('weights beside a .onnx file go where they stay', async () => {
  const [file, beside] = [written('model.onnx', model), written('weights.bin', weights)].map((path) =>
    JSON.stringify(path),
  );
  await check(`om.Session.load(${file})`);
  const blob = `await openAsBlob(${beside})`;
  const source = `new Uint8Array(readFileSync(${file}))`;
  await check(`om.Session.load(${source}, { externalData: { 'weights.bin': ${blob} } })`);
  await check(`om.Session.load(${source}, { externalData: { 'weights.bin': new Response(${blob}) } })`);
  await check(
    `om.Session.load(${source}, { externalData: { 'weights.bin': new Uint8Array(readFileSync(${beside})) } })`,
  );
});

test('so do those of a .onemodel file, however it comes', async () => {
  const graph = await om.loadGraph(model, { externalData: { 'weights.bin': new Uint8Array(weights.buffer) } });
  const file = JSON.stringify(written('model.onemodel', graph.toOneModel()));
  graph.dispose();
  await check(`om.Session.load(${file})`);
  await check(`om.Session.load(new Response(await openAsBlob(${file})))`);
  await check(`om.Session.load(new Uint8Array(readFileSync(${file})))`);
});
