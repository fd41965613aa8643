/** The draft export of a model, and the program that is saved and run. */

import * as om from 'onemodel';
import type { ExportReport, ProgramFileOptions } from '../export_protocol';
import { codeLine, withCodeLines } from '../worker_errors';
import { type CodeExports, exampleOf } from './code_exports';
import { programReport } from './program_report';
import { shapesCode } from './shapes_code';

export class Exporting {
  readonly #draft: om.DraftReport;
  /** With the suggested sizes, once these were applied. */
  #fixed: om.ExportedProgram | null = null;

  constructor(code: CodeExports) {
    const { model, dynamicShapes, preserveModuleCalls } = code;
    this.#draft = om.draftExport(model, exampleOf(code, 'export'), {
      ...(dynamicShapes !== undefined && { dynamicShapes }),
      ...(preserveModuleCalls && { preserveModuleCalls }),
    });
  }

  /** Exports again, with the suggested sizes. */
  applyFixes(): void {
    const fixed = this.#draft.applySuggestedFixes();
    this.#fixed?.dispose();
    this.#fixed = fixed;
  }

  report(): ExportReport {
    const { failures, suggestedDynamicShapes: suggested } = this.#draft;
    const program = this.#fixed ?? this.#draft.program;
    return {
      failures: this.#fixed
        ? []
        : failures.map(({ callSite, ...failure }) => ({ ...failure, line: codeLine(callSite ?? '') })),
      text: withCodeLines(this.#draft.toString()),
      suggested: suggested === null ? null : `export const dynamicShapes = ${shapesCode(suggested)};`,
      program: program && programReport(program),
    };
  }

  /** Throws TraceError with all that is wrong when there is none. */
  get program(): om.ExportedProgram {
    const program = this.#fixed ?? this.#draft.program;
    if (program) return program;
    const [first] = this.#draft.failures;
    throw new om.TraceError(withCodeLines(this.#draft.toString()), first?.kind ?? 'UnsupportedUsage');
  }

  save({ format, stateInputs }: ProgramFileOptions): Uint8Array<ArrayBuffer> {
    const { program } = this;
    return (format === 'onnx' ? program.toOnnx({ stateInputs }) : program.toOneModel()).slice();
  }

  dispose(): void {
    this.#draft.dispose();
    this.#fixed?.dispose();
  }
}
