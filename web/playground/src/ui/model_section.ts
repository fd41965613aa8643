/** Section 5: a model file, its graph, and runs of it. */

import { type ModelReport, typeText } from '../protocol';
import type { Workbench } from '../workbench';
import { byId, bytesText, element, factList, table } from './dom';
import { clearError, reporting } from './error_box';
import { graphPanel } from './graph_panel';
import { ModelRunner } from './model_runner';

function signature({ inputs, outputs }: ModelReport): HTMLElement {
  const rows = [
    ...inputs.map((each) => ['input', element('code', {}, each.name), typeText(each)]),
    ...outputs.map((each) => ['output', element('code', {}, each.name), typeText(each)]),
  ];
  return table(['', 'Name', 'Type'], rows);
}

function facts({ bytes, view, constants }: ModelReport): HTMLElement {
  return factList({
    ...(view.name && { Graph: view.name }),
    File: bytesText(bytes),
    Nodes: view.nodes.length.toLocaleString('en'),
    Parameters: constants.toLocaleString('en'),
  });
}

export class ModelSection {
  readonly #workbench: Workbench;
  readonly #error = byId('model-error');
  readonly #report = byId('model-report');
  #open: { file: File; runner: ModelRunner } | null = null;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    const file = byId<HTMLInputElement>('file');
    file.addEventListener('change', () => {
      const chosen = file.files?.[0];
      if (chosen) void this.open(chosen);
      file.value = '';
    });
    this.#acceptDrops();
  }

  /** The worker that held the model is gone: gives the file to the new one, and leaves the form as it is. */
  async reopen(): Promise<void> {
    const open = this.#open;
    if (open) await reporting(this.#error, async () => void (await this.#load(open.file)));
  }

  async open(file: File): Promise<void> {
    this.#clear();
    this.#report.append(element('p', { class: 'numbers' }, `Opening ${file.name}…`));
    const failure = await reporting(this.#error, async () => {
      this.#show(file, await this.#load(file));
      byId('model').scrollIntoView({ block: 'start' });
    });
    if (failure) this.#clear(false);
  }

  async #load(file: File): Promise<ModelReport> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return this.#workbench.engine.call((api) => api.openModel(file.name, bytes));
  }

  #clear(withError = true): void {
    this.#open = null;
    this.#report.replaceChildren();
    if (withError) clearError(this.#error);
  }

  /** An image goes into the open model, when that takes any. */
  async #take(file: File): Promise<void> {
    const isImage = file.type.startsWith('image/');
    if (isImage && (await this.#open?.runner.takeImage(file))) return;
    await this.open(file);
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
      void this.#take(file);
    });
  }

  #show(file: File, model: ModelReport): void {
    const runner = new ModelRunner(this.#workbench.engine, model.inputs);
    this.#open = { file, runner };
    const close = element('button', { type: 'button', class: 'quiet', id: 'close-model' }, 'Close');
    close.addEventListener('click', () => {
      this.#clear();
      void this.#workbench.engine.call((api) => api.closeModel());
    });
    this.#report.replaceChildren(
      element('div', { class: 'file-head' }, element('h3', { class: 'file-name' }, model.name), close),
      facts(model),
      element(
        'div',
        { class: 'two' },
        runner.element,
        element('div', {}, element('div', { class: 'signature' }, signature(model)), graphPanel(model.view)),
      ),
    );
  }
}
