// Puts the texts that belong to the npm package beside it: licence, notice, and what README.md says to its users.
//   node scripts/package_texts.mjs

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/steps.mjs';

const sections = ['## An example', '## What there is', '## Models you bring'];

const [introduction, ...others] = readFileSync(join(root, 'README.md'), 'utf8').split(/^(?=## )/m);
const taken = sections.map((title) => {
  const found = others.find((section) => section.startsWith(`${title}\n`));
  if (!found) throw new Error(`README.md has no section '${title}'`);
  return found;
});

// The pages and examples that the links lead to are in the repository only.
const text = [
  introduction,
  ...taken,
  'Pages and examples are in the repository, as are the sources. Licence: Apache-2.0.\n',
]
  .join('')
  .replace(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, '$1');

writeFileSync(join(root, 'web/README.md'), text);
for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(root, name), join(root, 'web', name));
