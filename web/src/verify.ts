/** Checks a trace at other sizes: a size that was baked into the graph shows when tracing, not in production. */

import { tensor } from './create.js';
import { ModelError, OneModelError } from './errors.js';
import type { GraphView } from './graph.js';
import { scope } from './memory.js';
import { Session } from './session.js';
import type { Tensor } from './tensor.js';
import type { Named, TracedModel } from './trace.js';

/** Where the graph and a new run of the model part. */
export interface Difference {
  /** Name of the output, or of the node. */
  name: string;
  /** Path of the module that the node was recorded in. */
  modulePath: string;
  /** What differs: the operator, the shape or the values. */
  what: string;
}

/** What `verify` found. */
export interface VerifyReport {
  /** Whether nothing differs. */
  ok: boolean;
  /** The size that each symbol had in the second run. */
  sizes: Record<string, number>;
  /** Every output that differs. */
  outputs: Difference[];
  /** The first node that differs. */
  firstNode: Difference | null;
}

const tolerance = 1e-4;

/** Other sizes, distinct from one another and from the example's. */
function otherSizes(view: GraphView, examples: Named): Record<string, number> {
  const sizes: Record<string, number> = {};
  const taken = new Set(examples.flatMap(([, each]) => each.shape));
  view.inputs.forEach((id, i) => {
    view.values[id]?.shape.forEach((extent, axis) => {
      if (typeof extent !== 'string' || extent in sizes) return;
      let size = (examples[i]?.[1].shape[axis] ?? 1) + 1;
      while (taken.has(size)) size++;
      taken.add(size);
      sizes[extent] = size;
    });
  });
  return sizes;
}

/** The example repeated or cut to `shape`: its values stay valid, indices too. */
function resized(example: Tensor, shape: readonly number[]): Tensor {
  const source = example.data;
  const from = example.shape;
  const target = source.slice(0, 0).constructor as new (length: number) => typeof source;
  const out = new target(shape.reduce((product, extent) => product * extent, 1));
  const index = shape.map(() => 0);
  for (let i = 0; i < out.length; i++) {
    let offset = 0;
    for (let axis = 0; axis < shape.length; axis++) {
      offset = offset * (from[axis] as number) + ((index[axis] as number) % (from[axis] as number));
    }
    out[i] = source[offset] as never;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index[axis] = (index[axis] as number) + 1;
      if ((index[axis] as number) < (shape[axis] as number)) break;
      index[axis] = 0;
    }
  }
  return tensor(out, { shape, dtype: example.dtype });
}

function difference(got: Tensor, expected: Tensor): string | null {
  if (String(got.shape) !== String(expected.shape)) {
    return `the graph gives shape [${got.shape}], the model [${expected.shape}]`;
  }
  const [a, b] = [got.data, expected.data];
  let scale = 1;
  let worst = 0;
  for (let i = 0; i < a.length; i++) {
    scale = Math.max(scale, Math.abs(Number(b[i])));
    worst = Math.max(worst, Math.abs(Number(a[i]) - Number(b[i])));
  }
  return worst / scale > tolerance ? `the values differ by ${(worst / scale).toExponential(2)} (scaled)` : null;
}

function nodeOutputs(view: GraphView): { name: string; node: GraphView['nodes'][number] }[] {
  return view.nodes.flatMap((node) =>
    node.outputs.filter((id) => id >= 0).map((id) => ({ name: view.values[id]?.name ?? '', node })),
  );
}

/** Runs a graph as it is, with every value as an output. */
function runAll(model: TracedModel, feeds: readonly Tensor[]): Record<string, Tensor> {
  const view = model.view();
  const own = new Set(view.outputs.map((id) => view.values[id]?.name));
  const intermediates = nodeOutputs(view)
    .map(({ name }) => name)
    .filter((name) => !own.has(name));
  const session = Session.fromGraph(model, { optimize: false, intermediates });
  try {
    return session.runSync(feeds);
  } finally {
    session.dispose();
  }
}

/**
 * Traces the model again at another size of every symbol (`retrace`), runs the first graph on the same inputs, and
 * compares every value.
 */
export function verifyTrace(
  traced: TracedModel,
  examples: Named,
  retrace: (examples: Named) => TracedModel,
): VerifyReport {
  return scope(() => {
    const view = traced.view();
    const sizes = otherSizes(view, examples);
    const inputs = examples.map(([name, example], i) => {
      const shape = (view.values[view.inputs[i] ?? -1]?.shape ?? []).map((extent) =>
        typeof extent === 'string' ? (sizes[extent] as number) : extent,
      );
      return [name, resized(example, shape)] as const;
    });
    const report: VerifyReport = { ok: false, sizes, outputs: [], firstNode: null };
    const second = retrace(inputs);
    try {
      const feeds = inputs.map(([, each]) => each);
      compare(traced, second, feeds, report);
    } finally {
      second.dispose();
    }
    report.ok = report.outputs.length === 0 && report.firstNode === null;
    return report;
  });
}

function compare(first: TracedModel, second: TracedModel, inputs: readonly Tensor[], report: VerifyReport): void {
  const expected = runAll(second, inputs);
  let got: Record<string, Tensor>;
  try {
    got = runAll(first, inputs);
  } catch (error) {
    if (!(error instanceof OneModelError) || error instanceof ModelError) throw error;
    report.firstNode = { name: '', modulePath: '', what: `the graph does not run: ${error.message}` };
    return;
  }
  const [a, b] = [nodeOutputs(first.view()), nodeOutputs(second.view())];
  for (let i = 0; i < Math.max(a.length, b.length) && !report.firstNode; i++) {
    const [mine, other] = [a[i], b[i]];
    const at = (mine ?? other)?.node;
    const what =
      !mine || !other || mine.node.label !== other.node.label
        ? `the graph has ${mine?.node.label ?? 'nothing'}, the model did ${other?.node.label ?? 'nothing'}`
        : difference(got[mine.name] as Tensor, expected[other.name] as Tensor);
    if (what && at) report.firstNode = { name: at.name, modulePath: at.modulePath, what };
  }
  const views = [first.view(), second.view()] as const;
  views[0].outputs.forEach((id, i) => {
    const name = views[0].values[id]?.name ?? '';
    const other = views[1].values[views[1].outputs[i] ?? -1]?.name ?? '';
    const what = difference(got[name] as Tensor, expected[other] as Tensor);
    if (what) report.outputs.push({ name, modulePath: '', what });
  });
}
