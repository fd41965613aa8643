/** The time of each step of a run. */

import type { Profile } from '../profile.js';

/** One step: a node with the kernel that it ran. */
export interface Step {
  node: string;
  op: string;
  kernel: string;
  /** Of one run. */
  milliseconds: number;
}

/** The steps of a profile, the slowest first. */
export const stepsOf = (profile: Profile): Step[] =>
  profile
    .map(({ node, op, kernel, microseconds }) => ({ node, op, kernel, milliseconds: microseconds / 1000 }))
    .sort((a, b) => b.milliseconds - a.milliseconds);

/** The steps of each operator and kernel together, the slowest first. */
export function byOperator(
  steps: readonly Step[],
): { op: string; kernel: string; steps: number; milliseconds: number }[] {
  const groups = new Map<string, { op: string; kernel: string; steps: number; milliseconds: number }>();
  for (const { op, kernel, milliseconds } of steps) {
    const key = `${op} ${kernel}`;
    const group = groups.get(key) ?? { op, kernel, steps: 0, milliseconds: 0 };
    group.steps++;
    group.milliseconds += milliseconds;
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.milliseconds - a.milliseconds);
}
