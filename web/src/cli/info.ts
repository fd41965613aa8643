import { ModelError } from '../errors.js';
import { type ExportedProgram, loadPrograms } from '../export/exported_program.js';
import type { Command, Report } from './command.js';
import { readBytes } from './files.js';
import { countOperators, sizeOfConstants } from './graph_counts.js';
import { type ModelFile, type OnnxHeader, openModel, valueRows, valuesAt } from './model.js';
import { bytes, columns, count, factSection, indented, plural, section, style } from './terminal.js';

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

/** What a program of the file keeps and does to it. */
interface ProgramFacts {
  name: string;
  parameters: number;
  buffers: number;
  /** How many of these, and of the caller's tensors, a run updates. */
  updates: number;
}

function factsOf(name: string, { signature }: ExportedProgram): ProgramFacts {
  const { parameters, buffers, outputs } = signature;
  const updates = outputs.filter(({ kind }) => kind.endsWith('Mutation')).length;
  return { name, parameters: parameters.length, buffers: buffers.length, updates };
}

/** The programs of a file; none where it has a graph alone. */
function programsOf(file: Uint8Array): ProgramFacts[] {
  try {
    return Object.entries(loadPrograms(file)).map(([name, program]) => {
      const facts = factsOf(name, program);
      program.dispose();
      return facts;
    });
  } catch (error) {
    if (error instanceof ModelError && error.message.includes('a graph, but no program')) return [];
    throw error;
  }
}

function programText({ name, parameters, buffers, updates }: ProgramFacts): string {
  const state = [plural(parameters, 'parameter'), plural(buffers, 'buffer')].join(', ');
  return `${name}: ${state}, ${plural(updates, 'update')} a run`;
}

function factsText({ path, bytes: size, view, onnx }: ModelFile, programs: readonly ProgramFacts[]): string {
  const { elements, tensors, bytes: weight } = sizeOfConstants(view);
  return factSection(path, [
    ['format', formatText(onnx)],
    ['graph', view.name],
    ...programs.map((each) => ['program', programText(each)] as const),
    ['file', bytes(size)],
    ['constants', `${plural(elements, 'element')} in ${plural(tensors, 'tensor')}, ${bytes(weight)}`],
    ['nodes', `${count(view.nodes.length)} of ${plural(countOperators(view).length, 'kind')}`],
    ...Object.entries(view.metadata),
  ]);
}

/** Inputs and outputs in the same columns. */
function valueSections({ view }: ModelFile): string[] {
  const groups = [
    ['Inputs', view.inputs],
    ['Inputs with a default', view.optionalInputs],
    ['Outputs', view.outputs],
  ] as const;
  const shown = groups.filter(([title, ids]) => ids.length > 0 || title !== 'Inputs with a default');
  const lines = columns(shown.flatMap(([, ids]) => valueRows(valuesAt(view, ids)))).split('\n');
  return shown.map(([title, ids]) => section(title, indented(lines.splice(0, ids.length).join('\n'))));
}

function describe(model: ModelFile, programs: readonly ProgramFacts[]): Report {
  const { path, bytes: size, view, onnx } = model;
  const operators = countOperators(view);
  const sizes = view.sizes.length > 0 ? [section('Sizes', indented(view.sizes.join('\n')))] : [];
  const parts = [
    factsText(model, programs),
    ...valueSections(model),
    ...sizes,
    section('Operators', histogram(operators)),
  ];
  const json = {
    file: path,
    bytes: size,
    format: onnx ? 'onnx' : 'onemodel',
    ...onnx,
    graph: view.name,
    programs,
    sizes: view.sizes,
    metadata: view.metadata,
    inputs: valuesAt(view, view.inputs),
    optionalInputs: valuesAt(view, view.optionalInputs),
    outputs: valuesAt(view, view.outputs),
    constants: sizeOfConstants(view),
    nodes: view.nodes.length,
    operators: Object.fromEntries(operators),
  };
  return { json, text: parts.join('\n\n') };
}

export const info: Command = {
  name: 'info',
  summary: 'Shows what a model is: inputs and outputs, sizes, operators.',
  positionals: ['MODEL'],
  options: {},
  details: `MODEL is a .onnx or .onemodel file. Sizes that are names stay open until the model runs; those that
an exported program restricts are listed. Constants are what the file holds in numbers: mostly weights. Operators are those of
the file, before any optimisation.`,
  examples: ['info model.onnx', 'info model.onnx --json'],
  async run(args) {
    const model = await openModel(args.positionals[0] as string, args);
    try {
      return describe(model, model.onnx ? [] : programsOf(await readBytes(model.path)));
    } finally {
      model.graph.dispose();
    }
  },
};
