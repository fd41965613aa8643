// Training steps against tfjs-backend-wasm in Node, on one thread.

import * as project from '../scripts/lib/project.mjs';
import { node, progress } from './processes.mjs';
import { trainingReport } from './training_report.mjs';

/** Measures everything; gives the `text` for docs/performance.md and the aims `missed`. `where` says on which machine and when. */
export async function measureTraining(where) {
  const variants = ['relaxed', 'simd'];
  for (const variant of variants) await project.buildModule(variant);
  await project.buildPackage();
  const measured = variants.map((variant) => {
    progress(`training, ${variant}`);
    return { variant, ...JSON.parse(node('bench/training_node.mjs', variant)) };
  });
  return trainingReport({ where, measured });
}
