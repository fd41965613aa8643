/** The sections that show what the model does, while it learns and afterwards. */

import type { Workbench } from '../workbench';
import { byId } from './dom';
import { clearError, reporting } from './error_box';
import { Questions, seldom } from './questions';

export interface ResultSection {
  show(visible: boolean): void;
  /** Asks the model as it is now. */
  ask(): void;
  /** Told of steps of training: may ask meanwhile. */
  follow(): void;
}

/** A section whose elements are called ID, ID-result and ID-error, and what they show of one worker's answer. */
export abstract class AnsweredSection<Answer> implements ResultSection {
  readonly #workbench: Workbench;
  readonly #section: HTMLElement;
  readonly #result: HTMLElement;
  readonly #error: HTMLElement;
  readonly #questions = new Questions(() => this.#answer());
  readonly follow: () => void;

  /** While it learns, the model is asked at most every so many milliseconds. */
  constructor(workbench: Workbench, id: string, milliseconds: number) {
    this.#workbench = workbench;
    this.#section = byId(id);
    this.#result = byId(`${id}-result`);
    this.#error = byId(`${id}-error`);
    this.follow = seldom(milliseconds, () => this.ask());
    workbench.onPrepared((prepared) => {
      if (!prepared) this.#clear();
    });
  }

  /** What the worker says to the question as it is now. */
  protected abstract answer(engine: Workbench['engine']): Promise<Answer>;
  protected abstract shown(answer: Answer): (Node | string)[];

  show(visible: boolean): void {
    this.#section.hidden = !visible;
  }

  ask(): void {
    this.#questions.ask();
  }

  #clear(): void {
    this.#result.replaceChildren();
    clearError(this.#error);
  }

  async #answer(): Promise<void> {
    await reporting(this.#error, async () => {
      await this.#workbench.ensurePrepared();
      this.#result.replaceChildren(...this.shown(await this.answer(this.#workbench.engine)));
    });
  }
}
