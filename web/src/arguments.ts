/** Checks of what callers give. Errors say who asked, what was expected and what came. */

import type { Attribute } from './call.js';
import { describe } from './describe.js';
import { ArgumentError } from './errors.js';
import { guess } from './similar.js';
import { Tensor } from './tensor.js';

/** The error for an argument of another kind; `use` names function and argument. */
export function unexpected(use: string, what: string, got: unknown): ArgumentError {
  return new ArgumentError(`${use}: expected ${what}, got ${describe(got)}`, 'Argument');
}

/** What other libraries call options. */
const elsewhere: Readonly<Record<string, string>> = {
  dim: 'axis',
  axis: 'dim',
  epsilon: 'eps',
  learningRate: 'lr',
  useBias: 'bias',
  dilationRate: 'dilation',
};

/**
 * `options`, made sure of. Throws ArgumentError naming `owner` for what is no object of options, and for a key that is
 * not among `known`.
 */
export function checkedOptions<T extends object>(owner: string, options: T, known: readonly string[]): T {
  const isObject = typeof options === 'object' && options !== null && !Array.isArray(options);
  // A Map, a Date or a module has nothing to see, and would be taken for no options at all.
  if (!isObject || options instanceof Tensor || !(isPlainObject(options) || Object.keys(options).length > 0)) {
    throw unexpected(owner, known.length > 0 ? `an object of options (${known.join(', ')})` : 'no options', options);
  }
  for (const name in options) {
    if (known.includes(name)) continue;
    const others = known.length > 0 ? `known: ${known.join(', ')}` : 'there are none';
    throw new ArgumentError(
      `${owner}: unknown option '${name}'${guess(name, known, elsewhere)} (${others})`,
      'Argument',
    );
  }
  return options;
}

/** The values of the options `names`, in that order. Throws as `checkedOptions` does. */
export function valuesOf(owner: string, options: object, names: readonly string[]): Attribute[] {
  const values = checkedOptions(owner, options, names) as Record<string, Attribute>;
  return names.map((name) => values[name]);
}

/** Throws ArgumentError naming `owner` for an object where `args`, the values by position, have a value. */
export function checkPositional(owner: string, args: readonly Attribute[]): void {
  args.forEach((value, i) => {
    if (!isPlainObject(value)) return;
    const got = `${describe(value)} (${Object.keys(value).join(', ')})`;
    throw new ArgumentError(
      `${owner}: argument ${i}: what is required goes by position, before the object of options; got ${got}`,
      'Argument',
    );
  });
}

/** Those of the options that are among `names`. */
export function picked<T extends object>(options: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name))) as T;
}

/** What helps when an array or a tensor of something else was given in the place of a tensor; "" for anything else. */
export function foreignHint(value: unknown): string {
  if (typeof value !== 'object' || value === null || value instanceof Tensor) return '';
  if (value instanceof Promise) return ': await it first';
  if (Array.isArray(value)) {
    const hasTensors = value.some((each) => each instanceof Tensor);
    return hasTensors ? ', of tensors: give one of them' : ', of which om.tensor([…]) makes one';
  }
  if (ArrayBuffer.isView(value)) return ', of which om.tensor(values, { shape: […] }) makes one';
  if ('dims' in value && 'data' in value && 'type' in value) {
    return ', which is one of ONNX Runtime: give om.tensor(x.data, { shape: x.dims }), or use the sessions of onemodel/ort';
  }
  if (value.constructor?.name !== 'Tensor') return '';
  return ', which is one of another library, or of another copy of this package';
}

/** The engine's number for `value`. Throws ArgumentError naming `use` unless it is a tensor that lives. */
export function handleOf(use: string, value: Tensor): number {
  if (value instanceof Tensor) return value.handleFor(use);
  throw new ArgumentError(`${use}: expected a tensor, got ${describe(value)}${foreignHint(value)}`, 'Argument');
}

/** A list of tensors that live. Throws ArgumentError naming `use` and the place of anything else. */
export function tensorsOf(use: string, values: readonly Tensor[]): readonly Tensor[] {
  listOf(use, values, 'tensors').forEach((each, i) => {
    handleOf(`${use}[${i}]`, each);
  });
  return values;
}

/** Throws ArgumentError naming `use` for what is no function. */
export function checkFunction(use: string, fn: unknown): void {
  if (typeof fn !== 'function') throw unexpected(use, 'a function', fn);
}

/** Throws ArgumentError naming `use` for what is no AbortSignal, or nothing. */
export function checkAbortSignal(use: string, signal: AbortSignal | null | undefined): void {
  const isSignal = typeof signal?.aborted === 'boolean' && typeof signal.addEventListener === 'function';
  if (signal !== undefined && signal !== null && !isSignal) throw unexpected(use, 'an AbortSignal', signal);
}

/** A list of anything. Throws ArgumentError naming `use` for what is no array. */
export function listOf<T>(use: string, values: readonly T[], what: string): readonly T[] {
  if (Array.isArray(values)) return values;
  throw unexpected(use, `a list of ${what}`, values);
}

/** An object whose keys are names. Throws ArgumentError naming `use` for anything else. */
export function recordOf<T extends object>(use: string, values: T, what: string): T {
  if (values instanceof Map) throw unexpected(use, `an object with ${what} (Object.fromEntries makes one)`, values);
  const hasState = typeof (values as { stateDict?: unknown } | null)?.stateDict === 'function';
  if (hasState) throw unexpected(use, `an object with ${what} (its stateDict(), for example)`, values);
  if (typeof values === 'object' && values !== null && !Array.isArray(values)) return values;
  throw unexpected(use, `an object with ${what}`, values);
}

/** A text. Throws ArgumentError naming `use` for anything else. */
export function textOf(use: string, value: string): string {
  if (typeof value === 'string') return value;
  throw unexpected(use, 'a text', value);
}

/** Throws ArgumentError naming `use` for a text with half a surrogate pair, which no file can hold. */
export function checkName(use: string, name: string): void {
  if (!/\p{Surrogate}/u.test(name)) return;
  throw new ArgumentError(`${use}: ${JSON.stringify(name)} has half a surrogate pair, which is no text`, 'Argument');
}

/** A number, NaN and infinities included; booleans are 0 and 1. Throws ArgumentError naming `use` for anything else. */
export function numberOf(use: string, value: number): number {
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value);
  throw unexpected(use, 'a number', value);
}

/** Whether it is `exact`. Throws ArgumentError naming `use` for another word than these two. */
export function isExactOf(use: string, arithmetic: 'fast' | 'exact'): boolean {
  if (arithmetic === 'fast' || arithmetic === 'exact') return arithmetic === 'exact';
  throw new ArgumentError(`${use} expects 'fast' or 'exact', got '${arithmetic}'`, 'Argument');
}

/** True or false. Throws ArgumentError naming `use` for anything else. */
export function flagOf(use: string, value: boolean): boolean {
  if (typeof value === 'boolean') return value;
  throw unexpected(use, 'true or false', value);
}

/** An integer of `least` or more. Throws ArgumentError naming `use` for anything else. */
export function integerOf(use: string, value: number, least = Number.MIN_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  const range = least === Number.MIN_SAFE_INTEGER ? '' : ` of ${least} or more`;
  throw unexpected(use, `an integer${range}`, value);
}

/** Whether `value` is an object that holds parts by name, such as `{ids, mask}`. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
