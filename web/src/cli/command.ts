/** What a command is, how its arguments are read, and its help. */

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { guess } from '../similar.js';
import { columns, style } from './terminal.js';

/** What the caller of the command did wrong: exit code 2. */
export class UsageError extends Error {}

/** An option: a flag unless `value` names what follows it. */
export interface Option {
  value?: string;
  /** Whether it may be given several times. */
  multiple?: boolean;
  help: string;
}

/** What a command has to say. */
export interface Report {
  /** For `--json`. */
  json: unknown;
  text: string;
  /** Whether it found what makes the exit code 1. */
  failed?: boolean;
}

/** A command: `onemodel NAME …`. */
export interface Command {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** Names of what comes without a dash; the last one may repeat when it ends with "…". */
  positionals: readonly string[];
  options: Readonly<Record<string, Option>>;
  /** Paragraphs of the help. */
  details: string;
  /** Lines that show its use, without the program's name. */
  examples: readonly string[];
  run(args: Arguments): Promise<Report>;
}

const common: Record<string, Option> = {
  json: { help: 'Print JSON instead of text.' },
  help: { help: 'Print this.' },
};

/** What was given for a command, by option. */
export class Arguments {
  readonly #values: Record<string, unknown>;

  constructor(
    /** What came without a dash. */
    readonly positionals: readonly string[],
    values: Record<string, unknown>,
  ) {
    this.#values = values;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  text(name: string): string | undefined {
    return this.#values[name] as string | undefined;
  }

  list(name: string): readonly string[] {
    return (this.#values[name] as string[] | undefined) ?? [];
  }

  /** Throws UsageError unless the option is one of these words. */
  word<Word extends string>(name: string, known: readonly Word[], fallback: Word): Word {
    const given = this.text(name) ?? fallback;
    if (known.includes(given as Word)) return given as Word;
    throw new UsageError(`--${name} expects ${known.join(' or ')}, got '${given}'`);
  }

  /** Throws UsageError unless the option is a whole number from `least` to `most`. */
  integer<T>(name: string, least: number, most: number, fallback: T): number | T {
    const given = this.text(name);
    if (given === undefined) return fallback;
    const number = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new UsageError(`--${name} expects a whole number from ${least} to ${most}, got '${given}'`);
  }

  /** Throws UsageError unless the option is a number of 0 or more. */
  amount(name: string, fallback: number): number {
    const given = this.text(name);
    if (given === undefined) return fallback;
    const number = given.trim() === '' ? Number.NaN : Number(given);
    if (number >= 0 && number !== Number.POSITIVE_INFINITY) return number;
    throw new UsageError(`--${name} expects a number of 0 or more, got '${given}'`);
  }
}

function checkPositionals({ positionals }: Command, given: readonly string[]): void {
  const repeats = positionals.at(-1)?.endsWith('…') ?? false;
  const [wanted, got] = [positionals.length, given.length];
  if (got < wanted) throw new UsageError(`${positionals[got]} is missing`);
  if (got > wanted && !repeats) throw new UsageError(`unexpected argument '${given[wanted]}'`);
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

/** Throws UsageError for `--dim batch 2`: an option that wants NAME=SIZE, and a word after it that is too many. */
function checkPairs({ options, positionals }: Command, tokens: readonly Token[]): void {
  let words = 0;
  tokens.forEach((token, i) => {
    if (token.kind !== 'positional' || ++words <= positionals.length) return;
    const before = tokens[i - 1];
    if (before?.kind !== 'option' || before.value === undefined || before.value.includes('=')) return;
    const form = options[before.name]?.value ?? '';
    if (!form.includes('=')) return;
    const [got, meant] = [' ', '='].map((between) => `--${before.name} ${before.value}${between}${token.value}`);
    throw new UsageError(`--${before.name} expects ${form}: ${meant}, got ${got}`);
  });
}

/** What is wrong with the arguments, in a sentence. */
function problemOf(error: TypeError, known: readonly string[]): string {
  const [sentence = ''] = error.message.split('. ');
  const unknown = /^Unknown option '--([^']+)'/.exec(sentence)?.[1];
  const names = known.map((name) => `--${name}`);
  return unknown === undefined ? sentence : `${sentence}${guess(`--${unknown}`, names)}`;
}

/** Reads the arguments of a command; whether its help was asked for comes first. Throws UsageError. */
export function readArguments(command: Command, argv: readonly string[]): Arguments | 'help' {
  const known: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean', short: 'h' } };
  for (const [name, { value, multiple = false }] of Object.entries({ ...common, ...command.options })) {
    known[name] = { ...known[name], type: value === undefined ? 'boolean' : 'string', multiple };
  }
  if (argv.includes('--help') || argv.includes('-h')) return 'help';
  try {
    const given = { args: [...argv], options: known, allowPositionals: true, tokens: true } as const;
    const { values, positionals, tokens } = parseArgs(given);
    checkPairs(command, tokens);
    checkPositionals(command, positionals);
    return new Arguments(positionals, values);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(problemOf(error, Object.keys(known)));
    throw error;
  }
}

function optionLine([name, { value, multiple, help }]: [string, Option]): string[] {
  const short = name === 'help' ? '-h, ' : '';
  const argument = value === undefined ? '' : ` ${value}`;
  return [`  ${style.bold(`${short}--${name}`)}${argument}`, multiple ? `${help} May be given several times.` : help];
}

/** The text of `onemodel NAME --help`. */
export function helpOf(command: Command): string {
  const usage = ['onemodel', command.name, ...command.positionals, '[options]'].join(' ');
  const options = Object.entries({ ...command.options, ...common }).map(optionLine);
  return [
    `${style.bold('Usage:')} ${usage}`,
    command.summary,
    command.details,
    `${style.bold('Options:')}\n${columns(options)}`,
    `${style.bold('Examples:')}\n${command.examples.map((line) => `  onemodel ${line}`).join('\n')}`,
    `${style.bold('Exit code:')} 0 when all is well, 1 for a failure or a finding, 2 for wrong arguments.`,
  ].join('\n\n');
}
