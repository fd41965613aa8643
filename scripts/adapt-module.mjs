// Makes the loader that em++ wrote one that is small and that bundlers take as it is: node scripts/adapt-module.mjs FILE.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { minifySync } from 'rolldown/utils';

const file = process.argv[2];
const { code, errors } = minifySync(file, readFileSync(file, 'utf8'), { module: true });
if (errors.length) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`);
let text = code;

function replace(pattern, replacement) {
  if (!pattern.test(text)) throw new Error(`${file} has no ${pattern}: does this Emscripten write something else?`);
  text = text.replaceAll(pattern, replacement);
}

// Node's own modules: an expression, since bundlers for browsers fail to resolve the plain name.
replace(
  /\bimport\((["'`])(?:node:)?(module|worker_threads)\1\)/g,
  'import(/*webpackIgnore:true*//*@vite-ignore*/globalThis.process&&"node:$2")',
);

// A plain string, which every bundler finds.
replace(/new URL\((["'`])([^"'`$]+\.wasm)\1,/g, 'new URL("$2",');

// A worker runs the very chunk that makes it. The file's name would be bundled once more (Vite, which also wants
// literal options, webpack) or not found (esbuild, Rollup).
if (file.includes('threads')) {
  replace(/new Worker\(new URL\([^()]*,\s*import\.meta\.url\),/g, 'new Worker(new URL(import.meta.url),');
}

writeFileSync(file, text);
