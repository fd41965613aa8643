/** Just enough of protocol buffers to look into an ONNX file, and to change a field of it. */

import { join } from './bytes.js';
import { ModelError } from './errors.js';

/** One field of a message. */
export interface Field {
  number: number;
  /** The value of an integer field, else 0. */
  value: bigint;
  /** The content of a text, message, packed list or fixed-size field, else empty. */
  bytes: Uint8Array;
  /** The field as it stands in the message, tag included. */
  raw: Uint8Array;
}

/** Takes a message apart from front to back. */
class Cursor {
  #at = 0;
  readonly #message: Uint8Array;

  constructor(message: Uint8Array) {
    this.#message = message;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#message.length;
  }

  fail(): never {
    throw new ModelError(`byte ${this.#at} of the message is no protocol buffer`, 'Malformed');
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#message[this.#at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    this.fail();
  }

  take(length: number): Uint8Array {
    if (length < 0 || length > this.#message.length - this.#at) this.fail();
    this.#at += length;
    return this.#message.subarray(this.#at - length, this.#at);
  }
}

const none = new Uint8Array();

function content(wire: number, cursor: Cursor): { value: bigint; bytes: Uint8Array } {
  switch (wire) {
    case 0:
      return { value: cursor.varint(), bytes: none };
    case 1:
      return { value: 0n, bytes: cursor.take(8) };
    case 2:
      return { value: 0n, bytes: cursor.take(Number(cursor.varint())) };
    case 5:
      return { value: 0n, bytes: cursor.take(4) };
    default:
      return cursor.fail();
  }
}

/** The fields of a message, in order. Throws ModelError(Malformed) where it is none. */
export function* fields(message: Uint8Array): Generator<Field> {
  const cursor = new Cursor(message);
  while (!cursor.isAtEnd) {
    const start = cursor.at;
    const tag = Number(cursor.varint());
    const { value, bytes } = content(tag & 7, cursor);
    yield { number: Math.floor(tag / 8), value, bytes, raw: message.subarray(start, cursor.at) };
  }
}

const decoder = new TextDecoder();

/** The text of a field. */
export function text(field: Field): string {
  return decoder.decode(field.bytes);
}

function varintBytes(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Uint8Array.from([...bytes, rest]);
}

/** An integer field, of 0 or more. */
export function integerField(number: number, value: number): Uint8Array {
  return join([varintBytes(number * 8), varintBytes(value)]);
}

/** A text or message field. */
export function bytesField(number: number, bytes: Uint8Array): Uint8Array {
  return join([varintBytes(number * 8 + 2), varintBytes(bytes.length), bytes]);
}

/** The message, with each field for which `change` gives something else replaced by that. */
export function changeFields(message: Uint8Array, change: (field: Field) => Uint8Array | undefined): Uint8Array {
  return join(Array.from(fields(message), (field) => change(field) ?? field.raw));
}
