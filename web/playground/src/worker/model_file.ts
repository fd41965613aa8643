/** A model file that the page opened: its graph and its session. */

import * as om from 'onemodel';
import type { Feed, ModelReport, ModelRun, OutputReport } from '../protocol';

const shownValues = 30;
const measuredMilliseconds = 20;

function isInteger(dtype: om.DType): boolean {
  return /^u?int/.test(dtype);
}

function filled({ dtype, shape, fill, value, values }: Feed): om.Tensor {
  const size = shape.reduce((product, extent) => product * extent, 1);
  if (fill === 'values') {
    if (values.length === 0) throw new om.ArgumentError('no values were given', 'Argument');
    const repeated = Float64Array.from({ length: size }, (_, i) => values[i % values.length] as number);
    return om.tensor(repeated, { shape, dtype });
  }
  if (fill === 'constant') return om.full(shape, value, dtype);
  const random = fill === 'normal' ? om.randn(shape) : om.rand(shape, 0, isInteger(dtype) ? value : 1);
  if (dtype === 'bool') return random.greater(fill === 'normal' ? 0 : 0.5);
  return dtype === 'float32' ? random : random.cast(dtype);
}

function reported(name: string, tensor: om.Tensor): OutputReport {
  const { dtype, shape, size } = tensor;
  const flat = tensor.reshape([size]).slice(0, 0, shownValues);
  const numbers = flat.toArray() as (number | bigint | boolean)[];
  const values = numbers.map((each) => (typeof each === 'number' ? String(Number(each.toPrecision(7))) : String(each)));
  return { name, dtype, shape: [...shape], size, values };
}

function largestDifference(a: ArrayLike<number | bigint>, b: ArrayLike<number | bigint>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs(Number(a[i]) - Number(b[i]));
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

type Forward = (inputs: readonly om.Tensor[]) => ArrayLike<number | bigint>[];

export class ModelFile {
  readonly #name: string;
  readonly #bytes: number;
  readonly #graph: om.Graph;
  readonly #session: om.Session;

  private constructor(name: string, bytes: number, graph: om.Graph, session: om.Session) {
    this.#name = name;
    this.#bytes = bytes;
    this.#graph = graph;
    this.#session = session;
  }

  static async open(name: string, file: Uint8Array): Promise<ModelFile> {
    const graph = await om.loadGraph(file);
    try {
      return new ModelFile(name, file.byteLength, graph, graph.createSession());
    } catch (error) {
      graph.dispose();
      throw error;
    }
  }

  report(isTrainedModel: boolean): ModelReport {
    const { inputs, outputs } = this.#session;
    return {
      name: this.#name,
      bytes: this.#bytes,
      view: this.#graph.view(),
      inputs: [...inputs],
      outputs: [...outputs],
      isTrainedModel,
    };
  }

  /** `forward` computes the same eagerly, for comparison. */
  run(feeds: readonly Feed[], forward: Forward | null): ModelRun {
    return om.scope(() => {
      const inputs = feeds.map(filled);
      const started = performance.now();
      const named = Object.entries(this.#session.runSync(inputs));
      const firstMilliseconds = performance.now() - started;
      const againMilliseconds = this.#meanTime(inputs);
      const eager = forward?.(inputs);
      return {
        outputs: named.map(([name, tensor]) => reported(name, tensor)),
        firstMilliseconds,
        againMilliseconds,
        description: this.#session.describe(),
        eagerDifference: eager
          ? Math.max(
              ...named.map(([, tensor], i) =>
                largestDifference(tensor.data as ArrayLike<number | bigint>, eager[i] ?? []),
              ),
            )
          : null,
      };
    });
  }

  /** The clock is too coarse for a single run. */
  #meanTime(inputs: readonly om.Tensor[]): number {
    const started = performance.now();
    let runs = 0;
    do {
      om.scope(() => void this.#session.runSync(inputs));
      runs++;
    } while (performance.now() - started < measuredMilliseconds);
    return (performance.now() - started) / runs;
  }

  dispose(): void {
    this.#session.dispose();
    this.#graph.dispose();
  }
}
