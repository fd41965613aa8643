/** What is different between two graphs. */

import { tensor } from '../create.js';
import { arrayType, type DType, isBigInt, type TypedArray } from '../dtype.js';
import type { Graph, GraphView } from '../graph.js';
import { scope } from '../memory.js';
import { fields, text } from '../protobuf.js';
import { type BigIntegers, largestBigDifference, numbersOf } from './elements.js';
import { shapeText, valuesAt } from './model.js';
import { largestDifference } from './statistics.js';

/** One difference. */
export interface Difference {
  what: 'input' | 'output' | 'node' | 'constant';
  name: string;
  /** Null when only the second graph has it. */
  first: string | null;
  /** Null when only the first graph has it. */
  second: string | null;
}

/** Each named thing in words; equal words mean equal things. */
type Descriptions = Map<string, string>;

function compare(what: Difference['what'], first: Descriptions, second: Descriptions): Difference[] {
  const names = new Set([...first.keys(), ...second.keys()]);
  return [...names]
    .filter((name) => first.get(name) !== second.get(name))
    .map((name) => ({ what, name, first: first.get(name) ?? null, second: second.get(name) ?? null }));
}

const typeText = ({ dtype, shape }: { dtype: DType; shape: readonly (number | string)[] | null }) =>
  `${dtype}${shape === null ? ' ' : ''}${shapeText(shape)}`;

const describeValues = (view: GraphView, ids: readonly number[]): Descriptions =>
  new Map(valuesAt(view, ids).map((value) => [value.name, typeText(value)]));

/** Operator, attributes and links of each node. */
function describeNodes(view: GraphView): Descriptions {
  const names = (ids: readonly number[]) => ids.map((id) => view.values[id]?.name ?? '-').join(', ');
  return new Map(
    view.nodes.map(({ name, label, inputs, outputs }) => [name, `${label} of ${names(inputs)} to ${names(outputs)}`]),
  );
}

interface Constant {
  type: string;
  dtype: DType;
  bytes: Uint8Array;
  /** Each string, of a constant of strings. */
  strings: Uint8Array[];
}

// Fields of onnx.proto.
const [modelGraph, graphInitializer, tensorStrings, tensorName, tensorRawData] = [7, 5, 6, 8, 9];

/** Name and elements of each initializer of an .onnx file. */
function* initializersIn(file: Uint8Array): Generator<[string, Pick<Constant, 'bytes' | 'strings'>]> {
  for (const part of fields(file)) {
    if (part.number !== modelGraph) continue;
    for (const { number, bytes } of fields(part.bytes)) {
      if (number !== graphInitializer) continue;
      const entries = [...fields(bytes)];
      const name = entries.find((entry) => entry.number === tensorName);
      const raw = entries.find((entry) => entry.number === tensorRawData);
      const strings = entries.filter((entry) => entry.number === tensorStrings).map((entry) => entry.bytes);
      if (name) yield [text(name), { bytes: raw?.bytes ?? new Uint8Array(), strings }];
    }
  }
}

/** The constants that nodes of a graph use, with their elements, as its .onnx file has them. */
function constantsOf(graph: Graph, view: GraphView): Map<string, Constant> {
  const values = new Map(view.values.map((value) => [value.name, value]));
  const constants = new Map<string, Constant>();
  for (const [name, elements] of initializersIn(graph.toOnnx())) {
    const value = values.get(name);
    if (value) constants.set(name, { type: typeText(value), dtype: value.dtype, ...elements });
  }
  return constants;
}

function arrayOf({ dtype, bytes }: Constant): TypedArray {
  const ArrayType = arrayType(dtype) as unknown as new (buffer: ArrayBuffer) => TypedArray;
  return new ArrayType(bytes.slice().buffer as ArrayBuffer);
}

const numbersIn = (constant: Constant) => scope(() => numbersOf(tensor(arrayOf(constant), { dtype: constant.dtype })));

const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** How two constants of one type differ; null when they do not. */
function differenceOf(a: Constant, b: Constant): string | null {
  if (a.dtype === 'string') {
    const count = a.strings.filter((each, i) => !sameBytes(each, b.strings[i] as Uint8Array)).length;
    return count === 0 ? null : `of which ${count} ${count === 1 ? 'differs' : 'differ'}`;
  }
  if (sameBytes(a.bytes, b.bytes)) return null;
  const largest = isBigInt(a.dtype)
    ? largestBigDifference(arrayOf(a) as BigIntegers, arrayOf(b) as BigIntegers)
    : largestDifference(numbersIn(a), numbersIn(b));
  return `that differs by up to ${largest}`;
}

function compareConstants(first: Map<string, Constant>, second: Map<string, Constant>): Difference[] {
  const types = (constants: Map<string, Constant>) => new Map([...constants].map(([name, { type }]) => [name, type]));
  const values: Difference[] = [];
  for (const [name, a] of first) {
    const b = second.get(name);
    const difference = b && a.type === b.type ? differenceOf(a, b) : null;
    if (difference !== null) values.push({ what: 'constant', name, first: a.type, second: `${a.type} ${difference}` });
  }
  return [...compare('constant', types(first), types(second)), ...values];
}

/** Inputs, outputs, nodes and constants that only one has or that differ, by their names. */
export function compareGraphs(first: Graph, second: Graph): Difference[] {
  const [a, b] = [first.view(), second.view()];
  return [
    ...compare('input', describeValues(a, a.inputs), describeValues(b, b.inputs)),
    ...compare('output', describeValues(a, a.outputs), describeValues(b, b.outputs)),
    ...compare('node', describeNodes(a), describeNodes(b)),
    ...compareConstants(constantsOf(first, a), constantsOf(second, b)),
  ];
}
