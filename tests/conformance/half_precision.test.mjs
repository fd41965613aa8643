// Models in half precision: the numbers of float64 on the same weights within the type's precision, those of onnxruntime-web
// where it has the type, and half of the memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import * as ort from 'onnxruntime-web';
import { fromFloat16 } from './differential/half.mjs';
import { noise } from './support.mjs';

await om.init({ threads: 1 });
ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

const shape = [1, 3, 12, 12];
const sizes = [[32, 3, 3, 3], [32, 8, 2, 2], [32], [32], [32, 2048], [2048, 512]];

/** Weights as `dtype` rounds them, then widened to `wide` when given. */
function weightsOf(dtype, wide = dtype) {
  return sizes.map((dims, i) => {
    const count = dims.reduce((product, extent) => product * extent, 1);
    const scale = 1 / Math.sqrt(dims.length > 1 ? count / dims[0] : 1);
    const values = noise(count, i + 1).map((x) => x * scale);
    return om.tensor(values, { shape: dims }).cast(dtype).cast(wide);
  });
}

/** Convolution, pooling, a transposed convolution whose stride exceeds its kernel, normalisation and products. */
const network =
  ([first, second, scale, bias, third, fourth], spreading = { autoPad: 'SAME_UPPER' }) =>
  (x) => {
    const seen = om.ops.conv(x, first, null, { pads: [1, 1, 1, 1] }).relu();
    const pooled = om.ops.maxPool(seen, { kernelShape: [3, 3], strides: [3, 3] });
    const spread = om.ops.convTranspose(pooled, second, null, { strides: [3, 3], group: 4, ...spreading });
    const places = om.ops.layerNormalization(spread.reshape([1, 32, 144]).transpose(1, 2), scale, bias);
    const hidden = places.mean(1).matmul(third).gelu();
    return hidden.matmul(fourth).softmax(-1);
  };

const input = (dtype) => om.tensor(noise(432, 9), { shape }).cast(dtype);

function modelFile(dtype, spreading) {
  return om.scope(() => {
    const traced = om.trace(network(weightsOf(dtype), spreading), input(dtype));
    const bytes = traced.toOnnx();
    traced.dispose();
    return bytes;
  });
}

/** What the network gives in float64 for weights and an input of `dtype`. */
const reference = (dtype) =>
  om.scope(() => Array.from(network(weightsOf(dtype, 'float64'))(input(dtype).cast('float64')).data));

function assertNear(got, expected, tolerance, what) {
  const largest = Math.max(...expected.map(Math.abs));
  const worst = Math.max(...expected.map((value, i) => Math.abs(got[i] - value)));
  assert.equal(got.length, expected.length);
  assert.ok(worst <= tolerance * largest, `${what}: ${worst / largest} of the largest number, at most ${tolerance}`);
}

// A rounding is half of 2^-10 (float16) or 2^-7 (bfloat16); the softmax of what several layers rounded has a few of them.
const tolerances = { float16: 2 ** -8, bfloat16: 2 ** -5 };

for (const [dtype, tolerance] of Object.entries(tolerances)) {
  for (const arithmetic of ['fast', 'exact']) {
    test(`${dtype}, ${arithmetic}: what float64 gives`, async () => {
      const session = await om.Session.load(modelFile(dtype), { arithmetic });
      om.scope(() => {
        const [output] = Object.values(session.runSync(input(dtype)));
        assert.equal(output.dtype, dtype);
        assertNear(Array.from(output.cast('float64').data), reference(dtype), tolerance, dtype);
      });
      session.dispose();
      assert.equal(om.memory().tensors, 0);
    });
  }
}

test('float16: what onnxruntime-web gives', async () => {
  // It makes SAME_UPPER smaller than ONNX says (./differential/onnxruntime_faults.mjs).
  const theirs = await ort.InferenceSession.create(modelFile('float16', { outputPadding: [1, 1] }));
  const data = om.scope(() => input('float16').data.slice());
  const [output] = Object.values(await theirs.run({ [theirs.inputNames[0]]: new ort.Tensor('float16', data, shape) }));
  const expected = Array.from(output.data, (each) => (output.data instanceof Uint16Array ? fromFloat16(each) : each));
  await theirs.release();
  const session = await om.Session.load(modelFile('float16'));
  om.scope(() => {
    const [ours] = Object.values(session.runSync(input('float16')));
    assertNear(Array.from(ours.cast('float64').data), expected, tolerances.float16, 'float16');
  });
  session.dispose();
});

/** Bytes that a session holds after a run. */
async function bytesHeld(dtype, arithmetic) {
  const file = modelFile(dtype);
  const before = om.memory().bytes;
  const session = await om.Session.load(file, { arithmetic });
  om.scope(() => {
    session.runSync(input(dtype));
  });
  const held = om.memory().bytes - before;
  session.dispose();
  assert.equal(om.memory().bytes, before);
  return held;
}

test('weights of half precision take half of the memory', async () => {
  const weights = sizes.reduce((sum, dims) => sum + dims.reduce((product, extent) => product * extent, 1), 0);
  const whole = await bytesHeld('float32', 'exact');
  assert.ok(whole > 4 * weights, `float32: ${whole} bytes for ${weights} weights`);
  for (const dtype of Object.keys(tolerances)) {
    for (const arithmetic of ['fast', 'exact']) {
      const half = await bytesHeld(dtype, arithmetic);
      assert.ok(half > 2 * weights, `${dtype}: ${half} bytes for ${weights} weights`);
      assert.ok(half < 0.55 * whole, `${dtype}, ${arithmetic}: ${half} bytes, float32 takes ${whole}`);
    }
  }
});
