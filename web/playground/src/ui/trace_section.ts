/** Section 3: the traced graph and its files. */

import type { ModelFormat, TraceReport } from '../protocol';
import type { Workbench } from '../workbench';
import { byId, element } from './dom';
import { downloadFile } from './download_file';
import { reporting } from './error_box';
import { graphPanel, nodesText } from './graph_panel';

function notes({ warnings, verification, view }: TraceReport): Node[] {
  const listed: Node[] = [];
  if (verification) {
    const kind = verification.ok ? 'note good' : 'note bad';
    listed.push(element('p', { class: kind }, `${nodesText(view.nodes.length)}. ${verification.message}`));
  }
  for (const warning of warnings) listed.push(element('p', { class: 'note warn' }, warning));
  return listed;
}

export class TraceSection {
  readonly #workbench: Workbench;
  readonly #buttons = ['trace', 'save-onnx', 'save-onemodel', 'open-below'].map((id) => byId<HTMLButtonElement>(id));
  /** Name of the files, without ending. */
  fileName = 'model';

  constructor(workbench: Workbench, openFile: (file: File) => Promise<void>) {
    this.#workbench = workbench;
    byId('trace').addEventListener('click', () => void this.#report(() => this.#trace()));
    for (const format of ['onnx', 'onemodel'] as const) {
      byId(`save-${format}`).addEventListener('click', () =>
        this.#report(async () => downloadFile(`${this.fileName}.${format}`, await this.#bytes(format))),
      );
    }
    byId('open-below').addEventListener('click', () =>
      this.#report(async () => openFile(new File([await this.#bytes('onnx')], `${this.fileName}.onnx`))),
    );
    workbench.onPrepared(() => this.#clear());
  }

  setEnabled(enabled: boolean): void {
    for (const button of this.#buttons) button.disabled = !enabled;
  }

  #clear(): void {
    byId('trace-notes').replaceChildren();
    byId('trace-graph').replaceChildren();
    byId('trace-error').hidden = true;
  }

  async #report(action: () => Promise<void>): Promise<void> {
    await reporting(byId('trace-error'), action);
  }

  async #bytes(format: ModelFormat): Promise<Uint8Array<ArrayBuffer>> {
    await this.#workbench.ensurePrepared();
    return this.#workbench.engine.call((api) => api.save(format));
  }

  async #trace(): Promise<void> {
    await this.#workbench.ensurePrepared();
    const report = await this.#workbench.engine.call((api) => api.trace());
    byId('trace-notes').replaceChildren(...notes(report));
    byId('trace-graph').replaceChildren(graphPanel(report.view, report.text));
  }
}
