/** Which inputs are images, and how pixels become their numbers. */

import type { Extent, ValueInfo } from 'onemodel';

export interface ImageLayout {
  channels: 1 | 3;
  /** Axes of the shape; null for an image of one channel without such an axis. */
  channelAxis: number | null;
  heightAxis: number;
  widthAxis: number;
}

const shortestSide = 8;

/** How an input can hold images, or null. Axes before these are a batch. */
export function imageLayout({ dtype, shape }: ValueInfo): ImageLayout | null {
  const rank = shape.length;
  if (!(dtype.includes('float') || dtype === 'uint8') || rank < 2 || rank > 4) return null;
  const isSide = (axis: number) => typeof shape[axis] === 'string' || (shape[axis] as number) >= shortestSide;
  const isChannels = (extent: Extent | undefined): extent is 1 | 3 => extent === 1 || extent === 3;
  const layout = (channelAxis: number | null, heightAxis: number, widthAxis: number): ImageLayout | null => {
    const channels = channelAxis === null ? 1 : shape[channelAxis];
    if (!isChannels(channels) || !isSide(heightAxis) || !isSide(widthAxis)) return null;
    return { channels, channelAxis, heightAxis, widthAxis };
  };
  if (rank === 2) return layout(null, 0, 1);
  return layout(rank - 3, rank - 2, rank - 1) ?? layout(rank - 1, rank - 3, rank - 2);
}

/** From a level of 0 to 255 to the number that the model gets. */
type Scale = (level: number, channel: number) => number;

const mean = [0.485, 0.456, 0.406];
const deviation = [0.229, 0.224, 0.225];

/** Labels and functions of the usual scales. */
export const scales: Readonly<Record<string, { label: string; scale: Scale }>> = {
  unit: { label: '0 to 1', scale: (level) => level / 255 },
  signed: { label: '-1 to 1', scale: (level) => level / 127.5 - 1 },
  standard: {
    label: 'ImageNet: mean 0, deviation 1',
    scale: (level, channel) => (level / 255 - (mean[channel] as number)) / (deviation[channel] as number),
  },
  levels: { label: '0 to 255', scale: (level) => level },
};

function grey(data: Uint8ClampedArray, at: number): number {
  const [red, green, blue] = [data[at], data[at + 1], data[at + 2]] as [number, number, number];
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** RGBA pixels as the numbers of an input: the same image for each of the batch. */
export function imageNumbers(
  { data, width, height }: ImageData,
  { channels, channelAxis, widthAxis }: ImageLayout,
  batch: number,
  scale: Scale,
): Float32Array<ArrayBuffer> {
  const size = width * height * channels;
  const numbers = new Float32Array(size * batch);
  const channelsLast = channelAxis !== null && channelAxis > widthAxis;
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let channel = 0; channel < channels; channel++) {
      const level = channels === 1 ? grey(data, 4 * pixel) : (data[4 * pixel + channel] as number);
      numbers[channelsLast ? pixel * channels + channel : channel * width * height + pixel] = scale(level, channel);
    }
  }
  for (let i = 1; i < batch; i++) numbers.copyWithin(i * size, 0, size);
  return numbers;
}
