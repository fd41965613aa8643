// The nodes of an ONNX file as text, read field by field and not by the engine.

import { fields, text } from '../../web/dist/protobuf.js';

const int64 = 7;

const all = (message, number) => [...fields(message)].filter((field) => field.number === number);
const first = (message, number) => all(message, number)[0];
const textOf = (message, number) => (first(message, number) ? text(first(message, number)) : '');
const integerOf = (message, number) => first(message, number)?.value ?? 0n;

function* varints(bytes) {
  let [value, shift] = [0n, 0n];
  for (const byte of bytes) {
    value |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
    if (byte >= 0x80) continue;
    yield BigInt.asIntN(64, value);
    [value, shift] = [0n, 0n];
  }
}

/** A repeated field of integers, packed or each by itself. */
const integersOf = (message, number) =>
  all(message, number).flatMap(({ bytes, value }) => (bytes.length > 0 ? [...varints(bytes)] : [value]));

const floatsOf = (bytes) =>
  Array.from({ length: bytes.length / 4 }, (_, i) =>
    Number(new DataView(bytes.buffer, bytes.byteOffset).getFloat32(4 * i, true).toPrecision(6)),
  );

/** The value of an attribute: of floats, integers and texts. */
function attributeValue(message) {
  switch (Number(integerOf(message, 20))) {
    case 1:
      return floatsOf(first(message, 2).bytes)[0];
    case 2:
      return integerOf(message, 3);
    case 3:
      return textOf(message, 4);
    case 6:
      return `[${all(message, 7).flatMap(({ bytes }) => floatsOf(bytes))}]`;
    case 7:
      return `[${integersOf(message, 8)}]`;
    case 8:
      return `[${all(message, 9).map(text)}]`;
    default:
      throw new Error('an attribute of another type');
  }
}

/** Integers as they are, other tensors by name. */
function constantText(message) {
  const name = textOf(message, 8);
  if (Number(integerOf(message, 2)) !== int64) return [name, name];
  const raw = first(message, 9)?.bytes;
  const values = raw
    ? Array.from({ length: raw.length / 8 }, (_, i) =>
        new DataView(raw.buffer, raw.byteOffset).getBigInt64(8 * i, true),
      )
    : integersOf(message, 7);
  return [name, integersOf(message, 1).length === 0 ? `${values[0]}` : `[${values}]`];
}

/**
 * The nodes of a model, one text each, as `Softmax{axis=-1}(x)`: attributes by name as the file has them, then operands:
 * integer constants by their values, other constants and inputs by their names, results of other nodes as `.`, those
 * left out as nothing. `opset`: of the model.
 */
export function onnxText(bytes) {
  const graph = first(bytes, 7).bytes;
  const constants = new Map(all(graph, 5).map((field) => constantText(field.bytes)));
  const inputs = all(graph, 11).map(({ bytes: info }) => textOf(info, 1));
  const operand = (name) => constants.get(name) ?? (name === '' || inputs.includes(name) ? name : '.');
  const nodes = all(graph, 1).map(({ bytes: node }) => {
    const attributes = all(node, 5)
      .map(({ bytes: attribute }) => `${textOf(attribute, 1)}=${attributeValue(attribute)}`)
      .sort();
    const operands = all(node, 1).map((field) => operand(text(field)));
    return `${textOf(node, 4)}${attributes.length > 0 ? `{${attributes.join(' ')}}` : ''}(${operands.join(', ')})`;
  });
  return { nodes, opset: Number(integerOf(first(bytes, 8).bytes, 2)), irVersion: Number(integerOf(bytes, 1)) };
}
