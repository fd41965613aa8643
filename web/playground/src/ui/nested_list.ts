/** Nested lists as they are typed, and the shape that they have or are to have. */

import { InputError } from './input_error';

/** A number or a text, or a list of such. */
export type Nested = number | bigint | string | Nested[];
export type Leaf = Exclude<Nested, Nested[]>;

const kinds = { number: 'number', bigint: 'number', string: 'text' } as const;

/** Appends the elements of a list at `path`, whose nesting must be that of the shape. */
function flatten(item: Nested, shape: readonly number[], path: readonly number[], into: Leaf[]): void {
  const at = path.length > 0 ? ` at ${path.map((index) => `[${index}]`).join('')}` : '';
  const fit = `the shape is [${shape.join(', ')}]`;
  if (!Array.isArray(item)) {
    const kind = kinds[typeof item as keyof typeof kinds] ?? typeof item;
    if (path.length < shape.length) throw new InputError(`got the ${kind} ${item}${at} instead of a list: ${fit}`);
    into.push(item);
    return;
  }
  if (path.length === shape.length) throw new InputError(`got a list${at} instead of a number or a text: ${fit}`);
  const length = shape[path.length] as number;
  if (item.length !== length) {
    throw new InputError(`the list${at} has length ${item.length}, expected ${length}: ${fit}`);
  }
  for (const [i, each] of item.entries()) flatten(each, shape, [...path, i], into);
}

/** The elements in row-major order. Throws InputError for another nesting than the shape's, and for what is no `type`. */
export function elementsOf(item: Nested, shape: readonly number[], type?: 'string'): Leaf[] {
  const elements: Leaf[] = [];
  flatten(item, shape, [], elements);
  const other = type && elements.find((each) => typeof each !== type);
  if (other !== undefined) throw new InputError(`${JSON.stringify(other)} is no text: write it in quotes`);
  return elements;
}

/** The extents that the first items on each level have. */
export function shapeOf(item: Nested): number[] {
  return Array.isArray(item) ? [item.length, ...(item[0] === undefined ? [] : shapeOf(item[0]))] : [];
}
