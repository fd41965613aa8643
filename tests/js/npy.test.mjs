// NumPy's files, read and written by the command; the bytes of the first test are what numpy.save writes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { readNpy, writeNpy } from '../../web/dist/cli/npy.js';
import { assertThrows } from './support.mjs';

/** A file with that text as its header. */
function fileOf(header, elements = new Uint8Array(), version = 1) {
  const text = Buffer.from(`${header}\n`, 'latin1');
  const size = Buffer.alloc(version === 1 ? 2 : 4);
  if (version === 1) size.writeUInt16LE(text.length);
  else size.writeUInt32LE(text.length);
  const preamble = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0]);
  const { buffer, byteOffset, byteLength } = elements;
  return new Uint8Array(Buffer.concat([preamble, size, text, Buffer.from(buffer, byteOffset, byteLength)]));
}

const head = (descr, shape, order = 'False') =>
  `{'descr': ${descr.startsWith('[') ? descr : `'${descr}'`}, 'fortran_order': ${order}, 'shape': ${shape}, }`;

test('writes what numpy.save writes', () => {
  const array = { dtype: 'float32', shape: [2], data: Float32Array.of(1, -2) };
  const text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  const expected = Buffer.concat([
    Buffer.from('934e554d5059010076 00'.replace(' ', ''), 'hex'),
    Buffer.from(`${text.padEnd(117)}\n`),
    Buffer.from('0000803f000000c0', 'hex'),
  ]);
  assert.equal(Buffer.from(writeNpy(array)).toString('hex'), expected.toString('hex'));
});

const arrays = {
  float16: Uint16Array.of(0x3c00, 0xfc00),
  float32: Float32Array.of(1.5, Number.NaN),
  float64: Float64Array.of(1 / 3, -0),
  int8: Int8Array.of(-128, 127),
  int16: Int16Array.of(-32768, 32767),
  int32: Int32Array.of(-(2 ** 31), 5),
  int64: BigInt64Array.of(-(2n ** 63n), 5n),
  uint8: Uint8Array.of(0, 255),
  uint16: Uint16Array.of(0, 65535),
  uint32: Uint32Array.of(0, 2 ** 32 - 1),
  uint64: BigUint64Array.of(0n, 2n ** 64n - 1n),
  bool: Uint8Array.of(0, 1),
};

for (const [dtype, data] of Object.entries(arrays)) {
  test(`${dtype} is read back as it was written`, () => {
    for (const shape of [[2], [2, 1], [1, 1, 2]]) {
      const file = writeNpy({ dtype, shape, data });
      assert.equal((file.length - data.byteLength) % 64, 0);
      assert.deepEqual(readNpy(file), { dtype, shape, data });
    }
  });
}

test('scalars, no elements, and files that begin anywhere in memory', () => {
  const scalar = { dtype: 'float64', shape: [], data: Float64Array.of(7) };
  assert.deepEqual(readNpy(writeNpy(scalar)), scalar);
  const empty = { dtype: 'int32', shape: [3, 0, 2], data: new Int32Array() };
  assert.deepEqual(readNpy(writeNpy(empty)), empty);
  const file = writeNpy(scalar);
  const moved = new Uint8Array(file.length + 3);
  moved.set(file, 3);
  assert.deepEqual(readNpy(moved.subarray(3)), scalar);
});

test('versions 1 to 3, and headers in any order and spacing', () => {
  for (const version of [1, 2, 3]) {
    assert.deepEqual(readNpy(fileOf(head('<i2', '(2,)'), Int16Array.of(3, 4), version)).data, Int16Array.of(3, 4));
  }
  const file = fileOf("{ 'shape':(1, 2) ,'descr' : '|u1','fortran_order':False}   ", Uint8Array.of(1, 2));
  assert.deepEqual(readNpy(file), { dtype: 'uint8', shape: [1, 2], data: Uint8Array.of(1, 2) });
  assert.deepEqual(readNpy(fileOf(head('|b1', '(3,)'), Uint8Array.of(0, 2, 1))).data, Uint8Array.of(0, 1, 1));
});

