// Puts the texts that belong to the npm package beside it: licence, notice, what README.md says to its users, and the
// pages for them.
//   node scripts/package_texts.mjs

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/steps.mjs';

const sections = ['## An example', '## What there is', '## Models you bring'];
// Not those about C++, the engine's sources and its measurements.
const pages = [
  'tensors',
  'training',
  'modules',
  'operators',
  'tracing',
  'export',
  'sessions',
  'onnxruntime',
  'cli',
  'bundlers',
];

const [introduction, ...others] = readFileSync(join(root, 'README.md'), 'utf8').split(/^(?=## )/m);
const taken = sections.map((title) => {
  const found = others.find((section) => section.startsWith(`${title}\n`));
  if (!found) throw new Error(`README.md has no section '${title}'`);
  return found;
});

/** Of a link to what only the repository has, the text. */
function linked(markdown, folder) {
  return markdown.replace(/\[([^\]]*)\]\(([^)]*)\)/g, (link, text, target) => {
    const page = target.startsWith(folder) ? /^([\w-]+)\.md(?:#|$)/.exec(target.slice(folder.length))?.[1] : undefined;
    return /^(?:https?:|#)/.test(target) || pages.includes(page) ? link : text;
  });
}

const page = (name) => readFileSync(join(root, 'docs', `${name}.md`), 'utf8');
const list = pages.map((name) => `- [${/^# (.*)/.exec(page(name))[1]}](docs/${name}.md)`).join('\n');
const readme = [
  introduction,
  ...taken,
  `## Pages\n\n${list}\n\nOthers, examples and the sources are in the repository. Licence: Apache-2.0.\n`,
].join('');

writeFileSync(join(root, 'web/README.md'), linked(readme, 'docs/'));
for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(root, name), join(root, 'web', name));
rmSync(join(root, 'web/docs'), { recursive: true, force: true });
mkdirSync(join(root, 'web/docs'));
for (const name of pages) writeFileSync(join(root, 'web/docs', `${name}.md`), linked(page(name), ''));
