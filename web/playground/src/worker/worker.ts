/** The engine's thread: runs the code of the editor and model files, away from the page. */

import { expose } from 'comlink';
import * as om from 'onemodel';
import novel from '../../../../examples/js/moby_dick.txt?raw';
import type { ModelFormat, PlaygroundWorker } from '../protocol';
import { carryErrors } from '../worker_errors';
import { provideModules } from './code_module';
import { loadDigits } from './digits';
import { watchDownload } from './download';
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

function closeModel(): void {
  model?.dispose();
  model = undefined;
  modelBytes = undefined;
}

/** Preparing and freeing take turns, as scopes of tensors must not overlap. */
let turn: Promise<unknown> = Promise.resolve();

function inTurn<R>(action: () => Promise<R>): Promise<R> {
  const result = turn.then(action, action);
  turn = result;
  return result;
}

/** Puts a new run in the place of the one before, and frees that before `next` goes on. */
function replaceRun<R>(next: (run: LearningRun) => Promise<R>): Promise<R> {
  const [before, after] = [run, new LearningRun()];
  run = after;
  return inTurn(async () => {
    await before.dispose();
    return next(after);
  });
}

const playgroundWorker: PlaygroundWorker = {
  async start(options, onDownload) {
    provideModules({ loadDigits, novel });
    return watchDownload(onDownload, () => om.init(options));
  },
  async memory() {
    return om.memory();
  },
  async prepare(code) {
    return replaceRun((after) => after.prepare(code));
  },
  async train(onProgress) {
    return run.train(onProgress);
  },
  async cancel() {
    run.cancel();
    await turn.catch(() => {});
  },
  async classify(image) {
    return run.classify(image);
  },
  async write(prompt, seed) {
    return run.write(prompt, seed);
  },
  async segment(seed) {
    return run.segment(seed);
  },
  async tag(text) {
    return run.tag(text);
  },
  async heldOutDigit() {
    const { images, labels } = (await loadDigits()).heldOut;
    const row = Math.floor(Math.random() * labels.length);
    return { image: images.slice(row * 784, (row + 1) * 784), label: labels[row] as number };
  },
  async trace() {
    return run.trace();
  },
  async save(format) {
    return run.save(format);
  },
  async draftExport() {
    return run.draftExport();
  },
  async applySuggestedFixes() {
    return run.applySuggestedFixes();
  },
  async saveProgram(options) {
    return run.saveProgram(options);
  },
  async stream(prompt, seed, report) {
    return run.stream(prompt, seed, report);
  },
  async stopStream() {
    run.stopStream();
  },
  async forget() {
    return replaceRun(async () => {});
  },
  async openModel(name, file, data) {
    closeModel();
    model = await ModelFile.open(name, file, data);
    modelBytes = file;
    return model.report(isTrainedModel(file));
  },
  async runModel(feeds, seed) {
    if (!model || !modelBytes) throw new om.ArgumentError('no model file is open', 'Argument');
    return model.run(feeds, seed, isTrainedModel(modelBytes) ? (inputs) => run.forward(inputs) : null);
  },
  async closeModel() {
    closeModel();
  },
};

Error.stackTraceLimit = 60; // the engine's own frames come before those of the editor's code
carryErrors();
expose(playgroundWorker);
