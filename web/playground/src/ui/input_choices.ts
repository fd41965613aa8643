/** An input's name and type, the ways to fill it, and what is to be entered for the chosen one. */

import type { ValueInfo } from 'onemodel';
import { typeText } from '../protocol';
import { element } from './dom';

/** One way to fill an input. */
export interface Choice {
  name: string;
  label: string;
  /** What is to be entered for it. */
  fields: HTMLElement | null;
  usesSeed: boolean;
}

export class Choices<C extends Choice> {
  readonly element: HTMLElement;
  readonly #all: readonly C[];
  readonly #select: HTMLSelectElement;
  readonly #boxes: readonly HTMLElement[];

  /** `onChange` is told of another choice. */
  constructor(info: ValueInfo, all: readonly C[], onChange: () => void) {
    this.#all = all;
    this.#select = element(
      'select',
      { 'aria-label': `How to fill ${info.name}`, name: `fill ${info.name}` },
      ...all.map(({ name, label }) => element('option', { value: name }, label)),
    );
    this.#select.addEventListener('change', onChange);
    this.#boxes = all.map(({ fields }) => element('div', { class: 'feed-fields' }, fields));
    this.element = element(
      'div',
      { class: 'feed' },
      element('span', { class: 'feed-name' }, element('code', {}, info.name), ` ${typeText(info)}`),
      this.#select,
      ...this.#boxes,
    );
    this.show();
  }

  get chosen(): C {
    return this.#all[this.#select.selectedIndex] as C;
  }

  choose(choice: C): void {
    this.#select.selectedIndex = this.#all.indexOf(choice);
  }

  /** Shows what belongs to the choice. */
  show(): void {
    for (const [i, box] of this.#boxes.entries()) {
      box.hidden = i !== this.#select.selectedIndex || !box.hasChildNodes();
    }
  }
}
