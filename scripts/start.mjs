// npm start: builds everything, runs the examples, then serves the playground.
//   --once          stop after the examples (also when nobody is at the terminal)
//   --no-isolation  serve without the headers that allow threads
import { mkdirSync } from 'node:fs';
import * as project from './lib/project.mjs';
import { root, StepError, step } from './lib/steps.mjs';
import { serve } from './serve.mjs';

const options = process.argv.slice(2);

try {
  await project.bootstrap();
  await project.installPackages();
  await project.buildPreset('release', ['example_line']);
  for (const variant of project.variants) await project.buildModule(variant);
  await project.buildPackage();
  mkdirSync(`${root}/build/examples`, { recursive: true });
  await step('example line (C++)', 'build/release/example_line', ['build/examples'], { show: true });
  await step('example line', 'node', ['examples/js/line.mjs'], { show: true });
  await step('example digits', 'node', ['examples/js/digits.mjs'], { show: true });
  if (process.stdin.isTTY && !options.includes('--once')) {
    await project.buildPlayground();
    const isolation = !options.includes('--no-isolation');
    const playground = (port) => serve(`${root}/build/playground`, { port, isolation });
    const { url } = await playground(8080).catch(() => playground(0));
    console.log(`\nThe playground is at ${url}  (Ctrl+C stops)`);
  }
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
