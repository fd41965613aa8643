/** Free dimensions that get a size when a model is loaded. */

import type { Graph } from '../graph.js';
import { graphOfOnnx } from '../load.js';
import { bytesField, changeFields, type Field, integerField, text } from '../protobuf.js';

type Sizes = Readonly<Record<string, number>>;

// Fields of onnx.proto on the way to a dimension.
const modelGraph = 7;
const graphInputsOutputsValues = [11, 12, 13];
const path = [2, 1, 2]; // ValueInfoProto.type, TypeProto.tensor_type, TypeProto.Tensor.shape
const shapeDim = 1;
const dimValue = 1;
const dimParam = 2;

const isSized = (sizes: Sizes, name: string) => Object.hasOwn(sizes, name);

/** The names that a formula such as `floor((n - 3) / 2) + 1` or `2*n` is made of. */
const partsOf = (formula: string) => formula.split(/[*+\-/(), ]+/);

/** A dimension with its size; without any when it is a formula of one that has a size now, for the engine to infer. */
function sizedDim(dim: Uint8Array, sizes: Sizes): Uint8Array {
  return changeFields(dim, (field) => {
    if (field.number !== dimParam) return undefined;
    const name = text(field);
    if (isSized(sizes, name)) return integerField(dimValue, sizes[name] as number);
    return partsOf(name).some((part) => isSized(sizes, part)) ? new Uint8Array() : undefined;
  });
}

/** `change` applied to the message that lies in these fields, one inside the other. */
function within(
  message: Uint8Array,
  [first, ...rest]: readonly number[],
  change: (m: Uint8Array) => Uint8Array,
): Uint8Array {
  if (first === undefined) return change(message);
  return changeFields(message, (field) =>
    field.number === first ? bytesField(first, within(field.bytes, rest, change)) : undefined,
  );
}

function sizedValue(value: Field, sizes: Sizes): Uint8Array {
  const change = (dim: Uint8Array) => sizedDim(dim, sizes);
  return bytesField(value.number, within(value.bytes, [...path, shapeDim], change));
}

/** The file with the named dimensions of inputs, outputs and inner values given their sizes. */
function sizedFile(file: Uint8Array, sizes: Sizes): Uint8Array {
  return within(file, [modelGraph], (graph) =>
    changeFields(graph, (field) =>
      graphInputsOutputsValues.includes(field.number) ? sizedValue(field, sizes) : undefined,
    ),
  );
}

/**
 * The graph with these sizes for symbolic dimensions of its inputs, by name; other names are passed over, as ONNX Runtime
 * does. The graph itself when nothing changes, else a new one, and `graph` is disposed of.
 */
export function withFreeDimensions(graph: Graph, sizes: Sizes): Graph {
  const { inputs, values } = graph.view();
  const isUsed = inputs.some((id) => values[id]?.shape.some((extent) => isSized(sizes, String(extent))));
  if (!isUsed) return graph;
  const file = sizedFile(graph.toOnnx(), sizes);
  const sized = graphOfOnnx(file);
  graph.dispose();
  return sized;
}
