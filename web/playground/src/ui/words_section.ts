/** A text without spaces, and where the model finds words to begin. */

import type { TaggedLetter } from '../protocol';
import type { Workbench } from '../workbench';
import { byId, element } from './dom';
import { AnsweredSection } from './result_section';

function letterBox({ letter, begins }: TaggedLetter): HTMLElement {
  const bar = element('i', {});
  bar.style.height = `${Math.round(begins * 100)}%`;
  const title = `a word begins here: ${(begins * 100).toFixed(1)} %`;
  return element('span', { class: 'letter', title }, element('span', { class: 'letter-bar' }, bar), letter);
}

/** The letters in words, each of which begins where that is likelier than not. */
function wordBoxes(letters: readonly TaggedLetter[]): HTMLElement[] {
  const words: TaggedLetter[][] = [];
  for (const each of letters) {
    if (each.begins > 0.5 || words.length === 0) words.push([]);
    words.at(-1)?.push(each);
  }
  return words.map((word) => element('span', { class: 'word' }, ...word.map(letterBox)));
}

export class WordsSection extends AnsweredSection<TaggedLetter[]> {
  readonly #text = byId<HTMLInputElement>('letters');

  constructor(workbench: Workbench) {
    super(workbench, 'words', 700);
    this.#text.addEventListener('input', () => this.ask());
  }

  protected override answer(engine: Workbench['engine']): Promise<TaggedLetter[]> {
    return engine.call((api) => api.tag(this.#text.value));
  }

  protected override shown(letters: TaggedLetter[]): Node[] {
    return wordBoxes(letters);
  }
}
