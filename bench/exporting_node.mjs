// Exported programs in Node: node bench/exporting_node.mjs VARIANT prints as JSON what a token of a transformer costs behind texts of
// several lengths, in milliseconds: from the cache, and with the whole text read anew.

import * as om from 'onemodel';
import { CachedTransformer } from '../examples/js/cached_model.mjs';
import { median } from './measure.mjs';

const lengths = [16, 64, 128, 256];
const characters = 64;
const runs = 40;

await om.init({ variant: process.argv[2], threads: 1 });
om.manualSeed(1);
const model = new CachedTransformer(characters, { window: lengths.at(-1) + runs });
model.eval();

const tokens = (count) => om.tensor(BigInt64Array.from({ length: count }, (_, i) => BigInt((i * 7) % characters)));
const timesOf = (count, run) =>
  Array.from({ length: count }, (_, i) => {
    const from = performance.now();
    om.scope(() => run(i).data);
    return performance.now() - from;
  });

/** Milliseconds of a token that follows `length` others in the cache. */
function cached(program, length) {
  const session = program.createSession();
  const token = tokens(1);
  const next = () => session.runSync({ token }).output;
  timesOf(length, next);
  const took = median(timesOf(runs, next));
  session.dispose();
  return took;
}

/** The same when the text is read from its beginning. */
function anew(length) {
  return om.scope(() => {
    const text = tokens(length).unsqueeze(0);
    const program = om.exportProgram((texts) => model.read(texts).select(1, -1), { texts: text });
    const session = program.createSession();
    const read = () => session.runSync({ texts: text }).output;
    timesOf(5, read);
    const took = median(timesOf(runs, read));
    session.dispose();
    program.dispose();
    return took;
  });
}

const program = om.scope(() => om.exportProgram(model, { token: tokens(1) }));
const rows = lengths.map((length) => ({ length, cached: cached(program, length), anew: anew(length) }));
process.stdout.write(JSON.stringify(rows), () => process.exit(0));
