/** Section 2: a drawn digit and what the model thinks of it, live. */

import type { Workbench } from '../workbench';
import { DigitPad } from './digit_pad';
import { byId } from './dom';
import { reporting } from './error_box';
import { ProbabilityBars } from './probability_bars';
import { Questions } from './questions';
import type { ResultSection } from './result_section';

const invitation = 'Draw with mouse or finger. Before training, the answers are guesses.';

export class DrawingSection implements ResultSection {
  readonly #workbench: Workbench;
  readonly #bars = new ProbabilityBars(byId('bars'));
  readonly #pad: DigitPad;
  readonly #hint = byId('drawing-hint');
  readonly #error = byId('drawing-error');
  readonly #questions = new Questions(() => this.#answer());

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    this.#pad = new DigitPad(byId<HTMLCanvasElement>('pad'), (empty) => {
      byId('pad-box').classList.toggle('empty', empty);
      this.#hint.textContent = invitation;
      this.ask();
    });
    byId('clear').addEventListener('click', () => this.#pad.clear());
    byId('sample').addEventListener('click', () => void this.#takeSample());
  }

  show(visible: boolean): void {
    byId('drawing').hidden = !visible;
    this.#pad.clear();
  }

  ask(): void {
    this.#questions.ask();
  }

  /** Drawings are answered whenever they change. */
  follow(): void {}

  async #takeSample(): Promise<void> {
    await reporting(this.#error, async () => {
      const { image, label } = await this.#workbench.engine.call((api) => api.heldOutDigit());
      this.#pad.show(image);
      this.#hint.textContent = `One of the digits that training does not see: a ${label}.`;
    });
  }

  async #answer(): Promise<void> {
    const image = this.#pad?.read();
    if (!image) {
      this.#bars.show(null);
      return;
    }
    await reporting(this.#error, async () => {
      await this.#workbench.ensurePrepared();
      this.#bars.show(await this.#workbench.engine.call((api) => api.classify(image)));
    });
  }
}
