// The sample calls that the operators' declarations make give in this engine, in fast and in exact arithmetic, what they give in
// onnxruntime-web. The native program om_samples writes them as models.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as om from 'onemodel';
import { notCompared } from './differential/coverage.mjs';
import { runFile } from './differential/engines.mjs';
import { judge, resultsText } from './differential/judge.mjs';
import { knownDifferences } from './differential/known_samples.mjs';
import { dtypes } from './differential/numbers.mjs';

await om.init({ threads: 1 });

const program = fileURLToPath(new URL('../../build/release/om_samples', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'onemodel-samples-'));
after(() => rmSync(folder, { recursive: true }));

function samples() {
  const lines = execFileSync(program, [folder]).toString().trimEnd().split('\n');
  return lines.map((line) => {
    const [n, op, dtype, extents, text] = line.split('\t');
    return { n, op, dtype, dims: extents ? extents.split(',').map(Number) : [], text };
  });
}

function elements({ n, dtype }) {
  const { buffer, byteOffset, byteLength } = readFileSync(join(folder, `${n}.bin`));
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
  return new dtypes[dtype].array(bytes);
}

async function outputsOf(bytes) {
  const session = await om.Session.load(bytes);
  const names = session.outputs.map(({ name }) => name);
  session.dispose();
  return names;
}

async function verdictOf(sample) {
  const bytes = new Uint8Array(readFileSync(join(folder, `${sample.n}.onnx`)));
  const x = { name: 'x', dtype: sample.dtype, dims: sample.dims, data: elements(sample) };
  const results = await runFile(bytes, [x], await outputsOf(bytes));
  return { ...judge(results), results };
}

test('sample calls agree with onnxruntime-web', async (t) => {
  const counts = { agree: 0, lacking: 0, known: 0 };
  const failures = [];
  const used = knownDifferences.map(() => new Set());
  for (const sample of samples()) {
    if (sample.op in notCompared) continue;
    const verdict = sample.dtype in dtypes ? await verdictOf(sample) : { lacking: true };
    const said = `${sample.text}: ${verdict.kind ?? 'both refuse'}: ${verdict.text}`;
    const known = knownDifferences.findIndex(
      ({ pattern, kinds }) => kinds.includes(verdict.kind) && pattern.test(said),
    );
    if (verdict.agree) counts.agree++;
    else if (verdict.lacking) counts.lacking++;
    else if (known >= 0) {
      counts.known++;
      used[known].add(verdict.kind);
    } else failures.push(`${said}\n${resultsText(verdict.results)}`);
  }
  t.diagnostic(
    `${counts.agree} agree, ${counts.lacking} have no kernel there, ${counts.known} differ for known reasons`,
  );
  for (const { reason } of knownDifferences) t.diagnostic(reason);
  assert.equal(failures.length, 0, failures.join('\n\n'));
  const needless = knownDifferences.flatMap(({ pattern, kinds }, i) =>
    kinds.filter((kind) => !used[i].has(kind)).map((kind) => `${pattern}: ${kind}`),
  );
  assert.deepEqual(needless, [], 'listed without need');
  assert.ok(
    !knownDifferences.some(({ kinds }) => kinds.includes('ours refuses')),
    'a refusal of ours is no difference there',
  );
  assert.equal(om.memory().tensors, 0);
});
