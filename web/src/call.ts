/** Encodes calls of operators and modules into the engine's call buffer. */

import { foreignHint, isPlainObject, unexpected } from './arguments.js';
import { describe } from './describe.js';
import { ArgumentError, makeError, OneModelError } from './errors.js';
import { operators } from './generated/operators.js';
import { callBufferIndex, callBufferLength, native } from './native.js';
import { scriptName, withScriptNames } from './script_names.js';
import { Tensor } from './tensor.js';

/** What an operator takes: a tensor, a number (a scalar of the dtype of the first tensor that is no condition), or nothing for an absent one. */
export type Operand = Tensor | number | null | undefined;
/** One entry of a shape or of a list of bounds: a number, or a size that a trace follows (`x.dim(axis)`). */
export type Size = number | Tensor;
/** A small integer operand (axes, a shape): a tensor or a list. */
export type IntegerOperand = Tensor | readonly Size[] | null | undefined;
/** An operand that is one integer: a tensor, a number or a list of that number. */
export type IndexOperand = IntegerOperand | number;
/** A small operand of other numbers (factors of axes): a tensor or a list. */
export type FloatOperand = Tensor | readonly number[] | Float32Array | null | undefined;
/** What is written into the buffer; a bigint is one marked integer. */
type AnyOperand = Operand | IntegerOperand | FloatOperand | bigint;
/** What an attribute takes. */
export type Attribute = number | boolean | string | readonly number[] | Tensor | null | undefined;
/** What a session takes or gives: a tensor, a sequence of tensors, or the nothing of an optional. */
export type Item = Tensor | readonly Tensor[] | null;
/** Who calls, for errors: the index of an operator, or a name. */
export type Caller = number | string;

let heap: Float64Array;
let at = 0;
let end = 0;

function begin(): void {
  heap = native().HEAPF64;
  at = callBufferIndex();
  end = at + callBufferLength;
}

/** Makes sure that a list and what describes it fit; beyond the buffer lie the engine's own data. */
function reserve(length: number): void {
  if (at + length + 2 <= end) return;
  const remedy = length > 1 ? `: give a tensor instead of a list of ${length}` : '';
  throw new ArgumentError(`the arguments of one call take more than ${callBufferLength} numbers${remedy}`, 'Argument');
}

function writeList(values: ArrayLike<number>): void {
  reserve(values.length);
  heap[at++] = values.length;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (typeof value !== 'number') throw new ArgumentError(`expected numbers, got ${describe(value)}`, 'Argument');
    heap[at++] = value;
  }
}

function writeSizes(sizes: readonly Size[]): void {
  reserve(2 * sizes.length + 1);
  heap[at++] = -4;
  heap[at++] = sizes.length;
  for (const size of sizes) {
    heap[at++] = size instanceof Tensor ? 1 : 0;
    heap[at++] = size instanceof Tensor ? size.handle : size;
  }
}

/** A list of numbers marked as such, which integers may be too. */
export function floats(operand: FloatOperand): Exclude<FloatOperand, readonly number[]> {
  return Array.isArray(operand) ? Float32Array.from(operand) : (operand as Exclude<FloatOperand, readonly number[]>);
}

/** One integer marked as such: a plain number would take the dtype of the first tensor. */
export function oneInteger(operand: IndexOperand): IntegerOperand | bigint {
  if (typeof operand === 'number') return oneInteger([operand]);
  if (!Array.isArray(operand) || operand.length !== 1) return operand;
  const [only] = operand as readonly Size[];
  if (only instanceof Tensor) return only;
  return Number.isInteger(only) ? BigInt(only as number) : operand;
}

/** Whether the list has tensors among its integers. Throws ArgumentError for anything else in it. */
function hasSizes(list: readonly Size[]): boolean {
  let found = false;
  for (const value of list) {
    if (value instanceof Tensor) found = true;
    else if (!Number.isInteger(value)) {
      const got = typeof value === 'number' ? value : describe(value);
      throw new ArgumentError(`expected integers, got ${got}`, 'Argument');
    }
  }
  return found;
}

