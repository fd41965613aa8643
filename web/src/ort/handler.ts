/** One session, as onnxruntime-common wants it. */

import type { InferenceSession, InferenceSessionHandler, OnnxValue } from 'onnxruntime-common';
import { ArgumentError, CancelledError, DTypeError } from '../errors.js';
import { loadGraph } from '../load.js';
import { scope } from '../memory.js';
import { Session } from '../session.js';
import type { ValueInfo } from '../session_feeds.js';
import { withFreeDimensions } from './free_dimensions.js';
import { checkRunOptions, checkSessionOptions, externalData, sessionOptions } from './options.js';
import { checkTarget, checkTargetShape, fromEngine, isOrtType, toEngine } from './values.js';

type Values = Readonly<Record<string, OnnxValue>>;
type Metadata = readonly InferenceSession.ValueMetadata[];

/** How often `endProfiling` runs the model. */
const profiledRuns = 10;

function metadataOf(values: readonly ValueInfo[]): Metadata {
  return values.map(({ name, dtype, shape, holds }) => {
    if (holds !== 'tensor') return { name, isTensor: false };
    if (isOrtType(dtype)) return { name, isTensor: true, type: dtype, shape };
    throw new DTypeError(`'${name}' is ${dtype}, for which onnxruntime-common has no type`, 'DType');
  });
}

/** Loads models and runs them. `inputNames` to `outputMetadata` are what `InferenceSession` hands on. */
export class Handler implements InferenceSessionHandler {
  readonly #session: Session;
  #isProfiling: boolean;
  #lastFeeds: Values | undefined;
  #isReleased = false;
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: Metadata;
  readonly outputMetadata: Metadata;

  private constructor(session: Session, isProfiling: boolean) {
    this.#session = session;
    this.#isProfiling = isProfiling;
    // As with ONNX Runtime, what need not be fed is not listed; `run` takes it all the same.
    this.inputMetadata = metadataOf(session.inputs.filter(({ optional }) => !optional));
    this.outputMetadata = metadataOf(session.outputs);
    this.inputNames = this.inputMetadata.map(({ name }) => name);
    this.outputNames = this.outputMetadata.map(({ name }) => name);
  }

  /** Throws what `loadGraph` and `Session.fromGraph` throw, and ArgumentError for options out of their range. */
  static async load(source: string | Uint8Array, options: InferenceSession.SessionOptions): Promise<Handler> {
    checkSessionOptions(options);
    let graph = await loadGraph(source, { externalData: externalData(options) });
    let session: Session | undefined;
    try {
      graph = withFreeDimensions(graph, options.freeDimensionOverrides ?? {});
      session = Session.fromGraph(graph, sessionOptions(options));
      return new Handler(session, options.enableProfiling ?? false);
    } catch (error) {
      session?.dispose();
      throw error;
    } finally {
      graph.dispose();
    }
  }

  /** Runs what the outputs that `fetches` names need. */
  async run(
    feeds: Values,
    fetches: Readonly<Record<string, OnnxValue | null>>,
    options: InferenceSession.RunOptions,
  ): Promise<Record<string, OnnxValue>> {
    checkRunOptions(options);
    if (options.terminate) throw new CancelledError('run: it was terminated by its options', 'Cancelled');
    this.#checkTargets(fetches);
    if (this.#isProfiling) this.#lastFeeds = { ...feeds };
    return scope(() => {
      const results = this.#session.runSync(this.#given(feeds), { outputs: Object.keys(fetches) });
      const wanted = Object.entries(fetches).map(([name, target]) => {
        const result = results[name];
        if (!result) throw new ArgumentError(`run: no output is called '${name}'`, 'Argument');
        if (target) checkTargetShape(name, result, target);
        return { name, result, target };
      });
      return Object.fromEntries(wanted.map(({ name, result, target }) => [name, fromEngine(result, target)]));
    });
  }

  #checkAlive(): void {
    if (this.#isReleased) throw new ArgumentError('this session was released already', 'Disposed');
  }

  #given(feeds: Values) {
    return Object.fromEntries(Object.entries(feeds).map(([name, value]) => [name, toEngine(name, value)]));
  }

  #checkTargets(fetches: Readonly<Record<string, OnnxValue | null>>): void {
    for (const info of this.#session.outputs) {
      const target = fetches[info.name];
      if (target !== undefined && info.holds !== 'tensor') {
        throw new ArgumentError(
          `run: output '${info.name}' is no tensor, and onnxruntime-common has no type for it: leave it out of fetches`,
          'Unsupported',
        );
      }
      if (target) checkTarget(info, target);
    }
  }

  /** From here on the feeds of the last run are kept for `endProfiling`. */
  startProfiling(): void {
    this.#checkAlive();
    this.#isProfiling = true;
  }

  /** Prints the time of each step, measured on the feeds of the last run since `startProfiling`. */
  endProfiling(): void {
    this.#checkAlive();
    const feeds = this.#lastFeeds;
    this.#isProfiling = false;
    this.#lastFeeds = undefined;
    if (feeds) console.log(String(scope(() => this.#session.profile(this.#given(feeds), profiledRuns))));
  }

  /** Frees the session. */
  async dispose(): Promise<void> {
    this.#checkAlive();
    this.#isReleased = true;
    this.#lastFeeds = undefined;
    this.#session.dispose();
  }
}
