// Steps that compute along axes: products, convolutions, pools, reductions, norms and recurrent layers.

import { vocabulary } from './chain.mjs';
import { atMost, list, withLast } from './drawing.mjs';
import { elements, fixed, isFixed } from './sizes.mjs';

const last = (shape) => shape.at(-1);

export function linear(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 0 && atMost(last(shape), 64));
  if (!value) return null;
  const features = random.pick([2, 4, 6, 8]);
  const layer = chain.fresh('m');
  return {
    setup: [[layer, `new om.nn.Linear(${last(value.shape)[0]}, ${features})`]],
    code: `${layer}.forward(${value.name})`,
    shapes: [withLast(value.shape, fixed(features))],
  };
}

export function matmulWeight(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 0 && atMost(last(shape), 64));
  if (!value) return null;
  const columns = random.from(2, 6);
  const weight = chain.fresh('w');
  return {
    setup: [[weight, `om.randn([${last(value.shape)[0]}, ${columns}])`]],
    code: `${value.name}.matmul(${weight})`,
    shapes: [withLast(value.shape, fixed(columns))],
  };
}

export function reduce(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 0);
  if (!value) return null;
  const rank = value.shape.length;
  const count = Math.min(rank, random.pick([1, 1, 1, 2]));
  const axes = random.shuffled(value.shape.map((_, axis) => axis)).slice(0, count);
  // Sums of many numbers differ by more than the tolerance, depending on their order.
  const few = elements(axes.map((axis) => value.shape[axis])) <= 64;
  const methods = ['mean', 'max', 'mean', 'ops.reduceMin', 'ops.reduceL2', 'ops.reduceLogSumExp'];
  const method = random.pick(few ? ['sum', ...methods] : methods);
  const keepdims = random.chance(0.5);
  const kept = keepdims
    ? value.shape.map((size, axis) => (axes.includes(axis) ? fixed(1) : size))
    : value.shape.filter((_, axis) => !axes.includes(axis));
  const written = axes.map((axis) => (random.chance(0.3) ? axis - rank : axis));
  const code = method.startsWith('ops')
    ? `om.${method}(${value.name}, [${written}], { keepdims: ${keepdims} })`
    : `${value.name}.${method}([${written}], ${keepdims})`;
  return { code, shapes: [kept] };
}

/** Norms, with so much added to the variance that rounding is not blown up. */
export function norm(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 1);
  if (!value) return null;
  const rank = value.shape.length;
  const features = last(value.shape);
  const channels = value.shape[1];
  const layers = ['softmax'];
  const eps = '{ eps: 0.1 }';
  if (isFixed(features)) layers.push(`LayerNorm(${features[0]}, ${eps})`, `RMSNorm(${features[0]}, ${eps})`);
  if (rank >= 3 && isFixed(channels)) {
    if (channels[0] % 2 === 0) layers.push(`GroupNorm(2, ${channels[0]}, ${eps})`);
    if (rank <= 4) layers.push(`InstanceNorm${rank - 2}d(${channels[0]}, ${eps})`);
    if (rank === 4) layers.push(`BatchNorm2d(${channels[0]})`);
  }
  const layer = random.pick(layers);
  if (layer === 'softmax') {
    const axis = random.from(-rank, rank - 1);
    return { code: `${value.name}.${random.pick(['softmax', 'logSoftmax'])}(${axis})`, shapes: [value.shape] };
  }
  const name = chain.fresh('m');
  const code = `new om.nn.${layer}${layer.startsWith('Batch') ? '.eval()' : ''}`;
  return { setup: [[name, code]], code: `${name}.forward(${value.name})`, shapes: [value.shape] };
}

export function embedding(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length < 4, 'int64');
  if (!value) return null;
  const width = random.pick([2, 4, 6]);
  const layer = chain.fresh('m');
  return {
    setup: [[layer, `new om.nn.Embedding(${vocabulary}, ${width})`]],
    code: `${layer}.forward(${value.name})`,
    shapes: [[...value.shape, fixed(width)]],
  };
}

export function recurrent(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length === 3 && atMost(last(shape), 32));
  if (!value) return null;
  const kind = random.pick(['LSTM', 'GRU', 'RNN']);
  const hidden = random.from(2, 4);
  const batchFirst = random.chance(0.6);
  const bidirectional = random.chance(0.3);
  const layers = random.chance(0.2) ? 2 : 1;
  const options = list([
    batchFirst && 'batchFirst: true',
    bidirectional && 'bidirectional: true',
    layers > 1 && 'numLayers: 2',
  ]);
  const ways = bidirectional ? 2 : 1;
  const state = [fixed(layers * ways), value.shape[batchFirst ? 0 : 1], fixed(hidden)];
  const layer = chain.fresh('m');
  return {
    setup: [[layer, `new om.nn.${kind}(${last(value.shape)[0]}, ${hidden}${options})`]],
    code: `${layer}.forward(${value.name})`,
    shapes: [withLast(value.shape, fixed(ways * hidden)), state, ...(kind === 'LSTM' ? [state] : [])],
  };
}

export function attention(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length === 3 && atMost(last(shape), 16));
  if (!value || last(value.shape)[0] % 2) return null;
  const width = last(value.shape)[0];
  const layer = chain.fresh('m');
  const batchFirst = `batchFirst: ${random.chance(0.7)}`;
  const encoder = random.chance(0.4);
  return {
    setup: [
      encoder
        ? [
            layer,
            `new om.nn.TransformerEncoderLayer(${width}, 2, { dimFeedforward: 8, layerNormEps: 0.1, ${batchFirst} }).eval()`,
          ]
        : [layer, `new om.nn.MultiheadAttention(${width}, 2, { ${batchFirst} }).eval()`],
    ],
    code: encoder ? `${layer}.forward(${value.name})` : `${layer}.forward(${value.name}, ${value.name}, ${value.name})`,
    shapes: [value.shape],
  };
}
