/** The engine's thread: runs the code of the editor and model files, away from the page. */

import { expose } from 'comlink';
import * as om from 'onemodel';
import type { Feed, ModelFormat, PlaygroundWorker } from '../protocol';
import { carryErrors } from '../worker_errors';
import { provideModules } from './code_module';
import { loadDigits } from './digits';
import { LearningRun } from './learning_run';
import { ModelFile } from './model_file';

let run = new LearningRun();
let model: ModelFile | undefined;
let modelBytes: Uint8Array | undefined;

const sameBytes = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** Whether `file` is what saving the trained model would give now. */
function isTrainedModel(file: Uint8Array): boolean {
  const format: ModelFormat = String.fromCharCode(...file.subarray(1, 5)) === 'ONEM' ? 'onemodel' : 'onnx';
  try {
    return sameBytes(file, run.save(format));
  } catch {
    return false; // nothing that can be traced
  }
}

const playgroundWorker: PlaygroundWorker = {
  async start(options) {
    const pageUrl = new URL(self.name);
    provideModules({ loadDigits: () => loadDigits(pageUrl.href) });
    return om.init(options);
  },
  async memory() {
    return om.memory();
  },
  async prepare(code) {
    await run.dispose();
    run = new LearningRun();
    return run.prepare(code);
  },
  async train(onProgress) {
    return run.train(onProgress);
  },
  async cancel() {
    run.cancel();
  },
  async classify(image) {
    return run.classify(image);
  },
  async trace() {
    return run.trace();
  },
  async save(format) {
    return run.save(format);
  },
  async openModel(name, file) {
    model?.dispose();
    model = undefined;
    model = await ModelFile.open(name, file);
    modelBytes = file;
    return model.report(isTrainedModel(file));
  },
  async runModel(feeds: Feed[]) {
    if (!model || !modelBytes) throw new om.ArgumentError('no model file is open', 'Argument');
    return model.run(feeds, isTrainedModel(modelBytes) ? (inputs) => run.forward(inputs) : null);
  },
  async dispose() {
    await run.dispose();
    model?.dispose();
    model = undefined;
    modelBytes = undefined;
  },
};

Error.stackTraceLimit = 60; // the engine's own frames come before those of the editor's code
carryErrors();
expose(playgroundWorker);