test('Fortran order is turned', () => {
  const stored = Int32Array.of(0, 3, 1, 4, 2, 5); // [[0, 1, 2], [3, 4, 5]]
  assert.deepEqual(readNpy(fileOf(head('<i4', '(2, 3)', 'True'), stored)).data, Int32Array.of(0, 1, 2, 3, 4, 5));
  const shape = [2, 3, 4];
  const expected = Float64Array.from({ length: 24 }, (_, i) => i);
  const columnMajor = new Float64Array(24);
  expected.forEach((value, i) => {
    const [a, b, c] = [Math.floor(i / 12), Math.floor(i / 4) % 3, i % 4];
    columnMajor[a + 2 * b + 6 * c] = value;
  });
  const read = readNpy(fileOf(head('<f8', '(2, 3, 4)', 'True'), columnMajor));
  assert.deepEqual(read, { dtype: 'float64', shape, data: expected });
  assert.deepEqual(readNpy(fileOf(head('<f8', '(0, 3)', 'True'))).data, new Float64Array());
});

const good = () => fileOf(head('<f4', '(2,)'), Float32Array.of(1, 2));

test('types that are not supported are told', () => {
  for (const [descr, ...parts] of [
    ['>f4', 'big-endian', '>f4'],
    ['<c8', '<c8', 'f4'],
    ['<U3', '<U3'],
    ['|O', '|O'],
    ["[('a', '<f4')]", "[('a', '<f4')]"],
    ['<f16', '<f16'],
    ['constructor', 'constructor'],
  ]) {
    const file = fileOf(head(descr, '(2,)'), new Float32Array(2));
    assertThrows(() => readNpy(file), om.ModelError, 'Unsupported', ...parts);
  }
  const version = good();
  version[6] = 4;
  assertThrows(() => readNpy(version), om.ModelError, 'Unsupported', 'version 4');
  const half = { dtype: 'bfloat16', shape: [1], data: new Uint16Array(1) };
  assertThrows(() => writeNpy(half), om.ModelError, 'Unsupported', 'bfloat16');
});

test('every part of a file that is cut off is refused', () => {
  const file = good();
  for (let length = 0; length < file.length; length++) {
    assertThrows(() => readNpy(file.subarray(0, length)), om.ModelError, 'Malformed');
  }
  const longer = new Uint8Array([...file, 0]);
  assertThrows(() => readNpy(longer), om.ModelError, 'Malformed', '9 bytes', '[2]', '8');
});

test('hostile headers are refused', () => {
  for (const [header, ...parts] of [
    ['', 'dictionary'],
    ["{'descr': '<f4'", 'dictionary'],
    ['{}', "without 'descr'"],
    ["{'descr': '<f4', 'shape': (2,), }", "without 'fortran_order'"],
    [`{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,), }`, 'twice'],
    [`{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1, }`, 'cannot be read'],
    [head('<f4', '__import__("os")'), 'cannot be read'],
    [head('<f4', '(-2,)'), 'cannot be read'],
    [head('<f4', '(2 2,)'), 'no shape'],
    [head('<f4', '(2,,)'), 'no shape'],
    [head('<f4', '(2)'), 'no shape'],
    [head('<f4', '(2,)', "'yes'"), 'fortran_order'],
    [head('f4', '(2,)'), 'order of its bytes'],
    [head('<f4', '(99999999999999999999,)'), 'impossible'],
    [head('<f4', '(4294967296, 4294967296)'), 'impossible'],
    [head('<f4', `(${'1, '.repeat(40)})`), '40 axes'],
    [head('<f4', '(1000000000000,)'), '8 bytes', '4000000000000'],
  ]) {
    const file = fileOf(header, Float32Array.of(1, 2));
    assertThrows(() => readNpy(file), om.ModelError, 'Malformed', ...parts);
  }
  const huge = fileOf(head('<f4', '(2,)'), Float32Array.of(1, 2), 2);
  new DataView(huge.buffer).setUint32(8, 0xffffffff, true);
  assertThrows(() => readNpy(huge), om.ModelError, 'Malformed', '4294967295');
  const entries = fileOf(`{${"'shape': (2,), ".repeat(3000)}}`);
  assertThrows(() => readNpy(entries), om.ModelError, 'Malformed', 'twice');
});
