// Small models: nodes over named tensors, and the ONNX file of them.

import { dtypes } from './numbers.mjs';
import { bytes, integer, real, repeated } from './protobuf.mjs';

/** The newest opset that both engines read. */
export const newest = 23;

class Reals {
  constructor(value) {
    this.value = value;
  }
}

/** Marks an attribute as float or floats: plain numbers are integers. */
export const float = (value) => new Reals(value);

/**
 * A model of one node. `inputs`: tensors, null for one left out; a tensor with `constant` is an initializer. `outputs`:
 * how many are asked for. `symbolic`: inputs are declared with names in place of sizes.
 */
export function single(op, inputs, attributes = {}, { outputs = 1, opset = newest, symbolic = false } = {}) {
  const names = Array.from({ length: outputs }, (_, i) => `y${i}`);
  const node = { op, attributes, inputs: inputs.map((each, i) => (each ? `x${i}` : '')), outputs: names };
  const tensors = inputs.flatMap((each, i) => (each ? [{ name: `x${i}`, ...each }] : []));
  return { nodes: [node], tensors, outputs: [...names], opset, symbolic };
}

function tensorProto({ name, dtype, dims, data }) {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return [
    ...repeated(1, dims, integer),
    ...integer(2, dtypes[dtype].code),
    ...(name ? bytes(8, name) : []),
    ...bytes(9, raw),
  ];
}

function attributeContent(value) {
  if (value instanceof Reals) {
    return Array.isArray(value.value)
      ? [...repeated(7, value.value, real), ...integer(20, 6)]
      : [...real(2, value.value), ...integer(20, 1)];
  }
  if (typeof value === 'string') return [...bytes(4, value), ...integer(20, 3)];
  if (typeof value === 'number') return [...integer(3, value), ...integer(20, 2)];
  if (Array.isArray(value)) {
    return typeof value[0] === 'string'
      ? [...repeated(9, value, bytes), ...integer(20, 8)]
      : [...repeated(8, value, integer), ...integer(20, 7)];
  }
  return [...bytes(5, tensorProto(value)), ...integer(20, 4)];
}

function nodeProto({ op, attributes, inputs, outputs }, i) {
  const present = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return [
    ...repeated(1, inputs, bytes),
    ...repeated(2, outputs, bytes),
    ...bytes(3, `node${i}`),
    ...bytes(4, op),
    ...present.flatMap(([name, value]) => bytes(5, [...bytes(1, name), ...attributeContent(value)])),
  ];
}

function valueInfo({ name, dtype, dims }, symbolic) {
  const extents = dims.map((size, i) => bytes(1, symbolic ? bytes(2, `${name}_${i}`) : integer(1, size)));
  const type = [...integer(1, dtypes[dtype].code), ...bytes(2, extents.flat())];
  return [...bytes(1, name), ...bytes(2, bytes(1, type))];
}

/** What is fed, in order. */
export const fed = (model) => model.tensors.filter(({ constant }) => !constant);

/** The .onnx file of a model. Outputs are declared by name only: both engines infer their types. */
export function fileOf(model) {
  const constants = model.tensors.filter(({ constant }) => constant);
  const graph = [
    ...model.nodes.flatMap((node, i) => bytes(1, nodeProto(node, i))),
    ...bytes(2, 'drawn'),
    ...constants.flatMap((each) => bytes(5, tensorProto(each))),
    ...fed(model).flatMap((each) => bytes(11, valueInfo(each, model.symbolic))),
    ...model.outputs.flatMap((name) => bytes(12, bytes(1, name))),
  ];
  const opset = [...bytes(1, ''), ...integer(2, model.opset)];
  return Uint8Array.from([...integer(1, 10), ...bytes(7, graph), ...bytes(8, opset)]);
}

const mostShown = 24;

function dataText({ dtype, data }, show) {
  const values = Array.from(data.slice(0, mostShown), (value) => show(dtype, value));
  return values.join(' ') + (data.length > mostShown ? ' …' : '');
}

/** A tensor as "float32[2, 3] {1 2 …}". */
export function tensorText(each, show = (_, value) => value) {
  return `${each.dtype}[${each.dims.join(', ')}] {${dataText(each, show)}}`;
}

function attributeText([name, value]) {
  const plain = value instanceof Reals ? value.value : value.data ? tensorText(value) : value;
  return `${name}=${JSON.stringify(plain)}${value instanceof Reals ? 'f' : ''}`;
}

/** A model as text that says everything about it. */
export function textOf(model) {
  const nodes = model.nodes.map(({ op, attributes, inputs, outputs }) => {
    const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
    return `  ${outputs.join(', ')} = ${op}(${inputs.join(', ')}) ${given.map(attributeText).join(' ')}`;
  });
  const tensors = model.tensors.map((each) => `  ${each.constant ? 'constant ' : ''}${each.name}: ${tensorText(each)}`);
  return [`opset ${model.opset}${model.symbolic ? ', symbolic' : ''}`, ...nodes, ...tensors].join('\n');
}
