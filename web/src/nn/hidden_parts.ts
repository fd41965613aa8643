/** Warnings of modules and parameters that are held where a module does not look for them. */

import { isPlainObject } from '../arguments.js';
import { Tensor } from '../tensor.js';
import type { Module } from './module.js';

const isContainer = (value: unknown): value is object =>
  Array.isArray(value) || isPlainObject(value) || value instanceof Map || value instanceof Set;

/** What a container holds, by name; accessors are not called. */
function itemsOf(container: object): [unknown, unknown][] {
  if (container instanceof Map) return [...container];
  if (Array.isArray(container) || container instanceof Set) return [...container].map((item, i) => [i, item]);
  return Object.entries(Object.getOwnPropertyDescriptors(container)).map(([name, { value }]) => [name, value]);
}

/** "an array", "a plain object", "a Map". */
function kindOf(container: object): string {
  if (Array.isArray(container)) return 'an array';
  return isPlainObject(container) ? 'a plain object' : `a ${container.constructor.name}`;
}

/** Containers that were searched: later calls do not pay for them again. */
const searched = new WeakSet<object>();

/** What `isHidden` finds in the field `name`, which holds `container`, in words; null: nothing. */
function hiddenIn(name: string, container: object, isHidden: (value: unknown) => boolean): string | null {
  const queue: [string, object][] = [[name, container]];
  for (const [path, each] of queue) {
    searched.add(each);
    for (const [key, item] of itemsOf(each)) {
      if (typeof item !== 'object' || item === null) continue; // lists may be long
      const at = () => `${path}.${typeof key === 'object' ? kindOf(key ?? {}) : String(key)}`;
      if (isHidden(item)) {
        const what = item instanceof Tensor ? 'a parameter' : `a module (${item.constructor.name})`;
        return `'${at()}' is ${what} in ${kindOf(each)}`;
      }
      if (isContainer(item) && !searched.has(item)) queue.push([at(), item]);
    }
  }
  return null;
}

const remedy =
  'is neither trained nor saved. Keep parameters in fields, modules in fields, in arrays in fields or in nn.ModuleList; what is ' +
  'meant to be left out belongs into a #private field.';

/**
 * Warns, once for each container, when a field of one of `modules` has something in an array, a plain object, a Map or a Set that
 * `isPart` takes for a module or parameter and that is not among `known`, the parts that were found.
 */
export function warnOfHiddenParts(
  modules: readonly Module[],
  known: () => ReadonlySet<unknown>,
  isPart: (value: unknown) => boolean,
): void {
  let found: ReadonlySet<unknown> | undefined;
  for (const module of modules) {
    for (const [name, value] of Object.entries(module)) {
      if (!isContainer(value) || searched.has(value)) continue;
      found ??= known();
      const hidden = hiddenIn(name, value, (item) => isPart(item) && !found?.has(item));
      if (hidden) console.warn(`${module.constructor.name}: field ${hidden}, where it ${remedy}`);
    }
  }
}
