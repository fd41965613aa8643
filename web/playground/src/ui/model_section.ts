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

const weightsHint = (name: string) =>
  `The weights of ${name} are in files beside it: drop those too, together with it or now.`;

/** A model, and files that hold weights of it. */
interface ModelFiles {
  file: File;
  data: readonly File[];
}

const isModel = ({ name }: File) => /\.(onnx|onemodel)$/i.test(name);

export class ModelSection {
  readonly #workbench: Workbench;
  readonly #error = byId('model-error');
  readonly #report = byId('model-report');
  #open: (ModelFiles & { runner: ModelRunner }) | null = null;
  /** A model that could not be opened: perhaps its weights come after it. */
  #waiting: ModelFiles | null = null;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    const file = byId<HTMLInputElement>('file');
    file.addEventListener('change', () => {
      void this.#take([...(file.files ?? [])]);
      file.value = '';
    });
    this.#acceptDrops();
  }

  /** The worker that held the model is gone: gives the file to the new one, and leaves the form as it is. */
  async reopen(): Promise<void> {
    const open = this.#open;
    if (open) await reporting(this.#error, async () => void (await this.#load(open)));
  }

  /** `data`: files that hold weights of the model. */
  async open(file: File, data: readonly File[] = []): Promise<void> {
    const files = { file, data };
    this.#clear();
    this.#waiting = null;
    this.#report.append(element('p', { class: 'numbers' }, `Opening ${file.name}…`));
    const failure = await reporting(this.#error, async () => {
      this.#show(files, await this.#load(files));
      byId('model').scrollIntoView({ block: 'start' });
    });
    if (!failure) return;
    this.#clear(false);
    if (isModel(file)) this.#waiting = files;
    if (failure.message.includes('external data')) {
      this.#error.append(element('p', { class: 'hint' }, weightsHint(file.name)));
    }
  }

  async #load({ file, data }: ModelFiles): Promise<ModelReport> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const byName = Object.fromEntries(data.map((each) => [each.name, each]));
    return this.#workbench.engine.call((api) => api.openModel(file.name, bytes, byName));
  }

  #clear(withError = true): void {
    this.#open = null;
    this.#report.replaceChildren();
    if (withError) clearError(this.#error);
  }

  /** A model and its weights; weights of one that waits for them; or an image for the open model, when that takes any. */
  async #take(files: readonly File[]): Promise<void> {
    const [first] = files;
    if (!first) return;
    if (first.type.startsWith('image/') && (await this.#open?.runner.takeImage(first))) return;
    const waiting = this.#waiting;
    const model = files.find(isModel) ?? waiting?.file ?? first;
    const before = model === waiting?.file ? waiting.data : [];
    await this.open(model, [...before, ...files.filter((each) => each !== model)]);
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
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      drop.classList.remove('over');
      void this.#take([...event.dataTransfer.files]);
    });
  }

  #show(files: ModelFiles, model: ModelReport): void {
    const runner = new ModelRunner(this.#workbench.engine, model);
    this.#open = { ...files, runner };
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
