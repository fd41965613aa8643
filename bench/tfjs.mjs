// tfjs with its WebAssembly backend in Node.

import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { build } from 'vite';

const require = createRequire(import.meta.url);

/** tfjs on the backend "wasm", one thread. */
export async function startTfjs() {
  const tf = require('@tensorflow/tfjs-core');
  const backend = dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json'));
  require('@tensorflow/tfjs-backend-wasm').setWasmPaths(`${backend}/dist/`);
  await tf.setBackend('wasm');
  return tf;
}

/** Adds the gradients: the package has them as modules for bundlers only. Its engine is one for all copies. */
export async function addGradients() {
  const entry = require.resolve('@tensorflow/tfjs-core/dist/register_all_gradients.js');
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, lib: { entry, formats: ['es'] } },
  });
  await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}
