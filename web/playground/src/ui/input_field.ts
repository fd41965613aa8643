/** One input of a model: what it is, and what it is filled with. */

import type { Extent, ValueInfo } from 'onemodel';
import { type Feed, typeText } from '../protocol';
import { element } from './dom';
import { ImageContent } from './image_content';
import { imageLayout } from './image_layout';
import { type Content, contentsFor } from './input_contents';
import { InputError } from './input_error';

const canBeFilled = ({ holds, dtype }: ValueInfo) => holds === 'tensor' && dtype !== 'string';
const refusal = (info: ValueInfo) => `${typeText(info)} cannot be filled in here; code can feed it`;

export class InputField {
  readonly element: HTMLElement;
  readonly #info: ValueInfo;
  readonly #sizeOf: (extent: Extent) => number;
  readonly #contents: Content[];
  readonly #choice: HTMLSelectElement;

  /** `sizeOf` throws InputError for a symbol without a size; `onChange` is told of another choice. */
  constructor(
    info: ValueInfo,
    sizeOf: (extent: Extent) => number,
    onChange: () => void,
    onFailure: (error: unknown) => void,
  ) {
    this.#info = info;
    this.#sizeOf = sizeOf;
    const layout = imageLayout(info);
    this.#contents = contentsFor(info);
    if (layout) this.#contents.push(new ImageContent(info, layout, onFailure));
    this.#choice = element(
      'select',
      { 'aria-label': `How to fill ${info.name}`, name: `fill ${info.name}` },
      ...this.#contents.map(({ name, label }) => element('option', { value: name }, label)),
    );
    this.#choice.addEventListener('change', onChange);
    const boxes = this.#contents.map(({ fields }) => element('div', { class: 'feed-fields' }, fields));
    this.element = element(
      'div',
      { class: 'feed' },
      element('span', { class: 'feed-name' }, element('code', {}, info.name), ` ${typeText(info)}`),
      ...(canBeFilled(info) ? [this.#choice, ...boxes] : [element('p', {}, refusal(info))]),
    );
  }

  get #content(): Content {
    return this.#contents[this.#choice.selectedIndex] as Content;
  }

  get usesSeed(): boolean {
    return this.#content.usesSeed;
  }

  /** Shows what belongs to the choice and the sizes as they are now. */
  update(): void {
    this.element.querySelectorAll<HTMLElement>('.feed-fields').forEach((box, i) => {
      box.hidden = i !== this.#choice.selectedIndex || !box.hasChildNodes();
    });
    let shape: number[] | null = null;
    try {
      shape = this.#shape();
    } catch {
      // Reading says so.
    }
    this.#content.resized?.(shape);
  }

  /** Takes an image, when this input may be one: tells whether. */
  async takeImage(file: File): Promise<boolean> {
    const at = this.#contents.findIndex((content) => content instanceof ImageContent);
    if (at < 0) return false;
    await (this.#contents[at] as ImageContent).take(file);
    this.#choice.selectedIndex = at;
    this.update();
    return true;
  }

  #shape(): number[] {
    return this.#info.shape.map(this.#sizeOf);
  }

  read(): Feed {
    const { name, dtype } = this.#info;
    if (!canBeFilled(this.#info)) throw new InputError(`input '${name}': ${refusal(this.#info)}`);
    const shape = this.#shape();
    try {
      return { name, dtype, shape, fill: this.#content.read(shape) };
    } catch (error) {
      throw error instanceof InputError ? new InputError(`input '${name}': ${error.message}`) : error;
    }
  }
}
