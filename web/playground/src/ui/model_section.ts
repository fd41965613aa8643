/** Section 4: a model file, its graph, and runs of it. */

import { type ModelReport, type ModelRun, type OutputReport, typeText } from '../protocol';
import type { Workbench } from '../workbench';
import { byId, bytesText, details, element, millisecondsText, table } from './dom';
import { clearError, reporting } from './error_box';
import { graphPanel, nodesText } from './graph_panel';
import { InputForm } from './input_form';

function signature({ inputs, outputs }: ModelReport): HTMLElement {
  const rows = [
    ...inputs.map((each) => ['input', element('code', {}, each.name), typeText(each)]),
    ...outputs.map((each) => ['output', element('code', {}, each.name), typeText(each)]),
  ];
  return table(['', 'Name', 'Type'], rows);
}

/** The values, a line for each row of the last axis. */
function valuesText({ shape, size, values }: OutputReport): string {
  const row = Math.max(1, shape.at(-1) ?? 1);
  const rows = Array.from({ length: Math.ceil(values.length / row) }, (_, i) => values.slice(i * row, (i + 1) * row));
  const more = size - values.length;
  return [...rows.map((each) => `[${each.join(', ')}]`), more > 0 && `… ${more.toLocaleString('en')} more`]
    .filter(Boolean)
    .join('\n');
}

function runReport(run: ModelRun): HTMLElement[] {
  const times = `First run ${millisecondsText(run.firstMilliseconds)}, with planning; then ${millisecondsText(run.againMilliseconds)} each.`;
  const parts: HTMLElement[] = [element('p', { class: 'numbers', id: 'run-times' }, times)];
  if (run.eagerDifference !== null) {
    const difference = run.eagerDifference === 0 ? '0' : run.eagerDifference.toExponential(2);
    const text = `Largest difference from the module trained above: ${difference}`;
    parts.push(element('p', { class: 'note good', id: 'eager-difference' }, text));
  }
  for (const output of run.outputs) {
    parts.push(
      element('h4', {}, element('code', {}, output.name), ` ${typeText(output)}`),
      element('pre', { class: 'values', tabindex: 0 }, valuesText(output)),
    );
  }
  parts.push(details('How it runs: passes, plans and kernels', element('pre', { tabindex: 0 }, run.description)));
  return parts;
}

export class ModelSection {
  readonly #workbench: Workbench;
  readonly #error = byId('model-error');
  readonly #report = byId('model-report');

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    const file = byId<HTMLInputElement>('file');
    file.addEventListener('change', () => {
      const chosen = file.files?.[0];
      if (chosen) void this.#openBlob(chosen);
      file.value = '';
    });
    this.#acceptDrops();
  }

  /** The worker that held the model is gone. */
  reset(): void {
    this.#report.replaceChildren();
    clearError(this.#error);
  }

  async open(name: string, file: Uint8Array): Promise<void> {
    this.reset();
    await reporting(this.#error, async () => {
      this.#show(await this.#workbench.engine.call((api) => api.openModel(name, file)));
      byId('model').scrollIntoView({ block: 'start' });
    });
  }

  async #openBlob(file: File): Promise<void> {
    await this.open(file.name, new Uint8Array(await file.arrayBuffer()));
  }

  #acceptDrops(): void {
    const drop = byId('drop');
    const isFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    document.addEventListener('dragover', (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      drop.classList.add('over');
    });
    document.addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null) drop.classList.remove('over');
    });
    document.addEventListener('drop', (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      drop.classList.remove('over');
      void this.#openBlob(file);
    });
  }

  #show(model: ModelReport): void {
    const form = new InputForm(model.inputs);
    const button = element('button', { type: 'button', class: 'primary', id: 'run-model' }, 'Run the model');
    const results = element('div', { class: 'results', 'aria-live': 'polite' });
    const error = element('div', { class: 'error', role: 'alert', hidden: true });
    button.addEventListener('click', async () => {
      button.disabled = true;
      results.replaceChildren();
      await reporting(error, async () => {
        const feeds = form.read();
        results.replaceChildren(...runReport(await this.#workbench.engine.call((api) => api.runModel(feeds))));
      });
      button.disabled = false;
    });
    const close = element('button', { type: 'button', class: 'quiet', id: 'close-model' }, 'Close');
    close.addEventListener('click', () => {
      this.reset();
      void this.#workbench.engine.call((api) => api.closeModel());
    });
    const summary = `${bytesText(model.bytes)}, ${nodesText(model.view.nodes.length)}`;
    this.#report.replaceChildren(
      element(
        'div',
        { class: 'file-head' },
        element('h3', { class: 'file-name' }, model.name, ' ', element('small', {}, summary)),
        close,
      ),
      element(
        'div',
        { class: 'two' },
        element('div', {}, element('h4', {}, 'Inputs'), form.element, button, error, results),
        element('div', {}, signature(model), graphPanel(model.view)),
      ),
    );
  }
}
