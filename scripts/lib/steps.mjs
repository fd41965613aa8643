// Named steps with elapsed times: quiet while all is well, the end of the output when one fails.
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const heartbeatSeconds = 30;
const keptLines = 60;
const verbose = process.env.ONEMODEL_VERBOSE === '1';
const terminal = process.stdout.isTTY && !verbose;

export class StepError extends Error {}

export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

// Runs a command in the repository's folder; throws StepError when it fails. show: prints the end of its output too, or of
// the whole the lines that match.
export async function step(name, command, args = [], { env = {}, show = false } = {}) {
  const start = performance.now();
  const output = new Tail(show instanceof RegExp ? show : undefined);
  const progress = showProgress(name, start, output);
  const status = await run(command, args, env, output);
  progress.stop();
  if (status === 0) {
    console.log(`✓ ${name}  ${seconds(start)}`);
    const shown = output.matching?.join('\n') ?? output.text();
    if (show && shown && !verbose) console.log(shown.replace(/^/gm, '  '));
    return;
  }
  console.log(`✗ ${name}  ${seconds(start)}  (${status})`);
  if (!verbose) console.log(output.text());
  throw new StepError(`${name} failed: ${[command, ...args].join(' ')}`);
}

function run(command, args, env, output) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        if (verbose) process.stdout.write(text);
        output.add(text);
      });
    }
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
}

class Tail {
  #lines = [''];
  #pattern;
  matching;
  constructor(pattern) {
    this.#pattern = pattern;
    if (pattern) this.matching = [];
  }
  add(text) {
    const lines = text.split(/\r?\n|\r/);
    this.#lines[this.#lines.length - 1] += lines.shift();
    const ended = this.#lines.slice(-1).concat(lines).slice(0, -1);
    this.matching?.push(...ended.filter((line) => this.#pattern.test(line)));
    this.#lines = this.#lines.concat(lines).slice(-keptLines);
  }
  text() {
    return this.#lines.join('\n').trimEnd();
  }
  last() {
    return this.#lines.findLast((line) => line.trim())?.trim() ?? '';
  }
}

// A line that rewrites itself on a terminal; elsewhere a line now and then, so that a log shows that work goes on.
function showProgress(name, start, output) {
  const line = () => `▸ ${name}  ${seconds(start)}  ${output.last()}`;
  const draw = () => process.stdout.write(`\r\x1b[K${line().slice(0, (process.stdout.columns ?? 80) - 1)}`);
  if (terminal) draw();
  const timer = setInterval(
    terminal ? draw : () => console.log(line().slice(0, 200)),
    terminal ? 200 : heartbeatSeconds * 1000,
  );
  return {
    stop() {
      clearInterval(timer);
      if (terminal) process.stdout.write('\r\x1b[K');
    },
  };
}
