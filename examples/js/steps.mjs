// What the examples share: steps of training, saved files, and sessions that agree with the module.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as om from 'onemodel';

const folder = new URL('../../build/examples/', import.meta.url);

/** Takes `steps` steps, where `step` takes the one of that number and gives its loss, and asserts that the loss fell to `share` of what it was. */
export function train(steps, step, share) {
  const started = performance.now();
  const part = Math.ceil(steps / 10);
  const means = [];
  for (let done = 0; done < steps; ) {
    const count = Math.min(part, steps - done);
    let sum = 0;
    for (let i = 0; i < count; i++) sum += om.scope(() => step(done + i));
    done += count;
    means.push(sum / count);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`step ${done}: loss ${means.at(-1).toFixed(4)} (${seconds} s)`);
  }
  assert.ok(means.at(-1) < share * means[0], `the loss fell from ${means[0]} to ${means.at(-1)} only`);
}

/** Writes NAME.safetensors, NAME.onnx and NAME.onemodel. */
export function save(name, model, optimizer, traced) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${name}.safetensors`, folder), om.saveCheckpoint(model, optimizer));
  writeFileSync(new URL(`${name}.onnx`, folder), traced.toOnnx());
  writeFileSync(new URL(`${name}.onemodel`, folder), traced.toOneModel());
}

/** Asserts that sessions of the saved files give what the module gives, for each list of inputs that `inputs` makes. */
export async function compareFiles(name, model, inputs) {
  for (const file of [`${name}.onnx`, `${name}.onemodel`]) {
    const session = await om.Session.load(new URL(file, folder));
    for (const make of inputs) om.scope(() => compare(file, session, model, make()));
    session.dispose();
  }
}

function compare(file, session, model, inputs) {
  const result = om.noGrad(() => model.forward(...inputs));
  const eager = result instanceof om.Tensor ? [result] : Object.values(result);
  const graph = Object.values(session.runSync(inputs));
  const error = Math.max(...eager.map((expected, i) => scaledError(graph[i].data, expected.data)));
  const shapes = inputs.map(({ shape }) => `[${shape}]`).join(' ');
  console.log(`${file} on ${shapes}: largest scaled difference ${error.toExponential(2)}`);
  assert.ok(error <= 1e-5, 'graph and eager differ');
}

function scaledError(got, expected) {
  let [scale, worst] = [1, 0];
  expected.forEach((value, i) => {
    scale = Math.max(scale, Math.abs(value));
    worst = Math.max(worst, Math.abs(got[i] - value));
  });
  return worst / scale;
}
