/** Exports modules and functions. */

import { checkedOptions, flagOf, listOf, textOf } from '../arguments.js';
import { native } from '../native.js';
import { type Encoded, encodeNamed, namedArguments } from './argument.js';
import { capture, type Exportable } from './capture.js';
import { type DynamicShapes, type Examples, type ShapesSource, shapesFor } from './dynamic_shapes.js';
import { ExportedProgram } from './exported_program.js';

/** How a model is exported. */
export interface ExportOptions {
  /** Which sizes of the arguments may vary; all are static by default. */
  dynamicShapes?: DynamicShapes | ShapesSource;
  /** Paths of modules whose calls keep the form of their arguments and results. */
  preserveModuleCalls?: readonly string[];
  /** Whether warnings (sizes of the example that may have been taken for one that varies) are a TraceError; false. */
  strict?: boolean;
}

const optionNames = ['dynamicShapes', 'preserveModuleCalls', 'strict'];

/** Examples, shapes, preserved paths and strictness for the engine. */
export function encodedExport(
  who: string,
  examples: Examples,
  options: ExportOptions,
): [[string, Encoded][], Encoded, string[], boolean] {
  const { dynamicShapes, preserveModuleCalls = [], strict = false } = checkedOptions(who, options, optionNames);
  const paths = listOf(`${who}: preserveModuleCalls`, preserveModuleCalls, 'paths of modules');
  const named = encodeNamed(who, namedArguments(who, examples));
  const kept = paths.map((path) => textOf(`${who}: preserveModuleCalls`, path));
  return [named, shapesFor(dynamicShapes, examples), kept, flagOf(`${who}: strict`, strict)];
}

function run(
  who: string,
  model: Exportable,
  examples: Examples,
  options: ExportOptions,
  trains: boolean,
): ExportedProgram {
  const given = encodedExport(who, examples, options);
  return new ExportedProgram(capture(who, model, (encoded) => native().exportProgram(encoded, ...given, trains)));
}

/**
 * Captures `model`, run on example arguments, as a program: its parameters, buffers and other tensors in fields are lifted
 * to inputs, and what it updates in place becomes outputs. Arguments come in an array, or in an object by name; a function
 * or `forward` gets them in that order. The model is left as it was, also when this throws: parameters, buffers, modes,
 * fields, inputs and generators.
 *
 * Throws TraceError as `trace` does, and (InPlaceMutation) for updates of constants and of whole arguments; ArgumentError for a
 * specification of shapes that does not fit the arguments, and for an unknown path in `preserveModuleCalls`; ConstraintsError
 * for declared sizes that the model cannot keep, all of them, with the fixes; and what the model itself throws.
 */
export function exportProgram(model: Exportable, examples: Examples, options: ExportOptions = {}): ExportedProgram {
  return run('exportProgram', model, examples, options, false);
}

/** The same for training: sessions keep parameters as inputs, and those of `module()` require gradients. */
export function exportForTraining(model: Exportable, examples: Examples, options: ExportOptions = {}): ExportedProgram {
  return run('exportForTraining', model, examples, options, true);
}
