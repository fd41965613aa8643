/** Images, what is to be found in them, and what the model finds. */

import type { Segmentation } from '../protocol';
import type { Workbench } from '../workbench';
import { byId, element } from './dom';
import { AnsweredSection } from './result_section';

type Colour = readonly [number, number, number];

const white: Colour = [255, 255, 255];
const violet: Colour = [155, 148, 255];

/** Levels from 0, black, to 1, of the colour. */
function picture(name: string, levels: Float32Array, { width, height }: Segmentation, colour: Colour): HTMLElement {
  const canvas = element('canvas', { width, height, role: 'img', 'aria-label': name });
  const pixels = new ImageData(width, height);
  levels.forEach((level, i) => {
    const strength = Math.min(1, Math.max(0, level));
    pixels.data.set([...colour.map((part) => part * strength), 255], i * 4);
  });
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
  return element('figure', {}, canvas, element('figcaption', {}, name));
}

function row(each: Segmentation): HTMLElement {
  return element(
    'div',
    { class: 'mask-row' },
    picture('image', each.image, each, white),
    picture('digits', each.mask, each, violet),
    picture(`found: ${(each.overlap * 100).toFixed(0)} %`, each.found, each, violet),
  );
}

export class MasksSection extends AnsweredSection<Segmentation[]> {
  /** The same until other images are asked for, so that training shows in them. */
  #seed = 1;

  constructor(workbench: Workbench) {
    super(workbench, 'masks', 1000);
    byId('other-images').addEventListener('click', () => {
      this.#seed++;
      this.ask();
    });
  }

  protected override answer(engine: Workbench['engine']): Promise<Segmentation[]> {
    return engine.call((api) => api.segment(this.#seed));
  }

  protected override shown(found: Segmentation[]): Node[] {
    return found.map(row);
  }
}
