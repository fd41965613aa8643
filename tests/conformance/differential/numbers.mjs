// Element types, and the arrays that hold them in both engines.

import { toFloat16 } from './half.mjs';

/** Of each dtype: the number in TensorProto.DataType, the array that holds elements, and the range of integers. */
export const dtypes = {
  float32: { code: 1, array: Float32Array },
  uint8: { code: 2, array: Uint8Array, range: [0n, 255n] },
  int8: { code: 3, array: Int8Array, range: [-128n, 127n] },
  uint16: { code: 4, array: Uint16Array, range: [0n, 65535n] },
  int16: { code: 5, array: Int16Array, range: [-32768n, 32767n] },
  int32: { code: 6, array: Int32Array, range: [-(2n ** 31n), 2n ** 31n - 1n] },
  int64: { code: 7, array: BigInt64Array, range: [-(2n ** 63n), 2n ** 63n - 1n] },
  string: { code: 8, array: Array },
  bool: { code: 9, array: Uint8Array, range: [0n, 1n] },
  float16: { code: 10, array: Uint16Array },
  float64: { code: 11, array: Float64Array },
  uint32: { code: 12, array: Uint32Array, range: [0n, 2n ** 32n - 1n] },
  uint64: { code: 13, array: BigUint64Array, range: [0n, 2n ** 64n - 1n] },
};

export const floating = ['float32', 'float32', 'float32', 'float64', 'float16'];
export const signed = ['int8', 'int16', 'int32', 'int64'];
export const unsigned = ['uint8', 'uint16', 'uint32', 'uint64'];
export const integers = [...signed, ...unsigned];
export const numeric = [...floating, ...integers];

export const isFloating = (dtype) => dtype.startsWith('float');

const wide = (dtype) => dtype === 'int64' || dtype === 'uint64';

/** The number of elements of a shape. */
export const countOf = (dims) => dims.reduce((product, extent) => product * extent, 1);

/** The array of `values` (numbers, bigint for integers, or texts). */
export function arrayOf(dtype, values) {
  const { array } = dtypes[dtype];
  if (dtype === 'string') return [...values];
  if (dtype === 'float16') return array.from(values, (value) => toFloat16(Number(value)));
  return wide(dtype) ? array.from(values, BigInt) : array.from(values, Number);
}

/** A tensor of explicit values; `dims` default to those of a vector. */
export function tensor(dtype, values, dims = [values.length]) {
  return { dtype, dims, data: arrayOf(dtype, values) };
}
