// Quantised operators and normalisation in Node, on one thread: node bench/quantised_node.mjs VARIANT prints the medians as JSON.

import * as om from 'onemodel';
import * as ort from 'onnxruntime-web';
import { measureCase } from './measure.mjs';
import { quantisedCases } from './quantised_cases.mjs';

await om.init({ variant: process.argv[2], threads: 1 });
ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

const rows = [];
for (const each of quantisedCases(om)) {
  process.stderr.write(`▸ ${each.name}\n`);
  rows.push({ name: each.name, ...(await measureCase({ om, ort }, each)) });
}
process.stdout.write(JSON.stringify(rows), () => process.exit(0));
