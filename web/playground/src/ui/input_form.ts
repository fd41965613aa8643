/** How the inputs of a model are filled: sizes of the symbols, contents, and the seed of random ones. */

import type { Extent, ValueInfo } from 'onemodel';
import type { Feed } from '../protocol';
import { details, element } from './dom';
import { FreeField } from './free_field';
import { imageLayout } from './image_layout';
import { InputError } from './input_error';
import { type Field, InputField } from './input_field';

/** Sizes to begin with: small ones, but images that survive some pooling. */
const usualSize = 2;
const usualImageSize = 32;

/** Every symbol with the size to begin with. */
function symbolSizes(inputs: readonly ValueInfo[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const info of inputs) {
    const layout = info.shape.length > 2 ? imageLayout(info) : null;
    info.shape.forEach((extent, axis) => {
      const isSide = axis === layout?.heightAxis || axis === layout?.widthAxis;
      if (typeof extent === 'string') sizes.set(extent, isSide ? usualImageSize : layout ? 1 : usualSize);
    });
  }
  return sizes;
}

const wholeField = (name: string, value: number) =>
  element('input', { type: 'number', min: 0, step: 1, value, name, autocomplete: 'off' });

function wholeNumber(field: HTMLInputElement, what: string): number {
  const value = field.value === '' ? Number.NaN : Number(field.value);
  if (!Number.isSafeInteger(value) || value < 0) throw new InputError(`${what} expects a whole number of 0 or more`);
  return value;
}

export class InputForm {
  readonly element: HTMLElement;
  readonly #sizes = new Map<string, HTMLInputElement>();
  readonly #seed = wholeField('seed', 1);
  readonly #seedBox = element('label', {}, 'seed', this.#seed);
  readonly #fields: Field[];

  /** `onFailure` is told of images that cannot be read; `defaults` has what optional inputs have, where it is short. */
  constructor(
    inputs: readonly ValueInfo[],
    defaults: Readonly<Record<string, string>>,
    onFailure: (error: unknown) => void,
  ) {
    const sizes = Array.from(symbolSizes(inputs), ([symbol, size]) => this.#sizeField(symbol, size));
    const sizeOf = (extent: Extent) => this.#sizeOf(extent);
    const update = () => this.#update();
    this.#fields = inputs.map((info) =>
      info.holds === 'tensor' && info.hasRank
        ? new InputField(info, sizeOf, update, onFailure, defaults[info.name])
        : new FreeField(info, update),
    );
    const boxesOf = (optional: boolean) =>
      this.#fields.filter((_, i) => inputs[i]?.optional === optional).map((field) => field.element);
    const kept = boxesOf(true);
    this.element = element(
      'div',
      { class: 'feeds' },
      element('div', { class: 'sizes' }, ...sizes, this.#seedBox),
      ...boxesOf(false),
      kept.length > 0 && details(`Inputs with defaults (${kept.length})`, element('div', { class: 'feeds' }, ...kept)),
    );
    this.#update();
  }

  #sizeField(symbol: string, size: number): HTMLElement {
    const field = wholeField(`size ${symbol}`, size);
    field.addEventListener('input', () => this.#update());
    this.#sizes.set(symbol, field);
    return element('label', {}, element('code', {}, symbol), field);
  }

  #update(): void {
    for (const field of this.#fields) field.update();
    this.#seedBox.hidden = !this.#fields.some(({ usesSeed }) => usesSeed);
  }

  #sizeOf(extent: Extent): number {
    if (typeof extent === 'number') return extent;
    return wholeNumber(this.#sizes.get(extent) as HTMLInputElement, `the size of '${extent}'`);
  }

  /** Gives an image to the first input that may be one: tells whether there is such an input. */
  async takeImage(file: File): Promise<boolean> {
    for (const field of this.#fields) {
      if (await field.takeImage(file)) {
        this.#update();
        return true;
      }
    }
    return false;
  }

  /** Throws InputError saying which input does not fit. */
  read(): { feeds: Feed[]; seed: number } {
    const feeds = this.#fields.map((field) => field.read()).filter((feed) => feed !== null);
    return { feeds, seed: wholeNumber(this.#seed, 'the seed') };
  }
}
