// What onnxruntime-web passes of ONNX's test data passes here: none of the cases that are listed as not passing does there,
// and each fails there in the way that the list says.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as ort from 'onnxruntime-web';

const data = '/usr/share/libonnx-testdata/data';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'fatal';

/** The fields of a protocol buffer: lists of numbers and of bytes by field number. */
function fieldsOf(bytes) {
  const fields = new Map();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asIntN(64, value);
    }
  };
  const take = (length) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const wire = key & 7;
    const value = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : Number(varint()));
    fields.set(key >> 3, [...(fields.get(key >> 3) ?? []), value]);
  }
  return fields;
}

const types = {
  1: ['float32', Float32Array, 4],
  2: ['uint8', Uint8Array],
  6: ['int32', Int32Array],
  7: ['int64', BigInt64Array, 7],
  9: ['bool', Uint8Array],
  10: ['float16', Uint16Array],
  11: ['float64', Float64Array, 10],
};

/** Tensors of numbers in raw_data, or of strings. */
function readTensor(path) {
  const fields = fieldsOf(new Uint8Array(readFileSync(path)));
  const dims = (fields.get(1) ?? []).map(Number);
  const code = Number(fields.get(2)[0]);
  if (code === 8)
    return new ort.Tensor(
      'string',
      fields.get(6).map((text) => Buffer.from(text).toString()),
      dims,
    );
  assert.ok(types[code], `type ${code}`);
  const [type, ArrayType, field] = types[code];
  const raw = (fields.get(9) ?? fields.get(field))[0];
  return new ort.Tensor(type, new ArrayType(raw.slice().buffer), dims);
}

function isClose(got, expected) {
  if (got.type !== expected.type || String(got.dims) !== String(expected.dims)) return false;
  if (!got.type.startsWith('float')) return got.data.every((value, i) => value === expected.data[i]);
  const largest = expected.data.reduce(
    (most, value) => Math.max(most, Number.isFinite(value) ? Math.abs(value) : 0),
    0,
  );
  return got.data.every((value, i) => {
    const wanted = expected.data[i];
    return Object.is(value, wanted) || Math.abs(value - wanted) <= 1e-3 * Math.abs(wanted) + 1e-5 * largest;
  });
}

/** Why a case does not pass there; null when it does. */
async function problemOf(folder) {
  const session = await ort.InferenceSession.create(new Uint8Array(readFileSync(`${folder}/model.onnx`)));
  try {
    const read = (stem, names) => names.map((_, i) => readTensor(`${folder}/test_data_set_0/${stem}_${i}.pb`));
    const inputs = read('input', session.inputNames);
    const expected = read('output', session.outputNames);
    const results = await session.run(Object.fromEntries(session.inputNames.map((name, i) => [name, inputs[i]])));
    const wrong = session.outputNames.find((name, i) => !isClose(results[name], expected[i]));
    return wrong === undefined ? null : `output ${wrong} differs`;
  } finally {
    await session.release();
  }
}

/** Names of the listed cases, each with how it fails in onnxruntime-web. */
const listed = new Map();
for (const line of readFileSync(new URL('../data/onnx_testdata.txt', import.meta.url), 'utf8').split('\n')) {
  const theirs = /^ {2}onnxruntime-web: (.+)$/.exec(line);
  if (theirs) listed.set([...listed.keys()].at(-1), theirs[1]);
  else if (/^[^# ]/.test(line)) listed.set(line.split(': ')[0], null);
}

const options = { skip: existsSync(data) ? false : 'needs libonnx-testdata' };

test('a case that passes here is seen to pass there', options, async () => {
  for (const name of [
    'node/test_relu',
    'node/test_cast_STRING_to_FLOAT',
    'simple/test_strnorm_model_monday_empty_output',
  ]) {
    assert.ok(readdirSync(`${data}/${name}`).includes('model.onnx'));
    assert.equal(await problemOf(`${data}/${name}`), null, name);
  }
});

test('no case that fails here passes there', options, async () => {
  assert.ok(listed.size > 0);
  for (const [name, expected] of listed) {
    const problem = await problemOf(`${data}/${name}`).catch((error) => String(error.message ?? error));
    assert.notEqual(problem, null, `${name} passes with onnxruntime-web`);
    assert.ok(expected, `${name}: the list does not say how it fails with onnxruntime-web`);
    assert.ok(problem.includes(expected), `${name} fails with onnxruntime-web in another way: ${problem}`);
    if (process.env.ONEMODEL_PRINT_CASES) console.log(`${name}: ${problem.slice(0, 150)}`);
  }
});
