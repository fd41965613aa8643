/** The form of an open model, its runs and their results. */

import type { EngineClient } from '../engine_client';
import type { ModelReport } from '../protocol';
import { element } from './dom';
import { reporting } from './error_box';
import { InputForm } from './input_form';
import { runView } from './run_view';

export class ModelRunner {
  readonly element: HTMLElement;
  readonly #engine: EngineClient;
  readonly #form: InputForm;
  readonly #run = element('button', { type: 'button', class: 'primary', id: 'run-model' }, 'Run the model');
  readonly #cancel = element('button', { type: 'button', id: 'cancel-model', disabled: true }, 'Cancel');
  readonly #status = element('p', { class: 'numbers', role: 'status' });
  readonly #error = element('div', { class: 'error', role: 'alert', hidden: true });
  readonly #results = element('div', { class: 'results', 'aria-live': 'polite' });

  /** While a cancelled run is ended. */
  #ending: Promise<void> | null = null;

  constructor(engine: EngineClient, { inputs, defaults }: ModelReport) {
    this.#engine = engine;
    this.#form = new InputForm(inputs, defaults, (error) => this.#report(() => Promise.reject(error)));
    this.#run.addEventListener('click', () => void this.#runModel());
    this.#cancel.addEventListener('click', () => {
      this.#cancel.disabled = true;
      this.#ending = this.#report(() => engine.endRun());
    });
    this.element = element(
      'div',
      {},
      element('h4', {}, inputs.length > 0 ? 'Inputs' : 'The model has no inputs'),
      this.#form.element,
      element('div', { class: 'actions' }, this.#run, this.#cancel),
      this.#status,
      this.#error,
      this.#results,
    );
  }

  /** Gives an image to the first input that may be one: tells whether there is such an input. */
  async takeImage(file: File): Promise<boolean> {
    let taken = true;
    await this.#report(async () => {
      taken = await this.#form.takeImage(file);
    });
    return taken;
  }

  async #report(action: () => Promise<void>): Promise<void> {
    await reporting(this.#error, action);
  }

  #setBusy(busy: boolean): void {
    this.#run.disabled = busy;
    this.#cancel.disabled = !busy;
    this.#status.textContent = busy ? 'Running…' : '';
  }

  async #runModel(): Promise<void> {
    this.#setBusy(true);
    this.#results.replaceChildren();
    await this.#report(async () => {
      const { feeds, seed } = this.#form.read();
      this.#results.replaceChildren(...runView(await this.#engine.call((api) => api.runModel(feeds, seed))));
    });
    await this.#ending;
    this.#ending = null;
    this.#setBusy(false);
  }
}
