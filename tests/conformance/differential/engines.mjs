// Runs a model in both engines. Each gives tensors in order of the outputs, or a Refusal.

import * as om from 'onemodel';
import * as ort from 'onnxruntime-web';
import { fed, fileOf } from './model.mjs';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'fatal';

/** That an engine does not run a model, and what it says. */
export class Refusal {
  constructor(message) {
    this.message = message;
  }
}

const messageOf = (error) => (error instanceof Error ? error.message : String(error));

async function attempt(run) {
  try {
    return await run();
  } catch (error) {
    return new Refusal(messageOf(error));
  }
}

async function withOracle(bytes, given, outputs) {
  const session = await ort.InferenceSession.create(bytes, { graphOptimizationLevel: 'disabled', logSeverityLevel: 4 });
  try {
    const feeds = given.map(({ name, dtype, data, dims }) => [name, new ort.Tensor(dtype, data, dims)]);
    const results = await session.run(Object.fromEntries(feeds), { logSeverityLevel: 4 });
    return outputs.map((name) => {
      const { type, dims, data } = results[name];
      return { dtype: type, dims: [...dims], data: data.slice() };
    });
  } finally {
    await session.release();
  }
}

async function withOurs(bytes, given, outputs, arithmetic) {
  const session = await om.Session.load(bytes, { arithmetic });
  try {
    return om.scope(() => {
      const feeds = given.map(({ name, dtype, data, dims }) => [name, om.tensor(data, { shape: dims, dtype })]);
      const results = session.runSync(Object.fromEntries(feeds));
      return outputs.map((name) => ({
        dtype: results[name].dtype,
        dims: [...results[name].shape],
        data: results[name].data.slice(),
      }));
    });
  } finally {
    session.dispose();
  }
}

/** What onnxruntime-web gives for a file, and what this engine gives in fast and in exact arithmetic. */
export async function runFile(bytes, given, outputs) {
  return {
    oracle: await attempt(() => withOracle(bytes, given, outputs)),
    fast: await attempt(() => withOurs(bytes, given, outputs, 'fast')),
    exact: await attempt(() => withOurs(bytes, given, outputs, 'exact')),
  };
}

/** The same for a drawn model. */
export const runAll = (model) => runFile(fileOf(model), fed(model), model.outputs);
