// npm run bench: everything that is measured; `npm run bench -- training` or `exporting`: that alone. `--write` renews what
// docs/performance.md says of it.

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import * as project from '../scripts/lib/project.mjs';
import { root } from '../scripts/lib/steps.mjs';
import { measureExporting } from './exporting.mjs';
import { measureInference } from './inference.mjs';
import { run } from './processes.mjs';
import { measureTraining } from './training.mjs';

const file = join(root, 'docs/performance.md');
const date = new Date().toISOString().slice(0, 10);
const where = `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.versions.node}, ${date}`;
/** The parts of the page in their order, and the headings of all but the first. */
const parts = { inference: measureInference, exporting: measureExporting, training: measureTraining };
const headings = { exporting: '## Exported programs\n', training: '## Training\n' };
const only = process.argv.find((each) => each in headings);

await project.bootstrap();
await project.installPackages();
const known = readFileSync(file, 'utf8').split(/^(?=## (?:Exported programs|Training)$)/m);
const texts = [];
for (const [name, measure] of Object.entries(parts)) {
  const measured = !only || only === name ? await measure(where) : undefined;
  if (measured) console.log(measured);
  const kept = known.find((text) => (headings[name] ? text.startsWith(headings[name]) : text === known[0]));
  texts.push(measured ?? kept ?? '');
}
if (process.argv.includes('--write')) {
  writeFileSync(file, `${texts.map((text) => text.trim()).join('\n\n')}\n`);
  run('node_modules/.bin/biome', ['format', '--write', file]);
}
