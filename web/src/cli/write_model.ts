/** Model files as the commands write them. */

import { extname, resolve } from 'node:path';
import type { Graph } from '../graph.js';
import { UsageError } from './command.js';

const writers: Readonly<Record<string, (graph: Graph) => Uint8Array>> = {
  '.onnx': (graph) => graph.toOnnx(),
  '.onemodel': (graph) => graph.toOneModel(),
};

/** What makes the bytes of file `to`, by its name. Throws UsageError for another ending and when it is `from`. */
export function writerFor(from: string, to: string): (graph: Graph) => Uint8Array {
  const write = Object.hasOwn(writers, extname(to)) ? writers[extname(to)] : undefined;
  if (!write) throw new UsageError(`OUT ends with .onnx or .onemodel, got '${to}'`);
  if (resolve(from) === resolve(to)) throw new UsageError(`IN and OUT are one file: ${to}`);
  return write;
}
