/** Section 2: a drawn digit and what the model thinks of it, live. */

import type { Workbench } from '../workbench';
import { DigitPad } from './digit_pad';
import { byId } from './dom';
import { reporting } from './error_box';
import { ProbabilityBars } from './probability_bars';

export class DrawingSection {
  readonly #workbench: Workbench;
  readonly #bars = new ProbabilityBars(byId('bars'));
  readonly #pad: DigitPad;
  #asking = false;
  #changed = false;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    this.#pad = new DigitPad(byId<HTMLCanvasElement>('pad'), () => this.ask());
    byId('clear').addEventListener('click', () => this.#pad.clear());
  }

  show(visible: boolean): void {
    byId('drawing').hidden = !visible;
    this.#pad.clear();
  }

  /** Asks for the drawing as it is now; while an answer is due, only the newest drawing waits. */
  ask(): void {
    this.#changed = true;
    if (this.#asking) return;
    this.#asking = true;
    void this.#answer();
  }

  async #answer(): Promise<void> {
    while (this.#changed) {
      this.#changed = false;
      const image = this.#pad?.read();
      if (!image) {
        this.#bars.show(null);
        continue;
      }
      await reporting(byId('drawing-error'), async () => {
        await this.#workbench.ensurePrepared();
        this.#bars.show(await this.#workbench.engine.call((api) => api.classify(image)));
      });
    }
    this.#asking = false;
  }
}
