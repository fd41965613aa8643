// What docs/cpp.md says to a C++ programmer: the installed library, its CMake package and the example.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/cpp.md'), 'utf8');
const block = (language) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)[1];

function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}\n${stderr}`);
  return stdout;
}

/** The same text, with numbers that differ by a tenth at most: fast kernels promise no bits. */
function assertAlike(shown, printed) {
  const number = /-?\d+(?:\.\d+)?/g;
  assert.equal(printed.replace(number, '#'), shown.replace(number, '#'));
  const numbers = [shown, printed].map((text) => text.match(number).map(Number));
  for (const [i, expected] of numbers[0].entries()) {
    assert.ok(Math.abs(numbers[1][i] - expected) <= 0.1 * Math.abs(expected), printed);
  }
}

test('the example in docs/cpp.md is the file', () => {
  const file = readFileSync(join(root, 'examples/cpp/classifier.cpp'), 'utf8');
  assert.equal(block('cpp'), file.slice(file.indexOf('#include')));
});

test('a program builds against the installed library, and runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onemodel-installed-'));
  try {
    const [prefix, program, build] = ['prefix', 'program', 'build'].map((name) => join(folder, name));
    run('cmake', ['--install', 'build/release', '--prefix', prefix]);
    mkdirSync(program);
    writeFileSync(join(program, 'CMakeLists.txt'), block('cmake'));
    writeFileSync(join(program, 'classifier.cpp'), block('cpp'));
    run('cmake', ['-S', program, '-B', build, `-DCMAKE_PREFIX_PATH=${prefix}`]);
    run('cmake', ['--build', build]);
    const shown = /It prints\n\n```\n([\s\S]*?)```/.exec(page)[1];
    assertAlike(shown, run(join(build, 'classifier'), [folder]));
    const include = ['include', 'include/onemodel'].flatMap((each) => ['-isystem', join(prefix, each)]);
    const warnings = ['-Wall', '-Wextra', '-Wconversion', '-Werror'];
    const options = 'tests/js/native_package/options.cpp';
    run(process.env.CXX ?? 'c++', ['-std=c++20', '-fsyntax-only', ...warnings, ...include, options]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
