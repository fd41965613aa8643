// The few things that the package does with protocol buffers by itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { bytesField, changeFields, fields, integerField, text } from '../../web/dist/protobuf.js';
import { assertThrows } from './support.mjs';

const join = (...parts) => new Uint8Array(Buffer.concat(parts));
const bytes = (...values) => Uint8Array.from(values);

test('fields come in order, of every kind', () => {
  const message = join(
    integerField(1, 300),
    bytesField(2, Buffer.from('naïve')),
    bytes(0x1d, 1, 2, 3, 4), // field 3, 32 bits
    bytes(0x21, 1, 2, 3, 4, 5, 6, 7, 8), // field 4, 64 bits
    integerField(1000, 2 ** 40),
    bytes(0x28, ...Array(9).fill(0xff), 1), // field 5, -1
  );
  const read = [...fields(message)];
  assert.deepEqual(
    read.map(({ number, value, bytes: { length } }) => [number, value, length]),
    [
      [1, 300n, 0],
      [2, 0n, 6],
      [3, 0n, 4],
      [4, 0n, 8],
      [1000, 2n ** 40n, 0],
      [5, -1n, 0],
    ],
  );
  assert.equal(text(read[1]), 'naïve');
  assert.deepEqual(join(...read.map(({ raw }) => raw)), message);
});

test('a field is changed or left out, and the others stay as they are', () => {
  const message = join(integerField(1, 5), bytesField(2, bytes(9)), integerField(1, 7));
  const changed = changeFields(message, ({ number, value }) => {
    if (number === 2) return new Uint8Array();
    return value === 7n ? integerField(3, 200) : undefined;
  });
  assert.deepEqual(changed, join(integerField(1, 5), integerField(3, 200)));
  assert.deepEqual(
    changeFields(new Uint8Array(), () => undefined),
    new Uint8Array(),
  );
});

test('what is no message is refused', () => {
  for (const message of [
    bytes(0x08),
    bytes(0x08, ...Array(11).fill(0x80)),
    bytes(0x0a, 5, 1, 2),
    bytes(0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1), // a length of -1
    bytes(0x0b),
    bytes(0x0d, 1, 2),
    bytes(0x09, 1, 2, 3, 4),
  ]) {
    assertThrows(() => [...fields(message)], om.ModelError, 'Malformed', 'protocol buffer');
  }
});
