// npm run bench: operators and a real model against onnxruntime-web, through the public session API.
//
// Each configuration (variant, threads) is a process of its own in which both engines run in turns; medians and their
// ratio are comparable, absolute times move from machine to machine. `--write` renews docs/performance.md.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const relaxedFlag = '--experimental-wasm-relaxed-simd';
const knowsFlag = spawnSync('node', [relaxedFlag, '-e', '0']).status === 0;

const configurations = [
  { variant: 'relaxed', threads: 1 },
  { variant: 'simd', threads: 1 },
  ...(availableParallelism() >= 2 ? [{ variant: 'relaxed-threads', threads: 2 }] : []),
];

function runOne({ variant, threads }) {
  const flags = variant.startsWith('relaxed') && knowsFlag ? [relaxedFlag] : [];
  const { status, stdout, stderr } = spawnSync('node', [...flags, 'bench/measure.mjs', variant, String(threads)], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`bench/measure.mjs ${variant} ${threads}: ${stderr}`);
  return JSON.parse(stdout);
}

const milliseconds = (value) => (value < 1 ? value.toFixed(3) : value.toFixed(2));

function table(rows) {
  const lines = ['| Case | OneModel, ms | onnxruntime-web, ms | times as fast |', '|---|---|---|---|'];
  for (const { name, ours, theirs } of rows) {
    lines.push(`| ${name} | ${milliseconds(ours)} | ${milliseconds(theirs)} | ${(theirs / ours).toFixed(2)} |`);
  }
  return lines.join('\n');
}

const sections = [];
for (const configuration of configurations) {
  const { rows, startup } = runOne(configuration);
  const title = `${configuration.variant}, ${configuration.threads} thread${configuration.threads > 1 ? 's' : ''}`;
  const section = `## ${title}\n\n${table(rows)}\n\n\`init\` and the session of a small model: ${startup.toFixed(0)} ms.\n`;
  console.log(section);
  sections.push(section);
}

if (process.argv.includes('--write')) {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus()[0].model}, ${cpus().length} cores, Node ${process.versions.node}, ${date}`;
  const text = `# Performance\n\nWritten by \`npm run bench -- --write\` on ${machine}. Medians of runs in turns in one process; onnxruntime-web runs on as many threads.\n\n${sections.join('\n')}`;
  writeFileSync(`${root}/docs/performance.md`, text);
}
