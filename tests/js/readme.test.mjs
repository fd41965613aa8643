import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (name) => readFileSync(root + name, 'utf8');
const squeezed = (text) => text.replace(/\s+/g, '').replace(/,([\])])/g, '$1');

test('the example in README.md is the file, and runs', () => {
  const shown = /```js\n(.*?)```/s.exec(read('README.md'))[1];
  const file = read('examples/js/readme.mjs');
  assert.equal(squeezed(shown), squeezed(file.slice(file.indexOf('import *'))));
  const { status, stdout, stderr } = spawnSync('node', ['examples/js/readme.mjs'], { cwd: root, encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.equal(status, 0);
  assert.ok(Math.abs(JSON.parse(stdout)[0][0] - 1) < 0.1, stdout);
});
