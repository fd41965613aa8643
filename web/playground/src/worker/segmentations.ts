/** What a model finds in images, for the page. */

import type { Tensor } from 'onemodel';
import type { Segmentation } from '../protocol';

/** Images, masks and probabilities [N, 1, H, W], and how well each fits. */
export interface Found {
  images: Tensor;
  masks: Tensor;
  found: Tensor;
  overlaps: number[];
}

export function segmentationsOf({ images, masks, found, overlaps }: Found): Segmentation[] {
  const [count = 0, , height = 0, width = 0] = images.shape;
  const pixels = ({ data }: Tensor, i: number) =>
    Float32Array.from(data.slice(i * height * width, (i + 1) * height * width), Number);
  return Array.from({ length: count }, (_, i) => ({
    height,
    width,
    image: pixels(images, i),
    mask: pixels(masks, i),
    found: pixels(found, i),
    overlap: overlaps[i] ?? 0,
  }));
}
