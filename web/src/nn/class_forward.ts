/** What surrounds `forward` of every class of modules: errors learn their place, and traces of functions notice the call. */

import { tellPlace } from './error_path.js';
import type { Module } from './module.js';
import { type Forward, isNoticing, notice } from './noticed_calls.js';

const surrounded = new WeakSet<object>();

function surroundingOf(forward: Forward): Forward {
  const told = function (this: Module, ...inputs: unknown[]): unknown {
    if (isNoticing()) return notice(this, told, inputs);
    try {
      return forward.apply(this, inputs);
    } catch (error) {
      tellPlace(error, this);
      throw error;
    }
  };
  for (const name of ['name', 'length'] as const) Object.defineProperty(told, name, { value: forward[name] });
  surrounded.add(told);
  return told;
}

/** Surrounds each `forward` of the classes from `prototype` up to `base`. */
export function surroundForward(prototype: object, base: object): void {
  for (let each = prototype; each !== base && each !== null; each = Object.getPrototypeOf(each)) {
    const own = Object.getOwnPropertyDescriptor(each, 'forward');
    if (typeof own?.value !== 'function' || !own.writable || surrounded.has(own.value)) continue;
    (each as { forward: unknown }).forward = surroundingOf(own.value);
  }
}
