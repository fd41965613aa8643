/** Which sizes of a program's inputs may vary, as the caller says it. */

import { handleOf, isPlainObject, listOf, textOf, unexpected } from '../arguments.js';
import { describe } from '../describe.js';
import { ArgumentError } from '../errors.js';
import { native } from '../native.js';
import type { Tensor } from '../tensor.js';
import {
  type Argument,
  type Encoded,
  encodeNamed,
  namedArguments,
  namedInOrderOf,
  type Structure,
} from './argument.js';
import { type Dim, type HintKind, isHint, makeHint, NamedSize, type SizeHint } from './dim.js';
import type { ExportedProgram } from './exported_program.js';

/** What is said of one axis: nothing (static), a size that the example must have, a name, or a hint. */
export type SizeEntry = number | Dim | SizeHint | null | undefined;

/**
 * What is said of the arguments, by name or in their order; of a container, part by part; of a tensor: null (static), a
 * list with an entry per axis, or entries by axis.
 */
export type DynamicShapes = SizeEntry | readonly DynamicShapes[] | { readonly [key: string | number]: DynamicShapes };

const hintKinds: readonly HintKind[] = ['AUTO', 'DYNAMIC', 'STATIC'];

/** How bindings/argument.h has it. Throws ArgumentError naming the place of what says nothing of sizes. */
export function encodeShapes(shapes: unknown, place = 'dynamicShapes'): Encoded {
  if (shapes === null || shapes === undefined) return [0];
  if (Number.isSafeInteger(shapes)) return [1, shapes];
  if (shapes instanceof NamedSize) {
    return [2, shapes.name, shapes.min, shapes.max ?? null, shapes.scale, shapes.offset];
  }
  if (isHint(shapes)) return [3, hintKinds.indexOf(shapes.kind), shapes.min, shapes.max ?? null];
  if (Array.isArray(shapes)) return [4, shapes.map((each, i) => encodeShapes(each, `${place}[${i}]`))];
  if (isPlainObject(shapes)) {
    return [5, Object.keys(shapes), Object.entries(shapes).map(([key, each]) => encodeShapes(each, `${place}.${key}`))];
  }
  const got = typeof shapes === 'number' ? shapes : describe(shapes);
  throw new ArgumentError(
    `${place}: expected integers, Dims, hints or null, in arrays and objects, got ${got}`,
    'Argument',
  );
}

/** What the engine says of shapes. */
export function decodeShapes(encoded: Encoded): DynamicShapes {
  const [kind, first, second, third, scale, offset] = encoded;
  const bounds = (min: unknown, max: unknown) => ({ min: min as number, max: (max as number | null) ?? undefined });
  if (kind === 0) return null;
  if (kind === 1) return first as number;
  if (kind === 2) return new NamedSize(first as string, bounds(second, third), scale as number, offset as number);
  if (kind === 3) return makeHint(hintKinds[first as number] as HintKind, bounds(second, third));
  if (kind === 4) return (first as Encoded[]).map(decodeShapes);
  const parts = second as Encoded[];
  return Object.fromEntries((first as string[]).map((key, i) => [key, decodeShapes(parts[i] as Encoded)]));
}

/** The example arguments of a model: in order, or by name. */
export type Examples = Tensor | readonly Argument[] | { readonly [name: string]: Argument };

/** Something that knows which sizes vary once it sees the arguments. */
export interface ShapesSource {
  /** The specification for these arguments. */
  dynamicShapes(examples: Examples): DynamicShapes;
}

function isSource(shapes: unknown): shapes is ShapesSource {
  return shapes instanceof ShapesCollection || shapes instanceof AdditionalInputs;
}

/** The specification that `shapes` is, or makes. */
export function shapesFor(shapes: DynamicShapes | ShapesSource, examples: Examples): Encoded {
  return encodeShapes(isSource(shapes) ? shapes.dynamicShapes(examples) : shapes);
}

/** Parts of a specification by the tensors they are for. */
export class ShapesCollection implements ShapesSource {
  readonly #parts = new Map<Tensor, DynamicShapes>();

  /** `shapes` are those of `tensor`, which will be among the arguments. Returns the collection. */
  set(tensor: Tensor, shapes: DynamicShapes): this {
    handleOf('ShapesCollection.set', tensor);
    this.#parts.set(tensor, shapes);
    return this;
  }

  /**
   * The specification for these arguments. A tensor is known by the memory that it views. Throws ArgumentError when a
   * tensor of the collection is none of them.
   */
  dynamicShapes(examples: Examples): DynamicShapes {
    const who = 'ShapesCollection.dynamicShapes';
    const parts = [...this.#parts].map(([tensor, shapes]) => [handleOf(who, tensor), encodeShapes(shapes)] as const);
    return decodeShapes(native().shapesOfTensors(parts, encodeNamed(who, namedArguments(who, examples))));
  }
}

/** More examples: sizes in which they differ are dynamic. */
export class AdditionalInputs implements ShapesSource {
  readonly #examples: Examples[] = [];

  /** One more example, in the form of the first. Returns the collection. */
  add(examples: Examples): this {
    namedArguments('AdditionalInputs.add', examples);
    this.#examples.push(examples);
    return this;
  }

  /**
   * `Dim.DYNAMIC` where an example differs from `examples`, else static; keys may be in any order. Throws ArgumentError naming example and input
   * where structure, rank, element type or a value that is no tensor differ.
   */
  dynamicShapes(examples: Examples): DynamicShapes {
    const who = 'AdditionalInputs.dynamicShapes';
    const first = namedArguments(who, examples);
    const forms = first.map(([name, value]) => ({ name, structure: value as Structure }));
    const others = this.#examples.map((each) => encodeNamed(who, namedInOrderOf(forms, namedArguments(who, each))));
    return decodeShapes(native().shapesOfExamples(others, encodeNamed(who, first)));
  }

  /** Runs all examples, on a copy of the program's state. Errors are those of `call`, after the number of the example. */
  verify(program: ExportedProgram): void {
    const who = 'AdditionalInputs.verify';
    if (program?.moduleCallGraph === undefined) throw unexpected(who, 'a program', program);
    if (this.#examples.length === 0) throw new ArgumentError(`${who}: there are no examples: add some`, 'Argument');
    const encoded = this.#examples.map((each) =>
      encodeNamed(who, namedInOrderOf(program.arguments, namedArguments(who, each))),
    );
    native().programVerify(program.handle, encoded);
  }
}

/**
 * `shapes` with the fixes that the message of a ConstraintsError suggests. `argumentNames` tells the names of arguments
 * when `shapes` has them in order; else they are those of examples in a list. Throws ArgumentError when the message suggests nothing, or speaks of a size that
 * `shapes` has not, and for a message that is no text.
 */
export function refineDynamicShapes(
  message: string | Error,
  shapes: DynamicShapes,
  argumentNames: readonly string[] = [],
): DynamicShapes {
  const who = 'refineDynamicShapes';
  const text = message instanceof Error ? message.message : message;
  if (typeof text !== 'string') throw unexpected(who, 'a ConstraintsError or its message', text);
  const names = listOf(`${who}: argumentNames`, argumentNames, 'names');
  const known = names.map((name, i) => textOf(`${who}: argumentNames[${i}]`, name));
  return decodeShapes(native().refineShapes(text, encodeShapes(shapes), known));
}
