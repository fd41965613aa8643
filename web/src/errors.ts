/** The errors of the engine: subclasses of Error with a `kind` that a program can test. */

/** Base of every error of the engine. `kind` is a stable word, such as `"Shape"` or `"DataDependent"`. */
export class OneModelError extends Error {
  readonly kind: string;
  constructor(message: string, kind: string) {
    super(message);
    this.name = new.target.name;
    this.kind = kind;
  }
}

/** A size, rank, axis or broadcast that does not fit. */
export class ShapeError extends OneModelError {}
/** An element type that an operator does not take. */
export class DTypeError extends OneModelError {}
/** An attribute, argument or option outside its range. */
export class ArgumentError extends OneModelError {}
/** A gradient that cannot be computed. */
export class GradientError extends OneModelError {}
/** A model or checkpoint file that is malformed or not supported. Kinds: Truncated, Corrupted, Version, TooLarge,
 * Malformed, Unsupported, Fetch. */
export class ModelError extends OneModelError {}
/** A trace refused. Kinds: DataDependent, InPlaceMutation, NoGradInTrace, SymbolicShape, InvalidUsage,
 * UnsupportedOperation. */
export class TraceError extends OneModelError {}
/** The WebAssembly memory is exhausted. */
export class MemoryError extends OneModelError {}
/** A run or a load that was cancelled. */
export class CancelledError extends OneModelError {}
/** A fault of the engine, not of the caller; please report it. */
export class InternalError extends OneModelError {}

const classes: Record<string, new (message: string, kind: string) => OneModelError> = {
  ShapeError,
  DTypeError,
  ArgumentError,
  GradientError,
  ModelError,
  TraceError,
  MemoryError,
  CancelledError,
  InternalError,
};

/** The Error for what the engine reports. */
export function makeError(name: string, kind: string, message: string): OneModelError {
  return new (classes[name] ?? OneModelError)(message, kind);
}
