// Measures all engines in one process or page, in turns: what differs between machines and moments differs for all. A turn is
// some runs, of which the first do not count: threads of the engine before spin for a while, and caches hold its data.

const turns = 9;
const millisecondsPerTurn = 50;
const uncounted = 0.4;

export const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

export async function timed(run) {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

/** Each engine: how a case becomes a function that runs it once, from an input at hand to the values in JavaScript. */
const engines = {
  async onemodel({ om }, { bytes, shape }, data) {
    const session = await om.Session.load(bytes);
    const input = om.tensor(data, { shape });
    const run = async () => {
      for (const output of Object.values(await session.run(input))) {
        output.data;
        output.dispose();
      }
    };
    const end = () => {
      session.dispose();
      input.dispose();
    };
    return { run, end };
  },

  async ort({ ort }, { bytes, shape, dtype = 'float32' }, data) {
    const session = await ort.InferenceSession.create(bytes, { graphOptimizationLevel: 'all' });
    const feeds = { [session.inputNames[0]]: new ort.Tensor(dtype, data, shape) };
    return { run: () => session.run(feeds), end: () => session.release() };
  },

  async tfjs({ tf }, { tfjs, shape }, data) {
    if (!tfjs) return undefined;
    tf.engine().startScope();
    const apply = tfjs(tf, tf.tensor(data, shape));
    const run = () => {
      const result = apply();
      result.dataSync();
      result.dispose();
    };
    return { run, end: () => tf.engine().endScope() };
  },
};

async function takeTurn({ run, times }) {
  const from = performance.now();
  const isOver = (share) => performance.now() >= from + share * millisecondsPerTurn;
  do await run();
  while (!isOver(uncounted));
  do times.push(await timed(run));
  while (!isOver(1));
}

/** The numbers that a case is fed. */
function inputOf({ shape, dtype }) {
  const length = shape.reduce((a, b) => a * b, 1);
  return dtype === 'uint8'
    ? Uint8Array.from({ length }, (_, i) => (i * 97) % 251)
    : Float32Array.from({ length }, (_, i) => Math.sin(i));
}

/** Medians in milliseconds by engine. */
export async function measureCase(libraries, each) {
  const data = inputOf(each);
  const runners = {};
  for (const [name, prepare] of Object.entries(engines)) {
    const runner = await prepare(libraries, each, data);
    if (runner) runners[name] = { ...runner, times: [] };
  }
  const all = Object.values(runners);
  for (const { run } of all) for (let i = 0; i < 20; i++) await run();
  for (let i = 0; i < turns; i++) for (const runner of all) await takeTurn(runner);
  const medians = {};
  for (const [name, { times, end }] of Object.entries(runners)) {
    medians[name] = median(times);
    await end();
  }
  return medians;
}

/** Microseconds of one `run` of a model of one node, without reading its result. */
export async function measureOverhead(om, { bytes, shape }) {
  const session = await om.Session.load(bytes);
  const input = om.ones(shape);
  const name = session.outputs[0].name;
  const batch = async (count) => {
    for (let i = 0; i < count; i++) (await session.run(input))[name].dispose();
  };
  await batch(5000);
  const times = [];
  for (let i = 0; i < 25; i++) times.push(await timed(() => batch(1000)));
  session.dispose();
  input.dispose();
  return median(times);
}
