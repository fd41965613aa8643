// What exported programs cost: the check of their sizes, and a token of a transformer that keeps its keys and values.

import * as project from '../scripts/lib/project.mjs';
import { exportingReport } from './exporting_report.mjs';
import { node, progress, run } from './processes.mjs';

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
  return exportingReport({ where, checks, tokens });
}
