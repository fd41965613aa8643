import { type Arguments, type Command, UsageError } from './command.js';
import { compareGraphs, type Difference } from './compare_graphs.js';
import { compareRuns, type OutputDifference } from './compare_runs.js';
import { feedHelp, feedOptions, readFeeds } from './feeds.js';
import { runOptions, withSession } from './model.js';
import { columns, indented, number, plural, section, style, table } from './terminal.js';

/** How many differences of a kind are shown; JSON has all. */
const mostShown = 40;

const headings: Record<Difference['what'], string> = {
  input: 'Inputs',
  output: 'Outputs',
  node: 'Nodes',
  constant: 'Constants',
};

/** One or two lines: what went, what came. */
function rowsOf({ name, first, second }: Difference): string[][] {
  if (first === null) return [[style.green(`+ ${name}`), second as string]];
  if (second === null) return [[style.red(`- ${name}`), first]];
  return [
    [style.red(`- ${name}`), first],
    [style.green(`+ ${name}`), second],
  ];
}

function differenceSections(differences: readonly Difference[]): string[] {
  return (Object.keys(headings) as Difference['what'][]).flatMap((what) => {
    const found = differences.filter((each) => each.what === what);
    if (found.length === 0) return [];
    const rest = found.length > mostShown ? `\n  and ${found.length - mostShown} more` : '';
    return [section(headings[what], indented(columns(found.slice(0, mostShown).flatMap(rowsOf))) + rest)];
  });
}

function outputTable(outputs: readonly OutputDifference[]): string {
  const rows = outputs.map(({ name, first, second, difference, equal }) => [
    name,
    first === second ? (first as string) : `${first ?? 'none'} -> ${second ?? 'none'}`,
    number(difference),
    equal ? style.green('same') : style.red('differs'),
  ]);
  return table(['name', 'type', 'difference', ''], rows, ['left', 'left', 'right']);
}

async function compare(args: Arguments) {
  const [pathA, pathB] = args.positionals as [string, string];
  const tolerance = args.amount('tolerance', 1e-4);
  return withSession(pathA, args, (first, a) =>
    withSession(pathB, args, async (second, b) => ({
      graphs: args.flag('no-graph') ? [] : compareGraphs(a.graph, b.graph),
      runs: args.flag('run')
        ? compareRuns(
            { session: first, path: pathA },
            { session: second, path: pathB },
            await readFeeds(first, args),
            tolerance,
          )
        : null,
    })),
  );
}

export const diff: Command = {
  name: 'diff',
  summary: 'Compares two models: their graphs, and what they give for the same inputs.',
  positionals: ['A', 'B'],
  options: {
    run: { help: 'Run both on the same inputs and compare the outputs.' },
    'no-graph': { help: 'With --run: do not compare the graphs.' },
    tolerance: {
      value: 'T',
      help: "How far floats may differ, as a share of the output's largest element. Default: 1e-4.",
    },
    ...feedOptions,
    ...runOptions,
  },
  details: `Graphs are compared by name: inputs and outputs with their types, nodes with operator, attributes and links, constants
with type and every element. The exit code is 1 when anything differs. --input, --dim and the like go with --run.

${feedHelp}`,
  examples: [
    'diff old.onnx new.onnx',
    'diff model.onnx model.onemodel --run --dim batch=2',
    'diff model.onnx optimised.onnx --run --no-graph --tolerance 1e-3 --input x=sample.npy',
  ],
  async run(args) {
    if (args.flag('no-graph') && !args.flag('run')) throw new UsageError('--no-graph compares nothing without --run');
    const { graphs, runs } = await compare(args);
    const differing = runs?.filter(({ equal }) => !equal).length ?? 0;
    const total = graphs.length + differing;
    const [a, b] = args.positionals;
    const parts = [
      total === 0
        ? style.green(`${a} and ${b}: no difference`)
        : style.red(`${a} and ${b}: ${plural(total, 'difference')}`),
      ...differenceSections(graphs),
    ];
    if (runs) parts.push(section('Results', outputTable(runs)));
    return { json: { differences: graphs, results: runs }, text: parts.join('\n\n'), failed: total > 0 };
  },
};
