/** One input of a model that is a tensor of known rank: what it is, and what it is filled with. */

import type { Extent, ValueInfo } from 'onemodel';
import type { Feed } from '../protocol';
import { ImageContent } from './image_content';
import { imageLayout } from './image_layout';
import { Choices } from './input_choices';
import { type Content, contentsFor, kept } from './input_contents';
import { InputError } from './input_error';

/** Whatever is filled in for one input. */
export interface Field {
  readonly element: HTMLElement;
  readonly usesSeed: boolean;
  /** Shows what belongs to the choice and the sizes as they are now. */
  update(): void;
  /** Takes an image, when this input may be one: tells whether. */
  takeImage(file: File): Promise<boolean>;
  /** Null when the input keeps its default. Throws InputError naming the input for what does not fit. */
  read(): Feed | null;
}

/** Gives what `read` gives; an InputError there names the input. */
export function naming<R>(name: string, read: () => R): R {
  try {
    return read();
  } catch (error) {
    throw error instanceof InputError ? new InputError(`input '${name}': ${error.message}`) : error;
  }
}

export class InputField implements Field {
  readonly #info: ValueInfo;
  readonly #sizeOf: (extent: Extent) => number;
  readonly #image: ImageContent | null;
  readonly #choices: Choices<Content>;

  /**
   * `sizeOf` throws InputError for a symbol without a size; `onChange` is told of another choice, `onFailure` of a file that
   * is no image. `standard` is the default of an optional input, where it is short.
   */
  constructor(
    info: ValueInfo,
    sizeOf: (extent: Extent) => number,
    onChange: () => void,
    onFailure: (error: unknown) => void,
    standard?: string,
  ) {
    this.#info = info;
    this.#sizeOf = sizeOf;
    const layout = imageLayout(info);
    this.#image = layout && new ImageContent(info, layout, onFailure);
    const contents = [...(info.optional ? [kept(standard)] : []), ...contentsFor(info)];
    this.#choices = new Choices(info, this.#image ? [...contents, this.#image] : contents, onChange);
  }

  get element(): HTMLElement {
    return this.#choices.element;
  }

  get usesSeed(): boolean {
    return this.#choices.chosen.usesSeed;
  }

  update(): void {
    this.#choices.show();
    let shape: number[] | null = null;
    try {
      shape = this.#shape();
    } catch {
      // Reading says so.
    }
    this.#choices.chosen.resized?.(shape);
  }

  async takeImage(file: File): Promise<boolean> {
    if (!this.#image) return false;
    await this.#image.take(file);
    this.#choices.choose(this.#image);
    this.update();
    return true;
  }

  #shape(): number[] {
    return this.#info.shape.map(this.#sizeOf);
  }

  read(): Feed | null {
    const { name, dtype } = this.#info;
    const { chosen } = this.#choices;
    if (chosen.name === 'default') return null;
    const shape = this.#shape();
    const fill = naming(name, () => chosen.read(shape));
    return fill && { name, item: { dtype, shape, fill } };
  }
}
