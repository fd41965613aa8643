/** Element types and the typed arrays that hold them. */

import { describe } from './describe.js';
import { ArgumentError } from './errors.js';
import { guess } from './similar.js';

interface Entry {
  code: number;
  array: (typeof arrays)[number];
  /** The array holds the numbers' bits, not their values. */
  bits?: true;
}

const arrays = [
  Float32Array,
  Float64Array,
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
] as const;

/** Numbers are those of ONNX's TensorProto.DataType. The first dtype with an array is what such an array holds. */
const table = {
  float32: { code: 1, array: Float32Array },
  uint8: { code: 2, array: Uint8Array },
  int8: { code: 3, array: Int8Array },
  uint16: { code: 4, array: Uint16Array },
  int16: { code: 5, array: Int16Array },
  int32: { code: 6, array: Int32Array },
  int64: { code: 7, array: BigInt64Array },
  bool: { code: 9, array: Uint8Array },
  float16: { code: 10, array: Uint16Array, bits: true },
  float64: { code: 11, array: Float64Array },
  uint32: { code: 12, array: Uint32Array },
  uint64: { code: 13, array: BigUint64Array },
  bfloat16: { code: 16, array: Uint16Array, bits: true },
  string: { code: 8, array: Uint32Array },
  float8e4m3fn: { code: 17, array: Uint8Array, bits: true },
  float8e4m3fnuz: { code: 18, array: Uint8Array, bits: true },
  float8e5m2: { code: 19, array: Uint8Array, bits: true },
  float8e5m2fnuz: { code: 20, array: Uint8Array, bits: true },
  uint4: { code: 21, array: Uint8Array },
  int4: { code: 22, array: Int8Array },
  float4e2m1: { code: 23, array: Uint8Array, bits: true },
  float8e8m0: { code: 24, array: Uint8Array, bits: true },
  uint2: { code: 25, array: Uint8Array },
  int2: { code: 26, array: Int8Array },
} as const satisfies Record<string, Entry>;

/** The name of an element type. */
export type DType = keyof typeof table;

/** The arrays that hold elements: int64 as BigInt64Array, bool as Uint8Array of 0 and 1, float16 and bfloat16 as
 * Uint16Array and floats of 8 and 4 bits as Uint8Array of their bits, integers of 4 and 2 bits one to an element. */
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

/** The array that holds elements of the dtype `D`. */
export type ArrayOf<D extends DType> = D extends 'string' ? string[] : InstanceType<(typeof table)[D]['array']>;

const names = new Map<number, DType>(Object.entries(table).map(([name, { code }]) => [code, name as DType]));

/** Names of dtypes elsewhere. */
const aliases: Readonly<Record<string, DType>> = {
  float: 'float32',
  double: 'float64',
  half: 'float16',
  long: 'int64',
  int: 'int32',
  short: 'int16',
  byte: 'uint8',
  boolean: 'bool',
};

function unknownDtype(dtype: unknown): ArgumentError {
  const known = Object.keys(table).join(', ');
  if (typeof dtype !== 'string') {
    const inside = (dtype as { dtype?: unknown } | null | undefined)?.dtype;
    const hint = typeof inside === 'string' ? `: give '${inside}' itself` : '';
    return new ArgumentError(`expected a dtype, got ${describe(dtype)}${hint} (known: ${known})`, 'Argument');
  }
  const meant = guess(dtype, Object.keys(table), aliases);
  return new ArgumentError(`unknown dtype '${dtype}'${meant} (known: ${known})`, 'Argument');
}

/** The engine's number for a dtype. Throws ArgumentError for an unknown name. */
export function dtypeCode(dtype: DType): number {
  if (!Object.hasOwn(table, dtype)) throw unknownDtype(dtype);
  return table[dtype].code;
}

/** The dtype of one of the engine's numbers. */
export function dtypeOfCode(code: number): DType {
  return names.get(code) as DType;
}

/** The constructor of the array that holds `dtype`: for strings, which script does not see so, the engine's numbers. */
export function arrayType(dtype: DType): (typeof table)[DType]['array'] {
  return table[dtype].array;
}

/** Whether the array that holds `dtype` has the bits of its numbers. */
export function holdsBits(dtype: DType): boolean {
  return (table[dtype] as Entry).bits === true;
}

/** Bits of an element of less than 8 bits, else 8 or more. */
export function bitsOf(dtype: DType): number {
  const few = /^(?:u?int|float)([24])(?:e2m1)?$/.exec(dtype)?.[1];
  return few ? Number(few) : 8 * table[dtype].array.BYTES_PER_ELEMENT;
}

/** The least and the largest value of an integer dtype. */
export function integerRange(dtype: DType): [bigint, bigint] {
  const bits = BigInt(bitsOf(dtype));
  return dtype.startsWith('u') ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}

/** Whether the elements of `dtype` are bigint in JavaScript. */
export function isBigInt(dtype: DType): boolean {
  return dtype === 'int64' || dtype === 'uint64';
}

/** The dtype that a typed array holds unless told otherwise. Throws ArgumentError for an array that is none of the above. */
export function dtypeOfArray(array: TypedArray): DType {
  for (const name of Object.keys(table) as DType[]) {
    if (array instanceof table[name].array) return name;
  }
  throw new ArgumentError(`tensor: a ${(array as object).constructor.name} has no dtype`, 'Argument');
}
