/** Functions that the engine calls. */

import { OneModelError } from '../errors.js';
import { scope } from '../memory.js';
import { calledBack, native } from '../native.js';
import { type Argument, decode, type Encoded, encode } from './argument.js';

/** What was thrown, for the engine. */
export interface Thrown {
  name: string;
  kind: string;
  message: string;
}

function thrownOf(error: unknown): Thrown {
  if (error instanceof OneModelError) return { name: error.name, kind: error.kind, message: error.message };
  if (error instanceof Error) return { name: error.name, kind: 'Script', message: error.message };
  return { name: 'Error', kind: 'Script', message: String(error) };
}

/** A function that the engine calls. What it throws passes through the engine and comes out as it was. */
export class Callback {
  #failure: { error: unknown } | null = null;
  /** What bindings/callback.h calls. */
  readonly run: (args: Encoded[]) => Thrown | null;

  /** Tensors that `fn` makes are freed after each call, but those of its result; `what` names that in errors. */
  constructor(what: string, fn: (args: Argument[]) => unknown) {
    this.run = (args) => {
      this.#failure = null;
      return calledBack(() => {
        try {
          scope(() => native().callbackResult(encode(what, fn(args.map(decode)))));
          return null;
        } catch (error) {
          this.#failure = { error };
          return thrownOf(error);
        }
      });
    };
  }

  /** What `fn` threw last, when the engine's `error` is that; else `error`. */
  original(error: unknown): unknown {
    if (this.#failure === null || !(error instanceof OneModelError)) return error;
    const thrown = thrownOf(this.#failure.error);
    const isSame = error.kind === thrown.kind && error.message.endsWith(thrown.message);
    return isSame ? this.#failure.error : error;
  }
}
