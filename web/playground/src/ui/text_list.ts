/** Lists of texts as they are typed: a line each, or nested as JSON. */

import { InputError } from './input_error';
import { type Nested, elementsOf } from './nested_list';

/** The text as JSON. Throws InputError saying how texts are written. */
export function parseJson(text: string): Nested {
  try {
    return JSON.parse(text) as Nested;
  } catch {
    throw new InputError(`this is no JSON, as ["a", "b"] is: ${text.slice(0, 60)}`);
  }
}

/** The texts that fill the shape: one for each line, or nested as JSON. Throws InputError for another number of them. */
export function parseTexts(text: string, shape: readonly number[]): string[] {
  const size = shape.reduce((product, extent) => product * extent, 1);
  if (text.trimStart().startsWith('[')) return elementsOf(parseJson(text), shape, 'string') as string[];
  if (size === 1) return [text];
  const lines = text === '' ? [] : text.split(/\r?\n/);
  if (lines.length === size) return lines;
  throw new InputError(
    `got ${lines.length} lines, but the shape [${shape.join(', ')}] takes ${size.toLocaleString('en')} texts`,
  );
}
