/** Errors keep their class name and kind on the way out of the worker: both sides import this. */

import { transferHandlers } from 'comlink';

export interface ErrorReport {
  name: string;
  kind: string | null;
  message: string;
  /** Where in the code of the editor, when known. */
  line: number | null;
}

/** An error that the worker reported. */
export class WorkerError extends Error {
  readonly report: ErrorReport;
  constructor(report: ErrorReport) {
    super(report.message);
    this.name = report.name;
    this.report = report;
  }
}

// The code is a Blob module, whose address tells its frames from the engine's.
const codePlace = /blob:[^)\s]*?:(\d+):\d+/;

/** The first line of the editor's code in a stack. */
export function codeLine(stack: string): number | null {
  const line = codePlace.exec(stack)?.[1];
  return line === undefined ? null : Number(line);
}

/** A text with "line 12" for each place in the editor's code. */
export function withCodeLines(text: string): string {
  return text.replace(new RegExp(codePlace, 'g'), 'line $1');
}

export function describeError(error: unknown): ErrorReport {
  if (error instanceof WorkerError) return error.report;
  if (!(error instanceof Error)) return { name: 'Error', kind: null, message: String(error), line: null };
  const { kind } = error as { kind?: unknown };
  return {
    name: error.name,
    kind: typeof kind === 'string' ? kind : null,
    message: error.message,
    line: codeLine(error.stack ?? ''),
  };
}

export function carryErrors(): void {
  const standard = transferHandlers.get('throw');
  if (!standard) return;
  transferHandlers.set('throw', {
    canHandle: standard.canHandle,
    serialize: (thrown) => [describeError((thrown as { value: unknown }).value), []],
    deserialize: (report) => {
      throw new WorkerError(report as ErrorReport);
    },
  });
}
