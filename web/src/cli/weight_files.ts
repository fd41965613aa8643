/** The files beside an ONNX model that hold weights of it. */

import { dirname, resolve } from 'node:path';
import { fields, text } from '../protobuf.js';

/** By message of an ONNX file: which of its fields lead to tensors, and to what message. */
const inside: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  model: { 7: 'graph', 25: 'function' },
  graph: { 1: 'node', 5: 'tensor', 15: 'sparseTensor' },
  function: { 7: 'node', 11: 'attribute' },
  node: { 5: 'attribute' },
  attribute: { 5: 'tensor', 6: 'graph', 10: 'tensor', 11: 'graph', 22: 'sparseTensor', 23: 'sparseTensor' },
  sparseTensor: { 1: 'tensor', 2: 'tensor' },
  tensor: { 13: 'external' },
};

/** Where the tensors in a message have their elements, as the file gives it. */
function* locations(message: Uint8Array, kind: string): Generator<string> {
  if (kind === 'external') {
    const [key, value] = fields(message);
    if (key && value && text(key) === 'location') yield text(value);
    return;
  }
  for (const { number, bytes } of fields(message)) {
    const part = inside[kind]?.[number];
    if (part) yield* locations(bytes, part);
  }
}

/** The paths of those of the model that is file `path`, of this content. Throws ModelError(Malformed) for what is no model. */
export function weightFilesOf(path: string, model: Uint8Array): Set<string> {
  return new Set(Array.from(locations(model, 'model'), (name) => resolve(dirname(path), name)));
}
