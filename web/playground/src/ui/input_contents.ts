/** What an input can be filled with, besides images. */

import type { ValueInfo } from 'onemodel';
import type { Fill } from '../protocol';
import { element } from './dom';
import type { Choice } from './input_choices';
import { InputError } from './input_error';
import { parseNumbers } from './number_list';
import { isInteger, parseNumber, type TypedNumber } from './number_text';
import { parseTexts } from './text_list';

/** One way to fill an input of known rank. */
export interface Content extends Choice {
  /** Null: the input keeps its default. Throws InputError for what does not fit. */
  read(shape: number[]): Fill | null;
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

/** An element each, in a list; `label` is what they are. */
function values(
  info: ValueInfo,
  label: 'numbers' | 'texts',
  placeholder: string,
  parse: (text: string, shape: number[]) => TypedNumber[] | string[],
): Content {
  const field = element('textarea', {
    name: `values ${info.name}`,
    rows: 3,
    spellcheck: 'false',
    placeholder,
    'aria-label': `${label === 'texts' ? 'Texts' : 'Numbers'} for ${info.name}`,
  });
  return {
    name: 'values',
    label,
    fields: field,
    usesSeed: false,
    read: (shape) => ({ kind: 'values', values: parse(field.value, shape) }),
  };
}

/** The same text for every element. */
function text(info: ValueInfo): Content {
  const field = element('input', {
    type: 'text',
    class: 'wide',
    value: 'text',
    autocomplete: 'off',
    name: `text ${info.name}`,
    'aria-label': `Text for ${info.name}`,
  });
  return {
    name: 'text',
    label: 'one text everywhere',
    fields: field,
    usesSeed: false,
    read: () => ({ kind: 'constant', value: field.value }),
  };
}

/** What an input has that is not fed; `value` is its text where it is short. */
export function kept(value: string | undefined): Content {
  return {
    name: 'default',
    label: 'its default',
    fields: value === undefined ? null : element('p', { class: 'hint' }, value),
    usesSeed: false,
    read: () => null,
  };
}

/** All that suit the dtype. */
export function contentsFor(info: ValueInfo): Content[] {
  if (info.dtype === 'string') {
    const texts = values(info, 'texts', 'a text on each line, or [["a", "b"], ["c", "d"]]', parseTexts);
    return [text(info), texts];
  }
  const parse = (text: string, shape: number[]) => parseNumbers(text, info.dtype, shape);
  const numbers = values(info, 'numbers', '1 2 3, or [[1, 2], [3, 4]]', parse);
  const isFloat = !isInteger(info.dtype) && info.dtype !== 'bool';
  return [uniform(info), ...(isFloat ? [normal] : []), zeros, constant(info), numbers];
}
