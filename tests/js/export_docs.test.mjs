// The examples of docs/export.md, each by itself.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as om from 'onemodel';

await om.init({ threads: 1 });

const page = readFileSync(new URL('../../docs/export.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
const AsyncFunction = (async () => {}).constructor;

test('docs/export.md has examples in JavaScript', () => assert.ok(examples.length >= 5));

for (const code of examples) {
  const line = page.slice(0, page.indexOf(code)).split('\n').length;
  test(`the example at line ${line} runs`, () => new AsyncFunction('om', 'assert', code)(om, assert));
}
