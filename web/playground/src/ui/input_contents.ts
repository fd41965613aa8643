/** What an input can be filled with, besides images. */

import type { ValueInfo } from 'onemodel';
import type { Fill } from '../protocol';
import { element } from './dom';
import { InputError } from './input_error';
import { parseNumbers } from './number_list';
import { isInteger, parseNumber } from './number_text';

/** One way to fill an input. */
export interface Content {
  name: string;
  label: string;
  /** What is to be entered for it. */
  fields: HTMLElement | null;
  usesSeed: boolean;
  /** Throws InputError for what does not fit. */
  read(shape: number[]): Fill;
  /** Told when sizes changed: null when they are not known. */
  resized?(shape: number[] | null): void;
}

function numberField(info: ValueInfo, what: string, value: string): HTMLInputElement {
  return element('input', {
    type: 'text',
    inputmode: 'decimal',
    value,
    autocomplete: 'off',
    name: `${what} ${info.name}`,
    'aria-label': `${what} for ${info.name}`,
  });
}

const row = (...children: (Node | string)[]) => element('div', { class: 'feed-row' }, ...children);

function uniform(info: ValueInfo): Content {
  const low = numberField(info, 'low', '0');
  const high = numberField(info, 'high', '1');
  const read = ({ value }: HTMLInputElement) => Number(parseNumber(value.trim(), info.dtype));
  return {
    name: 'uniform',
    label: 'random, uniform',
    fields: info.dtype === 'bool' ? null : row('from ', low, ' to ', high),
    usesSeed: true,
    read() {
      const range = { low: read(low), high: read(high) };
      const isRange = Number.isFinite(range.low) && Number.isFinite(range.high) && range.low <= range.high;
      if (!isRange) throw new InputError(`there is nothing from ${range.low} to ${range.high}`);
      return { kind: 'uniform', ...range };
    },
  };
}

const normal: Content = {
  name: 'normal',
  label: 'random, normal',
  fields: null,
  usesSeed: true,
  read: () => ({ kind: 'normal' }),
};

const zeros: Content = {
  name: 'zeros',
  label: 'zeros',
  fields: null,
  usesSeed: false,
  read: () => ({ kind: 'constant', value: 0 }),
};

function constant(info: ValueInfo): Content {
  const field = numberField(info, 'constant', '1');
  return {
    name: 'constant',
    label: 'one number everywhere',
    fields: row(field),
    usesSeed: false,
    read: () => ({ kind: 'constant', value: parseNumber(field.value.trim(), info.dtype) }),
  };
}

function values(info: ValueInfo): Content {
  const field = element('textarea', {
    name: `values ${info.name}`,
    rows: 3,
    spellcheck: 'false',
    placeholder: '1 2 3, or [[1, 2], [3, 4]]',
    'aria-label': `Numbers for ${info.name}`,
  });
  return {
    name: 'values',
    label: 'numbers',
    fields: field,
    usesSeed: false,
    read: (shape) => ({ kind: 'values', values: parseNumbers(field.value, info.dtype, shape) }),
  };
}

/** All that suit the dtype. */
export function contentsFor(info: ValueInfo): Content[] {
  const isFloat = !isInteger(info.dtype) && info.dtype !== 'bool';
  return [uniform(info), ...(isFloat ? [normal] : []), zeros, constant(info), values(info)];
}
