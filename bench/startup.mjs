// A fresh process: node bench/startup.mjs onemodel|ort MODEL prints the milliseconds from the start of the engine until
// a session of that model exists.

import { readFileSync } from 'node:fs';

const [engine, model] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(model));
const library = await import(engine === 'ort' ? 'onnxruntime-web' : 'onemodel');
const from = performance.now();
if (engine === 'ort') {
  library.env.wasm.numThreads = 1;
  await library.InferenceSession.create(bytes);
} else {
  await library.init({ threads: 1 });
  await library.Session.load(bytes);
}
const took = performance.now() - from;
process.stdout.write(String(took), () => process.exit(0));
