// npm run bench: everything that is measured; `npm run bench -- training` (or `quantised`, `exporting`): that part alone. `--write` renews
// what docs/performance.md says of it. Ends with exit code 1 when an aim is missed.

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import * as project from '../scripts/lib/project.mjs';
import { root } from '../scripts/lib/steps.mjs';
import { measureExporting } from './exporting.mjs';
import { measureInference } from './inference.mjs';
import { run } from './processes.mjs';
import { measureQuantised } from './quantised.mjs';
import { measureTraining } from './training.mjs';

const file = join(root, 'docs/performance.md');
const date = new Date().toISOString().slice(0, 10);
const where = `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.versions.node}, ${date}`;

/** The parts of the page in their order: how each begins, and what measures it. */
const parts = [
  { name: 'inference', title: '# Performance', measure: measureInference },
  { name: 'quantised', title: '## Quantised operators and normalisation', measure: measureQuantised },
  { name: 'exporting', title: '## Exported programs', measure: measureExporting },
  { name: 'training', title: '## Training', measure: measureTraining },
];

/** What `page` has of a part already. */
function partOf(page, i) {
  const from = page.indexOf(`${parts[i].title}\n`);
  const ends = parts.slice(i + 1).map(({ title }) => page.indexOf(`\n${title}\n`));
  return from < 0 ? '' : page.slice(from, Math.min(page.length, ...ends.filter((at) => at >= 0)));
}

const asked = parts.filter(({ name }) => process.argv.includes(name));

await project.bootstrap();
await project.installPackages();
const measured = new Map();
for (const { title, measure } of asked.length > 0 ? asked : parts) measured.set(title, await measure(where));
console.log([...measured.values()].map(({ text }) => text).join('\n'));
if (process.argv.includes('--write')) {
  const before = readFileSync(file, 'utf8');
  const page = parts.map(({ title }, i) => measured.get(title)?.text ?? partOf(before, i));
  writeFileSync(
    file,
    `${page
      .map((each) => each.trim())
      .filter(Boolean)
      .join('\n\n')}\n`,
  );
  run('node_modules/.bin/biome', ['format', '--write', file]);
}
const missed = [...measured.values()].flatMap((each) => each.missed);
for (const each of missed) console.error(`missed: ${each}`);
process.exitCode = missed.length > 0 ? 1 : 0;
