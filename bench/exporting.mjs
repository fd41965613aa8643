// What exported programs cost: the check of their sizes, and a token of a transformer that keeps its keys and values.

import * as project from '../scripts/lib/project.mjs';
import { node, progress, run } from './processes.mjs';
import { aimsTable, milliseconds, missedAims, ratio, table } from './report.mjs';

const tool = 'om_measure_size_check';

/** Measures both; gives the `text` for docs/performance.md and the aims `missed`. `where` says on which machine and when. */
export async function measureExporting(where) {
  await project.buildPreset('release', [tool]);
  await project.buildPreset('wasm-simd', ['onemodel_wasm', tool]);
  await project.buildPackage();
  progress('the check of sizes');
  const checks = {
    natively: JSON.parse(run(`build/release/${tool}`, [])).check,
    'WebAssembly (simd)': JSON.parse(node(`build/wasm-simd/${tool}.cjs`)).check,
  };
  progress('a token of a transformer');
  const tokens = JSON.parse(node('bench/exporting_node.mjs', 'simd'));
  const aims = Object.entries(checks).map(([engine, check]) => [
    `checking the sizes of four inputs, ${engine}, µs`,
    check,
    check < 1,
    '< 1',
  ]);
  const [first, last] = [tokens[0], tokens.at(-1)];
  const growth = last.cached / first.cached;
  aims.push([
    `a token behind ${last.length} from the cache: times one behind ${first.length}`,
    growth,
    growth < 1.5,
    '< 1.5',
  ]);
  const rows = tokens.map((each) => [
    each.length,
    milliseconds(each.cached),
    milliseconds(each.anew),
    ratio(each.anew, each.cached),
  ]);
  const text = `## Exported programs

Written by \`npm run bench -- exporting --write\` on ${where}.

${aimsTable(aims)}

Milliseconds of a token of the transformer of \`examples/js/cached_model.mjs\` (two layers of width 64), one thread, simd, in sessions of
exported programs, by the number of tokens before it: from the keys and values in its buffers, and when the text is read anew.

${table(['Tokens before', 'cached', 'anew', 'anew / cached'], rows)}
`;
  return { text, missed: missedAims(aims) };
}
