// Quantised operators and layer normalisation against onnxruntime-web in Node.

import * as project from '../scripts/lib/project.mjs';
import { node, progress } from './processes.mjs';
import { quantisedReport } from './quantised_report.mjs';

const variants = ['relaxed', 'simd'];

/** Measures everything; gives the `text` for docs/performance.md and the aims `missed`. `where` says on which machine and when. */
export async function measureQuantised(where) {
  for (const variant of variants) await project.buildModule(variant);
  await project.buildPackage();
  const measured = variants.map((variant) => {
    progress(`quantised, ${variant}`);
    return { variant, rows: JSON.parse(node('bench/quantised_node.mjs', variant)) };
  });
  return quantisedReport({ where, measured });
}
