/** Exports that report instead of throwing. */

import { ArgumentError, TraceError } from '../errors.js';
import { made } from '../memory.js';
import { native } from '../native.js';
import { inScriptNames } from '../script_names.js';
import type { Encoded } from './argument.js';
import { CallSites, withLongStacks } from './call_site.js';
import { engineNames } from './callback.js';
import { capture, type Exportable } from './capture.js';
import { type DynamicShapes, decodeShapes, type Examples } from './dynamic_shapes.js';
import { type ExportOptions, encodedExport, exportProgram } from './export_program.js';
import { ExportedProgram } from './exported_program.js';

/**
 * What is wrong: an operator without graph form or kernel; values that were read; a size declared dynamic that the model
 * fixes, narrows or relates; a program whose results are other than the model's; other refusals of a trace; what the
 * model itself throws.
 */
export type DraftFailureKind =
  | 'MissingKernel'
  | 'DataDependent'
  | 'GuardAdded'
  | 'Mismatched'
  | 'UnsupportedMutation'
  | 'UnsupportedShape'
  | 'UnsupportedUsage'
  | 'ModelError';

/** One of them. */
export interface DraftFailure {
  kind: DraftFailureKind;
  message: string;
  /** Path of the module that it happened in; '' at the root. */
  modulePath: string;
  /** A line, "file:///model.mjs:12:5": where it was thrown, else where its module was called, else of `draftExport`. */
  callSite: string | null;
}

/** What `draftExport` found. */
export class DraftReport {
  readonly failures: readonly DraftFailure[];
  /** The program, where one could be made: with the suggested sizes, where those that were declared failed. */
  readonly program: ExportedProgram | null;
  /** The specification with the fixes; null when there were none. */
  readonly suggestedDynamicShapes: DynamicShapes | null;
  readonly #text: string;
  readonly #exportWith: (dynamicShapes: DynamicShapes) => ExportedProgram;

  /** @internal */
  constructor(
    draft: { failures: DraftFailure[]; program: number; shapes: Encoded | null; text: string },
    exportWith: (dynamicShapes: DynamicShapes) => ExportedProgram,
  ) {
    made(draft?.program, 'a DraftReport', 'om.draftExport(model, inputs)');
    const spelled = (text: string) => inScriptNames(text, engineNames);
    this.failures = draft.failures.map((failure) => ({ ...failure, message: spelled(failure.message) }));
    this.program = draft.program === 0 ? null : new ExportedProgram(draft.program);
    this.suggestedDynamicShapes = draft.shapes && decodeShapes(draft.shapes);
    this.#text = spelled(draft.text);
    this.#exportWith = exportWith;
  }

  /** Whether nothing failed. */
  get success(): boolean {
    return this.failures.length === 0;
  }

  /** All of it for a person: each failure with its place, and what to do. */
  toString(): string {
    return this.#text;
  }

  /** Writes `toString()` to the console. */
  print(): void {
    console.log(this.toString());
  }

  /** Throws TraceError of the first failure's kind, with the whole report as its message, unless there is none. */
  raiseOnFailure(): void {
    const [first] = this.failures;
    if (first) throw new TraceError(this.toString(), first.kind);
  }

  /** Exports again, with the suggested sizes. Throws ArgumentError when there are none; else as `exportProgram`. */
  applySuggestedFixes(): ExportedProgram {
    if (this.suggestedDynamicShapes === null) {
      throw new ArgumentError('applySuggestedFixes: the report suggests no other sizes', 'Argument');
    }
    return this.#exportWith(this.suggestedDynamicShapes);
  }

  /** Frees the program. */
  dispose(): void {
    this.program?.dispose();
  }

  /** As `dispose`, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/**
 * As `exportProgram`, but what is the model's fault is reported. The program is compared with the model on the examples: a
 * difference of more than 1e-4 of the largest value, or another number or shape of results, is a failure. Throws
 * ArgumentError for what is not the model's fault: arguments, and a specification that does not fit them.
 */
export function draftExport(model: Exportable, examples: Examples, options: ExportOptions = {}): DraftReport {
  const who = 'draftExport';
  const sites = new CallSites();
  const given = encodedExport(who, examples, options);
  const draft = withLongStacks(() =>
    capture(
      who,
      model,
      (encoded) => native().exportDraft(encoded, ...given, (message, path) => sites.of(message, path)),
      sites,
    ),
  );
  return new DraftReport(draft, (dynamicShapes) => exportProgram(model, examples, { ...options, dynamicShapes }));
}
