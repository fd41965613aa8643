// Writes docs/coverage.md below FOLDER: how many cases of ONNX's test data pass, and why the others do not.
//   node scripts/coverage.mjs FOLDER

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/steps.mjs';

const data = '/usr/share/libonnx-testdata/data';
const groups = ['node', 'simple', 'pytorch-converted', 'pytorch-operator'];
const list = 'tests/data/onnx_testdata.txt';

const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;

const exceptions = readFileSync(join(root, list), 'utf8')
  .split('\n')
  .filter((line) => /^[^# ]/.test(line))
  .map((line) => line.split(/: (.*)/))
  .map(([name, reason]) => ({ name, group: name.split('/')[0], reason }));

function counts() {
  const rows = groups.map((group) => {
    const cases = readdirSync(join(data, group)).length;
    return { group, cases, passing: cases - exceptions.filter((each) => each.group === group).length };
  });
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  return [...rows, { group: 'all', cases: sum('cases'), passing: sum('passing') }];
}

function reasons() {
  const byReason = new Map();
  for (const { name, reason } of exceptions) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  return [...byReason].sort((a, b) => b[1].length - a[1].length);
}

const text = `# Coverage

Written by \`scripts/generate\`. The cases are those of Debian's libonnx-testdata (ONNX 1.12); \`tests/onnx_testdata\` runs each in
fast and in exact arithmetic, natively and as WebAssembly, and fails when a case that is not in
[the list](../${list}) does not pass, or one in it does.

| Group | Cases | Pass | Share |
| --- | ---: | ---: | ---: |
${counts()
  .map(({ group, cases, passing }) => `| ${group} | ${cases} | ${passing} | ${percent(passing, cases)} |`)
  .join('\n')}

## What does not pass

| Cases | Reason |
| ---: | --- |
${reasons()
  .map(([reason, names]) => `| ${names.length} | ${reason} |`)
  .join('\n')}
`;

if (existsSync(data)) {
  mkdirSync(join(process.argv[2], 'docs'), { recursive: true });
  writeFileSync(join(process.argv[2], 'docs/coverage.md'), text);
}
