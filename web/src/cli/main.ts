/** `onemodel COMMAND …`: exit code 0, 1 for a failure or a finding, 2 for wrong arguments. */

import { readFileSync } from 'node:fs';
import { guess } from '../similar.js';
import { bench } from './bench.js';
import { check } from './check.js';
import { type Command, helpOf, type Report, readArguments, UsageError } from './command.js';
import { convert } from './convert.js';
import { diff } from './diff.js';
import { info } from './info.js';
import { optimize } from './optimize.js';
import { run } from './run.js';
import { columns, printable, style } from './terminal.js';

const commands: readonly Command[] = [info, check, run, convert, optimize, bench, diff];

function overview(): string {
  const rows = commands.map(({ name, summary }) => [`  ${style.bold(name)}`, summary]);
  return [
    `${style.bold('Usage:')} onemodel COMMAND … [options]`,
    'Works with models in .onnx and .onemodel files.',
    `${style.bold('Commands:')}\n${columns(rows)}`,
    "'onemodel COMMAND --help' tells more, '--json' makes any command print JSON, '--version' prints the version.",
    `${style.bold('Exit code:')} 0 when all is well, 1 for a failure or a finding, 2 for wrong arguments.`,
  ].join('\n\n');
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}

function commandOf(name: string): Command {
  const found = commands.find((command) => command.name === name);
  if (found) return found;
  const names = commands.map((each) => each.name);
  throw new UsageError(`there is no command '${name}'${guess(name, names)} (commands: ${names.join(', ')})`);
}

async function execute(command: Command, argv: readonly string[]): Promise<number> {
  const args = readArguments(command, argv);
  if (args === 'help') {
    console.log(helpOf(command));
    return 0;
  }
  const report: Report = await command.run(args);
  console.log(args.flag('json') ? JSON.stringify(report.json, null, 2) : printable(report.text));
  return report.failed ? 1 : 0;
}

async function main([name, ...rest]: readonly string[]): Promise<number> {
  if (name === undefined) throw new UsageError('a command is missing');
  if (name === '--version' || name === '-v') console.log(version());
  else if (name === 'help' && rest[0] !== undefined) console.log(helpOf(commandOf(rest[0])));
  else if (name === 'help' || name === '--help' || name === '-h') console.log(overview());
  else return execute(commandOf(name), rest);
  return 0;
}

function reportError(error: unknown, name: string | undefined): number {
  const command = commands.find((each) => each.name === name);
  const program = command ? `onemodel ${command.name}` : 'onemodel';
  console.error(printable(`${program}: ${error instanceof Error ? error.message : error}`));
  if (!(error instanceof UsageError)) return 1;
  console.error(`Try '${program} --help'.`);
  return 2;
}

// A reader that has seen enough, such as `head`, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const argv = process.argv.slice(2);
process.exitCode = await main(argv).catch((error: unknown) => reportError(error, argv[0]));
