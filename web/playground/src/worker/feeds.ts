/** The tensors that a model is fed with. */

import * as om from 'onemodel';
import type { Feed, TensorFeed } from '../protocol';
import { keepingRandom } from './undisturbed';

const isFloat = (dtype: om.DType) => dtype.includes('float');

function uniform(shape: readonly number[], dtype: om.DType, low: number, high: number): om.Tensor {
  if (isFloat(dtype)) return om.rand(shape, low, high).cast(dtype);
  const shares = om.rand(shape).data as Float32Array;
  const whole = Float64Array.from(shares, (share) => Math.min(high, low + Math.floor(share * (high - low + 1))));
  return om.tensor(whole, { shape, dtype });
}

function feedTensor({ dtype, shape, fill }: TensorFeed): om.Tensor {
  switch (fill.kind) {
    case 'uniform':
      return uniform(shape, dtype, fill.low, fill.high);
    case 'normal':
      return om.randn(shape).cast(dtype);
    case 'constant':
      return om.tensor(fill.value, { dtype, shape: [] }).expand(shape);
    case 'values':
      return om.tensor(fill.values, { dtype, shape });
  }
}

function feedItem({ item }: Feed): om.Item {
  if (item === null) return null;
  return Array.isArray(item) ? item.map(feedTensor) : feedTensor(item);
}

/** By input. The same for the same seed. The random numbers of the editor's code go on as without it. */
export function feedItems(feeds: readonly Feed[], seed: number): om.ItemMap {
  return keepingRandom(() => {
    om.manualSeed(seed);
    return Object.fromEntries(feeds.map((feed) => [feed.name, feedItem(feed)]));
  });
}
