// What the tests of onemodel/ort share: the same code on two backends.

import assert from 'node:assert/strict';
import * as om from 'onemodel';
// Before ours, so that the name `wasm` stays its own.
import { env, InferenceSession, Tensor } from 'onnxruntime-web';
import { register } from 'onemodel/ort';

export { InferenceSession, register, Tensor };

env.wasm.numThreads = 1;
env.logLevel = 'fatal';

/** What to ask for to get a backend. */
export const backends = { theirs: ['wasm'], ours: ['onemodel'] };

/** Feeds for `mixedFile`. */
export const mixedFeeds = () => ({
  x: new Tensor('float32', Float32Array.of(1, 2, 3, -1, 0.5, 0), [2, 3]),
  y: new Tensor('int64', BigInt64Array.of(-2n, 0n, 7n), [3]),
});

/** Results without what tells the classes of tensors apart. */
export const plain = (results) =>
  Object.fromEntries(Object.entries(results).map(([name, { type, dims, data }]) => [name, { type, dims, data }]));

/** Runs `use` on a session of each backend; the sessions are released. */
export async function onBoth(file, use, options = {}) {
  const got = {};
  for (const [name, executionProviders] of Object.entries(backends)) {
    const session = await InferenceSession.create(file, { executionProviders, ...options });
    try {
      assert.equal(om.memory().sessions, name === 'ours' ? 1 : 0);
      got[name] = await use(session);
    } finally {
      await session.release();
    }
  }
  return got;
}

/** What `use` rejects with, on each backend. */
export const errorsOf = (file, use, options) =>
  onBoth(
    file,
    async (session) => {
      try {
        await use(session);
      } catch (error) {
        return error;
      }
      return assert.fail('nothing was thrown');
    },
    options,
  );
