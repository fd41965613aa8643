/** What was recorded of a model: made when first asked for, and forgotten when the model changes. */

import * as om from 'onemodel';
import type { ModelFormat, TraceReport } from '../protocol';
import { type CodeExports, exampleOf } from './code_exports';
import { Exporting } from './exporting';

export class Records {
  #traced: om.TracedModel | undefined;
  #exporting: Exporting | undefined;

  forget(): void {
    this.#traced?.dispose();
    this.#traced = undefined;
    this.forgetExport();
  }

  forgetExport(): void {
    this.#exporting?.dispose();
    this.#exporting = undefined;
  }

  exporting(code: CodeExports): Exporting {
    this.#exporting ??= new Exporting(code);
    return this.#exporting;
  }

  #trace(code: CodeExports): om.TracedModel {
    const { model, axes, outputNames } = code;
    this.#traced ??= om.trace(model, exampleOf(code, 'trace'), {
      verify: axes !== undefined,
      ...(axes && { axes }),
      ...(outputNames && { outputNames }),
    });
    return this.#traced;
  }

  trace(code: CodeExports): TraceReport {
    const traced = this.#trace(code);
    const report = traced.verification;
    const sizes = Object.entries(report?.sizes ?? {}).map(([name, size]) => `${name} = ${size}`);
    const message = report?.message || `Run again at ${sizes.join(', ')}, the graph agrees with the module.`;
    return {
      view: traced.view(),
      text: traced.toString(),
      warnings: [...traced.warnings],
      verification: report ? { ok: report.ok, message } : null,
    };
  }

  saveTrace(code: CodeExports, format: ModelFormat): Uint8Array<ArrayBuffer> {
    const traced = this.#trace(code);
    return (format === 'onnx' ? traced.toOnnx() : traced.toOneModel()).slice();
  }
}
