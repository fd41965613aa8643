// The examples of the pages, each by itself, and what the pages say there is.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as om from 'onemodel';

await om.init({ threads: 1 });

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const codeIn = (page, language) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code]) => code);
const AsyncFunction = (async () => {}).constructor;

/** An example without its imports, of what the test hands to it. */
const bodyOf = (code) =>
  code.replace(/^import (?:\* as om from 'onemodel'|assert from 'node:assert\/strict');\n/gm, '');

for (const [name, least] of [
  ['docs/export.md', 5],
  ['docs/sessions.md', 1],
  ['docs/tensors.md', 9],
  ['docs/tracing.md', 3],
  ['docs/training.md', 7],
]) {
  const page = read(name);
  const examples = codeIn(page, 'js');
  test(`${name} has examples in JavaScript`, () => assert.ok(examples.length >= least));
  for (const code of examples) {
    const line = page.slice(0, page.indexOf(code)).split('\n').length;
    test(`${name}: the example at line ${line} runs`, () =>
      new AsyncFunction('om', 'assert', bodyOf(code))(om, assert));
  }
}

const squeezed = (text) => text.replace(/\s+/g, '');

test('docs/training.md shows what the C++ example is compiled from', () => {
  const [shown] = codeIn(read('docs/training.md'), 'cpp');
  assert.ok(squeezed(read('examples/cpp/line.cpp')).includes(squeezed(shown)));
});

test('docs/tensors.md names every method of tensors, and no other', () => {
  const page = read('docs/tensors.md');
  const table = page.slice(page.indexOf('| Kind'), page.indexOf('## Broadcasting'));
  const prototypes = [];
  for (let at = om.Tensor.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at)) prototypes.push(at);
  const methods = new Set(prototypes.flatMap((each) => Object.getOwnPropertyNames(each)));
  const named = [...table.matchAll(/`(\w+)(?:\(\w+\))?`/g)].map(([, name]) => name);
  assert.deepEqual(
    named.filter((name) => !methods.has(name)),
    [],
  );
  const elsewhere = ['dispose', 'isDisposed', 'keep', 'data', 'toArray', 'item']; // in other parts of the page
  for (const name of elsewhere) assert.match(page, new RegExp(`\\b${name}\\b`));
  const inner = ['constructor', 'handle', 'handleFor', 'dtypeFor', 'isKept', 'valueOf', 'toString'];
  assert.deepEqual(
    [...methods].filter((name) => ![...named, ...elsewhere, ...inner].includes(name)),
    [],
  );
});

test('docs/modules.md names everything that nn and optim export, and no other class', () => {
  const page = read('docs/modules.md');
  const named = new Set([...page.matchAll(/`(?:om\.(?:nn|optim)\.)?(\w+)`/g)].map(([, name]) => name));
  const exported = [...Object.keys(om.nn), ...Object.keys(om.optim)];
  assert.deepEqual(
    exported.filter((name) => !named.has(name)),
    [],
  );
  const rows = [...page.matchAll(/^\| `(?:om\.nn\.)?(\w+)`/gm)].map(([, name]) => name);
  assert.deepEqual(
    rows.filter((name) => !exported.includes(name)),
    [],
  );
});

test('docs/modules.md has every module, optimizer and schedule of C++, and its losses', () => {
  const page = read('docs/modules.md');
  const classes = [...read('src/nn/module_list.inc').matchAll(/^[A-Z]+\((\w+)\)/gm)].map(([, name]) => name);
  const headers = ['losses', 'losses_elementwise', 'ctc_loss'].map((name) => read(`src/nn/${name}.h`)).join('\n');
  const losses = [...headers.matchAll(/^Tensor (\w+)\(const Tensor& \w+, const Tensor& /gm)].map(([, name]) => name);
  assert.ok(classes.length > 60 && losses.length >= 10);
  for (const name of classes) assert.ok(page.includes(`\`${name}\``), name);
  for (const name of losses) assert.ok(page.includes(`\`nn::${name}\``), name);
});

test('README.md and the pages link to what there is', () => {
  const pages = readdirSync(new URL('../../docs/', import.meta.url)).map((name) => `docs/${name}`);
  const linked = new Set();
  for (const path of ['README.md', ...pages]) {
    const base = new URL(`../../${path}`, import.meta.url);
    for (const [, target] of read(path).matchAll(/\]\(([^)#]+)/g)) {
      if (/^https?:/.test(target)) continue;
      assert.ok(existsSync(new URL(target, base)), `${path} links to ${target}`);
      if (path === 'README.md') linked.add(target);
    }
  }
  assert.deepEqual(
    pages.filter((page) => !linked.has(page)),
    [],
  );
});

test('README.md and the pages name files that there are', () => {
  const root = new URL('../../', import.meta.url);
  const foldersIn = (url) => readdirSync(url, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const tops = new Set(foldersIn(root).map(({ name }) => name));
  const layers = new Set(foldersIn(new URL('src/', root)).map(({ name }) => name));
  /** Whether the path, whose endings may be left out, is that of a file or folder of the repository. */
  const exists = (path) => {
    const names = path.split('/');
    const last = names.pop().replaceAll('.', '\\.').replaceAll('*', '[^/]*');
    const folder = new URL(names.map((name) => `${name}/`).join(''), root);
    return existsSync(folder) && readdirSync(folder).some((name) => new RegExp(`^${last}(\\..*)?$`).test(name));
  };
  let count = 0;
  const missing = [];
  const pages = readdirSync(new URL('docs/', root)).map((name) => `docs/${name}`);
  for (const page of ['README.md', ...pages]) {
    for (const [, path] of read(page).matchAll(/`([\w.-]+\/[\w./*-]*)`/g)) {
      const [first] = path.split('/');
      if (!tops.has(first) && !layers.has(first)) continue;
      count++;
      const whole = (tops.has(first) ? path : `src/${path}`).replace(/\/$/, '');
      if (!exists(whole)) missing.push(`${page}: ${path}`);
    }
  }
  assert.ok(count > 50, `${count} paths`);
  assert.deepEqual(missing, []);
});
