/** The errors of the engine: subclasses of Error with a `kind` that a program can test. */

/** Base of every error of the engine. `kind` is a stable word, such as `"Shape"` or `"DataDependent"`. */
export class OneModelError extends Error {
  override readonly name: string = 'OneModelError';
  /** A stable word for what happened. */
  readonly kind: string;
  constructor(message: string, kind: string) {
    super(message);
    this.kind = kind;
  }
}

/** A size, rank, axis or broadcast that does not fit. */
export class ShapeError extends OneModelError {
  override readonly name: string = 'ShapeError';
}
/** An element type that an operator does not take. */
export class DTypeError extends OneModelError {
  override readonly name: string = 'DTypeError';
}
/** An attribute, argument or option outside its range. */
export class ArgumentError extends OneModelError {
  override readonly name: string = 'ArgumentError';
}
/** A gradient that cannot be computed. */
export class GradientError extends OneModelError {
  override readonly name: string = 'GradientError';
}
/** A model or checkpoint file that is malformed or not supported. Kinds: Truncated, Corrupted, Version, TooLarge,
 * Malformed, Unsupported, Fetch. */
export class ModelError extends OneModelError {
  override readonly name: string = 'ModelError';
}
/** A trace refused. Kinds: DataDependent, InPlaceMutation, NoGradInTrace, SymbolicShape, InvalidUsage,
 * UnsupportedOperation. */
export class TraceError extends OneModelError {
  override readonly name: string = 'TraceError';
}
/** Sizes that break what an exported program demands, or demands that its model cannot meet: a line per problem, and below
 * them, where there are some, `Suggested fixes:` (see `refineDynamicShapes`). */
export class ConstraintsError extends OneModelError {
  override readonly name: string = 'ConstraintsError';
}
/** The WebAssembly memory, of 4 GiB at most, is exhausted. */
export class MemoryError extends OneModelError {
  override readonly name: string = 'MemoryError';
}
/** A run or a load that was cancelled. */
export class CancelledError extends OneModelError {
  override readonly name: string = 'CancelledError';
}
/** A fault of the engine, not of the caller; please report it. */
export class InternalError extends OneModelError {
  override readonly name: string = 'InternalError';
}

const classes: Record<string, new (message: string, kind: string) => OneModelError> = {
  ShapeError,
  DTypeError,
  ArgumentError,
  GradientError,
  ModelError,
  TraceError,
  ConstraintsError,
  MemoryError,
  CancelledError,
  InternalError,
};

/** The Error for what the engine reports. */
export function makeError(name: string, kind: string, message: string): OneModelError {
  return new (classes[name] ?? OneModelError)(message, kind);
}
