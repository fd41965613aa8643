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
export { ExportedProgram, loadPrograms, savePrograms } from './exported_program.js';
export { ProgramModule, unflatten } from './program_module.js';
export type {
  Decomposition,
  DecompositionTable,
  ForwardBackwardOptions,
  ModuleCall,
  ProgramArgument,
  ProgramOnnxOptions,
  RangeConstraint,
  SaveProgramOptions,
} from './program_parts.js';
export { ProgramSession, type ProgramSessionOptions } from './program_session.js';
export type { InputKind, InputSpec, NameMap, OutputKind, OutputSpec, ProgramSignature } from './signature.js';
