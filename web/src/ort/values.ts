/** Between the tensors of onnxruntime-common and those of the engine. */

import type { OnnxValue, Tensor as OrtTensor } from 'onnxruntime-common';
import { listOf, unexpected } from '../arguments.js';
import { type NestedStrings, tensor } from '../create.js';
import type { DType, TypedArray } from '../dtype.js';
import { ArgumentError, DTypeError, ShapeError } from '../errors.js';
import type { ValueInfo } from '../session_feeds.js';
import type { Tensor } from '../tensor.js';

/** A tensor of onnxruntime-common as far as it is used: any copy of the package makes them. */
type Value = Pick<OrtTensor, 'type' | 'data' | 'dims' | 'location'>;

/** Whether onnxruntime-common has tensors of `dtype`. */
export function isOrtType(dtype: DType): dtype is DType & OrtTensor.Type {
  return !/^(bfloat16|float[48]\D.*|u?int2)$/.test(dtype);
}

/** Types of onnxruntime-common whose Uint8Array has two elements in a byte, the first in its lower half. */
const isPacked = (type: string): boolean => type === 'uint4' || type === 'int4';

function unpack(what: string, { data, dims, type }: Value): TypedArray {
  const size = dims.reduce((product, extent) => product * extent, 1);
  const packed = bytesOf(data);
  if (packed.length !== Math.ceil(size / 2)) {
    throw new ShapeError(
      `${what}: [${dims}] of ${type} is ${Math.ceil(size / 2)} bytes, got ${packed.length}`,
      'Shape',
    );
  }
  const bits = Uint8Array.from({ length: size }, (_, i) => ((packed[i >> 1] as number) >> (4 * (i & 1))) & 15);
  return type === 'uint4' ? bits : Int8Array.from(bits, (value) => (value << 28) >> 28);
}

/** The elements of a result as onnxruntime-common has them. */
function dataOf(result: Tensor): TypedArray | string[] {
  const { data, dtype } = result;
  if (!isPacked(dtype)) return data;
  const elements = data as Uint8Array | Int8Array;
  const packed = new Uint8Array(Math.ceil(elements.length / 2));
  elements.forEach((value, i) => {
    packed[i >> 1] = (packed[i >> 1] as number) | ((value & 15) << (4 * (i & 1)));
  });
  return packed;
}

function bytesOf(data: OrtTensor.DataType): Uint8Array {
  const { buffer, byteOffset, byteLength } = data as TypedArray;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Throws ArgumentError for what is no tensor in memory. */
function checkValue(what: string, value: unknown): asserts value is Value {
  if (typeof value !== 'object' || value === null || !('type' in value)) {
    throw unexpected(what, 'a Tensor of onnxruntime-common', value);
  }
  const { location, dims } = value as Value;
  if (location !== 'cpu' && location !== 'cpu-pinned') {
    throw new ArgumentError(`${what}: expected a tensor on the CPU, got one at '${location}'`, 'Argument');
  }
  listOf(`${what}: dims`, dims, 'extents');
  const { data } = value as Value;
  if (!Array.isArray(data) && !ArrayBuffer.isView(data)) throw unexpected(`${what}: data`, 'a typed array', data);
}

/** The elements as the engine takes them: Float16Array, where it exists, as its bits. */
function elementsOf(what: string, value: Value): TypedArray | NestedStrings {
  if (value.type === 'string') return value.data as string[];
  if (isPacked(value.type)) return unpack(what, value);
  if (value.type !== 'float16') return value.data as TypedArray;
  const { buffer, byteOffset, length } = value.data as Uint16Array;
  return new Uint16Array(buffer, byteOffset, length);
}

/** The engine's copy of a feed. Throws ArgumentError and DTypeError saying which input cannot be taken. */
export function toEngine(name: string, value: OnnxValue): Tensor {
  const what = `run: input '${name}'`;
  checkValue(what, value);
  return tensor(elementsOf(what, value), { dtype: value.type as DType, shape: value.dims });
}

/** Throws unless the tensor that the caller brought for an output can hold what the model gives there. */
export function checkTarget({ name, dtype }: ValueInfo, target: OnnxValue): void {
  const what = `run: the tensor for output '${name}'`;
  checkValue(what, target);
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
  const data = dataOf(result);
  if (target === null) return { type: result.dtype, data, dims: [...result.shape] } as unknown as OnnxValue;
  if (Array.isArray(data)) {
    for (const [i, text] of data.entries()) (target.data as string[])[i] = text;
  } else {
    bytesOf(target.data).set(bytesOf(data as OrtTensor.DataType));
  }
  return target;
}
