/** Texts that come one after the other from a session of an exported program. */

import * as om from 'onemodel';
import type { ReportStream, StreamResult } from '../export_protocol';
import { keepingRandom } from './undisturbed';

/** For so long texts are sent without waiting for an answer. */
const unheardMilliseconds = 16;

type Make = (session: om.ProgramSession) => Iterable<string>;

export class Stream {
  readonly #session: om.ProgramSession;
  readonly #texts: Iterator<string>;
  #random: om.GeneratorState;
  #stopped = false;

  /** `seed` is that of the random numbers of `make`. */
  constructor(program: om.ExportedProgram, make: Make, seed: number) {
    this.#random = keepingRandom(() => {
      om.manualSeed(seed);
      return om.generatorState();
    });
    this.#session = program.createSession();
    this.#texts = make(this.#session)[Symbol.iterator]();
  }

  stop(): void {
    this.#stopped = true;
  }

  /** The next text; other work between two of them changes neither. */
  #next(): IteratorResult<string> {
    return keepingRandom(() => {
      om.setGeneratorState(this.#random);
      const next = om.scope(() => this.#texts.next());
      this.#random = om.generatorState();
      return next;
    });
  }

  async run(report: ReportStream): Promise<StreamResult> {
    const started = performance.now();
    const seconds = () => (performance.now() - started) / 1000;
    let tokens = 0;
    let listened = started;
    let heard: ReturnType<ReportStream> | undefined;
    try {
      while (!this.#stopped) {
        const { done, value } = this.#next();
        if (done) break;
        tokens++;
        heard = report({ text: String(value), tokens, seconds: seconds() });
        if (performance.now() - listened < unheardMilliseconds) continue;
        // The answer lets other messages in, and the page keep up.
        await heard;
        listened = performance.now();
      }
      await heard; // texts and the result come on ways of their own: it must not come first
      return { outcome: this.#stopped ? 'stopped' : 'finished', tokens, seconds: seconds() };
    } finally {
      this.#session.dispose();
    }
  }
}
