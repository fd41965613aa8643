// Traces a chain and holds sessions, onnxruntime-web and eager runs against one another at several sizes.

import * as om from 'onemodel';
import * as ort from 'onnxruntime-web';
import { vocabulary } from './chain.mjs';
import { ChainFailure, checkTypes, compare, compareBits, largest, require } from './judge.mjs';
import { runs, shapeAt } from './sizes.mjs';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

const tolerance = 1e-5;

/** The values of the inputs in run `at`, always the same: numbers in [-1, 1), or tokens. */
function feeds(chain, at) {
  let state = 7 + at;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  return chain.usedInputs().map(({ name, shape, dtype }) => {
    const dims = shapeAt(shape, at);
    const count = dims.reduce((a, b) => a * b, 1);
    const data =
      dtype === 'int64'
        ? BigInt64Array.from({ length: count }, () => BigInt(Math.floor(((next() + 1) / 2) * vocabulary)))
        : Float32Array.from({ length: count }, next);
    return { name, dims, data, dtype };
  });
}

const tensors = (fed) => fed.map(({ dims, data }) => om.tensor(data, { shape: dims }));
const copies = (results) =>
  Object.fromEntries(Object.entries(results).map(([name, each]) => [name, { dims: each.shape, data: each.data }]));

/** A refusal by the tracer: where, and what it said. */
export class Refusal {
  constructor(step, message) {
    this.step = step;
    this.message = message;
  }
}

function trace(chain, model, verify = false) {
  const used = chain.usedInputs();
  const example = Object.fromEntries(tensors(feeds(chain, 0)).map((each, i) => [used[i].name, each]));
  const axes = Object.fromEntries(used.map((input) => [input.name, input.axes]));
  return om.trace(model, example, { axes, verify });
}

function traceChain(chain, model, stepNow) {
  try {
    return trace(chain, model);
  } catch (error) {
    if (error instanceof om.TraceError && error.kind === 'SymbolicShape') return new Refusal(stepNow(), error.message);
    throw new ChainFailure(`the trace throws ${error.name} (${error.kind}): ${error.message}`);
  }
}

function attempt(what, run) {
  try {
    return run();
  } catch (error) {
    throw error instanceof ChainFailure ? error : new ChainFailure(`${what} throws: ${error.message}`);
  }
}

/** A built model, whose modules and weights outlive the scope. */
function buildKept(build) {
  return om.scope(() => {
    const built = build();
    for (const each of built.owned) if (each instanceof om.Tensor) each.keep();
    return built;
  });
}

/** What the model gives in run `at`, afresh, in the arithmetic asked for. */
function runEagerly(chain, model, at, arithmetic = 'fast') {
  om.setArithmetic(arithmetic);
  try {
    return attempt(`the model in run ${at}`, () => om.scope(() => copies(model(...tensors(feeds(chain, at))))));
  } finally {
    om.setArithmetic('fast');
  }
}

/** The largest value that any step of the model gives in run `at`. */
function largestOnTheWay(chain, at) {
  const { model, owned } = buildKept(() => chain.buildOpen(om));
  try {
    return Math.max(...Object.values(runEagerly(chain, model, at)).map(({ data }) => largest(data)));
  } finally {
    for (const each of owned) each.dispose();
  }
}

function runSession(chain, session, at, who) {
  return attempt(`${who} in run ${at}`, () => om.scope(() => copies(session.runSync(tensors(feeds(chain, at))))));
}

/** Runs of which eager exact arithmetic is compared bit by bit. */
const exactRuns = [0, 2];

function checkSessions(chain, model, traced) {
  const fast = traced.createSession();
  const exact = traced.createSession({ arithmetic: 'exact' });
  try {
    checkTypes(chain, fast.outputs, 'the fast session');
    checkTypes(chain, exact.outputs, 'the exact session');
    return Array.from({ length: runs + 1 }, (_, at) => {
      const expected = runEagerly(chain, model, at);
      for (const [name, { dims }] of Object.entries(expected)) {
        const known = shapeAt(chain.shapeOf(name), at);
        const what = `eager gives ${name} shape [${dims}] in run ${at}, expected [${known}]`;
        require(String(dims) === String(known), what);
      }
      const scale = () => largestOnTheWay(chain, at);
      const got = runSession(chain, fast, at, 'the fast session');
      compare(got, expected, tolerance, `the fast session in run ${at}`, scale);
      const bits = runSession(chain, exact, at, 'the exact session');
      compare(bits, expected, tolerance, `the exact session in run ${at}`, scale);
      if (exactRuns.includes(at)) {
        const same = runEagerly(chain, model, at, 'exact');
        compareBits(bits, same, `against eager exact arithmetic, the exact session in run ${at}`);
      }
      return expected;
    });
  } finally {
    fast.dispose();
    exact.dispose();
  }
}

async function checkOracle(chain, bytes, expected) {
  const failed = (error) => {
    throw new ChainFailure(`onnxruntime-web throws: ${error.message}`);
  };
  const session = await ort.InferenceSession.create(bytes, { graphOptimizationLevel: 'disabled' }).catch(failed);
  for (let at = 0; at < expected.length; at++) {
    const fed = feeds(chain, at).map(({ name, dims, data, dtype }) => [name, new ort.Tensor(dtype, data, dims)]);
    const results = await session.run(Object.fromEntries(fed)).catch(failed);
    const scale = () => largestOnTheWay(chain, at);
    compare(results, expected[at], tolerance, `onnxruntime-web in run ${at}`, scale);
  }
  await session.release();
}

/**
 * What `verify` says of a chain that can be traced: where the graph and the model part at the next sizes, or that the model
 * does not run there; nothing when all is well.
 */
export function verifyChain(chain) {
  const { model, owned } = buildKept(() => chain.build(om));
  try {
    const traced = om.scope(() => trace(chain, model, true));
    traced.dispose();
    return traced.verification.message;
  } catch (error) {
    if (error instanceof om.OneModelError && error.message.startsWith('verify at ')) return error.message;
    throw error;
  } finally {
    for (const each of owned) each.dispose();
  }
}

/**
 * Checks one chain and gives the tracer's Refusal, or its warnings. Throws ChainFailure. `oracle`: whether
 * onnxruntime-web runs too.
 */
export async function checkChain(chain, oracle) {
  let step = -1;
  const noteStep = (i) => {
    step = i;
  };
  const { model, owned } = buildKept(() => chain.build(om, noteStep));
  try {
    const traced = om.scope(() => traceChain(chain, model, () => step));
    if (traced instanceof Refusal) return traced;
    try {
      const view = traced.view();
      checkTypes(
        chain,
        view.outputs.map((id) => view.values[id]),
        'the graph',
      );
      const expected = checkSessions(chain, model, traced);
      if (oracle) await checkOracle(chain, traced.toOnnx(), expected);
      return traced.warnings;
    } catch (error) {
      error.warnings = traced.warnings;
      throw error;
    } finally {
      traced.dispose();
    }
  } finally {
    for (const each of owned) each.dispose();
  }
}
