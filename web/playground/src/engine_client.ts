/** The page's side of the worker: starts it, and replaces it when it no longer answers. */

import { proxy, type Remote, wrap } from 'comlink';
import type { Environment, InitOptions } from 'onemodel';
import type { ReportStream, StreamResult } from './export_protocol';
import type { PlaygroundWorker, ReportDownload, ReportProgress, TrainingResult } from './protocol';
import { carryErrors } from './worker_errors';

const patienceMilliseconds = 2000;
const codeEnded = 'the code did not return: it was ended, and the engine started anew';

carryErrors();

export class EngineClient {
  readonly #options: InitOptions;
  /** Told how the engine's file arrives. */
  onDownload: ReportDownload = () => {};
  /** Told when a new worker took the place of one that did not answer. */
  onReplaced: (environment: Environment) => void | Promise<void> = () => {};
  #worker!: Worker;
  #api!: Remote<PlaygroundWorker>;
  /** Rejects calls that wait for a worker which was ended. */
  #abandon: (reason: Error) => void = () => {};
  #ended!: Promise<never>;

  constructor(options: InitOptions) {
    this.#options = options;
  }

  async start(): Promise<Environment> {
    // The worker's name tells it where the page is.
    this.#worker = new Worker(new URL('./worker/worker.ts', import.meta.url), {
      type: 'module',
      name: new URL('.', document.baseURI).href,
    });
    this.#ended = new Promise<never>((_, reject) => {
      this.#abandon = reject;
    });
    this.#ended.catch(() => {});
    this.#worker.addEventListener('error', (event) => {
      this.#abandon(new Error(`its worker failed: ${event.message || 'the script could not be loaded'}`));
    });
    this.#api = wrap<PlaygroundWorker>(this.#worker);
    return this.call((api) => api.start(this.#options, proxy(this.onDownload)));
  }

  /** Calls the worker; rejects when the worker is ended meanwhile. */
  call<R>(use: (api: Remote<PlaygroundWorker>) => Promise<R>): Promise<R> {
    return Promise.race([use(this.#api), this.#ended]);
  }

  train(onProgress: ReportProgress): Promise<TrainingResult> {
    return this.call((api) => api.train(proxy(onProgress)));
  }

  stream(prompt: string, seed: number, onText: ReportStream): Promise<StreamResult> {
    return this.call((api) => api.stream(prompt, seed, proxy(onText)));
  }

  /** Asks the worker to stop training; one that does not answer is replaced, with all that it held. */
  async cancel(): Promise<void> {
    await this.#answerOrEnd((api) => api.cancel(), codeEnded);
  }

  /** As `cancel`, for `stream`. */
  async stopStream(): Promise<void> {
    await this.#answerOrEnd((api) => api.stopStream(), codeEnded);
  }

  /** As `cancel`, for what only the end of its worker can stop: a run of a model file, or an export. */
  async endRun(): Promise<void> {
    await this.#answerOrEnd((api) => api.memory(), 'the run was cancelled, and the engine started anew');
  }

  async #answerOrEnd(ask: (api: Remote<PlaygroundWorker>) => Promise<unknown>, why: string): Promise<void> {
    const silent = new Promise<'silent'>((resolve) => setTimeout(() => resolve('silent'), patienceMilliseconds));
    const answer = await Promise.race([this.call(ask).then(() => 'answered' as const), silent]);
    if (answer === 'answered') return;
    this.#worker.terminate();
    this.#abandon(new Error(why));
    await this.onReplaced(await this.start());
  }
}
