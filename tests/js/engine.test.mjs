// How the engine starts: each test in a Node of its own.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { relaxedFlags, takesRelaxedFlag } from '../../scripts/lib/relaxed_simd.mjs';
import { inNode } from './support.mjs';

const cores = availableParallelism();

const start = (options, flags) =>
  inNode(`report(await om.init(${JSON.stringify(options)})); process.exitCode = 0;`, flags);

const variants = ['simd', 'simd-threads', 'relaxed', 'relaxed-threads'];

for (const variant of variants) {
  test(`variant ${variant} runs and says what it is`, async () => {
    const hasThreads = variant.endsWith('-threads');
    const isRelaxed = variant.startsWith('relaxed');
    const { environment, sum } = await inNode(
      `await om.init({ threads: 2, variant: '${variant}' });
       report({ environment: om.environment(), sum: om.ones([2, 3]).matmul(om.ones([3, 1])).toArray() });`,
      isRelaxed ? relaxedFlags : [],
    );
    assert.deepEqual(environment, {
      variant,
      threads: hasThreads ? 2 : 1,
      relaxedSimd: isRelaxed,
      threadsReason: hasThreads ? null : `variant '${variant}' was asked for`,
      simdReason: isRelaxed ? null : `variant '${variant}' was asked for`,
    });
    assert.deepEqual(sum, [[3], [3]]);
  });
}

test('detection takes relaxed SIMD where there is any', async () => {
  const { variant, relaxedSimd, simdReason } = await start({ threads: 1 }, relaxedFlags);
  assert.deepEqual([variant, relaxedSimd, simdReason], ['relaxed', true, null]);
});

test('detection takes plain SIMD elsewhere and says what is missing', { skip: !takesRelaxedFlag }, async () => {
  const { variant, relaxedSimd, simdReason } = await start({ threads: 1 });
  assert.deepEqual([variant, relaxedSimd], ['simd', false]);
  assert.match(simdReason, /--experimental-wasm-relaxed-simd/);
});

test('the default is a thread per core, at most 4, and says why not more', async () => {
  const { variant, threads, threadsReason } = await start({});
  assert.equal(threads, Math.min(4, cores));
  assert.equal(variant.endsWith('-threads'), cores > 1);
  if (cores === 1) assert.equal(threadsReason, 'the machine has one core');
  else if (cores <= 4) assert.equal(threadsReason, null);
  else assert.match(threadsReason, new RegExp(`at most 4: pass \`threads\` to use all ${cores} cores`));
});

test('on a machine of eight cores the default leaves four, and a number that was asked for is given', async () => {
  const eight = "Object.defineProperty(globalThis, 'navigator', { value: { hardwareConcurrency: 8 } });";
  const run = (options) => inNode(`${eight} report(await om.init(${options}));`);
  const byDefault = await run('{}');
  assert.equal(byDefault.threads, 4);
  assert.equal(byDefault.threadsReason, 'the default is at most 4: pass `threads` to use all 8 cores');
  const asked = await run('{ threads: 3 }');
  assert.equal(asked.threads, 3);
  assert.equal(asked.threadsReason, null);
  const one = await run('{ threads: 1 }');
  assert.equal(one.threads, 1);
  assert.equal(one.threadsReason, 'one thread was asked for');
});

test('bad options are refused, and a start can be tried again', async () => {
  const { errors, threads } = await inNode(
    `const errors = [];
     for (const options of [{ threads: 0 }, { threads: 1.5 }, { threads: 65 }, { variant: 'mmx' }]) {
       await om.init(options).catch(({ name, kind, message }) => errors.push({ name, kind, message }));
     }
     try { om.zeros([1]); } catch ({ name, kind, message }) { errors.push({ name, kind, message }); }
     const { threads } = await om.init({ threads: 1 });
     report({ errors, threads });`,
  );
  assert.equal(threads, 1);
  assert.deepEqual(
    errors.map(({ name, kind }) => [name, kind]),
    [...Array(4).fill(['ArgumentError', 'Argument']), ['ArgumentError', 'NotInitialized']],
  );
  assert.match(errors[2].message, /from 1 to 64, got 65/);
  assert.match(errors[3].message, /'mmx' \(known: simd, simd-threads, relaxed, relaxed-threads\)/);
});

