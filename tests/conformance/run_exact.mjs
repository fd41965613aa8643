// node run_exact.mjs VARIANT THREADS MODEL INPUT EXTENTS OUTPUT: runs a model of one input and one output exactly.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import * as om from 'onemodel';

const [variant, threads, model, input, extents, output] = process.argv.slice(2);
const environment = await om.init({ variant, threads: Number(threads) });
assert.deepEqual([environment.variant, environment.threads], [variant, Number(threads)]);
const session = await om.Session.load(new Uint8Array(readFileSync(model)), { arithmetic: 'exact' });
const data = new Float32Array(new Uint8Array(readFileSync(input)).buffer);
const [result] = Object.values(await session.run([om.tensor(data, { shape: extents.split('x').map(Number) })]));
writeFileSync(output, result.data);
process.exit(0);