function writeOperand(operand: AnyOperand, takesList: () => boolean): void {
  reserve(1);
  if (operand instanceof Tensor) {
    heap[at++] = operand.handle;
  } else if (typeof operand === 'number') {
    heap[at++] = -2;
    heap[at++] = operand;
  } else if (operand === null || operand === undefined) {
    heap[at++] = 0;
  } else if (Array.isArray(operand) && takesList()) {
    if (hasSizes(operand)) {
      writeSizes(operand);
    } else {
      heap[at++] = -1;
      writeList(operand as readonly number[]);
    }
  } else if (operand instanceof Float32Array) {
    heap[at++] = -3;
    writeList(operand);
  } else if (typeof operand === 'bigint') {
    const value = Number(operand);
    if (BigInt(value) !== operand) {
      throw new ArgumentError(
        `${operand}n has digits that a number does not keep: use om.tensor(${operand}n)`,
        'Argument',
      );
    }
    heap[at++] = -5;
    heap[at++] = value;
  } else {
    const wanted = takesList() ? 'a tensor, a number or a list of numbers' : 'a tensor or a number';
    throw new ArgumentError(`expected ${wanted}, got ${describe(operand)}${foreignHint(operand)}`, 'Argument');
  }
}

/** What an object has that stands in the place of a value: " (axis): give the value itself". */
const keysOf = (value: unknown) =>
  isPlainObject(value) ? ` (${Object.keys(value).join(', ')}): give the value itself, not an object of options` : '';

function writeAttribute(value: Attribute): void {
  reserve(1);
  if (value === undefined) {
    heap[at++] = 0;
  } else if (value === null) {
    heap[at++] = 5;
  } else if (typeof value === 'number' || typeof value === 'boolean') {
    heap[at++] = 1;
    heap[at++] = Number(value);
  } else if (typeof value === 'string') {
    heap[at++] = 3;
    reserve(value.length);
    heap[at++] = value.length;
    for (let i = 0; i < value.length; i++) heap[at++] = value.charCodeAt(i);
  } else if (value instanceof Tensor) {
    heap[at++] = 4;
    heap[at++] = value.handle;
  } else if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    heap[at++] = 2;
    writeList(value);
  } else {
    const what = 'a number, boolean, string, list or tensor';
    throw new ArgumentError(`expected ${what}, got ${describe(value)}${keysOf(value)}`, 'Argument');
  }
}

type Entry = [name: string, operator?: (typeof operators)[string]];

let entries: Entry[] | undefined;

/** How a caller is called, and its operator where it is one. */
function entryOf(caller: Caller): Entry {
  if (typeof caller === 'string') return [caller];
  entries ??= Object.entries(operators).reduce<Entry[]>((all, entry) => {
    all[entry[1].index] = entry;
    return all;
  }, []);
  return entries[caller] ?? [String(caller)];
}

const listMark = '[]';

/** "sequence_lens[]" -> "sequenceLens"; names of one letter, such as A, stay. */
function inputName(declared: string): string {
  const name = declared.replace(listMark, '');
  return name.includes('_') ? scriptName(name) : name;
}

/** "Gather: input 'indices'", or the number of an argument that has no name. */
function placeOf(caller: Caller, place: number, inputs: number): string {
  const [called, operator] = entryOf(caller);
  const attribute = place - inputs;
  if (attribute >= 0) {
    const option = operator?.attributes[attribute];
    return `${called}: ${option ? scriptName(option) : `argument ${attribute}`}`;
  }
  const name = operator?.inputs[place] && inputName(operator.inputs[place]);
  return `${called}: input ${name ? `'${name}'` : place}`;
}

/** The error with the caller and the argument put before its message. */
function located(error: unknown, caller: Caller, place: number, inputs: number): unknown {
  if (!(error instanceof OneModelError)) return error;
  return makeError(error.name, error.kind, `${placeOf(caller, place, inputs)}: ${error.message}`);
}

/** The tensors whose handles the engine wrote, `count` of them, at `from` of the heap. */
function tensorsAt(from: number, count: number): Tensor[] {
  const numbers = native().HEAPF64;
  const tensors: Tensor[] = [];
  for (let i = from; i < from + count; i++) tensors.push(new Tensor(numbers[i] as number));
  return tensors;
}

/** The tensors whose handles the engine wrote into the call buffer. */
export function takeTensors(count: number): Tensor[] {
  return tensorsAt(callBufferIndex(), count);
}

/**
 * Writes operands and attributes for a call that reads them from the buffer. Lists are taken for the operands that end in
 * "[]" in `names`, of an operator those of its declaration. Throws ArgumentError naming caller and argument for operands
 * that are no list, a value of another kind, a tensor that was disposed of, and more than the buffer holds.
 */
