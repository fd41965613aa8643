import type { Command } from './command.js';
import { openModel } from './model.js';
import { bytes } from './terminal.js';
import { type WrittenModel, writeOptions, writerFor, writtenText } from './write_model.js';

export const convert: Command = {
  name: 'convert',
  summary: 'Writes a model as .onnx or .onemodel.',
  positionals: ['IN', 'OUT'],
  options: writeOptions,
  details: `What IN is, its content says; what OUT becomes, its name. A .onnx file is written with opset 20, or the
lowest above that it needs, so that converting from .onnx to .onnx brings an older model up to date. A file that is there
already is replaced.`,
  examples: [
    'convert model.onnx model.onemodel',
    'convert model.onemodel model.onnx',
    'convert large.onemodel large.onnx --external-data',
  ],
  async run(args) {
    const [from, to] = args.positionals as [string, string];
    const write = writerFor(from, to, args);
    const model = await openModel(from, args);
    let written: WrittenModel;
    try {
      written = await write(model.graph, model);
    } finally {
      model.graph.dispose();
    }
    return {
      json: { from: { file: from, bytes: model.bytes }, to: written },
      text: `${from} (${bytes(model.bytes)}) -> ${writtenText(written)}`,
    };
  },
};
