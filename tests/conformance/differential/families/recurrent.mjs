// RNN, GRU and LSTM.

import { float, single } from '../model.mjs';
import { tensor } from '../numbers.mjs';

const activations = [
  'Sigmoid',
  'Tanh',
  'Relu',
  'HardSigmoid',
  'Softsign',
  'LeakyRelu',
  'Elu',
  'Affine',
  'ScaledTanh',
  'ThresholdedRelu',
  'Softplus',
];
const alphas = { LeakyRelu: 0.1, Affine: 0.5, ScaledTanh: 0.8, HardSigmoid: 0.3, Elu: 0.9, ThresholdedRelu: 0.2 };
const betas = { Affine: 0.1, ScaledTanh: 0.7, HardSigmoid: 0.4 };

function activationAttributes(draw, count) {
  if (draw.chance(0.6)) return {};
  const names = Array.from({ length: count }, () => draw.pick(activations));
  const of = (table) => names.flatMap((name) => table[name] ?? []);
  return {
    activations: names,
    activation_alpha: of(alphas).length ? float(of(alphas)) : undefined,
    activation_beta: of(betas).length ? float(of(betas)) : undefined,
  };
}

const layer =
  (op, gates, perDirection, more = () => ({}), tail = () => []) =>
  (draw) => {
    const direction = draw.pick(['forward', 'reverse', 'bidirectional']);
    const d = direction === 'bidirectional' ? 2 : 1;
    const [steps, batch, size, hidden] = [draw.from(1, 4), draw.from(1, 3), draw.from(1, 4), draw.from(1, 4)];
    const value = (dims, constant = 0.2) => draw.tensor('float32', dims, { low: -1, high: 1, constant });
    const lengths = Array.from({ length: batch }, () => draw.from(1, steps));
    const inputs = [
      value([steps, batch, size], 0),
      value([d, gates * hidden, size], 0.7),
      value([d, gates * hidden, hidden], 0.7),
      draw.chance(0.6) ? value([d, 2 * gates * hidden], 0.7) : null,
      draw.chance(0.4) ? tensor('int32', lengths) : null,
      draw.chance(0.5) ? value([d, batch, hidden]) : null,
      ...tail(draw, value, { d, batch, hidden }),
    ];
    const attributes = {
      hidden_size: hidden,
      direction: draw.maybe(direction, d === 2 || direction === 'reverse' ? 1 : 0.5),
      clip: draw.maybe(float(0.5), 0.2),
      layout: draw.maybe(0, 0.2),
      ...activationAttributes(draw, perDirection * d),
      ...more(draw),
    };
    return single(op, inputs, attributes, { outputs: op === 'LSTM' ? 3 : 2, opset: 22 });
  };

export const recurrent = {
  RNN: layer('RNN', 1, 1),
  GRU: layer('GRU', 3, 2, (draw) => ({ linear_before_reset: draw.maybe(draw.from(0, 1)) })),
  LSTM: layer(
    'LSTM',
    4,
    3,
    (draw) => ({ input_forget: draw.maybe(draw.from(0, 1), 0.3) }),
    (draw, value, { d, batch, hidden }) => [
      draw.chance(0.5) ? value([d, batch, hidden]) : null,
      draw.chance(0.3) ? value([d, 3 * hidden]) : null,
    ],
  ),
};
