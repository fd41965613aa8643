/** Names for sizes that may vary, sizes derived from them, and hints. */

import { checkedOptions } from '../arguments.js';
import { describe } from '../describe.js';
import { ArgumentError } from '../errors.js';

/** Bounds of a size, both included. */
export interface Bounds {
  /** 0 or more; 0 by default. */
  min?: number | undefined;
  /** `min` or more; none by default. */
  max?: number | undefined;
}

/** What a hint asks for: dynamic if possible, dynamic, or as in the example. */
export type HintKind = 'AUTO' | 'DYNAMIC' | 'STATIC';

const gotOf = (value: unknown) => (typeof value === 'number' ? value : describe(value));

function checkBounds(who: string, bounds: Bounds): void {
  const { min = 0, max } = checkedOptions(who, bounds, ['min', 'max']);
  if (!Number.isSafeInteger(min) || min < 0) {
    throw new ArgumentError(`${who}: min expects an integer from 0 on, got ${gotOf(min)}`, 'Argument');
  }
  if (max !== undefined && (!Number.isSafeInteger(max) || max < min)) {
    throw new ArgumentError(`${who}: max expects an integer from min = ${min} on, got ${gotOf(max)}`, 'Argument');
  }
}

function boundsText({ min = 0, max }: Bounds): string[] {
  return [...(min > 0 ? [`min=${min}`] : []), ...(max === undefined ? [] : [`max=${max}`])];
}

/** A named size, or one derived from it: scale · name + offset. Made by `Dim`. */
export class NamedSize {
  /** The name, of a derived size that of its root. */
  readonly name: string;
  /** The lowest size that the root may have. */
  readonly min: number;
  /** The highest; undefined: any. */
  readonly max: number | undefined;
  /** 1 or more; 1 for a size that is not derived. */
  readonly scale: number;
  /** 0 for a size that is not derived. */
  readonly offset: number;

  /** @internal */
  constructor(name: string, { min = 0, max }: Bounds, scale = 1, offset = 0) {
    this.name = name;
    this.min = min;
    this.max = max;
    this.scale = scale;
    this.offset = offset;
  }

  /** `value`, an integer of `lowest` or more. Throws ArgumentError for anything else. */
  #checked(how: string, value: number, lowest: number): number {
    if (Number.isSafeInteger(value) && value >= lowest) return value;
    const isFar = Number.isInteger(value) && !Number.isSafeInteger(value);
    const expected = `${lowest > 0 ? 'a positive' : 'an'} integer${isFar ? ' below 2^53' : ''}, got ${gotOf(value)}`;
    const allowed = 'sizes are derived by .mul(k), .add(c) and .sub(c) only';
    throw new ArgumentError(`Dim '${this}': ${how} expects ${expected}; ${allowed}`, 'Argument');
  }

  /** scale · name + offset, which `how` gives. */
  #derived(how: string, scale: number, offset: number): Dim {
    const isExact = Number.isSafeInteger(scale) && Number.isSafeInteger(offset);
    if (isExact) return new NamedSize(this.name, this, scale, offset);
    const numbers = `a factor of ${scale} and an offset of ${offset}`;
    throw new ArgumentError(`Dim '${this}': ${how} gives ${numbers}; both must be safe integers`, 'Argument');
  }

  /** This times `factor`, a positive integer. Throws ArgumentError for anything else, and for a result that is not exact. */
  mul(factor: number): Dim {
    const by = this.#checked('mul', factor, 1);
    return this.#derived(`mul(${factor})`, this.scale * by, this.offset * by);
  }

  /** This plus `offset`, an integer. Errors as of `mul`. */
  add(offset: number): Dim {
    const more = this.#checked('add', offset, Number.MIN_SAFE_INTEGER);
    return this.#derived(`add(${offset})`, this.scale, this.offset + more);
  }

  /** This minus `offset`, an integer. Errors as of `mul`. */
  sub(offset: number): Dim {
    const less = this.#checked('sub', offset, Number.MIN_SAFE_INTEGER);
    return this.#derived(`sub(${offset})`, this.scale, this.offset - less);
  }

  /** "batch", "2*d + 2". */
  toString(): string {
    const { name, scale, offset } = this;
    const product = scale === 1 ? name : `${scale}*${name}`;
    if (offset === 0) return product;
    return offset > 0 ? `${product} + ${offset}` : `${product} - ${-offset}`;
  }

  /** @internal The operators of the language see numbers only. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return this.toString();
    throw new ArgumentError(`Dim '${this}' is no number: derive sizes by .mul(k), .add(c) and .sub(c)`, 'Argument');
  }
}

/** A hint, which gives another one when it is called with bounds: `Dim.AUTO({ min: 2 })`. */
export interface SizeHint {
  /** Throws ArgumentError for bounds that are none, and of a STATIC hint. */
  (bounds: Bounds): SizeHint;
  /** What it asks for. */
  readonly kind: HintKind;
  /** The lowest size. */
  readonly min: number;
  /** The highest; undefined: any. */
  readonly max: number | undefined;
}

const hints = new WeakSet<object>();

/** Whether `value` is a hint. */
export function isHint(value: unknown): value is SizeHint {
  return typeof value === 'function' && hints.has(value);
}

/** @internal */
export function makeHint(kind: HintKind, bounds: Bounds = {}): SizeHint {
  const { min = 0, max } = bounds;
  const bounded = (next: Bounds): SizeHint => {
    if (kind === 'STATIC') throw new ArgumentError('Dim.STATIC has no bounds', 'Argument');
    checkBounds(`Dim.${kind}`, next);
    return makeHint(kind, next);
  };
  const text = boundsText(bounds);
  const written = `Dim.${kind}${text.length > 0 ? `(${text.join(', ')})` : ''}`;
  const hint = Object.assign(bounded, { kind, min, max, toString: () => written });
  hints.add(hint);
  return Object.freeze(hint);
}

/** A size that may vary: named by `Dim`, or derived from it by `mul`, `add` and `sub`. */
export type Dim = NamedSize;

function makeDim(name: string, bounds: Bounds = {}): Dim {
  if (typeof name !== 'string' || !/^[A-Za-z_]\w*$/.test(name)) {
    const got = typeof name === 'string' ? `'${name}'` : describe(name);
    throw new ArgumentError(`Dim: expected a name of letters, digits and '_', got ${got}`, 'Argument');
  }
  checkBounds(`Dim '${name}'`, bounds);
  return new NamedSize(name, bounds);
}
makeDim.prototype = NamedSize.prototype; // for `instanceof Dim`

/**
 * A name for a size that may vary between `min` and `max`; axes of one name have one size. Called as it is or with `new`.
 * Throws ArgumentError for a name that is no identifier, and for bounds that are none.
 */
export const Dim = Object.assign(makeDim, {
  AUTO: makeHint('AUTO'),
  DYNAMIC: makeHint('DYNAMIC'),
  STATIC: makeHint('STATIC'),
}) as unknown as {
  (name: string, bounds?: Bounds): Dim;
  new (name: string, bounds?: Bounds): Dim;
  /** Dynamic if the model allows, else quietly as in the example. */
  readonly AUTO: SizeHint;
  /** Dynamic, without a name; a model that fixes the size is an error. */
  readonly DYNAMIC: SizeHint;
  /** As in the example. */
  readonly STATIC: SizeHint;
};

/** A `Dim` without bounds for each name. Errors as of `Dim`. */
export function dims(...names: string[]): Dim[] {
  return names.map((name) => Dim(name));
}
