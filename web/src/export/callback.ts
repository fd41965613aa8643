/** Functions that the engine calls. */

import { OneModelError } from '../errors.js';
import { scope } from '../memory.js';
import { calledBack, native } from '../native.js';
import { engineTextOf, withScriptNames } from '../script_names.js';
import { type Argument, decode, type Encoded, encode } from './argument.js';

/** What was thrown, for the engine. */
export interface Thrown {
  name: string;
  kind: string;
  message: string;
}

/** The text of anything, such that it comes back from the engine as it went: without zeros and lone surrogates. */
function textOf(value: unknown): string {
  return String(value)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll('\0', '\ufffd');
}

/** What the engine is told of `error`, which may be anything: only the engine's own errors have a name and a kind there. */
export function thrownOf(error: unknown): Thrown {
  try {
    if (error instanceof OneModelError) {
      return { name: textOf(error.name), kind: textOf(error.kind), message: textOf(engineTextOf(error)) };
    }
    return { name: 'Error', kind: 'Script', message: textOf(error instanceof Error ? error.message : error) };
  } catch {
    return { name: 'Error', kind: 'Script', message: 'the error has no text' };
  }
}

/** A function that the engine calls. What it throws passes through the engine and comes out as it was. */
export class Callback {
  #failure: { error: unknown; thrown: Thrown } | null = null;
  /** What bindings/callback.h calls. */
  readonly run: (args: Encoded[]) => Thrown | null;
  /** Whether tensors that `fn` makes are left to the scope around. */
  keepsTensors = false;

  /** Tensors that `fn` makes are freed after each call, but those of its result; `what` names that in errors. */
  constructor(what: string, fn: (args: Argument[]) => unknown) {
    this.run = (args) => {
      this.forget();
      return calledBack(() => {
        try {
          const call = () => native().callbackResult(encode(what, fn(args.map(decode))));
          if (this.keepsTensors) call();
          else scope(call);
          return null;
        } catch (error) {
          const thrown = thrownOf(error);
          this.#failure = { error, thrown };
          return thrown;
        }
      });
    };
  }

  /** Forgets what `fn` threw: a later error may have the same text. */
  forget(): void {
    this.#failure = null;
  }

  /** What `fn` threw last, when the engine's `error` is that; else `error`. */
  original(error: unknown): unknown {
    if (this.#failure === null || !(error instanceof OneModelError)) return error;
    const { thrown } = this.#failure;
    const isSame = error.kind === thrown.kind && error.message.endsWith(thrown.message);
    return isSame ? this.#failure.error : error;
  }
}

/** What the engine's errors of exports name, as C++ spells it. */
export const engineNames = [
  'export_program',
  'preserve_module_calls',
  'load_state_dict',
  'run_decompositions',
  'forward_backward',
  'save_programs',
  'slice_scatter_',
];

/**
 * Gives what `call` gives, in which the engine may call any of `callbacks`: what these throw comes out as it was. Errors of the
 * engine's own name things as script does.
 */
export function throughCallbacks<R>(callbacks: readonly Callback[], call: () => R): R {
  for (const callback of callbacks) callback.forget();
  try {
    return call();
  } catch (error) {
    const original = callbacks.reduce((known, callback) => callback.original(known), error);
    throw original === error ? withScriptNames(error, engineNames) : original;
  }
}
