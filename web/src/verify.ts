/** Checks a trace at other sizes: a size that was baked into the graph shows when tracing, not in production. */

import { recordOf } from './arguments.js';
import { takeTensors, writeCall } from './call.js';
import { describe } from './describe.js';
import { TraceError } from './errors.js';
import { scope } from './memory.js';
import { native } from './native.js';
import { setMessage } from './stack.js';
import type { Tensor } from './tensor.js';
import type { Named, TracedModel } from './trace.js';

/** Where the graph and a new run of the model part. */
export interface Difference {
  /** Name of the output, or of the node. */
  name: string;
  /** Path of the module that the node was recorded in; of an output, that of the node which makes it. */
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
  /** All of it in words, a line each; empty when nothing differs. */
  message: string;
  /** The message and what may help, or at which sizes nothing differs. */
  toString(): string;
}

/** "batch = 6, length = 9". */
const sizesText = (sizes: Readonly<Record<string, number>>): string =>
  Object.entries(sizes)
    .map(([symbol, size]) => `${symbol} = ${size}`)
    .join(', ');

/** The report with its text, which is no property to list. */
function withText(report: Omit<VerifyReport, 'toString'>): VerifyReport {
  const at = sizesText(report.sizes);
  const agreed = `the graph agrees with the model${at ? ` at ${at}` : ''}`;
  const remedy =
    'Take such a size by x.dim(axis), which a trace follows, instead of x.shape[axis]; the last element by x.select(axis, -1).';
  const text = report.ok ? agreed : `${report.message}\n${remedy}`;
  return Object.defineProperty(report, 'toString', { value: () => text });
}

/** Makes the error of a model that fails in its second run say that the first one was well; its class may be the model's own. */
function tellSecondRun(error: unknown, sizes: Readonly<Record<string, number>>): void {
  if (!(error instanceof Error)) return;
  const at = sizesText(sizes);
  const failed = `verify: the trace is made, but the model itself does not run ${at ? `at ${at}` : 'again'}`;
  setMessage(error, `${failed}: ${error.message}`);
}

/** Traces the model on other inputs, and calls `use` with the trace and what the model gave, while that lives. */
type Retrace = <R>(examples: Named, use: (second: TracedModel, outputs: readonly Tensor[]) => R) => R;

/**
 * Runs the model at another size of every symbol, which `wanted` may name, and the graph on the same inputs, and compares
 * outputs and nodes.
 */
export function verifyTrace(
  traced: TracedModel,
  examples: Named,
  wanted: Readonly<Record<string, number>>,
  retrace: Retrace,
): VerifyReport {
  for (const [symbol, size] of Object.entries(recordOf('trace: verify', wanted, 'sizes by symbol'))) {
    if (Number.isSafeInteger(size)) continue;
    throw new TraceError(`verify: the size of '${symbol}' expects an integer, got ${describe(size)}`, 'InvalidUsage');
  }
  return scope(() => {
    const module = native();
    const tensors = examples.map(([, each]) => each);
    writeCall('verify', tensors);
    const sizes = module.verifyInputs(traced.handle, Object.keys(wanted), Object.values(wanted));
    const inputs = takeTensors(tensors.length);
    const named = examples.map(([name], i) => [name, inputs[i] as Tensor] as const);
    let hasRun = false;
    try {
      return retrace(named, (second, outputs) => {
        hasRun = true;
        try {
          writeCall('verify', [...inputs, ...outputs]);
          const report = module.verifyCompare(traced.handle, second.handle, Object.keys(sizes), Object.values(sizes));
          return withText({ ...report, sizes });
        } finally {
          second.dispose();
        }
      });
    } catch (error) {
      if (!hasRun) tellSecondRun(error, sizes);
      throw error;
    }
  });
}
