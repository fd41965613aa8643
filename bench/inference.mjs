// Operators and a real model against onnxruntime-web and tfjs-backend-wasm, through the public session API, in Node and
// in Chromium; and the same files natively.
//
// Each configuration (variant, threads) is a process or page of its own in which all engines run in turns, twice: of each
// engine the better median counts, since now and then V8 leaves the kernels of one engine unoptimised for a whole process.
// Medians of one configuration and their ratios are comparable; absolute times move from machine to machine.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from '../scripts/lib/chromium.mjs';
import * as project from '../scripts/lib/project.mjs';
import { root } from '../scripts/lib/steps.mjs';
import { serve } from '../scripts/serve.mjs';
import { node, progress, run } from './processes.mjs';
import { report } from './report.mjs';

const configurations = [
  { variant: 'relaxed', threads: 1 },
  { variant: 'simd', threads: 1 },
  { variant: 'relaxed-threads', threads: 2 },
  { variant: 'simd-threads', threads: 2 },
];

const inNode = ({ variant, threads }, folder) => JSON.parse(node('bench/node.mjs', variant, String(threads), folder));

async function inChromium({ variant, threads }) {
  const server = await serve(root);
  const { context, close } = await launchChromium();
  try {
    const page = await context.newPage();
    page.on('pageerror', (error) => console.error(error));
    await page.goto(`${server.url}bench/page.html`);
    await page.waitForFunction(() => globalThis.measure);
    return await page.evaluate(([v, t]) => globalThis.measure(v, t), [variant, threads]);
  } finally {
    await close();
    await server.close();
  }
}

/** The results of two such measurements, with the better time of each engine and case. */
async function better(measure) {
  const [first, second] = [await measure(), await measure()];
  first.rows.forEach((row, i) => {
    for (const [key, value] of Object.entries(second.rows[i])) {
      if (typeof value === 'number') row[key] = Math.min(row[key], value);
    }
  });
  return first.overhead ? { ...first, overhead: Math.min(first.overhead, second.overhead) } : first;
}

/** Adds what the native build takes for the files that the Node run left. */
function addNative(rows, threads, folder) {
  rows.forEach((row, i) => {
    const { input, shape } = row;
    const sizes = `${input}=${shape.join('x')}`;
    const options = ['--threads', String(threads), '--seconds', '0.5', sizes];
    row.native = Number(/([\d.]+) ms/.exec(run('build/release/om_run', [join(folder, `${i}.onnx`), ...options]))[1]);
  });
}

function startup(engine, model) {
  const times = Array.from({ length: 7 }, () => Number(node('bench/startup.mjs', engine, model)));
  return times.sort((a, b) => a - b)[times.length >> 1];
}

/** Measures everything; gives the `text` for docs/performance.md and the aims `missed`. `where` says on which machine and when. */
export async function measureInference(where) {
  await project.buildPreset('release', ['om_run']);
  for (const variant of project.variants) await project.buildModule(variant);
  await project.buildPackage();
  run('node', ['scripts/check-size.mjs']);

  const folder = mkdtempSync(join(tmpdir(), 'onemodel-bench-'));
  const measured = [];
  for (const configuration of configurations) {
    const { variant, threads } = configuration;
    progress(`Node, ${variant}`);
    const { rows, overhead } = await better(() => inNode(configuration, folder));
    progress(`natively on ${threads}`);
    addNative(rows, threads, folder);
    progress(`Chromium, ${variant}`);
    const chromium = await better(() => inChromium(configuration));
    measured.push({ ...configuration, node: rows, overhead, chromium: chromium.rows });
  }
  progress('starting');
  const smallModel = join(folder, `${measured[0].node.length - 1}.onnx`);
  const results = {
    where,
    measured,
    startup: { onemodel: startup('onemodel', smallModel), ort: startup('ort', smallModel) },
    sizes: JSON.parse(readFileSync(join(root, 'web/dist/sizes.json'), 'utf8')),
  };
  rmSync(folder, { recursive: true });
  return report(results);
}