export function writeCall(
  caller: Caller,
  operands: readonly AnyOperand[],
  attributes: readonly Attribute[] = [],
  names?: readonly string[],
): void {
  if (!Array.isArray(operands)) throw unexpected(entryOf(caller)[0], 'a list of tensors', operands);
  const inputs = operands.length;
  let place = 0;
  const takesList = () => Boolean((names ?? entryOf(caller)[1]?.inputs)?.[place]?.endsWith(listMark));
  begin();
  try {
    for (; place < inputs; place++) writeOperand(operands[place], takesList);
    for (; place < inputs + attributes.length; place++) writeAttribute(attributes[place - inputs]);
  } catch (error) {
    throw located(error, caller, place, inputs);
  }
}

const tensorTag = -2;
const nothingTag = -1;

/** Writes what a session takes: of each input a tensor, a sequence of tensors, or null for nothing. */
export function writeItems(items: readonly Item[]): void {
  begin();
  for (const item of items) {
    reserve(1);
    if (item === null) {
      heap[at++] = nothingTag;
    } else if (item instanceof Tensor) {
      heap[at++] = tensorTag;
      heap[at++] = item.handle;
    } else {
      const handles = item.map(({ handle }) => handle);
      writeList(handles);
    }
  }
}

/** As `writeItems` writes them, from the engine. */
export function takeItems(count: number): Item[] {
  const numbers = native().HEAPF64;
  let from = callBufferIndex();
  const items: Item[] = [];
  while (items.length < count) {
    const tag = numbers[from++] as number;
    const length = tag === tensorTag ? 1 : Math.max(0, tag);
    const tensors = tensorsAt(from, length);
    from += length;
    items.push(tag === nothingTag ? null : tag === tensorTag ? (tensors[0] as Tensor) : tensors);
  }
  return items;
}

/** Writes plain numbers, such as a shape with its rank before it. */
export function writeNumbers(values: readonly number[]): void {
  begin();
  reserve(values.length);
  for (const value of values) heap[at++] = value;
}

/** Applies the operator to what the call buffer holds. Errors name its attributes as script does. */
function callOperator(index: number, inputs: number, outputs: number): number {
  try {
    return native()._applyOperator(index, inputs, outputs);
  } catch (error) {
    const { attributes = [], inputs: names = [] } = entryOf(index)[1] ?? {};
    const several = names.map((name) => name.replace(listMark, '')).filter((name) => name.includes('_'));
    throw withScriptNames(error, [...attributes, ...several]);
  }
}

/** Applies the operator of that index; attributes in the order of their declaration. */
export function applyOperator(
  index: number,
  operands: readonly AnyOperand[],
  outputs: number,
  attributes: readonly Attribute[] = [],
): Tensor[] {
  if (!Number.isInteger(outputs)) throw unexpected(`${entryOf(index)[0]}: outputs`, 'how many', outputs);
  writeCall(index, operands, attributes);
  return takeTensors(callOperator(index, operands.length, outputs));
}

/** How many parts a list of their extents, or else the option, asks for: what Split gives. */
export function partCount(extents: IntegerOperand, options: { numOutputs?: number }): number {
  if (extents instanceof Tensor) return extents.size;
  return Array.isArray(extents) ? extents.length : (options?.numOutputs ?? 1);
}

/** Applies an operator with one output. */
export function applyOne(
  index: number,
  operands: readonly AnyOperand[],
  attributes: readonly Attribute[] = [],
): Tensor {
  writeCall(index, operands, attributes);
  callOperator(index, operands.length, 1);
  return new Tensor(native().HEAPF64[callBufferIndex()] as number);
}

/** All wanted results where a number of them is given, else the first. */
export type Wanted<N extends number | undefined> = N extends number ? Tensor[] : Tensor;

/** Applies an operator that has further outputs beside the first. */
export function applyWanted<N extends number | undefined>(
  index: number,
  operands: readonly AnyOperand[],
  outputs: N | undefined,
  attributes: readonly Attribute[] = [],
): Wanted<N> {
  const results =
    outputs === undefined ? applyOne(index, operands, attributes) : applyOperator(index, operands, outputs, attributes);
  return results as Wanted<N>;
}
