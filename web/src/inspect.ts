/** What consoles show of tensors. */

import { native } from './native.js';
import type { Tensor } from './tensor.js';

/** The name by which Node's console asks an object for its text. */
export const inspectSymbol: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

/** "Tensor float32[2] [1, 2]". Never throws; without the elements where they cannot be read, as in a trace. */
export function inspected(tensor: Pick<Tensor, 'isDisposed' | 'dtype' | 'shape'>): string {
  if (tensor.isDisposed) return 'Tensor (disposed of)';
  try {
    if (!native().isTracing()) return `Tensor ${tensor}`;
    return `Tensor ${tensor.dtype}[${tensor.shape.join(', ')}] (while tracing)`;
  } catch {
    return 'Tensor (the engine is busy)';
  }
}

/** What a module, an optimizer or a schedule says of itself. Never throws. */
export function inspectedText(owner: object): string {
  try {
    return String(owner);
  } catch (error) {
    const why = (error as { kind?: string }).kind === 'Disposed' ? 'disposed of' : 'the engine is busy';
    return `${owner.constructor.name} (${why})`;
  }
}

/** A formatter as developer tools of browsers take it, where their setting says so ("custom formatters"). */
interface Formatter {
  header(value: unknown): unknown[] | null;
  hasBody(value: unknown): boolean;
}

/** Adds a formatter that shows objects of that class as Node does. */
export function addFormatter(Class: abstract new (...args: never[]) => Tensor): void {
  const tools = globalThis as { devtoolsFormatters?: Formatter[] };
  tools.devtoolsFormatters = [
    ...(tools.devtoolsFormatters ?? []),
    {
      header: (value) => (value instanceof Class ? ['span', {}, inspected(value)] : null),
      hasBody: () => false,
    },
  ];
}
