/** An image file as the content of an input. */

import type { ValueInfo } from 'onemodel';
import type { Fill } from '../protocol';
import { element } from './dom';
import { type ImageLayout, imageNumbers, scales } from './image_layout';
import type { Content } from './input_contents';
import { InputError } from './input_error';

/** Beyond this, browsers refuse a canvas. */
const mostPixels = 64_000_000;

export class ImageContent implements Content {
  readonly name = 'image';
  readonly label = 'an image';
  readonly usesSeed = false;
  readonly fields: HTMLElement;
  readonly #layout: ImageLayout;
  readonly #scale: HTMLSelectElement;
  readonly #canvas = element('canvas', { class: 'feed-image', width: 1, height: 1, role: 'img' });
  readonly #caption = element('p', { class: 'hint' }, 'No image yet: choose one, or drop one on the page.');
  #image: ImageBitmap | null = null;
  #fileName = '';
  #shape: number[] | null = null;

  /** `onFailure` is told of a file that is no image. */
  constructor(info: ValueInfo, layout: ImageLayout, onFailure: (error: unknown) => void) {
    this.#layout = layout;
    const file = element('input', {
      type: 'file',
      accept: 'image/*',
      'aria-label': `Image for ${info.name}`,
      name: `image ${info.name}`,
    });
    file.addEventListener('change', () => {
      const chosen = file.files?.[0];
      if (chosen) this.take(chosen).catch(onFailure);
      file.value = '';
    });
    const names = info.dtype === 'uint8' ? ['levels'] : Object.keys(scales);
    const options = names.map((name) => element('option', { value: name }, scales[name]?.label ?? name));
    this.#scale = element('select', { 'aria-label': `Scale of ${info.name}`, name: `scale ${info.name}` }, ...options);
    const button = element('label', { class: 'button' }, file, 'Choose an image');
    this.#canvas.hidden = true;
    this.fields = element(
      'div',
      { class: 'feed-picture' },
      element('div', { class: 'feed-row' }, button, this.#scale),
      this.#canvas,
      this.#caption,
    );
  }

  /** Takes an image file. Throws InputError for another. */
  async take(file: File): Promise<void> {
    const image = await createImageBitmap(file).catch(() => {
      throw new InputError(`'${file.name}' is no image that this browser reads`);
    });
    this.#image?.close();
    this.#image = image;
    this.#fileName = file.name;
    this.#preview();
  }

  resized(shape: number[] | null): void {
    this.#shape = shape;
    this.#preview();
  }

  read(shape: number[]): Fill {
    this.#shape = shape;
    if (!this.#image) throw new InputError('no image was chosen');
    const [height, width] = this.#sides(shape);
    if (width * height > mostPixels) throw new InputError(`an image of ${width} × ${height} pixels is too large`);
    const batch = shape.reduce((product, extent) => product * extent, 1) / (height * width * this.#layout.channels);
    const pixels = this.#preview();
    const scale = scales[this.#scale.value];
    if (!pixels || !scale || batch === 0) throw new InputError('an image needs sizes above 0');
    return { kind: 'values', values: imageNumbers(pixels, this.#layout, batch, scale.scale) };
  }

  #sides(shape: readonly number[]): [number, number] {
    return [shape[this.#layout.heightAxis] as number, shape[this.#layout.widthAxis] as number];
  }

  /** Draws the image as large as the input is, and gives its pixels. */
  #preview(): ImageData | null {
    const [image, shape] = [this.#image, this.#shape];
    if (!image || !shape) return null;
    const [height, width] = this.#sides(shape);
    const context = this.#canvas.getContext('2d', { willReadFrequently: true });
    if (!context || width * height === 0 || width * height > mostPixels) return null;
    Object.assign(this.#canvas, { width, height, hidden: false });
    Object.assign(context, { fillStyle: '#fff', imageSmoothingQuality: 'high' });
    context.fillRect(0, 0, width, height); // below what is transparent
    context.drawImage(image, 0, 0, width, height);
    this.#canvas.setAttribute('aria-label', this.#fileName);
    const grey = this.#layout.channels === 1 ? ', grey' : '';
    this.#caption.textContent = `${this.#fileName}: ${image.width} × ${image.height}, given as ${width} × ${height}${grey}`;
    return context.getImageData(0, 0, width, height);
  }
}
