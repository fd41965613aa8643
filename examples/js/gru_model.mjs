// A GRU that foretells a signal as it comes in, its memory passed in and out. Shared by Node and tests.

import * as om from 'onemodel';

const width = 24;

/** Gives the value after each of `signal` [T, N, 1], and the state [1, N, 24] with which the next piece goes on. */
export class Forecaster extends om.nn.Module {
  gru = new om.nn.GRU(1, width);
  head = new om.nn.Linear(width, 1);

  forward(signal, before) {
    const [read, state] = this.gru.forward(signal, before);
    return { next: signal.add(this.head.forward(read)), state };
  }
}

/** What is remembered of `count` signals before they begin. */
export const noState = (count) => om.zeros([1, count, width]);

/** Signals of two waves each, of random lengths and phases, and what follows each value: two float32 [length, count, 1]. */
export function signals(length, count) {
  const waves = om.scope(() => om.rand([count, 4]).toArray());
  const value = (t, [a, b, c, d]) => {
    const slow = Math.sin(t * (0.1 + 0.1 * a) + 2 * Math.PI * b);
    return 0.6 * slow + 0.4 * Math.sin(t * (0.4 + 0.4 * c) + 2 * Math.PI * d);
  };
  const from = (start) => {
    const values = Float32Array.from({ length: length * count }, (_, i) =>
      value(start + Math.floor(i / count), waves[i % count]),
    );
    return om.tensor(values, { shape: [length, count, 1] });
  };
  return [from(0), from(1)];
}

/** One step of training. Returns the loss. */
export function learn(model, optimizer, [signal, next]) {
  const loss = om.nn.mseLoss(model.forward(signal, noState(signal.shape[1])).next, next);
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  return loss.item();
}
