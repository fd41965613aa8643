// Programs that the benchmarks run.

import { execFileSync } from 'node:child_process';
import { relaxedFlags } from '../scripts/lib/relaxed_simd.mjs';
import { root } from '../scripts/lib/steps.mjs';

/** What a program prints; its errors are shown. */
export const run = (program, args) =>
  execFileSync(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] }).toString();

/** As `run`, in a Node that has relaxed SIMD. */
export const node = (...args) => run('node', [...relaxedFlags, ...args]);

export const progress = (what) => console.error(`▸ ${what}`);
