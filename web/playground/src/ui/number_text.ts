/** Numbers as they are typed, for every dtype. */

import type { DType } from 'onemodel';
import { InputError } from './input_error';

export type TypedNumber = number | bigint;

export const isInteger = (dtype: DType) => /^u?int/.test(dtype);

const words: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '+inf': Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};

function integer(text: string, dtype: DType): bigint {
  const digits = /^\+?(-?\d+)(\.0*)?$/.exec(text)?.[1];
  if (digits === undefined) throw new InputError(`'${text}' is no whole number, which ${dtype} takes`);
  const value = BigInt(digits);
  const bits = BigInt(/\d+/.exec(dtype)?.[0] ?? 64);
  const [low, high] = dtype.startsWith('u') ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
  if (value < low || value > high)
    throw new InputError(`${text} is not in ${dtype}, which goes from ${low} to ${high}`);
  return value;
}

function boolean(text: string): number {
  const value = ['false', 'true'].indexOf(text.toLowerCase());
  if (value >= 0) return value;
  if (text === '0' || text === '1') return Number(text);
  throw new InputError(`'${text}' is no bool: true, false, 1 or 0`);
}

/** The number that a text without spaces means. Throws InputError for one that `dtype` cannot hold. */
export function parseNumber(text: string, dtype: DType): TypedNumber {
  if (dtype === 'bool') return boolean(text);
  if (isInteger(dtype)) return dtype.endsWith('64') ? integer(text, dtype) : Number(integer(text, dtype));
  const word = words[text.toLowerCase().replace('infinity', 'inf')];
  const value = word ?? (text === '' ? Number.NaN : Number(text));
  if (word === undefined && Number.isNaN(value)) throw new InputError(`'${text}' is no number`);
  return value;
}
