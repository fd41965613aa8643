import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { Graph } from '../graph.js';
import { type Command, UsageError } from './command.js';
import { openModel } from './model.js';
import { bytes } from './terminal.js';

const writers: Readonly<Record<string, (graph: Graph) => Uint8Array>> = {
  '.onnx': (graph) => graph.toOnnx(),
  '.onemodel': (graph) => graph.toOneModel(),
};

export const convert: Command = {
  name: 'convert',
  summary: 'Writes a model as .onnx or .onemodel.',
  positionals: ['IN', 'OUT'],
  options: {},
  details: `What IN is, its content says; what OUT becomes, its name. A .onnx file is written with opset 20 and IR version 9, so
that converting from .onnx to .onnx brings an older model up to date. A file that is there already is replaced.`,
  examples: ['convert model.onnx model.onemodel', 'convert model.onemodel model.onnx'],
  async run(args) {
    const [from, to] = args.positionals as [string, string];
    const write = Object.hasOwn(writers, extname(to)) ? writers[extname(to)] : undefined;
    if (!write) throw new UsageError(`OUT ends with .onnx or .onemodel, got '${to}'`);
    if (resolve(from) === resolve(to)) throw new UsageError(`IN and OUT are one file: ${to}`);
    const model = await openModel(from, args);
    let file: Uint8Array;
    try {
      file = write(model.graph);
    } finally {
      model.graph.dispose();
    }
    await writeFile(to, file);
    return {
      json: { from: { file: from, bytes: model.bytes }, to: { file: to, bytes: file.length } },
      text: `${from} (${bytes(model.bytes)}) -> ${to} (${bytes(file.length)})`,
    };
  },
};
