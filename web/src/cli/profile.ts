/** The time of each step of a run, from the table that `Session.profile` gives. */

/** One step: a node with the kernel that it ran. */
export interface Step {
  node: string;
  op: string;
  kernel: string;
  /** Of one run. */
  milliseconds: number;
}

const line = /^\s*[\d.]+%\s+([\d.]+)\s+(\d+)\s+(\S+) \[(.*?)\](?: {2}# .*)?$/;

/** Throws when the table is of another form. */
export function readProfile(text: string): Step[] {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const width = head.indexOf('  share');
  return lines.map((each) => {
    const match = line.exec(each.slice(width));
    if (!match) throw new Error(`a profile has a line of another form: ${each}`);
    const [, total, runs, op, kernel] = match as unknown as [string, string, string, string, string];
    return { node: each.slice(0, width).trimEnd(), op, kernel, milliseconds: Number(total) / Number(runs) };
  });
}

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