test('wasmBaseUrl takes the files from another folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'onemodel wasm '));
  cpSync(new URL('../../web/dist/wasm/', import.meta.url), folder, { recursive: true });
  try {
    for (const variant of ['simd', 'simd-threads']) {
      const base = pathToFileURL(folder).href;
      const { environment, values } = await inNode(
        `const environment = await om.init({ threads: 2, variant: '${variant}', wasmBaseUrl: '${base}' });
         report({ environment, values: om.ones([64, 64]).matmul(om.ones([64, 64])).sum().item() });`,
      );
      assert.equal(environment.variant, variant);
      assert.equal(values, 64 ** 3);
    }
    const missing = await inNode(
      `report(await om.init({ wasmBaseUrl: '${pathToFileURL(join(folder, 'none')).href}' }).catch((error) => error.code));`,
    );
    assert.equal(missing, 'ERR_MODULE_NOT_FOUND');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('options of init that do not exist are named', async () => {
  const message = await inNode('report(await om.init({ thread: 1 }).catch((error) => error.message));');
  assert.equal(
    message,
    "init: unknown option 'thread': did you mean 'threads'? (known: threads, wasmBaseUrl, variant)",
  );
});

test('a module of other operators than the package is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'onemodel-stale-'));
  const real = JSON.stringify(new URL('../../web/dist/wasm/onemodel-simd.mjs', import.meta.url).href);
  const refusal = (declarations) => {
    const file = `import create from ${real};
      export default async ({ locateFile, ...options }) => Object.assign(await create(options), { declarations: ${declarations} });`;
    writeFileSync(join(folder, 'onemodel-simd.mjs'), file);
    return inNode(
      `const init = om.init({ variant: 'simd', wasmBaseUrl: ${JSON.stringify(pathToFileURL(folder).href)} });
       report(await init.catch(({ name, kind, message }) => ({ name, kind, message })));`,
    );
  };
  try {
    for (const declarations of ['undefined', '() => 1']) {
      const { name, kind, message } = await refusal(declarations);
      assert.deepEqual([name, kind], ['ArgumentError', 'Version']);
      assert.match(
        message,
        /^init: onemodel-simd\.wasm is of another version than this package.*`npm start`.*reinstall/,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a start that fails says what is wrong, and leaves no workers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'onemodel-mixed-'));
  const wasm = new URL('../../web/dist/wasm/', import.meta.url);
  const start = () =>
    inNode(
      `const init = om.init({ threads: 2, variant: 'simd-threads', wasmBaseUrl: '${pathToFileURL(folder).href}' });
       report(await init.catch(({ name, kind, message }) => ({ name, kind, message })));`,
    ); // which ends when Node does
  try {
    cpSync(new URL('onemodel-simd-threads.mjs', wasm), join(folder, 'onemodel-simd-threads.mjs'));
    const missing = await start();
    cpSync(new URL('onemodel-simd.wasm', wasm), join(folder, 'onemodel-simd-threads.wasm'));
    for (const { name, kind, message } of [missing, await start()]) {
      assert.deepEqual([name, kind], ['ArgumentError', 'Start']);
      assert.match(
        message,
        /^init: onemodel-simd-threads does not start: the \.wasm file has to be there, and of the same/,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('two threads compute what one does', async () => {
  const product = (threads) =>
    inNode(
      `const { createHash } = await import('node:crypto');
       await om.init({ threads: ${threads}, variant: 'simd-threads' });
       om.manualSeed(1);
       const c = om.rand([512, 512], -1, 1).matmul(om.rand([512, 512], -1, 1));
       report({ threads: om.environment().threads, hash: createHash('sha256').update(c.data).digest('hex') });`,
    );
  const [one, two] = [await product(1), await product(2)];
  assert.deepEqual([one.threads, two.threads], [1, 2]);
  assert.equal(two.hash, one.hash);
});
