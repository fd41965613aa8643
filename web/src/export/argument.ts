/** Nested arguments and results on their way to and from the engine. */

import { checkName, isPlainObject } from '../arguments.js';
import { describe } from '../describe.js';
import { ArgumentError } from '../errors.js';
import { Tensor } from '../tensor.js';

/** What an exported model takes and gives: tensors and constants, in arrays and plain objects. */
export type Argument =
  | Tensor
  | number
  | boolean
  | string
  | null
  | undefined
  | readonly Argument[]
  | { readonly [key: string]: Argument };

/** An argument's form without its values: `'*'` for a leaf, arrays and objects as they are. */
export type Structure = '*' | readonly Structure[] | { readonly [key: string]: Structure };

/** How bindings/argument.h has an argument: a number that says what it is, and its parts. */
export type Encoded = readonly [kind: number, ...parts: unknown[]];

/** What `encode` does with a value that no program can hold. */
type Refusal = (what: string, value: unknown) => Encoded;

const refuse: Refusal = (what, value) => {
  if (value instanceof Tensor) value.handleFor(what); // throws: it was disposed of
  const expected = 'a tensor, number, boolean, string or null, or arrays and plain objects of them';
  throw new ArgumentError(`${what}: expected ${expected}, got ${describe(value)}`, 'Argument');
};

/** Throws ArgumentError naming the part of `what` that no program can hold, unless `other` says what stands for it. */
export function encode(what: string, value: unknown, other = refuse): Encoded {
  if (value === null || value === undefined) return [0];
  if (value instanceof Tensor) return value.isDisposed ? other(what, value) : [1, value.handle];
  if (typeof value === 'boolean') return [2, value];
  if (typeof value === 'number') return [Number.isSafeInteger(value) && !Object.is(value, -0) ? 3 : 4, value];
  const check = (text: string) => other === refuse && checkName(what, text);
  if (typeof value === 'string') {
    check(value);
    return [5, value];
  }
  if (Array.isArray(value)) return [6, value.map((each, i) => encode(`${what}[${i}]`, each, other))];
  if (!isPlainObject(value)) return other(what, value);
  const entries = Object.entries(value);
  for (const [key] of entries) check(key);
  return [7, entries.map(([key]) => key), entries.map(([key, each]) => encode(`${what}.${key}`, each, other))];
}

/** The same for what is only looked at: nothing stands for what no program can hold. */
export function encodeLoosely(value: unknown): Encoded {
  return encode('', value, () => [0]);
}

/** The value, with a tensor for each handle. */
export function decode(encoded: Encoded): Argument {
  const [kind, first, second] = encoded;
  if (kind === 0) return null;
  if (kind === 1) return new Tensor(first as number);
  if (kind === 6) return (first as Encoded[]).map(decode);
  if (kind !== 7) return first as number | boolean | string;
  const parts = second as Encoded[];
  return Object.fromEntries((first as string[]).map((key, i) => [key, decode(parts[i] as Encoded)]));
}

function hasKeysOf(value: object, structure: object): boolean {
  const keys = Object.keys(structure);
  return Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key));
}

/** Whether `value` has that form; keys may be in any order. */
export function fits(structure: Structure, value: unknown): boolean {
  if (structure === '*') return !Array.isArray(value) && !isPlainObject(value);
  if (Array.isArray(structure)) {
    return (
      Array.isArray(value) && value.length === structure.length && value.every((each, i) => fits(structure[i], each))
    );
  }
  if (!isPlainObject(structure) || !isPlainObject(value) || !hasKeysOf(value, structure)) return false;
  return Object.entries(structure).every(([key, part]) => fits(part as Structure, value[key]));
}

/** `value`, with the keys of objects in the order that they have in `structure`, wherever they are the same. */
export function inOrderOf(structure: Structure | undefined, value: unknown): unknown {
  if (Array.isArray(structure) && Array.isArray(value)) return value.map((each, i) => inOrderOf(structure[i], each));
  if (!isPlainObject(structure) || !isPlainObject(value) || !hasKeysOf(value, structure)) return value;
  const entries = Object.entries(structure);
  return Object.fromEntries(entries.map(([key, part]) => [key, inOrderOf(part as Structure, value[key])]));
}

/** Arguments by name, in order. */
export type NamedArguments = readonly (readonly [name: string, value: unknown])[];

/** Named arguments, those of a program each as `inOrderOf` gives it. */
export function namedInOrderOf(
  known: readonly { name: string; structure: Structure }[],
  named: NamedArguments,
): NamedArguments {
  const structures = new Map(known.map(({ name, structure }) => [name, structure]));
  return named.map(([name, value]) => [name, inOrderOf(structures.get(name), value)]);
}

/** Names for what `exportProgram` and its kin take as the second argument: `input` for one, else `input_0`, …; of an object its keys. */
export function namedArguments(who: string, given: unknown): NamedArguments {
  if (given instanceof Tensor) return [['input', given]];
  if (Array.isArray(given)) {
    return given.map((each, i) => [given.length === 1 ? 'input' : `input_${i}`, each] as const);
  }
  if (isPlainObject(given)) return Object.entries(given);
  throw new ArgumentError(
    `${who}: expected the example arguments in an array, or in an object by name, got ${describe(given)}`,
    'Argument',
  );
}

/** Arguments for the engine. */
export function encodeNamed(who: string, named: NamedArguments): [string, Encoded][] {
  return named.map(([name, value]) => {
    checkName(who, name);
    return [name, encode(`${who}: argument '${name}'`, value)];
  });
}
