/** Texts as the bytes that the engine takes: the length of each in 32 bits, then all of them in UTF-8. */

const lengthBytes = 4;

/** Lone surrogates become U+FFFD. */
export function encodeStrings(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const encoded = texts.map((text) => encoder.encode(text));
  const start = lengthBytes * texts.length;
  const bytes = new Uint8Array(encoded.reduce((sum, { length }) => sum + length, start));
  const lengths = new DataView(bytes.buffer);
  let at = start;
  encoded.forEach((text, i) => {
    lengths.setUint32(lengthBytes * i, text.length, true);
    bytes.set(text, at);
    at += text.length;
  });
  return bytes;
}

/** `count` texts; what is no UTF-8 becomes U+FFFD. */
export function decodeStrings(bytes: Uint8Array, count: number): string[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const lengths = new DataView(bytes.buffer, bytes.byteOffset);
  let at = lengthBytes * count;
  return Array.from({ length: count }, (_, i) => {
    const begin = at;
    at += lengths.getUint32(lengthBytes * i, true);
    return decoder.decode(bytes.subarray(begin, at));
  });
}
