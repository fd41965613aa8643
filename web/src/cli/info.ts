import type { Command, Report } from './command.js';
import {
  countOperators,
  type ModelFile,
  openModel,
  type OnnxHeader,
  sizeOfConstants,
  valueRows,
  valuesAt,
} from './model.js';
import { bytes, columns, count, indented, plural, section, style } from './terminal.js';

const widestBar = 24;

function formatText(onnx: OnnxHeader | null): string {
  if (!onnx) return '.onemodel';
  const opsets = Object.entries(onnx.opsets).map(([domain, n]) => (domain === 'ai.onnx' ? `${n}` : `${domain} ${n}`));
  const producer = onnx.producer && `, by ${onnx.producer}`;
  return `ONNX, opset ${opsets.join(', ')}, IR version ${onnx.irVersion}${producer}`;
}

function histogram(operators: readonly [string, number][]): string {
  const most = operators[0]?.[1] ?? 1;
  const bar = (n: number) => style.cyan('▇'.repeat(Math.max(1, Math.round((widestBar * n) / most))));
  return indented(
    columns(
      operators.map(([op, n]) => [op, count(n), bar(n)]),
      ['left', 'right'],
    ),
  );
}

function describe({ path, bytes: size, view, onnx }: ModelFile): Report {
  const constants = sizeOfConstants(view);
  const operators = countOperators(view);
  const [inputs, outputs] = [valuesAt(view, view.inputs), valuesAt(view, view.outputs)];
  const values = [...valueRows(inputs), ...valueRows(outputs)];
  const widths = columns(values).split('\n');
  const facts = [
    ['format', formatText(onnx)],
    ['graph', view.name],
    ['file', bytes(size)],
    [
      'constants',
      `${plural(constants.elements, 'element')} in ${plural(constants.tensors, 'tensor')}, ${bytes(constants.bytes)}`,
    ],
    ['nodes', `${count(view.nodes.length)} of ${plural(operators.length, 'kind')}`],
    ...Object.entries(view.metadata).map(([key, text]) => [key, text]),
  ];
  const text = [
    section(path, indented(columns(facts.map(([name, fact]) => [style.dim(name as string), fact as string])))),
    section('Inputs', indented(widths.slice(0, inputs.length).join('\n'))),
    section('Outputs', indented(widths.slice(inputs.length).join('\n'))),
    section('Operators', histogram(operators)),
  ].join('\n\n');
  const json = {
    file: path,
    bytes: size,
    format: onnx ? 'onnx' : 'onemodel',
    ...onnx,
    graph: view.name,
    metadata: view.metadata,
    inputs,
    outputs,
    constants,
    nodes: view.nodes.length,
    operators: Object.fromEntries(operators),
  };
  return { json, text };
}

export const info: Command = {
  name: 'info',
  summary: 'Shows what a model is: inputs and outputs, sizes, operators.',
  positionals: ['MODEL'],
  options: {},
  details: `MODEL is a .onnx or .onemodel file. Sizes that are names stay open until the model runs. Constants are what the file
holds in numbers: mostly weights. Operators are those of the file, before any optimisation.`,
  examples: ['info model.onnx', 'info model.onnx --json'],
  async run(args) {
    const model = await openModel(args.positionals[0] as string, args);
    try {
      return describe(model);
    } finally {
      model.graph.dispose();
    }
  },
};
