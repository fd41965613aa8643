/** One evaluation of the editor's code: the model it made, its training, and everything that must be freed. */

import * as om from 'onemodel';
import type { ExportReport, ProgramFileOptions, ReportStream, StreamResult } from '../export_protocol';
import type {
  ModelFormat,
  Preparation,
  ReportProgress,
  Segmentation,
  TaggedLetter,
  TraceReport,
  TrainingResult,
} from '../protocol';
import { type CodeExports, checkedExports, type FunctionName } from './code_exports';
import { evaluateModule } from './code_module';
import type { Exporting } from './exporting';
import { Records } from './records';
import { segmentationsOf } from './segmentations';
import { Stream } from './stream';
import { undisturbed } from './undisturbed';

const reportEveryMilliseconds = 40;

export class LearningRun {
  #exports: CodeExports | undefined;
  /** Ends the scope that holds the tensors of the code. */
  #endScope: () => void = () => {};
  #scopeEnded: Promise<void> = Promise.resolve();
  #cancelled = false;
  #training = false;
  readonly #records = new Records();
  #stream: Stream | undefined;

  get #code(): CodeExports {
    if (!this.#exports) throw new om.ArgumentError('no code was run', 'Code');
    return this.#exports;
  }

  async prepare(code: string): Promise<Preparation> {
    const lifetime = new Promise<void>((resolve) => {
      this.#endScope = resolve;
    });
    this.#scopeEnded = om.scope(() => lifetime);
    let exported: Record<string, unknown> = {};
    try {
      exported = await evaluateModule(code);
      this.#exports = checkedExports(exported);
    } catch (error) {
      await this.#free(Object.values(exported));
      throw error;
    }
    const { model, steps } = this.#exports;
    return {
      steps,
      parameters: model.parameters().reduce((sum, each) => sum + each.size, 0),
      hasAccuracy: this.#exports.accuracy !== undefined,
    };
  }

  async train(onProgress: ReportProgress): Promise<TrainingResult> {
    const { model, steps, trainStep, accuracy } = this.#code;
    if (!trainStep) throw new om.ArgumentError('the code must export `trainStep`, which returns the loss', 'Code');
    if (this.#training) throw new om.ArgumentError('training is running already', 'Code');
    this.#records.forget();
    this.#training = true;
    const started = performance.now();
    const seconds = () => (performance.now() - started) / 1000;
    let losses: number[] = [];
    let step = 0;
    try {
      model.train();
      let reported = started;
      while (step < steps && !this.#cancelled) {
        losses.push(this.#oneStep(trainStep, step));
        step++;
        if (performance.now() - reported < reportEveryMilliseconds && step < steps) continue;
        // The answer lets other messages in, and keeps reports in order.
        await onProgress({ step, steps, seconds: seconds(), losses });
        losses = [];
        reported = performance.now();
      }
    } finally {
      this.#training = false;
      this.#records.forget();
    }
    const spent = seconds();
    const reached = accuracy ? this.#evaluating(accuracy) : null;
    return { outcome: step < steps ? 'cancelled' : 'finished', step, steps, seconds: spent, accuracy: reached };
  }

  cancel(): void {
    this.#cancelled = true;
  }

  #oneStep(trainStep: (step: number) => unknown, step: number): number {
    const loss = om.scope(() => trainStep(step));
    if (typeof loss === 'number') return loss;
    throw new om.ArgumentError('`trainStep` must return the loss as a number: `return loss.item()`', 'Code');
  }

  /** Runs `compute` in evaluation mode, without records for gradients; training goes on as without it. */
  #evaluating<R>(compute: () => R): R {
    return undisturbed(this.#code.model, () => om.noGrad(compute));
  }

  /** A function that the code exports. */
  #exported<N extends FunctionName>(name: N): NonNullable<CodeExports[N]> {
    const found = this.#code[name];
    if (!found) throw new om.ArgumentError(`the code exports no \`${name}\``, 'Code');
    return found;
  }

  classify(image: Float32Array<ArrayBuffer>): number[] {
    const classify = this.#exported('classify');
    return this.#evaluating(() => {
      const probabilities = classify(om.tensor(image, { shape: [1, 1, 28, 28] }));
      return Array.from(probabilities.data, Number);
    });
  }

  write(prompt: string, seed: number): string {
    const write = this.#exported('write');
    return this.#evaluating(() => {
      om.manualSeed(seed);
      return String(write(prompt));
    });
  }

  segment(seed: number): Segmentation[] {
    const segment = this.#exported('segment');
    return this.#evaluating(() => {
      om.manualSeed(seed);
      return segmentationsOf(segment());
    });
  }

  tag(text: string): TaggedLetter[] {
    const tag = this.#exported('tag');
    return this.#evaluating(() => tag(text));
  }

  /** The outputs of the module for these inputs, in its own order. */
  forward(inputs: readonly om.Tensor[]): ArrayLike<number | bigint>[] {
    return this.#evaluating(() => {
      const result = this.#code.model.forward(...inputs);
      const outputs = result instanceof om.Tensor ? [result] : Object.values(result as Record<string, om.Tensor>);
      return outputs.map((output) => output.data as ArrayLike<number | bigint>);
    });
  }

  /** What is recorded of the model as it is now. */
  get #current(): Records {
    if (this.#training) this.#records.forget();
    return this.#records;
  }

  trace(): TraceReport {
    return this.#current.trace(this.#code);
  }

  save(format: ModelFormat): Uint8Array<ArrayBuffer> {
    return this.#current.saveTrace(this.#code, format);
  }

  #export(): Exporting {
    return undisturbed(this.#code.model, () => this.#current.exporting(this.#code));
  }

  draftExport(): ExportReport {
    this.#records.forgetExport();
    return this.#export().report();
  }

  applySuggestedFixes(): ExportReport {
    const exporting = this.#export();
    undisturbed(this.#code.model, () => exporting.applyFixes());
    return exporting.report();
  }

  saveProgram(options: ProgramFileOptions): Uint8Array<ArrayBuffer> {
    return this.#export().save(options);
  }

  /** Ends the stream before it, when that still runs. */
  async stream(prompt: string, seed: number, report: ReportStream): Promise<StreamResult> {
    const make = this.#exported('stream');
    this.stopStream();
    this.#stream = new Stream(this.#export().program, (session) => make(session, prompt), seed);
    return this.#stream.run(report);
  }

  stopStream(): void {
    this.#stream?.stop();
  }

  async dispose(): Promise<void> {
    this.#cancelled = true;
    this.stopStream();
    await this.#free(Object.values(this.#exports ?? {}));
    this.#exports = undefined;
  }

  async #free(exported: readonly unknown[]): Promise<void> {
    this.#records.forget();
    for (const each of exported) {
      if (each instanceof om.nn.Module || each instanceof om.Optimizer || each instanceof om.Tensor) each.dispose();
    }
    this.#endScope();
    await this.#scopeEnded;
  }
}
