import { MemoryError, ModelError } from '../errors.js';
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

/** A model whose graph may be freed. */
type ModelFacts = Omit<ModelFile, 'graph'>;

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

/** The programs of a file; none where it has a graph alone, null where the file and they do not fit into memory. */
function programsOf(file: Uint8Array): ProgramFacts[] | null {
  try {
    return Object.entries(loadPrograms(file)).map(([name, program]) => {
      const facts = factsOf(name, program);
      program.dispose();
      return facts;
    });
  } catch (error) {
    if (error instanceof MemoryError) return null;
    if (error instanceof ModelError && error.kind === 'NoProgram') return [];
    throw error;
  }
}

/** Node reads smaller files only into one buffer. */
const tooManyBytes = 2 ** 31;

/** The programs of a model whose graph is freed: they have its weights again. Null as of `programsOf`. */
export async function programsIn({ path, bytes, onnx }: ModelFacts): Promise<ProgramFacts[] | null> {
  if (onnx) return [];
  return bytes < tooManyBytes ? programsOf(await readBytes(path)) : null;
}

function programRows(programs: readonly ProgramFacts[] | null): [string, string][] {
  if (programs === null) return [['programs', 'not read, since the file is too large']];
  return programs.map((each) => ['program', programText(each)]);
}

function programText({ name, parameters, buffers, updates }: ProgramFacts): string {
  const state = [plural(parameters, 'parameter'), plural(buffers, 'buffer')].join(', ');
  return `${name}: ${state}, ${plural(updates, 'update')} a run`;
}

function factsText({ path, bytes: size, view, onnx }: ModelFacts, programs: readonly ProgramFacts[] | null): string {
  const { elements, tensors, bytes: weight } = sizeOfConstants(view);
  return factSection(path, [
    ['format', formatText(onnx)],
    ['graph', view.name],
    ...programRows(programs),
    ['file', bytes(size)],
    ['constants', `${plural(elements, 'element')} in ${plural(tensors, 'tensor')}, ${bytes(weight)}`],
    ['nodes', `${count(view.nodes.length)} of ${plural(countOperators(view).length, 'kind')}`],
    ...Object.entries(view.metadata),
  ]);
}

/** Inputs and outputs in the same columns. */
function valueSections({ view }: ModelFacts): string[] {
  const groups = [
    ['Inputs', view.inputs],
    ['Inputs with a default', view.optionalInputs],
    ['Outputs', view.outputs],
  ] as const;
  const shown = groups.filter(([title, ids]) => ids.length > 0 || title !== 'Inputs with a default');
  const lines = columns(shown.flatMap(([, ids]) => valueRows(valuesAt(view, ids)))).split('\n');
  return shown.map(([title, ids]) => section(title, indented(lines.splice(0, ids.length).join('\n'))));
}

/** What is said of a model and its programs; null: they were not read. */
export function describe(model: ModelFacts, programs: readonly ProgramFacts[] | null): Report {
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
an exported program restricts are listed. Programs in a file of 2 GiB or more are not read (null in JSON). Constants are
what the file holds in numbers: mostly weights. Operators are those of the file, before any optimisation.`,
  examples: ['info model.onnx', 'info model.onnx --json'],
  async run(args) {
    const model = await openModel(args.positionals[0] as string, args);
    model.graph.dispose();
    return describe(model, await programsIn(model));
  },
};
