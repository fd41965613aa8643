/** Lists of numbers as they are typed: flat, or nested as deep as the shape. */

import type { DType } from 'onemodel';
import { InputError } from './input_error';
import { elementsOf, type Nested } from './nested_list';
import { parseNumber, type TypedNumber } from './number_text';

function readTokens(text: string, dtype: DType): Nested[] {
  const top: Nested[] = [];
  const open: Nested[][] = [top];
  for (const [token] of text.matchAll(/[[\]]|[^\s,;[\]]+/g)) {
    const current = open.at(-1) as Nested[];
    if (token === '[') {
      const list: Nested[] = [];
      current.push(list);
      open.push(list);
    } else if (token === ']') {
      if (open.length === 1) throw new InputError("a ']' closes no '['");
      open.pop();
    } else {
      current.push(parseNumber(token, dtype));
    }
  }
  if (open.length > 1) throw new InputError(`${open.length - 1} of '[' are not closed`);
  return top;
}

const numbersText = (count: number) => (count === 1 ? '1 number' : `${count.toLocaleString('en')} numbers`);

function checkFlat(numbers: readonly Nested[], shape: readonly number[]): void {
  const size = shape.reduce((product, extent) => product * extent, 1);
  if (numbers.length === size) return;
  throw new InputError(
    `got ${numbersText(numbers.length)}, but the shape [${shape.join(', ')}] takes ${size.toLocaleString('en')}`,
  );
}

/**
 * The numbers of a text in row-major order. `1 2 3 4` and `[1, 2, 3, 4]` are flat, `[[1, 2], [3, 4]]` is nested. Throws
 * InputError saying which number, count or length does not fit.
 */
export function parseNumbers(text: string, dtype: DType, shape: readonly number[]): TypedNumber[] {
  const top = readTokens(text, dtype);
  const outer = top.length === 1 && Array.isArray(top[0]) ? top[0] : top;
  if (!outer.some(Array.isArray)) {
    checkFlat(outer, shape);
    return outer as TypedNumber[];
  }
  return elementsOf(outer, shape) as TypedNumber[];
}

/** What a text holds one after the other: `1 [2, 3]` is a number and a list. Throws InputError for what is no number. */
export const parseItems = (text: string, dtype: DType): Nested[] => readTokens(text, dtype);
