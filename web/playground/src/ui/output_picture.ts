/** An output's picture: in its own colours, or as a heat map. */

import type { Picture } from '../protocol';
import { element } from './dom';

type Colour = readonly [number, number, number];

/** From the smallest level to the largest, as evenly told apart in grey. */
const heat: readonly Colour[] = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
];

function heatColour(level: number): Colour {
  const place = (level / 255) * (heat.length - 1);
  const below = Math.min(heat.length - 2, Math.floor(place));
  const [from, to] = [heat[below] as Colour, heat[below + 1] as Colour];
  const share = place - below;
  return [0, 1, 2].map(
    (i) => (from[i] as number) + share * ((to[i] as number) - (from[i] as number)),
  ) as unknown as Colour;
}

const heatColours = Array.from({ length: 256 }, (_, level) => heatColour(level));

export function outputPicture(name: string, { width, height, channels, levels, count }: Picture): HTMLElement {
  const kind = channels === 3 ? 'image' : 'heat map';
  const canvas = element('canvas', { width, height, role: 'img', 'aria-label': `${name}: ${kind}` });
  const pixels = new ImageData(width, height);
  for (let i = 0; i < width * height; i++) {
    const colour = channels === 3 ? levels.subarray(3 * i, 3 * i + 3) : heatColours[levels[i] as number];
    pixels.data.set([...(colour ?? []), 255], 4 * i);
  }
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
  const which = count > 1 ? `, the first of ${count.toLocaleString('en')}` : '';
  const caption = `From the smallest value to the largest as ${kind === 'image' ? 'an image' : 'a heat map'}${which}`;
  return element('figure', { class: 'output-picture' }, canvas, element('figcaption', {}, caption));
}
