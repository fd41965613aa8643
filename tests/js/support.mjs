// What the tests of the JavaScript package share.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'node:test';
import { promisify } from 'node:util';
import * as om from 'onemodel';

function alive() {
  const { heapBytes: _, ...counts } = om.memory();
  return counts;
}

/** Starts the engine for this file's tests, and asserts after each that it left nothing alive. */
export async function useEngine(options = { threads: 1 }) {
  await om.init(options);
  let known = alive();
  assert.ok(Object.values(known).every((count) => count === 0));
  afterEach(() => {
    const before = known;
    known = alive(); // so that the tests after one that fails are judged by themselves
    assert.deepEqual(known, before, 'the test left objects alive');
  });
}

/** Runs `code`, a module that has the package as `om`, in a Node of its own; gives what it passes to `report`. */
export async function inNode(code, flags = []) {
  const folder = mkdtempSync(join(tmpdir(), 'onemodel-test-'));
  const file = join(folder, 'main.mjs'); // not --eval: the engine's threads would inherit what goes with it
  const address = JSON.stringify(import.meta.resolve('onemodel'));
  const head = `import * as om from ${address}; const report = (value) => console.log(JSON.stringify(value));`;
  try {
    writeFileSync(file, `${head}\n${code}`);
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, file], { timeout: 120_000 });
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Asserts that `fn` throws an Error of that class and kind, with all parts in the message. */
export function assertThrows(fn, Class, kind, ...parts) {
  assert.throws(fn, (error) => checkError(error, Class, kind, parts));
}

export async function assertRejects(promise, Class, kind, ...parts) {
  await assert.rejects(promise, (error) => checkError(error, Class, kind, parts));
}

function checkError(error, Class, kind, parts) {
  assert.ok(error instanceof Error, `not an Error: ${error}`);
  assert.ok(error instanceof Class, `expected ${Class.name}, got ${error.name}: ${error.message}`);
  assert.equal(error.name, Class.name);
  assert.equal(error.kind, kind);
  for (const part of parts) assert.ok(error.message.includes(part), `no '${part}' in: ${error.message}`);
  return true;
}

/** A float32 input or output of a session. */
export const typed = (name, shape) => ({
  name,
  dtype: 'float32',
  shape,
  hasRank: true,
  holds: 'tensor',
  optional: false,
});

/** The largest difference of two arrays over the larger of 1 and the largest value. */
export function scaledError(got, expected) {
  assert.equal(got.length, expected.length);
  let scale = 1;
  let worst = 0;
  for (let i = 0; i < got.length; i++) {
    scale = Math.max(scale, Math.abs(Number(expected[i])));
    worst = Math.max(worst, Math.abs(Number(got[i]) - Number(expected[i])));
  }
  return worst / scale;
}
