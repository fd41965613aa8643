import type { Command } from './command.js';
import { about, writeBytes } from './files.js';
import { openModel } from './model.js';
import { bytes } from './terminal.js';
import { writerFor } from './write_model.js';

export const convert: Command = {
  name: 'convert',
  summary: 'Writes a model as .onnx or .onemodel.',
  positionals: ['IN', 'OUT'],
  options: {},
  details: `What IN is, its content says; what OUT becomes, its name. A .onnx file is written with opset 20, or the
lowest above that it needs, so that converting from .onnx to .onnx brings an older model up to date. A file that is there
already is replaced.`,
  examples: ['convert model.onnx model.onemodel', 'convert model.onemodel model.onnx'],
  async run(args) {
    const [from, to] = args.positionals as [string, string];
    const write = writerFor(from, to);
    const model = await openModel(from, args);
    let file: Uint8Array;
    try {
      file = await about(from, () => write(model.graph));
    } finally {
      model.graph.dispose();
    }
    await writeBytes(to, file);
    return {
      json: { from: { file: from, bytes: model.bytes }, to: { file: to, bytes: file.length } },
      text: `${from} (${bytes(model.bytes)}) -> ${to} (${bytes(file.length)})`,
    };
  },
};
