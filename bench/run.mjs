// npm run bench: operators and a real model against onnxruntime-web and tfjs-backend-wasm, through the public session
// API, in Node and in Chromium; and the same files natively. `--write` renews docs/performance.md.
//
// Each configuration (variant, threads) is a process or page of its own in which all engines run in turns. Medians of
// one configuration and their ratios are comparable; absolute times move from machine to machine.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from '../scripts/lib/chromium.mjs';
import * as project from '../scripts/lib/project.mjs';
import { relaxedFlags } from '../scripts/lib/relaxed_simd.mjs';
import { root } from '../scripts/lib/steps.mjs';
import { serve } from '../scripts/serve.mjs';
import { report } from './report.mjs';

const folder = mkdtempSync(join(tmpdir(), 'onemodel-bench-'));

const configurations = [
  { variant: 'relaxed', threads: 1 },
  { variant: 'simd', threads: 1 },
  { variant: 'relaxed-threads', threads: 2 },
  { variant: 'simd-threads', threads: 2 },
];

const run = (program, args) =>
  execFileSync(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] }).toString();
const node = (...args) => run('node', [...relaxedFlags, ...args]);

const inNode = ({ variant, threads }) => JSON.parse(node('bench/node.mjs', variant, String(threads), folder));

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

/** Adds what the native build takes for the files that the Node run left. */
function addNative(rows, threads) {
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

const progress = (what) => console.error(`▸ ${what}`);

await project.bootstrap();
await project.installPackages();
await project.buildPreset('release', ['om_run']);
for (const variant of project.variants) await project.buildModule(variant);
await project.buildPackage();
run('node', ['scripts/check-size.mjs']);

const measured = [];
for (const configuration of configurations) {
  const { variant, threads } = configuration;
  progress(`Node, ${variant}`);
  const { rows, overhead } = inNode(configuration);
  progress(`natively on ${threads}`);
  addNative(rows, threads);
  progress(`Chromium, ${variant}`);
  const chromium = await inChromium(configuration);
  measured.push({ ...configuration, node: rows, overhead, chromium: chromium.rows });
}
progress('starting');
const smallModel = join(folder, `${measured[0].node.length - 1}.onnx`);
const text = report({
  machine: `${cpus()[0].model.trim()}, ${cpus().length} cores`,
  node: process.versions.node,
  date: new Date().toISOString().slice(0, 10),
  measured,
  startup: { onemodel: startup('onemodel', smallModel), ort: startup('ort', smallModel) },
  sizes: JSON.parse(readFileSync(join(root, 'web/dist/sizes.json'), 'utf8')),
});
rmSync(folder, { recursive: true });
console.log(text);
if (process.argv.includes('--write')) {
  writeFileSync(join(root, 'docs/performance.md'), text);
  run('node_modules/.bin/biome', ['format', '--write', 'docs/performance.md']);
}
