/** Section 4: the exported program, what is wrong with the model, and files. */

import type { ExportReport, ProgramFileOptions } from '../export_protocol';
import type { Workbench } from '../workbench';
import { byId } from './dom';
import { downloadFile } from './download_file';
import { draftView } from './draft_view';
import { clearError, reporting } from './error_box';
import { programView } from './program_view';

const formats = ['onnx', 'onemodel'] as const;

export class ExportSection {
  readonly #workbench: Workbench;
  readonly #export = byId<HTMLButtonElement>('export');
  readonly #cancel = byId<HTMLButtonElement>('cancel-export');
  readonly #saves = formats.map((format) => byId<HTMLButtonElement>(`save-program-${format}`));
  readonly #state = byId<HTMLInputElement>('state-inputs');
  readonly #progress = byId<HTMLProgressElement>('export-progress');
  readonly #status = byId('export-status');
  readonly #error = byId('export-error');
  readonly #report = byId('export-report');
  readonly #showLine: (line: number) => void;
  /** While a cancelled export is ended. */
  #ending: Promise<unknown> | null = null;
  /** Cancelled before the worker had the work: it is not begun then. */
  #cancelled = false;
  /** Name of the files, without ending. */
  fileName = 'model';

  constructor(workbench: Workbench, showLine: (line: number) => void) {
    this.#workbench = workbench;
    this.#showLine = showLine;
    this.#export.addEventListener('click', () => void this.#work('Exporting…', () => this.#draft()));
    this.#cancel.addEventListener('click', () => {
      this.#cancel.disabled = true;
      this.#cancelled = true;
      this.#status.textContent = 'Cancelling…';
      this.#ending = workbench.engine.endRun().catch(() => {}); // what waits for the worker tells it
    });
    this.#saves.forEach((button, i) => {
      const format = formats[i] as ProgramFileOptions['format'];
      button.addEventListener('click', () => void this.#work('Writing the file…', () => this.#save(format)));
    });
    workbench.onPrepared(() => this.#clear());
  }

  setEnabled(enabled: boolean): void {
    for (const button of [this.#export, ...this.#saves]) button.disabled = !enabled;
  }

  #clear(): void {
    this.#report.replaceChildren();
    clearError(this.#error);
  }

  /** Shows that something is done, and what went wrong. */
  async #work(what: string, action: () => Promise<void>): Promise<void> {
    this.#cancelled = false;
    this.#setBusy(true, what);
    // What went wrong is told when a new worker is there, which clears what the page shows of the old one.
    await reporting(this.#error, () => action().finally(() => this.#ending));
    this.#ending = null;
    this.#setBusy(false, '');
  }

  #setBusy(busy: boolean, what: string): void {
    this.setEnabled(!busy);
    this.#cancel.disabled = !busy;
    this.#progress.hidden = !busy;
    this.#status.textContent = what;
  }

  async #prepared(): Promise<void> {
    await this.#workbench.ensurePrepared();
    if (this.#cancelled) throw new Error('the export was cancelled');
  }

  async #draft(): Promise<void> {
    await this.#prepared();
    this.#show(await this.#workbench.engine.call((api) => api.draftExport()));
  }

  async #applyFixes(): Promise<void> {
    await this.#prepared();
    this.#show(await this.#workbench.engine.call((api) => api.applySuggestedFixes()));
  }

  async #save(format: ProgramFileOptions['format']): Promise<void> {
    await this.#prepared();
    const options = { format, stateInputs: this.#state.checked };
    const bytes = await this.#workbench.engine.call((api) => api.saveProgram(options));
    downloadFile(`${this.fileName}-program.${format}`, bytes);
  }

  #show(report: ExportReport): void {
    const draft = draftView(report, {
      showLine: this.#showLine,
      applyFixes: () => void this.#work('Exporting with the suggested sizes…', () => this.#applyFixes()),
    });
    this.#report.replaceChildren(...draft, ...(report.program ? programView(report.program) : []));
  }
}
