import { OneModelError } from '../errors.js';
import { Session } from '../session.js';
import type { Arguments, Command } from './command.js';
import { openModel, startEngine } from './model.js';
import { indented, plural, style } from './terminal.js';

/** Each problem of an error that tells several, one line each. */
function problemsOf(path: string, error: unknown): string[] {
  if (!(error instanceof OneModelError)) throw error;
  const [first = '', ...rest] = error.message.split('\n').map((line) => line.trim());
  const named = [`${path}: `, `'${path}': `].find((start) => first.startsWith(start)) ?? ''; // as the report has
  const cause = first.slice(named.length).replace(/^('.*?': )?the ONNX model( '.*?')? cannot be read: /, '');
  return rest.length > 0 ? rest : [cause];
}

/** Everything that keeps the file from being loaded and made ready to run. */
async function problemsOfFile(path: string, args: Arguments): Promise<string[]> {
  try {
    const { graph } = await openModel(path, args);
    try {
      Session.fromGraph(graph).dispose();
    } finally {
      graph.dispose();
    }
  } catch (error) {
    return problemsOf(path, error);
  }
  return [];
}

export const check: Command = {
  name: 'check',
  summary: 'Says whether models can be loaded, and everything that is wrong with them.',
  positionals: ['MODEL…'],
  options: {},
  details: `Reads each file, checks and optimises its graph and, where no size is open, plans a run. Operators that are not
supported, wrong attributes, broken links and types that contradict each other are all listed, not only the first. What only
numbers show (an index out of bounds, a size that does not fit) is found by 'onemodel run'.`,
  examples: ['check model.onnx', 'check models/*.onnx --json'],
  async run(args) {
    await startEngine(args); // a failure here is none of a model
    const models: { file: string; ok: boolean; problems: string[] }[] = [];
    for (const file of args.positionals) {
      const problems = await problemsOfFile(file, args);
      models.push({ file, ok: problems.length === 0, problems });
    }
    const text = models.map(({ file, ok, problems }) =>
      ok
        ? `${file}: ${style.green('ok')}`
        : `${file}: ${style.red(plural(problems.length, 'problem'))}\n${indented(problems.join('\n'))}`,
    );
    return { json: { models }, text: text.join('\n'), failed: models.some(({ ok }) => !ok) };
  },
};
