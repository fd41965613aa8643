/** How the inputs of a model are filled: sizes of the symbols, and values. */

import type { ValueInfo } from 'onemodel';
import { type Feed, typeText } from '../protocol';
import { element } from './dom';

/** Sizes to begin with: small ones, but images that survive some pooling. */
const usualSize = 2;
const usualImageSize = 32;

/** Every symbol with the size to begin with. */
function symbolSizes(inputs: readonly ValueInfo[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { shape } of inputs) {
    shape.forEach((extent, axis) => {
      const isImageSide = shape.length >= 4 && axis >= 2;
      if (typeof extent === 'string') sizes.set(extent, isImageSide ? usualImageSize : usualSize);
    });
  }
  return sizes;
}

function parsedNumbers(text: string): number[] {
  return text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((part) => {
      const value = Number(part);
      if (Number.isNaN(value)) throw new TypeError(`'${part}' is no number`);
      return value;
    });
}

function option(value: Feed['fill'], text: string): HTMLOptionElement {
  return element('option', { value }, text);
}

export class InputForm {
  readonly element: HTMLElement;
  readonly #sizes = new Map<string, HTMLInputElement>();
  readonly #inputs: { info: ValueInfo; fill: HTMLSelectElement; values: HTMLInputElement }[];

  constructor(inputs: readonly ValueInfo[]) {
    const sizes = Array.from(symbolSizes(inputs), ([symbol, size]) => this.#sizeField(symbol, size));
    this.#inputs = inputs.map((info) => this.#inputFields(info));
    const rows = this.#inputs.map(({ info, fill, values }) =>
      element(
        'div',
        { class: 'feed' },
        element('span', { class: 'feed-name' }, element('code', {}, info.name), ` ${typeText(info)}`),
        fill,
        values,
      ),
    );
    this.element = element(
      'div',
      { class: 'feeds' },
      sizes.length > 0 && element('div', { class: 'sizes' }, ...sizes),
      ...rows,
    );
  }

  #sizeField(symbol: string, size: number): HTMLElement {
    const field = element('input', { type: 'number', min: 0, step: 1, value: size, name: `size ${symbol}` });
    this.#sizes.set(symbol, field);
    return element('label', {}, element('code', {}, symbol), ' = ', field);
  }

  #inputFields(info: ValueInfo) {
    const isFloat = /float/.test(info.dtype);
    const fill = element(
      'select',
      { 'aria-label': `How to fill ${info.name}`, name: `fill ${info.name}` },
      option('uniform', isFloat ? 'random, 0 to 1' : 'random, 0 up to'),
      isFloat && option('normal', 'random, normal'),
      option('constant', 'constant'),
      option('values', 'these values'),
    );
    const values = element('input', {
      type: 'text',
      value: '1',
      'aria-label': `Values for ${info.name}`,
      name: `values ${info.name}`,
    });
    const needsValue = () => {
      values.hidden = (isFloat && fill.value === 'uniform') || fill.value === 'normal';
    };
    fill.addEventListener('change', needsValue);
    needsValue();
    return { info, fill, values };
  }

  #extent(extent: number | string): number {
    if (typeof extent === 'number') return extent;
    const size = Number(this.#sizes.get(extent)?.value);
    if (!Number.isInteger(size) || size < 0) throw new TypeError(`the size of '${extent}' is no whole number`);
    return size;
  }

  read(): Feed[] {
    return this.#inputs.map(({ info, fill, values }) => {
      const numbers = values.hidden ? [] : parsedNumbers(values.value);
      return {
        name: info.name,
        dtype: info.dtype,
        shape: info.shape.map((extent) => this.#extent(extent)),
        fill: fill.value as Feed['fill'],
        value: numbers[0] ?? 0,
        values: numbers,
      };
    });
  }
}
