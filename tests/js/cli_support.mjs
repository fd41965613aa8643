// Runs the command on files in a folder of the test's own.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../web/bin/onemodel.js', import.meta.url));
const { FORCE_COLOR: _, NO_COLOR: __, ...plainEnvironment } = process.env;

/** A folder with these files, removed after the tests, in which `onemodel` runs. */
export function useCommand(files) {
  const folder = mkdtempSync(join(tmpdir(), 'onemodel-cli-'));
  after(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);

  const spawn = (args, env = {}) => {
    const options = { cwd: folder, encoding: 'utf8', env: { ...plainEnvironment, ...env }, timeout: 120_000 };
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options);
    return { status, stdout, stderr };
  };

  /** The text of a command that ends with this exit code. */
  const textOf = (args, code = 0, env = {}) => {
    const { status, stdout, stderr } = spawn(args, env);
    assert.equal(status, code, `onemodel ${args.join(' ')}\n${stdout}\n${stderr}`);
    assert.equal(stderr, '');
    return stdout;
  };

  /** What it prints with --json. */
  const jsonOf = (args, code = 0) => JSON.parse(textOf([...args, '--json'], code));

  /** Asserts that it ends with this exit code, says these things on stderr, and nothing else. */
  const assertFails = (args, code, ...parts) => {
    const { status, stdout, stderr } = spawn(args);
    assert.equal(status, code, `onemodel ${args.join(' ')}\n${stdout}\n${stderr}`);
    assert.equal(stdout, '');
    for (const part of parts) assert.ok(stderr.includes(part), `no '${part}' in: ${stderr}`);
    assert.doesNotMatch(stderr, /^\s+at /m, 'a stack trace');
    assert.equal(/Try 'onemodel.*--help'/.test(stderr), code === 2, stderr);
  };

  return { folder, spawn, textOf, jsonOf, assertFails };
}
