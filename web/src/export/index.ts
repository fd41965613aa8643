/** Exported programs. */

export type { Argument, Structure } from './argument.js';
export type { Exportable } from './capture.js';
export { type Bounds, Dim, dims, type HintKind, type SizeHint } from './dim.js';
export { type DraftFailure, type DraftFailureKind, DraftReport, draftExport } from './draft.js';
export {
  AdditionalInputs,
  type DynamicShapes,
  type Examples,
  refineDynamicShapes,
  ShapesCollection,
  type ShapesSource,
  type SizeEntry,
} from './dynamic_shapes.js';
export { type ExportOptions, exportForTraining, exportProgram } from './export_program.js';
export {
  type Decomposition,
  type DecompositionTable,
  ExportedProgram,
  type ForwardBackwardOptions,
  loadPrograms,
  type ModuleCall,
  type ProgramArgument,
  type ProgramOnnxOptions,
  type RangeConstraint,
  type SaveProgramOptions,
  savePrograms,
} from './exported_program.js';
export { ProgramModule, unflatten } from './program_module.js';
export { ProgramSession, type ProgramSessionOptions } from './program_session.js';
export type { InputKind, InputSpec, NameMap, OutputKind, OutputSpec, ProgramSignature } from './signature.js';
