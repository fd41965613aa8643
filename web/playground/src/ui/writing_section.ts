/** What the model writes after a beginning. */

import type { Workbench } from '../workbench';
import { byId, element } from './dom';
import { AnsweredSection } from './result_section';

interface Written {
  prompt: string;
  text: string;
}

export class WritingSection extends AnsweredSection<Written> {
  readonly #prompt = byId<HTMLInputElement>('prompt');
  /** The same until something else is asked for, so that training shows in one text. */
  #seed = 1;

  constructor(workbench: Workbench) {
    super(workbench, 'writing', 3000);
    byId('writing-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#seed++;
      this.ask();
    });
  }

  protected override async answer(engine: Workbench['engine']): Promise<Written> {
    const prompt = this.#prompt.value;
    return { prompt, text: await engine.call((api) => api.write(prompt, this.#seed)) };
  }

  protected override shown({ prompt, text }: Written): (Node | string)[] {
    return [element('b', {}, prompt), text];
  }
}
