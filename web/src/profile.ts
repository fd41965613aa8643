/** Where the time of a run goes. */

/** A node with the kernel that it ran. */
export interface ProfileStep {
  /** The node's name. */
  node: string;
  /** Its operator: "Conv". */
  op: string;
  /** "simd.pool", or "portable". */
  kernel: string;
  /** Path of the module that the node was recorded in; empty when there is none. */
  modulePath: string;
  /** How often it ran. */
  runs: number;
  /** Mean time of one run. */
  microseconds: number;
}

/** Steps in the order in which they first ran. As text it is a table, the slowest first: `String(profile)`. */
export type Profile = readonly ProfileStep[];

/** @internal */
export function makeProfile({ steps, text }: { steps: ProfileStep[]; text: string }): Profile {
  return Object.defineProperty(steps, 'toString', { value: () => text });
}
