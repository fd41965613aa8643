/** Encodes calls of operators and modules into the engine's call buffer. */

import { ArgumentError } from './errors.js';
import { callBufferIndex, native } from './native.js';
import { Tensor } from './tensor.js';

/** What an operator takes: a tensor, a number (a scalar of the dtype of the first tensor that is no condition), or nothing for an absent one. */
export type Operand = Tensor | number | null | undefined;
/** A small integer operand (axes, a shape): a tensor or a list. */
export type IntegerOperand = Tensor | readonly number[] | null | undefined;
/** What an attribute takes. */
export type Attribute = number | boolean | string | readonly number[] | Tensor | null | undefined;

let heap: Float64Array;
let at = 0;

function begin(): void {
  heap = native().HEAPF64;
  at = callBufferIndex();
}

function writeOperand(operand: Operand | IntegerOperand): void {
  if (operand instanceof Tensor) {
    heap[at++] = operand.handle;
  } else if (typeof operand === 'number') {
    heap[at++] = -2;
    heap[at++] = operand;
  } else if (operand === null || operand === undefined) {
    heap[at++] = 0;
  } else if (Array.isArray(operand)) {
    heap[at++] = -1;
    heap[at++] = operand.length;
    for (const value of operand) heap[at++] = value;
  } else {
    throw new ArgumentError(`expected a tensor, a number or a list of numbers, got ${typeof operand}`, 'Argument');
  }
}

function writeAttribute(value: Attribute): void {
  if (value === null || value === undefined) {
    heap[at++] = 0;
  } else if (typeof value === 'number' || typeof value === 'boolean') {
    heap[at++] = 1;
    heap[at++] = Number(value);
  } else if (typeof value === 'string') {
    heap[at++] = 3;
    heap[at++] = value.length;
    for (let i = 0; i < value.length; i++) heap[at++] = value.charCodeAt(i);
  } else if (value instanceof Tensor) {
    heap[at++] = 4;
    heap[at++] = value.handle;
  } else {
    heap[at++] = 2;
    heap[at++] = value.length;
    for (const item of value) heap[at++] = item;
  }
}

/** The tensors whose handles the engine wrote. */
export function takeTensors(count: number): Tensor[] {
  const from = callBufferIndex();
  const handles = native().HEAPF64.slice(from, from + count);
  return Array.from(handles, (handle) => new Tensor(handle));
}

/** Writes operands and attributes for a call that reads them from the buffer. */
export function writeCall(
  operands: readonly (Operand | IntegerOperand)[],
  attributes: readonly Attribute[] = [],
): void {
  begin();
  for (const operand of operands) writeOperand(operand);
  for (const attribute of attributes) writeAttribute(attribute);
}

/** Writes plain numbers, such as a shape with its rank before it. */
export function writeNumbers(values: readonly number[]): void {
  begin();
  for (const value of values) heap[at++] = value;
}

/** Applies the operator of that index; attributes in the order of their declaration. */
export function applyOperator(
  index: number,
  operands: readonly (Operand | IntegerOperand)[],
  attributes: readonly Attribute[],
  outputs: number,
): Tensor[] {
  writeCall(operands, attributes);
  return takeTensors(native().applyOperator(index, operands.length, outputs));
}

/** Applies an operator with one output. */
export function applyOne(
  index: number,
  operands: readonly (Operand | IntegerOperand)[],
  attributes: readonly Attribute[],
): Tensor {
  writeCall(operands, attributes);
  const module = native();
  module.applyOperator(index, operands.length, 1);
  return new Tensor(module.HEAPF64[callBufferIndex()] as number);
}
