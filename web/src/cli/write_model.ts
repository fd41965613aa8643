/** Model files as the commands write them. */

import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { OneModelError } from '../errors.js';
import type { Graph } from '../graph.js';
import type { ByteSink } from '../sinks.js';
import { type Arguments, type Option, UsageError } from './command.js';
import { about, fileError, readBytes } from './files.js';
import type { ModelFile } from './model.js';
import { bytes } from './terminal.js';
import { weightFilesOf } from './weight_files.js';

/** Options of the commands that write a model. */
export const writeOptions: Record<string, Option> = {
  'external-data': { help: 'Put the weights of a .onnx file into OUT.data beside it, as those above 2 GB need.' },
  'external-from': { value: 'BYTES', help: 'Weights of fewer bytes stay in OUT. Default: 1024.' },
};

/** What was written. */
export interface WrittenModel {
  file: string;
  bytes: number;
  /** The file with the weights, where one is asked for; null when no weight is large enough for it. */
  data?: { file: string; bytes: number } | null;
}

/** A file, and what writes its content. */
type Writing = readonly [path: string, write: (append: ByteSink) => void];

const partOf = (path: string) => `${path}.part`;
const dataOf = (to: string) => `${to}.data`;

/** Gives what `use` gives; an error of the system there says that file `path` cannot be written. */
function writing<R>(path: string, use: () => R): R {
  try {
    return use();
  } catch (error) {
    throw error instanceof OneModelError ? error : fileError('write', path, error);
  }
}

/** Calls `write` with what appends to an open file; gives the file's size. */
function append(file: number, write: Writing[1]): number {
  let written = 0;
  try {
    write((piece) => {
      for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
      written += piece.length;
    });
  } finally {
    closeSync(file);
  }
  return written;
}

/**
 * Writes the files, one after the other, which are replaced only when that is through for all; gives their sizes. Without
 * content there is none.
 */
function writeFiles(files: readonly Writing[]): number[] {
  const begun: string[] = [];
  const begin = (part: string) => {
    const file = openSync(part, 'w');
    begun.push(part);
    return file;
  };
  try {
    const sizes = files.map(([path, write]) => writing(path, () => append(begin(partOf(path)), write)));
    files.forEach(([path], i) => {
      writing(path, () => (sizes[i] === 0 ? rmSync(partOf(path)) : renameSync(partOf(path), path)));
    });
    return sizes;
  } catch (error) {
    for (const part of begun) rmSync(part, { force: true });
    throw error;
  }
}

function writeFile(path: string, write: Writing[1]): WrittenModel {
  const [size = 0] = writeFiles([[path, write]]);
  return { file: path, bytes: size };
}

function writeWithData(graph: Graph, to: string, leastBytes: number): WrittenModel {
  const file = dataOf(to);
  let model = new Uint8Array();
  const writeData = (write: ByteSink) => {
    model = graph.toOnnx({ externalData: { file: basename(file), write, leastBytes } }) as Uint8Array<ArrayBuffer>;
  };
  const [dataBytes = 0, modelBytes = 0] = writeFiles([
    [file, writeData],
    [to, (write) => write(model)],
  ]);
  return { file: to, bytes: modelBytes, data: dataBytes === 0 ? null : { file, bytes: dataBytes } };
}

function writeOnnx(graph: Graph, to: string, args: Arguments): WrittenModel {
  if (args.flag('external-data')) {
    return writeWithData(graph, to, args.integer('external-from', 0, Number.MAX_SAFE_INTEGER, 1024));
  }
  const model = graph.toOnnx();
  return writeFile(to, (write) => write(model));
}

const writers: Readonly<Record<string, (graph: Graph, to: string, args: Arguments) => WrittenModel>> = {
  '.onnx': writeOnnx,
  '.onemodel': (graph, to) => writeFile(to, (write) => graph.writeOneModel(write)),
};

/** Throws UsageError when file `path`, which is to be replaced, holds weights of the model. */
async function checkNotWeights(path: string, { path: from, onnx }: Pick<ModelFile, 'path' | 'onnx'>): Promise<void> {
  if (onnx === null || !existsSync(path)) return;
  if (weightFilesOf(from, await readBytes(from)).has(resolve(path))) {
    throw new UsageError(`${path} holds weights of IN: choose another OUT`);
  }
}

/** Writes a graph that was made from a model. */
type Writer = (graph: Graph, model: Pick<ModelFile, 'path' | 'onnx'>) => Promise<WrittenModel>;

/**
 * What writes file `to`, by its name and the options. Throws UsageError for what does not fit and when it is `from`; so does the
 * writer when it is a file with weights of the model, whose name its other errors have.
 */
export function writerFor(from: string, to: string, args: Arguments): Writer {
  const ending = extname(to);
  const write = Object.hasOwn(writers, ending) ? writers[ending] : undefined;
  if (!write) throw new UsageError(`OUT ends with .onnx or .onemodel, got '${to}'`);
  const isExternal = args.flag('external-data');
  const replaced = isExternal ? [to, dataOf(to)] : [to];
  const own = replaced.find((path) => resolve(path) === resolve(from));
  if (own) throw new UsageError(`IN and OUT are one file: ${own}`);
  if (isExternal && ending !== '.onnx') throw new UsageError('--external-data is for an OUT that ends with .onnx');
  if (!isExternal && args.text('external-from') !== undefined) {
    throw new UsageError('--external-from expects --external-data');
  }
  return async (graph, model) => {
    for (const path of replaced) await checkNotWeights(path, model);
    return about(from, () => write(graph, to, args));
  };
}

/** "model.onnx (1.2 KB) and model.onnx.data (3.4 MB)"; `more` goes inside the first parentheses. */
export function writtenText({ file, bytes: size, data }: WrittenModel, more = ''): string {
  const beside = data ? ` and ${data.file} (${bytes(data.bytes)})` : '';
  const without = data === null ? ', with all weights in it: none is large enough for a file beside it' : '';
  return `${file} (${more}${bytes(size)})${beside}${without}`;
}
