// The oracle: onnxruntime-web, and how its results are compared.

import assert from 'node:assert/strict';
import * as om from 'onemodel';
import * as ort from 'onnxruntime-web';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

export const levels = ['disabled', 'all'];

const typeOf = (data) => (data instanceof BigInt64Array ? 'int64' : 'float32');

/** Runs a model file in onnxruntime-web on `feeds` in the order of its inputs; gives its outputs in order. */
export async function runOracleOn(bytes, feeds, graphOptimizationLevel = 'all') {
  const session = await ort.InferenceSession.create(bytes, { graphOptimizationLevel });
  try {
    const tensors = feeds.map(({ data, dims }) => new ort.Tensor(typeOf(data), data, dims));
    const results = await session.run(Object.fromEntries(session.inputNames.map((name, i) => [name, tensors[i]])));
    return session.outputNames.map((name) => ({
      data: Float32Array.from(results[name].data),
      dims: [...results[name].dims],
    }));
  } finally {
    await session.release();
  }
}

/** Runs a model file of one input and one output in onnxruntime-web. */
export async function runOracle(bytes, data, dims, graphOptimizationLevel) {
  const [output] = await runOracleOn(bytes, [{ data, dims }], graphOptimizationLevel);
  return output;
}

/** Asserts equal shapes and values within `tolerance` of the larger of 1 and the largest expected value. */
export function assertClose(got, expected, tolerance, what) {
  assert.deepEqual([...got.dims], [...expected.dims], `${what}: shapes differ`);
  let scale = 1;
  let worst = 0;
  for (let i = 0; i < expected.data.length; i++) {
    scale = Math.max(scale, Math.abs(expected.data[i]));
    worst = Math.max(worst, Math.abs(got.data[i] - expected.data[i]));
  }
  assert.ok(worst / scale <= tolerance, `${what}: scaled difference ${worst / scale} is above ${tolerance}`);
}

/** Asserts that outputs agree within 1e-4 of the largest value of each. */
export function assertAgree(outputs, expected, what) {
  assert.equal(outputs.length, expected.length);
  for (const [i, output] of outputs.entries()) {
    const largest = expected[i].data.reduce((most, x) => Math.max(most, Math.abs(x)), Number.MIN_VALUE);
    const scaled = ({ data, dims }) => ({ dims, data: data.map((x) => x / largest) });
    assertClose(scaled(output), scaled(expected[i]), 1e-4, `${what}, output ${i}`);
  }
}

/** Runs a session of ours on `feeds` in the order of its inputs; gives its outputs in order. */
export function runSession(session, feeds) {
  const tensors = feeds.map(({ data, dims }) => om.tensor(data, { shape: dims }));
  return Object.values(session.runSync(tensors)).map((output) => ({
    data: Float32Array.from(output.data),
    dims: output.shape,
  }));
}

/** Reproducible numbers in [-1, 1). */
export function noise(count, seed = 1) {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}
