/** What is different between two graphs. */

import { tensor } from '../create.js';
import { arrayType, type DType, type TypedArray } from '../dtype.js';
import type { Graph, GraphView } from '../graph.js';
import { scope } from '../memory.js';
import { fields, text } from '../protobuf.js';
import { numbersOf } from './elements.js';
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
}

// Fields of onnx.proto.
const [modelGraph, graphInitializer, tensorName, tensorRawData] = [7, 5, 8, 9];

/** Name and bytes of each initializer of an .onnx file. */
function* initializersIn(file: Uint8Array): Generator<[string, Uint8Array]> {
  for (const part of fields(file)) {
    if (part.number !== modelGraph) continue;
    for (const { number, bytes } of fields(part.bytes)) {
      if (number !== graphInitializer) continue;
      const entries = [...fields(bytes)];
      const name = entries.find((entry) => entry.number === tensorName);
      const raw = entries.find((entry) => entry.number === tensorRawData);
      if (name) yield [text(name), raw?.bytes ?? new Uint8Array()];
    }
  }
}

/** The constants that nodes of a graph use, with their bytes, as its .onnx file has them. */
function constantsOf(graph: Graph, view: GraphView): Map<string, Constant> {
  const values = new Map(view.values.map((value) => [value.name, value]));
  const constants = new Map<string, Constant>();
  for (const [name, bytes] of initializersIn(graph.toOnnx())) {
    const value = values.get(name);
    if (value) constants.set(name, { type: typeText(value), dtype: value.dtype, bytes });
  }
  return constants;
}

/** The elements as numbers. */
function numbersIn({ dtype, bytes }: Constant): Float64Array {
  const ArrayType = arrayType(dtype) as unknown as new (buffer: ArrayBuffer) => TypedArray;
  return scope(() => numbersOf(tensor(new ArrayType(bytes.slice().buffer as ArrayBuffer), { dtype })));
}

const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

function compareConstants(first: Map<string, Constant>, second: Map<string, Constant>): Difference[] {
  const types = (constants: Map<string, Constant>) => new Map([...constants].map(([name, { type }]) => [name, type]));
  const values: Difference[] = [];
  for (const [name, a] of first) {
    const b = second.get(name);
    if (!b || a.type !== b.type || sameBytes(a.bytes, b.bytes)) continue;
    const largest = largestDifference(numbersIn(a), numbersIn(b));
    values.push({ what: 'constant', name, first: a.type, second: `${b.type} that differs by up to ${largest}` });
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
