import type { Command, Option } from './command.js';
import { about } from './files.js';
import { openModel, runOptions, sessionOptions } from './model.js';
import { bytes, plural } from './terminal.js';
import { type WrittenModel, writeOptions, writerFor, writtenText } from './write_model.js';

export const optimize: Command = {
  name: 'optimize',
  summary: 'Writes a model after the passes that a session would run.',
  positionals: ['IN', 'OUT'],
  options: { arithmetic: runOptions.arithmetic as Option, ...writeOptions },
  details: `Constants are folded, batch normalisation, biases and activations fused, attention recognised. What ONNX has no
operator for is kept in a .onemodel file; in a .onnx file it becomes the operators that it stands for.`,
  examples: ['optimize model.onnx smaller.onnx', 'optimize model.onnx model.onemodel'],
  async run(args) {
    const [from, to] = args.positionals as [string, string];
    const write = writerFor(from, to, args);
    const model = await openModel(from, args);
    let written: WrittenModel;
    let nodes: number;
    try {
      const options = sessionOptions(args);
      const optimized = await about(from, () => model.graph.optimize(options));
      try {
        written = await write(optimized, model);
        nodes = optimized.view().nodes.length;
      } finally {
        optimized.dispose();
      }
    } finally {
      model.graph.dispose();
    }
    const before = model.view.nodes.length;
    return {
      json: {
        from: { file: from, bytes: model.bytes, nodes: before },
        to: { ...written, nodes },
      },
      text: `${from} (${plural(before, 'node')}, ${bytes(model.bytes)}) -> ${writtenText(written, `${plural(nodes, 'node')}, `)}`,
    };
  },
};
