// Writes protocol buffers: fields as lists of bytes.

const encoder = new TextEncoder();

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return bytes;
}

/** An integer field, negative ones included. */
export const integer = (number, value) => [...varint(number * 8), ...varint(value)];

/** A text, message or bytes field. */
export function bytes(number, content) {
  const list = typeof content === 'string' ? encoder.encode(content) : content;
  return [...varint(number * 8 + 2), ...varint(list.length), ...list];
}

/** A float32 field. */
export const real = (number, value) => [...varint(number * 8 + 5), ...new Uint8Array(Float32Array.of(value).buffer)];

/** A field for each item, by `write(number, item)`. */
export const repeated = (number, items, write) => items.flatMap((item) => write(number, item));
