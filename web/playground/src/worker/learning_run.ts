/** One evaluation of the editor's code: the model it made, its training, and everything that must be freed. */

import * as om from 'onemodel';
import type {
  ModelFormat,
  Preparation,
  ReportProgress,
  Segmentation,
  TaggedLetter,
  TraceReport,
  TrainingResult,
} from '../protocol';
import { evaluateModule } from './code_module';

/** What the code exports; only `model` is needed. */
interface Exports {
  model: om.nn.Module;
  optimizer?: om.Optimizer;
  steps: number;
  trainStep?: (step: number) => unknown;
  accuracy?: () => number;
  classify?: (image: om.Tensor) => om.Tensor;
  write?: (prompt: string) => string;
  segment?: () => Record<'images' | 'masks' | 'found', om.Tensor> & { overlaps: number[] };
  tag?: (text: string) => TaggedLetter[];
  example?: om.Tensor | readonly om.Tensor[] | Readonly<Record<string, om.Tensor>>;
  axes?: om.TraceOptions['axes'];
  outputNames?: readonly string[];
}

const functions = ['trainStep', 'accuracy', 'classify', 'write', 'segment', 'tag'] as const;

const reportEveryMilliseconds = 40;

function checked(exported: Record<string, unknown>): Exports {
  const wrong = (what: string): never => {
    throw new om.ArgumentError(`the code ${what}`, 'Code');
  };
  if (!(exported.model instanceof om.nn.Module)) wrong('must export `model`, an om.nn.Module');
  for (const name of functions) {
    if (name in exported && typeof exported[name] !== 'function') wrong(`exports \`${name}\`, which is no function`);
  }
  const steps = exported.steps ?? 100;
  if (!(typeof steps === 'number' && Number.isInteger(steps) && steps > 0)) {
    wrong('exports `steps`, which is no positive integer');
  }
  return { ...exported, steps } as unknown as Exports;
}

export class LearningRun {
  #exports: Exports | undefined;
  /** Ends the scope that holds the tensors of the code. */
  #endScope: () => void = () => {};
  #scopeEnded: Promise<void> = Promise.resolve();
  #cancelled = false;
  #training = false;
  #traced: om.TracedModel | undefined;

  get #code(): Exports {
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
      this.#exports = checked(exported);
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
    this.#forgetTrace();
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
      this.#forgetTrace();
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

  /** Runs `compute` without records, in evaluation mode; what it makes is freed, and training goes on as without it. */
  #evaluating<R>(compute: () => R): R {
    const { model } = this.#code;
    const wasTraining = model.training;
    const random = om.generatorState();
    model.eval();
    try {
      return om.scope(() => om.noGrad(compute));
    } finally {
      model.train(wasTraining);
      om.setGeneratorState(random);
    }
  }

  /** A function that the code exports. */
  #exported<N extends (typeof functions)[number]>(name: N): NonNullable<Exports[N]> {
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
      const { images, masks, found, overlaps } = segment();
      const [count = 0, , height = 0, width = 0] = images.shape;
      const pixels = ({ data }: om.Tensor, i: number) =>
        Float32Array.from(data.slice(i * height * width, (i + 1) * height * width), Number);
      return Array.from({ length: count }, (_, i) => ({
        height,
        width,
        image: pixels(images, i),
        mask: pixels(masks, i),
        found: pixels(found, i),
        overlap: overlaps[i] ?? 0,
      }));
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

  #trace(): om.TracedModel {
    const { model, example, axes, outputNames } = this.#code;
    if (!example) throw new om.ArgumentError('the code must export `example`, the inputs to trace with', 'Code');
    if (this.#training) this.#forgetTrace();
    this.#traced ??= om.trace(model, example, {
      verify: axes !== undefined,
      ...(axes && { axes }),
      ...(outputNames && { outputNames }),
    });
    return this.#traced;
  }

  #forgetTrace(): void {
    this.#traced?.dispose();
    this.#traced = undefined;
  }

  trace(): TraceReport {
    const traced = this.#trace();
    const report = traced.verification;
    const sizes = Object.entries(report?.sizes ?? {}).map(([name, size]) => `${name} = ${size}`);
    const message = report?.message || `Run again at ${sizes.join(', ')}, the graph agrees with the module.`;
    return {
      view: traced.view(),
      text: traced.toString(),
      warnings: [...traced.warnings],
      verification: report ? { ok: report.ok, message } : null,
    };
  }

  save(format: ModelFormat): Uint8Array<ArrayBuffer> {
    const traced = this.#trace();
    return (format === 'onnx' ? traced.toOnnx() : traced.toOneModel()).slice();
  }

  async dispose(): Promise<void> {
    this.#cancelled = true;
    await this.#free(Object.values(this.#exports ?? {}));
    this.#exports = undefined;
  }

  async #free(exported: readonly unknown[]): Promise<void> {
    this.#forgetTrace();
    for (const each of exported) {
      if (each instanceof om.nn.Module || each instanceof om.Optimizer || each instanceof om.Tensor) each.dispose();
    }
    this.#endScope();
    await this.#scopeEnded;
  }
}
