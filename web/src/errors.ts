/** The errors of the engine: subclasses of Error with a `kind` that a program can test. */

import { dropOwnFrames, raiseLimit, restoreLimit } from './stack.js';

/** So many frames reach the caller from within the engine. */
const frames = 50;

// Names are accessors: the head of a stack has the name that an error has while it is made.

/** Base of every error of the engine. `kind` is a stable word, such as `"Shape"` or `"DataDependent"`. Its
 * stack begins with the caller's line. */
export class OneModelError extends Error {
  override get name(): string {
    return 'OneModelError';
  }
  /** A stable word for what happened. */
  readonly kind: string;
  /** Of an error from within a module's `forward`: which module, by its path in the one that the caller called ("" for that
   * itself). The message begins with it. */
  declare readonly modulePath?: string;
  constructor(message: string, kind: string) {
    const before = raiseLimit(frames);
    super(message);
    restoreLimit(before);
    dropOwnFrames(this, before);
    this.kind = kind;
  }
}

/** A size, rank, axis or broadcast that does not fit. */
export class ShapeError extends OneModelError {
  override get name(): string {
    return 'ShapeError';
  }
}
/** An element type that an operator does not take. */
export class DTypeError extends OneModelError {
  override get name(): string {
    return 'DTypeError';
  }
}
/** An attribute, argument or option outside its range. */
export class ArgumentError extends OneModelError {
  override get name(): string {
    return 'ArgumentError';
  }
}
/** A gradient that cannot be computed. */
export class GradientError extends OneModelError {
  override get name(): string {
    return 'GradientError';
  }
}
/** A model or checkpoint file that is malformed or not supported. Kinds: Truncated, Corrupted, Version, TooLarge,
 * Malformed, Unsupported, Fetch. */
export class ModelError extends OneModelError {
  override get name(): string {
    return 'ModelError';
  }
}
/** A trace refused. Kinds: DataDependent, InPlaceMutation, NoGradInTrace, SymbolicShape, InvalidUsage,
 * UnsupportedOperation. */
export class TraceError extends OneModelError {
  override get name(): string {
    return 'TraceError';
  }
}
/** Sizes that break what an exported program demands, or demands that its model cannot meet: a line per problem, and below
 * them, where there are some, `Suggested fixes:` (see `refineDynamicShapes`). */
export class ConstraintsError extends OneModelError {
  override get name(): string {
    return 'ConstraintsError';
  }
}
/** The WebAssembly memory, of 4 GiB at most, is exhausted. */
export class MemoryError extends OneModelError {
  override get name(): string {
    return 'MemoryError';
  }
}
/** A run or a load that was cancelled. */
export class CancelledError extends OneModelError {
  override get name(): string {
    return 'CancelledError';
  }
}
/** A fault of the engine, not of the caller; please report it. */
export class InternalError extends OneModelError {
  override get name(): string {
    return 'InternalError';
  }
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
