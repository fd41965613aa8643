/** Section 1: the code, its training, and the loss. */

import type { TrainingProgress, TrainingResult } from '../protocol';
import type { Workbench } from '../workbench';
import { byId } from './dom';
import { reporting } from './error_box';
import { LossChart } from './loss_chart';

const percent = (share: number) => `${(share * 100).toFixed(2)} %`;

const lossText = (loss: number) => (Math.abs(loss) >= 1e-3 || loss === 0 ? loss.toPrecision(4) : loss.toExponential(2));

export class TrainingSection {
  readonly #workbench: Workbench;
  readonly #chart = new LossChart(byId('chart'));
  readonly #run = byId<HTMLButtonElement>('run');
  readonly #cancel = byId<HTMLButtonElement>('cancel');
  readonly #progress = byId<HTMLProgressElement>('progress');
  readonly #status = byId('training-status');
  /** Told when training begins and ends. */
  onBusy: (busy: boolean) => void = () => {};
  #busy = false;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    this.#run.addEventListener('click', () => void this.run());
    this.#cancel.addEventListener('click', () => void this.#stop());
  }

  ready(): void {
    this.#run.disabled = false;
  }

  reset(): void {
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
    const succeeded = await reporting(byId('training-error'), async () => {
      const { parameters, hasAccuracy } = await this.#workbench.prepare();
      byId('parameters').textContent = parameters.toLocaleString('en');
      byId('accuracy-fact').hidden = !hasAccuracy;
      this.#showResult(await this.#workbench.engine.train((progress) => this.#showProgress(progress)));
    });
    if (!succeeded) this.#status.textContent = 'Stopped by an error.';
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
  }

  #showResult({ outcome, step, steps, seconds, accuracy }: TrainingResult): void {
    const perStep = step > 0 ? ` · ${((seconds * 1000) / step).toFixed(2)} ms per step` : '';
    const word = outcome === 'finished' ? 'Finished' : 'Cancelled';
    this.#status.textContent = `${word} at step ${step} / ${steps} · ${seconds.toFixed(1)} s${perStep}`;
    if (accuracy !== null) byId('accuracy').textContent = percent(accuracy);
  }
}
