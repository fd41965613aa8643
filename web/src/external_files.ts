/** Which file holds weights of a model: by the name that the model gives it, among those that were given. */

import { ArgumentError } from './errors.js';

/** The path without steps that lead nowhere: "./a/../b" is "b". Null for one that leads out of the folder that it begins in. */
export function plainPath(path: string): string | null {
  if (/^[\\/]|:/.test(path)) return null;
  const parts: string[] = [];
  for (const part of path.split(/[\\/]/)) {
    if (part === '..' && parts.length === 0) return null;
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

const quoted = (names: Iterable<string>) => [...names].map((name) => `'${name}'`);

/** Files by the names that a model gives them, with or without their folders: what is dropped on a page has none. */
export class GivenFiles<File> {
  readonly #files: Readonly<Record<string, File>>;
  /** Of a file that was found by the last part of names: these names. */
  readonly #uses = new Map<string, Set<string>>();

  constructor(files: Readonly<Record<string, File>>) {
    this.#files = files;
  }

  /** In words; "" for none. */
  get names(): string {
    return quoted(Object.keys(this.#files)).join(', ');
  }

  find(name: string): File | undefined {
    const key = this.#keyOf(name);
    return key === undefined ? undefined : this.#files[key];
  }

  #keyOf(name: string): string | undefined {
    if (Object.hasOwn(this.#files, name)) return name;
    const keys = Object.keys(this.#files);
    const path = plainPath(name);
    const whole = path === null ? undefined : keys.find((key) => plainPath(key) === path);
    if (whole !== undefined) return whole;
    const last = name.split(/[\\/]/).at(-1);
    const key = keys.find((each) => plainPath(each) === last);
    if (key !== undefined) this.#uses.set(key, (this.#uses.get(key) ?? new Set()).add(path ?? name));
    return key;
  }

  /** Throws ArgumentError naming `owner` for a file that was found by the last part of different names. */
  checkUses(owner: string): void {
    for (const [key, names] of this.#uses) {
      if (names.size < 2) continue;
      throw new ArgumentError(
        `${owner}: externalData['${key}'] could be each of ${quoted(names).join(', ')}: give each by its whole name`,
        'Argument',
      );
    }
  }
}
