// Sizes of each wasm module with its loader, raw and compressed; fails above the budget.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { variants } from './lib/project.mjs';
import { root } from './lib/steps.mjs';

const budget = 800_000; // bytes of brotli: what a page downloads

const brotli = (data) =>
  brotliCompressSync(data, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
    },
  });

function measure(variant) {
  const files = ['wasm', 'mjs'].map((ending) =>
    readFileSync(join(root, `web/dist/wasm/onemodel-${variant}.${ending}`)),
  );
  const total = (compress) => files.reduce((sum, file) => sum + compress(file).length, 0);
  return {
    raw: total((file) => file),
    gzip: total((file) => gzipSync(file, { level: 9 })),
    brotli: total(brotli),
  };
}

const sizes = Object.fromEntries(variants.map((variant) => [variant, measure(variant)]));
console.table(sizes);
writeFileSync(join(root, 'web/dist/sizes.json'), `${JSON.stringify(sizes, null, 2)}\n`);

const heavy = variants.filter((variant) => sizes[variant].brotli > budget);
for (const variant of heavy) {
  console.error(`${variant}: ${sizes[variant].brotli} bytes of brotli, the budget is ${budget}`);
}
process.exitCode = heavy.length ? 1 : 0;
