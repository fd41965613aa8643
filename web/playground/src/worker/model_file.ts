/** A model file that the page opened: its graph and its session. */

import * as om from 'onemodel';
import { tensorsOf } from '../../../src/cli/items';
import { sizeOfConstants } from '../../../src/cli/graph_counts';
import { largestDifference } from '../../../src/cli/statistics';
import type { Feed, ModelReport, ModelRun } from '../protocol';
import { feedItems } from './feeds';
import { numbersOf, outputReport } from './output_report';

const measuredMilliseconds = 20;
/** A model that took longer is run only once. */
const longMilliseconds = 1000;
/** Elements of a default that is shown. */
const longestDefault = 12;

type Forward = (inputs: readonly om.Tensor[]) => ArrayLike<number | bigint>[];

/** The largest difference between the outputs of the graph and those of the module. */
function differenceFrom(eager: ReturnType<Forward>, outputs: readonly om.Tensor[]): number {
  const differences = outputs.map((tensor, i) => {
    const numbers = Float64Array.from(eager[i] ?? [], Number);
    return numbers.length === tensor.size ? largestDifference(numbersOf(tensor), numbers) : Number.POSITIVE_INFINITY;
  });
  return Math.max(...differences);
}

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

  /** `data`: files with the model's weights, by name. */
  static async open(name: string, file: Uint8Array, data: Readonly<Record<string, Blob>>): Promise<ModelFile> {
    const graph = await om.loadGraph(file, { externalData: data });
    try {
      return new ModelFile(name, file.byteLength, graph, graph.createSession());
    } catch (error) {
      graph.dispose();
      throw error;
    }
  }

  report(isTrainedModel: boolean): ModelReport {
    const { inputs, outputs } = this.#session;
    const view = this.#graph.view();
    return {
      name: this.#name,
      bytes: this.#bytes,
      view,
      constants: sizeOfConstants(view).elements,
      inputs: [...inputs],
      outputs: [...outputs],
      defaults: this.#defaults(),
      isTrainedModel,
    };
  }

  #defaults(): Record<string, string> {
    const sizeOf = ({ shape }: om.ValueInfo) => shape.reduce<number>((size, extent) => size * Number(extent), 1);
    const short = this.#session.inputs.filter((info) => info.optional && sizeOf(info) <= longestDefault);
    return om.scope(() =>
      Object.fromEntries(short.map(({ name }) => [name, String(this.#session.defaultOf(name).toArray())])),
    );
  }

  /** `forward` computes the same eagerly, for comparison. */
  run(feeds: readonly Feed[], seed: number, forward: Forward | null): ModelRun {
    return om.scope(() => {
      const inputs = feedItems(feeds, seed);
      const started = performance.now();
      const named = tensorsOf(this.#session.runSync<om.ItemMap>(inputs));
      const firstMilliseconds = performance.now() - started;
      const againMilliseconds = firstMilliseconds < longMilliseconds ? this.#meanTime(inputs) : null;
      const eager = forward?.(Object.values(inputs).filter((item) => item instanceof om.Tensor));
      const tensors = named.map(([, tensor]) => tensor);
      return {
        outputs: named.map(([name, tensor]) => outputReport(name, tensor)),
        firstMilliseconds,
        againMilliseconds,
        description: this.#session.describe(),
        eagerDifference: eager ? differenceFrom(eager, tensors) : null,
      };
    });
  }

  /** The clock is too coarse for a single run. */
  #meanTime(inputs: om.ItemMap): number {
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
