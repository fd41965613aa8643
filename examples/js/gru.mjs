// Trains a GRU to foretell signals, traces it with its state as second input and output and with symbolic time and batch,
// and runs the saved files on whole signals and on signals that come in piece by piece.

import assert from 'node:assert/strict';
import * as om from 'onemodel';
import { Forecaster, learn, noState, signals } from './gru_model.mjs';
import { compareFiles, save, train } from './steps.mjs';

await om.init({ threads: 1 });
om.manualSeed(7);
const model = new Forecaster();
const optimizer = new om.optim.Adam(model.parameters(), { lr: 0.006 });
train(300, () => learn(model, optimizer, signals(60, 16)), 0.3);
model.eval();

const inputs = (length, count) => () => [signals(length, count)[0], noState(count)];
const traced = om.scope(() => {
  const [signal, before] = inputs(10, 3)();
  const axes = { signal: ['time', 'batch', null], before: [null, 'batch', null] };
  return om.trace(model, { signal, before }, { axes, verify: true });
});
assert.ok(traced.verification.ok, JSON.stringify(traced.verification));
save('gru', model, optimizer, traced);
await compareFiles('gru', model, [inputs(10, 3), inputs(60, 1), inputs(1, 8)]);

// Pieces that each go on from the state of the one before give what the whole gives.
const session = traced.createSession();
om.scope(() => {
  const [signal, before] = inputs(50, 2)();
  const whole = session.runSync({ signal, before });
  let state = before;
  const pieces = [
    [0, 7],
    [7, 30],
    [30, 50],
  ].map(([start, end]) => {
    const piece = session.runSync({ signal: signal.slice(0, start, end), before: state });
    state = piece.state;
    return piece.next;
  });
  const difference = om.concat(pieces).sub(whole.next).abs().max().item();
  console.log(`piece by piece: largest difference ${difference.toExponential(2)}`);
  assert.ok(difference <= 1e-5, 'pieces and whole differ');
});

for (const each of [model, optimizer, traced, session]) each.dispose();
