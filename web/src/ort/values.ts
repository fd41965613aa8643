/** Between the tensors of onnxruntime-common and those of the engine. */

import type { OnnxValue, Tensor as OrtTensor } from 'onnxruntime-common';
import { tensor } from '../create.js';
import type { DType, TypedArray } from '../dtype.js';
import { ArgumentError, DTypeError, ShapeError } from '../errors.js';
import type { ValueInfo } from '../session_feeds.js';
import type { Tensor } from '../tensor.js';

/** A tensor of onnxruntime-common as far as it is used: any copy of the package makes them. */
type Value = Pick<OrtTensor, 'type' | 'data' | 'dims' | 'location'>;

const refused = ['string', 'int4', 'uint4'];

function bytesOf(data: OrtTensor.DataType): Uint8Array {
  const { buffer, byteOffset, byteLength } = data as TypedArray;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function checkLocation(what: string, value: Value): void {
  if (value.location === 'cpu' || value.location === 'cpu-pinned') return;
  throw new ArgumentError(`${what}: expected a tensor on the CPU, got one at '${value.location}'`, 'Argument');
}

/** Float16Array, where it exists, as its bits. */
function arrayOf(value: Value): TypedArray {
  if (value.type !== 'float16') return value.data as TypedArray;
  const { buffer, byteOffset, length } = value.data as Uint16Array;
  return new Uint16Array(buffer, byteOffset, length);
}

/** The engine's copy of a feed. Throws ArgumentError and DTypeError saying which input cannot be taken. */
export function toEngine(name: string, value: OnnxValue): Tensor {
  const what = `run: input '${name}'`;
  if (typeof value !== 'object' || value === null || !('type' in value)) {
    throw new ArgumentError(`${what}: expected a Tensor of onnxruntime-common`, 'Argument');
  }
  checkLocation(what, value);
  if (refused.includes(value.type)) throw new DTypeError(`${what}: ${value.type} tensors are not supported`, 'DType');
  return tensor(arrayOf(value), { dtype: value.type as DType, shape: value.dims });
}

/** Throws unless the tensor that the caller brought for an output can hold what the model gives there. */
export function checkTarget({ name, dtype }: ValueInfo, target: Value): void {
  const what = `run: the tensor for output '${name}'`;
  checkLocation(what, target);
  if (target.type !== dtype) throw new DTypeError(`${what} has type ${target.type}, expected ${dtype}`, 'DType');
}

/** As `checkTarget`, of the shape that the run gave. */
export function checkTargetShape(name: string, result: Tensor, target: Value): void {
  const { shape } = result;
  if (shape.length === target.dims.length && shape.every((extent, i) => extent === target.dims[i])) return;
  throw new ShapeError(`run: the tensor for output '${name}' has shape [${target.dims}], expected [${shape}]`, 'Shape');
}

/** The result as onnxruntime-common takes it: in the tensor that the caller brought, or with an array of its own. */
export function fromEngine(result: Tensor, target: OnnxValue | null): OnnxValue {
  if (target === null)
    return { type: result.dtype, data: result.data, dims: [...result.shape] } as unknown as OnnxValue;
  bytesOf(target.data).set(bytesOf(result.data as OrtTensor.DataType));
  return target;
}
