// npm run bench: everything that is measured; `npm run bench -- training`: the training alone. `--write` renews what
// docs/performance.md says of it. Ends with exit code 1 when an aim is missed.

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import * as project from '../scripts/lib/project.mjs';
import { root } from '../scripts/lib/steps.mjs';
import { measureInference } from './inference.mjs';
import { run } from './processes.mjs';
import { measureTraining } from './training.mjs';

const file = join(root, 'docs/performance.md');
const date = new Date().toISOString().slice(0, 10);
const where = `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.versions.node}, ${date}`;
const [onlyTraining, writes] = ['training', '--write'].map((each) => process.argv.includes(each));

await project.bootstrap();
await project.installPackages();
const inference = onlyTraining ? { text: '', missed: [] } : await measureInference(where);
const training = await measureTraining(where);
console.log(`${inference.text}\n${training.text}`);
if (writes) {
  const kept = onlyTraining ? readFileSync(file, 'utf8').split(/^## Training$/m)[0] : inference.text;
  writeFileSync(file, `${kept.trimEnd()}\n\n${training.text}`);
  run('node_modules/.bin/biome', ['format', '--write', file]);
}
const missed = [...inference.missed, ...training.missed];
for (const each of missed) console.error(`missed: ${each}`);
process.exitCode = missed.length > 0 ? 1 : 0;
