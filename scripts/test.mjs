// npm test: everything that must hold. `npm test -- --only NAME[,NAME]` runs only those steps, as they stand.
import { performance } from 'node:perf_hooks';
import * as project from './lib/project.mjs';
import { relaxedFlags } from './lib/relaxed_simd.mjs';
import { StepError, seconds, step } from './lib/steps.mjs';

const ctest = (preset) => step(`ctest ${preset}`, 'ctest', ['--preset', preset, '--progress']);

// What a run of tests says of itself: how many there were, and rates that no bound holds.
const summaryLines = /^ℹ (tests|pass|skipped|todo|refused|misread)\b/;

const testsIn = (...folders) => folders.flatMap((folder) => project.filesBelow(folder, '.test.mjs'));

const nodeTests = (name, files, options = []) =>
  step(name, 'node', ['--test', '--test-reporter=spec', ...options, ...files], { show: summaryLines });

// Every operator, function and module once more with the kernels that browsers get.
const relaxedFiles = ['js/golden_functions', 'js/golden_modules', 'conformance/samples'];

const steps = {
  bootstrap: project.bootstrap,
  install: project.installPackages,
  format: () => step('format', 'scripts/format', ['--check']),
  layers: () => step('layers', 'node', ['scripts/check-layers.mjs']),
  debug: () => project.buildPreset('debug'),
  release: () => project.buildPreset('release', ['om_generate', 'om_run', 'om_samples', 'example_line']),
  generate: () => step('generate', 'scripts/generate', ['--check']),
  wasm: async () => {
    await project.buildPreset('wasm-simd');
    for (const variant of ['simd-threads', 'relaxed', 'relaxed-threads']) await project.buildModule(variant);
  },
  package: project.buildPackage,
  playground: project.buildPlayground,
  lint: () => step('lint', 'scripts/lint'),
  'ctest-debug': () => ctest('debug'),
  'ctest-wasm': () => ctest('wasm-simd'),
  js: () => nodeTests('js', testsIn('scripts/tests', 'tests/js')),
  conformance: () => nodeTests('conformance', testsIn('tests/conformance')),
  relaxed: () =>
    nodeTests(
      'relaxed',
      relaxedFiles.map((file) => `tests/${file}.test.mjs`),
      relaxedFlags,
    ),
  browser: () => nodeTests('browser', testsIn('tests/browser'), ['--test-concurrency=1']),
  size: () => step('size', 'node', ['scripts/check-size.mjs']),
};

// Without these the later steps would only repeat the same failure.
const required = ['bootstrap', 'install', 'debug', 'release', 'wasm', 'package'];

const only = process.argv.find((_, i, all) => all[i - 1] === '--only')?.split(',');
const unknown = only?.filter((name) => !(name in steps)) ?? [];
if (unknown.length) {
  console.error(`no step ${unknown.join(', ')}; there are: ${Object.keys(steps).join(' ')}`);
  process.exit(2);
}

const start = performance.now();
const summary = [];
for (const name of only ?? Object.keys(steps)) {
  const since = performance.now();
  let result = 'ok';
  try {
    await steps[name]();
  } catch (error) {
    if (!(error instanceof StepError)) console.error(error);
    result = 'FAILED';
  }
  summary.push({ name, result, time: seconds(since) });
  if (result !== 'ok' && required.includes(name)) break;
}

console.log();
for (const { name, result, time } of summary) {
  console.log(`${name.padEnd(20)} ${result.padEnd(7)} ${time.padStart(9)}`);
}
console.log(`${'total'.padEnd(28)} ${seconds(start).padStart(9)}`);
process.exitCode = summary.every(({ result }) => result === 'ok') ? 0 : 1;
