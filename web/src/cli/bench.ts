import { performance } from 'node:perf_hooks';
import { environment } from '../engine.js';
import { scope } from '../memory.js';
import type { Session, SessionOptions } from '../session.js';
import type { TensorMap } from '../session_feeds.js';
import type { Command, Report } from './command.js';
import { feedHelp, feedOptions, readFeeds } from './feeds.js';
import { runOptions, sessionOptions, withSession } from './model.js';
import { byOperator, stepsOf, type Step } from './profile.js';
import { quantile } from './statistics.js';
import { bytes, factSection, plural, section, table } from './terminal.js';

const mostRuns = 1_000_000;

/** Milliseconds of each run. */
function measure(session: Session, feeds: TensorMap, runs: number): number[] {
  return Array.from({ length: runs }, () => {
    const start = performance.now();
    scope(() => void session.runSync(feeds));
    return performance.now() - start;
  });
}

type Times = ReturnType<typeof summary>;

function summary(times: readonly number[]) {
  const sorted = [...times].sort((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
    mean: sorted.reduce((sum, time) => sum + time, 0) / sorted.length,
    min: sorted[0] as number,
    max: sorted.at(-1) as number,
  };
}

const fixed = (milliseconds: number) => milliseconds.toFixed(3);

function profileTable(steps: readonly Step[]): string {
  const groups = byOperator(steps);
  const total = groups.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const rows = groups.map(({ op, kernel, steps: n, milliseconds }) => [
    op,
    kernel,
    String(n),
    fixed(milliseconds),
    `${((100 * milliseconds) / (total || 1)).toFixed(1)}%`,
  ]);
  return table(['operator', 'kernel', 'steps', 'ms', 'share'], rows, ['left', 'left', 'right', 'right', 'right']);
}

interface Conditions extends SessionOptions {
  file: string;
  variant: string;
  threads: number;
  runs: number;
  warmup: number;
  arenaBytes: number;
}

function conditionsText({ file, variant, threads, arithmetic, runs, warmup, arenaBytes }: Conditions): string {
  return factSection(file, [
    ['engine', `${variant}, ${plural(threads, 'thread')}, ${arithmetic} arithmetic`],
    ['runs', `${runs} after ${warmup}`],
    ['scratch', bytes(arenaBytes)],
  ]);
}

function report(conditions: Conditions, milliseconds: Times, steps: readonly Step[] | null): Report {
  const names = Object.keys(milliseconds);
  const times = table(
    names,
    [Object.values(milliseconds).map(fixed)],
    names.map(() => 'right'),
  );
  const parts = [conditionsText(conditions), section('Milliseconds', times)];
  if (steps) parts.push(section('Profile', profileTable(steps)));
  return { json: { ...conditions, milliseconds, ...(steps && { steps }) }, text: parts.join('\n\n') };
}

export const bench: Command = {
  name: 'bench',
  summary: 'Measures how long a model runs.',
  positionals: ['MODEL'],
  options: {
    ...feedOptions,
    runs: { value: 'N', help: 'How many runs are measured. Default: 20.' },
    warmup: { value: 'N', help: 'How many runs come before. Default: 3.' },
    profile: { help: 'Show the time of each kind of step as well; with --json, of each step.' },
    ...runOptions,
  },
  details: `The first run plans and packs weights; it is among those before. Times are in milliseconds, of a run with everything it
does but making the inputs. The profile is taken in further runs, which it makes a little slower.

${feedHelp}`,
  examples: ['bench model.onnx --dim batch=1', 'bench model.onnx --dim batch=8 --threads 2 --runs 100 --profile'],
  async run(args) {
    const runs = args.integer('runs', 1, mostRuns, 20);
    const warmup = args.integer('warmup', 0, mostRuns, 3);
    const options = sessionOptions(args);
    const path = args.positionals[0] as string;
    const { times, steps, arena } = await withSession(path, args, async (session) => {
      const makeFeeds = await readFeeds(session, args);
      return scope(() => {
        const feeds = makeFeeds();
        measure(session, feeds, warmup);
        const measured = measure(session, feeds, runs);
        return {
          times: measured,
          steps: args.flag('profile') ? stepsOf(session.profile(feeds, Math.min(runs, 20))) : null,
          arena: session.arenaBytes,
        };
      });
    });
    const { variant, threads } = environment();
    return report({ file: path, variant, threads, ...options, runs, warmup, arenaBytes: arena }, summary(times), steps);
  },
};
