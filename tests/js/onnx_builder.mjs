// Small .onnx files, field by field.

import { bytesField, integerField } from '../../web/dist/protobuf.js';

const join = (...parts) => new Uint8Array(Buffer.concat(parts.flat()));
const text = (number, value) => bytesField(number, new TextEncoder().encode(value));
const float = 1;

const shapeOf = (dims) =>
  join(dims.map((dim) => bytesField(1, typeof dim === 'number' ? integerField(1, dim) : text(2, dim))));

/** A type: of a tensor with these dims (null: rank not told), or `holding` such tensors. */
export const tensorType = (dims, type = float) =>
  bytesField(1, join(integerField(1, type), dims === null ? [] : bytesField(2, shapeOf(dims))));
export const sequenceType = (inner) => bytesField(4, bytesField(1, inner));
export const optionalType = (inner) => bytesField(9, bytesField(1, inner));

const valueInfo =
  (number) =>
  ([name, type]) =>
    bytesField(number, join(text(1, name), bytesField(2, type)));

const node = ([op, inputs, outputs]) =>
  bytesField(
    1,
    join(
      inputs.map((each) => text(1, each)),
      outputs.map((each) => text(2, each)),
      text(3, `${op}_node`),
      text(4, op),
    ),
  );

const initializer = ([name, values]) =>
  bytesField(
    5,
    join(
      integerField(1, values.length),
      integerField(2, float),
      text(8, name),
      bytesField(9, new Uint8Array(values.buffer)),
    ),
  );

/** Rows and columns of float32 that lie in file `location` from `offset` on. */
const external = ([name, { rows, columns, offset, location = 'weights.bin' }]) => {
  const entry = (key, value) => bytesField(13, join(text(1, key), text(2, value)));
  return bytesField(
    5,
    join(
      [integerField(1, rows), integerField(1, columns), integerField(2, float), text(8, name)],
      [entry('location', location), entry('offset', `${offset}`), integerField(14, 1)],
    ),
  );
};

/**
 * The bytes of a model. `inputs` and `outputs`: types by name; `initializers`: Float32Arrays by name; `externals`: where
 * others lie, by name; `nodes`: lists of operator, inputs and outputs.
 */
export function modelFile({ inputs, outputs, nodes, initializers = {}, externals = {}, irVersion = 9, opset = 20 }) {
  const graph = join(
    nodes.map(node),
    text(2, 'small'),
    Object.entries(initializers).map(initializer),
    Object.entries(externals).map(external),
    Object.entries(inputs).map(valueInfo(11)),
    Object.entries(outputs).map(valueInfo(12)),
  );
  return join(integerField(1, irVersion), bytesField(7, graph), bytesField(8, integerField(2, opset)));
}

/** y = x * w + b, where w (2) and b (1) have defaults. */
export const scaledFile = (irVersion) =>
  modelFile({
    inputs: { w: tensorType([1]), x: tensorType(['n']), b: tensorType([1]) },
    initializers: { w: Float32Array.of(2), b: Float32Array.of(1) },
    nodes: [
      ['Mul', ['x', 'w'], ['scaled']],
      ['Add', ['scaled', 'b'], ['y']],
    ],
    outputs: { y: tensorType(['n']) },
    irVersion,
  });

/** How many tensors are in s, whether there is one in o, and both as they are. */
export const sequencesFile = () =>
  modelFile({
    inputs: { s: sequenceType(tensorType(['n'])), o: optionalType(tensorType(['m'])) },
    nodes: [
      ['SequenceLength', ['s'], ['count']],
      ['OptionalHasElement', ['o'], ['given']],
      ['Identity', ['s'], ['same']],
      ['Identity', ['o'], ['kept']],
    ],
    outputs: {
      count: tensorType([], 7),
      given: tensorType([], 9),
      same: sequenceType(tensorType(null)),
      kept: optionalType(tensorType(null)),
    },
  });
