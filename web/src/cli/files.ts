/** Files that commands read and write, and errors that name them. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ModelError, makeError, OneModelError } from '../errors.js';

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  EACCES: 'it is not allowed',
};

/** The error of reading or writing a file. */
export function fileError(what: string, path: string, error: unknown): ModelError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new ModelError(`cannot ${what} ${path}: ${reasons[code] ?? message}`, 'Fetch');
}

/** The error, which names the file when it is one of the engine; itself when it does already, or when it is of another file. */
export function inFile(path: string, error: unknown): unknown {
  const lacksName = error instanceof OneModelError && error.kind !== 'Fetch' && !error.message.includes(path);
  return lacksName ? makeError(error.name, error.kind, `${path}: ${error.message}`) : error;
}

/** Gives what `use` gives; an error of the engine there names the file. */
export async function about<R>(path: string, use: () => R | Promise<R>): Promise<R> {
  try {
    return await use();
  } catch (error) {
    throw inFile(path, error);
  }
}

/** What `read` gives of file `path`. Throws ModelError(Fetch) saying why it cannot be read. */
export async function reading<R>(path: string, read: () => Promise<R>): Promise<R> {
  try {
    return await read();
  } catch (error) {
    throw fileError('read', path, error);
  }
}

/** The content of a file. Throws as `reading` does. */
export const readBytes = (path: string): Promise<Uint8Array> =>
  reading(path, async () => new Uint8Array(await readFile(path)));

/** Writes a file, and the folder that it is in where `makeFolder` says so. Throws ModelError(Fetch) saying why it cannot. */
export async function writeBytes(path: string, content: Uint8Array, makeFolder = false): Promise<void> {
  try {
    if (makeFolder) await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  } catch (error) {
    throw fileError('write', path, error);
  }
}
