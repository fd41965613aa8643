/** Outputs as pictures. */

import { statisticsOf } from '../../../src/cli/statistics';
import type { Picture } from '../protocol';

/** Bigger ones are shown with pixels left out. */
const longestSide = 512;
const fewestPixels = 16;
/** Three channels with shorter sides are no coloured image. */
const shortestColouredSide = 8;

interface Layout {
  width: number;
  height: number;
  channels: 1 | 3;
  /** Distances between neighbours in the row-major elements. */
  steps: { x: number; y: number; channel: number };
}

/** How the last axes are seen, or null. */
function layoutOf(shape: readonly number[]): Layout | null {
  const [a = 0, b = 0, c = 0] = shape.length < 3 ? [1, ...shape] : shape.slice(-3);
  if (shape.length < 2 || shape.includes(0)) return null;
  const coloured = (height: number, width: number) => Math.min(height, width) >= shortestColouredSide;
  if (a === 3 && coloured(b, c)) return { width: c, height: b, channels: 3, steps: { x: 1, y: c, channel: b * c } };
  if (c === 3 && coloured(a, b)) return { width: b, height: a, channels: 3, steps: { x: 3, y: 3 * b, channel: 1 } };
  if (c === 1 && coloured(a, b)) return { width: b, height: a, channels: 1, steps: { x: 1, y: b, channel: 0 } };
  if (b < 2 || c < 2 || b * c < fewestPixels) return null;
  return { width: c, height: b, channels: 1, steps: { x: 1, y: c, channel: 0 } };
}

/** The first picture in the elements of an output, or null when they are none. */
export function pictureOf(shape: readonly number[], numbers: Float64Array): Picture | null {
  const layout = layoutOf(shape);
  if (!layout) return null;
  const { channels, steps } = layout;
  const size = layout.width * layout.height * channels;
  const { min, max } = statisticsOf(numbers.subarray(0, size));
  const scale = min === null || max === null || min === max ? 0 : 255 / (max - min);
  const stride = Math.ceil(Math.max(layout.width, layout.height) / longestSide);
  const [width, height] = [Math.ceil(layout.width / stride), Math.ceil(layout.height / stride)];
  const levels = new Uint8ClampedArray(width * height * channels);
  let next = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < channels; channel++) {
        const value = numbers[stride * (y * steps.y + x * steps.x) + channel * steps.channel] as number;
        levels[next++] = (value - (min ?? 0)) * scale;
      }
    }
  }
  return { width, height, channels, levels, count: numbers.length / size };
}
