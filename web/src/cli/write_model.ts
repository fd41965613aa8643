/** Model files as the commands write them. */

import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { OneModelError } from '../errors.js';
import type { Graph } from '../graph.js';
import type { ByteSink } from '../sinks.js';
import { type Arguments, type Option, UsageError } from './command.js';
import { fileError } from './files.js';
import { bytes } from './terminal.js';

/** Options of the commands that write a model. */
export const writeOptions: Record<string, Option> = {
  'external-data': { help: 'Put the weights of a .onnx file into OUT.data beside it, as those above 2 GB need.' },
  'external-from': { value: 'BYTES', help: 'Weights of fewer bytes stay in OUT. Default: 1024.' },
};

/** What was written. */
export interface WrittenModel {
  file: string;
  bytes: number;
  /** The file with the weights, where there is one. */
  data?: { file: string; bytes: number };
}

/** Calls `write` with what appends to file `path`, which is replaced only when that is through; gives the file's size. */
function writeInPieces(path: string, write: (append: ByteSink) => void): number {
  const beside = `${path}.part`;
  let written = 0;
  try {
    const file = openSync(beside, 'w');
    try {
      write((piece) => {
        for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
        written += piece.length;
      });
    } finally {
      closeSync(file);
    }
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error instanceof OneModelError ? error : fileError('write', path, error);
  }
  return written;
}

function writeOnnx(graph: Graph, to: string, args: Arguments): WrittenModel {
  if (!args.flag('external-data')) {
    const model = graph.toOnnx();
    return { file: to, bytes: writeInPieces(to, (append) => append(model)) };
  }
  const leastBytes = args.integer('external-from', 0, Number.MAX_SAFE_INTEGER, 1024);
  const data = { file: `${to}.data`, bytes: 0 };
  let model = new Uint8Array();
  data.bytes = writeInPieces(data.file, (write) => {
    const externalData = { file: basename(data.file), write, leastBytes };
    model = graph.toOnnx({ externalData }) as Uint8Array<ArrayBuffer>;
  });
  return { file: to, bytes: writeInPieces(to, (append) => append(model)), data };
}

const writers: Readonly<Record<string, (graph: Graph, to: string, args: Arguments) => WrittenModel>> = {
  '.onnx': writeOnnx,
  '.onemodel': (graph, to) => ({ file: to, bytes: writeInPieces(to, (append) => graph.writeOneModel(append)) }),
};

/** What writes file `to`, by its name and the options. Throws UsageError for what does not fit and when it is `from`. */
export function writerFor(from: string, to: string, args: Arguments): (graph: Graph) => WrittenModel {
  const ending = extname(to);
  const write = Object.hasOwn(writers, ending) ? writers[ending] : undefined;
  if (!write) throw new UsageError(`OUT ends with .onnx or .onemodel, got '${to}'`);
  if (resolve(from) === resolve(to)) throw new UsageError(`IN and OUT are one file: ${to}`);
  const isExternal = args.flag('external-data');
  if (isExternal && ending !== '.onnx') throw new UsageError('--external-data is for an OUT that ends with .onnx');
  if (!isExternal && args.text('external-from') !== undefined) {
    throw new UsageError('--external-from expects --external-data');
  }
  return (graph) => write(graph, to, args);
}

/** "model.onnx (1.2 KB) and model.onnx.data (3.4 MB)"; `more` goes inside the first parentheses. */
export function writtenText({ file, bytes: size, data }: WrittenModel, more = ''): string {
  return `${file} (${more}${bytes(size)})${data ? ` and ${data.file} (${bytes(data.bytes)})` : ''}`;
}
