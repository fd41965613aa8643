/** What a session of the exported program writes, a token at a time. */

import type { StreamProgress } from '../export_protocol';
import type { Workbench } from '../workbench';
import { byId, element } from './dom';
import { clearError, reporting } from './error_box';
import { Questions, seldom } from './questions';
import type { ResultSection } from './result_section';

/** The status changes at most every so many milliseconds. */
const statusMilliseconds = 150;

const speedText = (tokens: number, seconds: number) => `${Math.round(tokens / seconds)} tokens per second`;

export class StreamingSection implements ResultSection {
  readonly #workbench: Workbench;
  readonly #section = byId('streaming');
  readonly #prompt = byId<HTMLInputElement>('streaming-prompt');
  readonly #stop = byId<HTMLButtonElement>('stop-streaming');
  readonly #compare = byId<HTMLButtonElement>('compare-streaming');
  readonly #status = byId('streaming-status');
  readonly #result = byId('streaming-result');
  readonly #note = byId('streaming-note');
  readonly #error = byId('streaming-error');
  readonly #questions = new Questions(() => this.#write());
  #isWriting = false;
  #seed = 1;
  /** What was written to its end. */
  #written: { prompt: string; seed: number; text: string } | null = null;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    byId('streaming-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#seed++;
      this.ask();
    });
    this.#stop.addEventListener('click', () => this.#end());
    this.#compare.addEventListener('click', () => void this.#compareWithModel());
    workbench.onPrepared((prepared) => {
      if (!prepared) this.#clear();
    });
  }

  show(visible: boolean): void {
    this.#section.hidden = !visible;
  }

  ask(): void {
    if (this.#isWriting) this.#end();
    this.#questions.ask();
  }

  /** The program is exported after training. */
  follow(): void {}

  #end(): void {
    this.#stop.disabled = true;
    this.#workbench.engine.stopStream().catch(() => {}); // what waits for the worker tells it
  }

  #clear(): void {
    this.#written = null;
    this.#compare.disabled = true;
    this.#result.replaceChildren();
    this.#status.textContent = '';
    this.#note.hidden = true;
    clearError(this.#error);
  }

  async #write(): Promise<void> {
    await reporting(this.#error, async () => {
      await this.#workbench.ensurePrepared();
      this.#clear();
      this.#setWriting(true);
      await this.#stream(this.#prompt.value, this.#seed);
    });
    this.#setWriting(false);
  }

  #setWriting(writing: boolean): void {
    this.#isWriting = writing;
    this.#stop.disabled = !writing;
    this.#compare.disabled = !this.#written;
  }

  async #stream(prompt: string, seed: number): Promise<void> {
    this.#status.textContent = 'Exporting…';
    const text = document.createTextNode('');
    this.#result.replaceChildren(element('b', {}, prompt), text);
    let last: StreamProgress | null = null;
    const showSpeed = seldom(statusMilliseconds, () => {
      if (last) this.#status.textContent = `${last.tokens} tokens · ${speedText(last.tokens, last.seconds)}`;
    });
    const { outcome, tokens, seconds } = await this.#workbench.engine.stream(prompt, seed, (progress) => {
      last = progress;
      text.appendData(progress.text);
      showSpeed();
    });
    if (!text.isConnected) return; // the model was replaced meanwhile
    const word = outcome === 'finished' ? 'Finished' : 'Stopped';
    this.#status.textContent = `${word}: ${tokens} tokens · ${speedText(tokens, seconds)}`;
    if (outcome === 'finished') this.#written = { prompt, seed, text: text.data };
  }

  /** The module writes the same, with more work. */
  async #compareWithModel(): Promise<void> {
    const written = this.#written;
    if (!written) return;
    this.#compare.disabled = true;
    await reporting(this.#error, async () => {
      const started = performance.now();
      const text = await this.#workbench.engine.call((api) => api.write(written.prompt, written.seed));
      const speed = speedText(text.length, (performance.now() - started) / 1000);
      const isSame = text === written.text;
      this.#note.hidden = false;
      this.#note.className = isSame ? 'note good' : 'note bad';
      this.#note.textContent = isSame
        ? `The model without the cache writes the same, at ${speed}.`
        : `The model without the cache writes something else, at ${speed}: ${text}`;
    });
    this.#compare.disabled = !this.#written;
  }
}
