/** The engine as a backend of onnxruntime-common. */

import type * as common from 'onnxruntime-common';
import { ensureStarted } from '../engine.js';
import { Handler } from './handler.js';
import { backendName, threadsOf } from './options.js';

/** What is needed of onnxruntime-common, or of a package that hands it on. */
export type OrtModule = Pick<typeof common, 'registerBackend' | 'env'>;

/** Above that of every runtime of the ONNX Runtime project (100 at most). */
const priority = 1000;

/** Names that code written for those runtimes asks for. The last one comes first when none is asked for. */
const names = ['cpu', 'wasm', backendName];

const registered = new WeakSet<OrtModule['registerBackend']>();

function backendFor({ env }: OrtModule): common.Backend {
  return {
    // The engine starts with the first session, whose options may say with how many threads.
    init: async () => {},
    createInferenceSessionHandler: async (source, options = {}) => {
      const threads = threadsOf(options, env.wasm.numThreads);
      await ensureStarted(threads === undefined ? {} : { threads });
      return Handler.load(source, options);
    },
  };
}

/**
 * Makes the engine the backend of another copy of onnxruntime-common than the one that this package imports:
 * onnxruntime-node has one, and bundles of onnxruntime-web. Sessions that name no execution provider run on it, and those
 * that name `cpu` or `wasm` unless another backend had the name before. A second call does nothing.
 */
export function register(ort: OrtModule): void {
  if (registered.has(ort.registerBackend)) return;
  registered.add(ort.registerBackend);
  const backend = backendFor(ort);
  for (const name of names) ort.registerBackend(name, backend, priority);
}
