/** Element types and the typed arrays that hold them. */

import { ArgumentError } from './errors.js';

/** Numbers are those of ONNX's TensorProto.DataType. */
const table = {
  float32: { code: 1, array: Float32Array },
  uint8: { code: 2, array: Uint8Array },
  int8: { code: 3, array: Int8Array },
  uint16: { code: 4, array: Uint16Array },
  int16: { code: 5, array: Int16Array },
  int32: { code: 6, array: Int32Array },
  int64: { code: 7, array: BigInt64Array },
  bool: { code: 9, array: Uint8Array },
  float16: { code: 10, array: Uint16Array },
  float64: { code: 11, array: Float64Array },
  uint32: { code: 12, array: Uint32Array },
  uint64: { code: 13, array: BigUint64Array },
  bfloat16: { code: 16, array: Uint16Array },
} as const;

/** The name of an element type. */
export type DType = keyof typeof table;

/** The arrays that hold elements: int64 as BigInt64Array, bool as Uint8Array of 0 and 1, float16 and bfloat16 as
 * Uint16Array of their bits. */
export type TypedArray<Buffer extends ArrayBufferLike = ArrayBufferLike> =
  | Float32Array<Buffer>
  | Float64Array<Buffer>
  | Int8Array<Buffer>
  | Uint8Array<Buffer>
  | Int16Array<Buffer>
  | Uint16Array<Buffer>
  | Int32Array<Buffer>
  | Uint32Array<Buffer>
  | BigInt64Array<Buffer>
  | BigUint64Array<Buffer>;

const names = new Map<number, DType>(Object.entries(table).map(([name, { code }]) => [code, name as DType]));

/** The engine's number for a dtype. Throws ArgumentError for an unknown name. */
export function dtypeCode(dtype: DType): number {
  if (!Object.hasOwn(table, dtype)) {
    throw new ArgumentError(`unknown dtype '${String(dtype)}' (known: ${Object.keys(table).join(', ')})`, 'Argument');
  }
  return table[dtype].code;
}

/** The dtype of one of the engine's numbers. */
export function dtypeOfCode(code: number): DType {
  return names.get(code) as DType;
}

/** The constructor of the array that holds `dtype`. */
export function arrayType(dtype: DType): (typeof table)[DType]['array'] {
  return table[dtype].array;
}

/** The least and the largest value of an integer dtype. */
export function integerRange(dtype: DType): [bigint, bigint] {
  const bits = BigInt(8 * arrayType(dtype).BYTES_PER_ELEMENT);
  return dtype.startsWith('u') ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}

/** Whether the elements of `dtype` are bigint in JavaScript. */
export function isBigInt(dtype: DType): boolean {
  return dtype === 'int64' || dtype === 'uint64';
}

/** The dtype that a typed array holds unless told otherwise. Throws ArgumentError for an array that is none of the above. */
export function dtypeOfArray(array: TypedArray): DType {
  for (const name of Object.keys(table) as DType[]) {
    if (array instanceof table[name].array) return name === 'bool' ? 'uint8' : name;
  }
  throw new ArgumentError(`tensor: a ${(array as object).constructor.name} has no dtype`, 'Argument');
}

const scratch = new DataView(new ArrayBuffer(4));

/** The number that float16 bits mean. */
export function fromFloat16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The number that bfloat16 bits mean. */
export function fromBFloat16(bits: number): number {
  scratch.setUint32(0, bits << 16);
  return scratch.getFloat32(0);
}
