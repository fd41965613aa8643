// What the tests of the JavaScript package share.

import assert from 'node:assert/strict';
import { after, beforeEach, afterEach } from 'node:test';
import * as om from 'onemodel';

/** Starts the engine for this file's tests and asserts after each that it left nothing alive. */
export async function useEngine(options = { threads: 1, variant: 'simd-threads' }) {
  await om.init(options);
  let before;
  beforeEach(() => {
    before = om.memory();
  });
  afterEach(() => {
    const { heapBytes: _, ...left } = om.memory();
    const { heapBytes: __, ...expected } = before;
    assert.deepEqual(left, expected, 'the test left objects alive');
  });
  after(() => {
    const { heapBytes: _, ...left } = om.memory();
    for (const [what, count] of Object.entries(left)) assert.equal(count, 0, `${count} ${what} are alive at the end`);
  });
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
