/** How the inputs of a model are filled: sizes of the symbols, contents, and the seed of random ones. */

import type { Extent, ValueInfo } from 'onemodel';
import type { Feed } from '../protocol';
import { element } from './dom';
import { imageLayout } from './image_layout';
import { InputError } from './input_error';
import { InputField } from './input_field';

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

const mostNames = 5;

function keptText(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ');
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `These inputs keep their defaults: ${shown}${more}`;
}

export class InputForm {
  readonly element: HTMLElement;
  readonly #sizes = new Map<string, HTMLInputElement>();
  readonly #seed = wholeField('seed', 1);
  readonly #seedBox = element('label', {}, 'seed', this.#seed);
  readonly #fields: InputField[];

  /** `onFailure` is told of images that cannot be read. */
  constructor(all: readonly ValueInfo[], onFailure: (error: unknown) => void) {
    const inputs = all.filter(({ optional }) => !optional);
    const kept = all.filter(({ optional }) => optional).map(({ name }) => name);
    const sizes = Array.from(symbolSizes(inputs), ([symbol, size]) => this.#sizeField(symbol, size));
    const sizeOf = (extent: Extent) => this.#sizeOf(extent);
    this.#fields = inputs.map((info) => new InputField(info, sizeOf, () => this.#update(), onFailure));
    this.element = element(
      'div',
      { class: 'feeds' },
      element('div', { class: 'sizes' }, ...sizes, this.#seedBox),
      ...this.#fields.map((field) => field.element),
      ...(kept.length > 0 ? [element('p', { class: 'numbers' }, keptText(kept))] : []),
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
    return { feeds: this.#fields.map((field) => field.read()), seed: wholeNumber(this.#seed, 'the seed') };
  }
}
