// Training in Node: node bench/training_node.mjs VARIANT prints as JSON the medians of one step, and what one small operator
// and 10,000 steps cost. Both libraries have one thread and take turns.

import * as om from 'onemodel';
import { median, timed } from './measure.mjs';
import { addGradients, startTfjs } from './tfjs.mjs';
import { trainingCases } from './training_cases.mjs';

const secondsPerCase = 3;
const leastRuns = 25;
const warmUp = 10;

await om.init({ variant: process.argv[2], threads: 1 });
const tf = await startTfjs();
await addGradients();

/** Two libraries that train the same model have about the same losses; otherwise their times are not to be compared. */
function checkLosses(name, ours, theirs) {
  const scaled = Math.abs(ours - theirs) / Math.max(1, Math.abs(ours));
  if (!(scaled < 1e-3)) throw new Error(`${name}: after ${warmUp} steps the losses are ${ours} and ${theirs}`);
}

/** The step of tfjs, or the gradient kernel that its backend lacks. */
function tfjsStep(make) {
  try {
    const made = make(tf);
    made.first = made.step();
    return made;
  } catch (error) {
    const lacking = /Kernel '(\w+)' not registered/.exec(error.message);
    if (!lacking) throw error;
    return { lacking: lacking[1] };
  }
}

async function measureTraining({ name, make }) {
  process.stderr.write(`▸ ${name}\n`);
  const made = make(om);
  tf.engine().startScope();
  const theirs = tfjsStep(made.tfjs);
  const ours = made.onemodel();
  ours.step();
  const runners = { onemodel: ours, ...(theirs.lacking ? {} : { tfjs: theirs }) };
  const times = Object.fromEntries(Object.keys(runners).map((each) => [each, []]));
  const losses = {};
  for (let i = 1; i < warmUp; i++) for (const each in runners) losses[each] = runners[each].step();
  if (!theirs.lacking) checkLosses(name, losses.onemodel, losses.tfjs);
  const until = performance.now() + secondsPerCase * 1000;
  while (performance.now() < until || times.onemodel.length < leastRuns) {
    for (const each in runners) times[each].push(await timed(runners[each].step));
  }
  for (const each of Object.values(runners)) each.end();
  tf.engine().endScope();
  return {
    name,
    lacking: theirs.lacking,
    ...Object.fromEntries(Object.entries(times).map(([k, v]) => [k, median(v)])),
  };
}

/** Microseconds of adding two tensors of 8 elements, its result's end included. */
async function measureOperator() {
  const [a, b] = [om.ones([8]), om.ones([8])];
  const batch = (count) => {
    for (let i = 0; i < count; i++) a.add(b).dispose();
  };
  batch(20_000);
  const times = [];
  for (let i = 0; i < 500; i++) times.push(await timed(() => batch(1000)));
  a.dispose();
  b.dispose();
  return median(times);
}

/** Live bytes after 1,000 and after 10,000 steps of the first case. */
function measureMemory() {
  const { step, end } = trainingCases[0].make(om).onemodel();
  const train = (steps) => {
    for (let i = 0; i < steps; i++) step();
    return om.memory().bytes;
  };
  const bytes = [train(1000), train(9000)];
  end();
  return bytes;
}

const operator = await measureOperator();
const rows = [];
for (const each of trainingCases) rows.push(await measureTraining(each));
process.stderr.write('▸ 10,000 steps\n');
process.stdout.write(JSON.stringify({ rows, operator, memory: measureMemory() }), () => process.exit(0));
