/** Section 1: the code, its training, and the loss. */

import type { Download, TrainingProgress, TrainingResult } from '../protocol';
import type { Workbench } from '../workbench';
import { byId } from './dom';
import { reporting } from './error_box';
import { LossChart, lossText } from './loss_chart';
import { downloadText } from './status';

const percent = (share: number) => `${(share * 100).toFixed(2)} %`;

export class TrainingSection {
  readonly #workbench: Workbench;
  readonly #chart = new LossChart(byId('chart'));
  readonly #run = byId<HTMLButtonElement>('run');
  readonly #cancel = byId<HTMLButtonElement>('cancel');
  readonly #progress = byId<HTMLProgressElement>('progress');
  readonly #status = byId('training-status');
  /** Told when training begins and ends. */
  onBusy: (busy: boolean) => void = () => {};
  /** Told when steps were taken. */
  onProgress: () => void = () => {};
  /** Told which line of the code failed, if known. */
  onFailure: (line: number | null) => void = () => {};
  #busy = false;
  #ready = false;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    this.#run.addEventListener('click', () => void this.run());
    this.#cancel.addEventListener('click', () => void this.#stop());
  }

  showDownload(download: Download): void {
    if (this.#ready) return; // it is loaded again, after the end of code that did not return
    this.#status.textContent = `Loading the engine: ${downloadText(download)}`;
    if (download.total > 0) this.#progress.value = download.received / download.total;
  }

  ready(): void {
    this.#ready = true;
    this.#run.disabled = false;
    this.reset();
  }

  /** The engine did not start. */
  unavailable(): void {
    this.#progress.value = 0;
    this.#status.textContent = 'There is no engine to train with.';
  }

  reset(): void {
    if (!this.#ready) return; // the engine is loading, and its progress shown
    this.#chart.clear();
    this.#progress.value = 0;
    this.#status.textContent = 'Not trained yet.';
    for (const id of ['loss', 'parameters', 'accuracy']) byId(id).textContent = '–';
    byId('accuracy-fact').hidden = true;
    byId('training-error').hidden = true;
  }

  async run(): Promise<void> {
    if (this.#busy || this.#run.disabled) return;
    this.#setBusy(true);
    this.reset();
    this.#status.textContent = 'Preparing…';
    const failure = await reporting(byId('training-error'), async () => {
      const { parameters, hasAccuracy } = await this.#workbench.prepare();
      byId('parameters').textContent = parameters.toLocaleString('en');
      byId('accuracy-fact').hidden = !hasAccuracy;
      this.#showResult(await this.#workbench.engine.train((progress) => this.#showProgress(progress)));
    });
    if (failure) {
      this.#status.textContent = 'Stopped by an error.';
      this.onFailure(failure.line);
    }
    this.#setBusy(false);
  }

  async #stop(): Promise<void> {
    this.#cancel.disabled = true;
    this.#status.textContent = 'Cancelling…';
    await this.#workbench.engine.cancel();
  }

  #setBusy(busy: boolean): void {
    this.#busy = busy;
    this.#run.disabled = busy;
    this.#cancel.disabled = !busy;
    this.onBusy(busy);
  }

  #showProgress({ step, steps, seconds, losses }: TrainingProgress): void {
    this.#chart.add(losses);
    this.#progress.max = steps;
    this.#progress.value = step;
    this.#status.textContent = `Step ${step} / ${steps} · ${seconds.toFixed(1)} s`;
    const last = losses.at(-1);
    if (last !== undefined) byId('loss').textContent = lossText(last);
    this.onProgress();
  }

  #showResult({ outcome, step, steps, seconds, accuracy }: TrainingResult): void {
    const perStep = step > 0 ? ` · ${((seconds * 1000) / step).toFixed(2)} ms per step` : '';
    const word = outcome === 'finished' ? 'Finished' : 'Cancelled';
    this.#status.textContent = `${word} at step ${step} / ${steps} · ${seconds.toFixed(1)} s${perStep}`;
    if (accuracy !== null) byId('accuracy').textContent = percent(accuracy);
  }
}
