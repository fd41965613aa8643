// Models whose weights are in a file beside them.

import { bytesField, changeFields, integerField } from '../../web/dist/protobuf.js';

const rawData = 9;
const text = (value) => new TextEncoder().encode(value);
const entry = (key, value) => bytesField(13, Buffer.concat([bytesField(1, text(key)), bytesField(2, text(value))]));

/** The model with the elements of its initializers in a file beside it, and that file. */
export function withExternalData(model, location = 'weights.bin') {
  const weights = [];
  let offset = 0;
  const initializer = (tensor) =>
    changeFields(tensor, ({ number, bytes }) => {
      if (number !== rawData) return undefined;
      const place = { location, offset: `${offset}`, length: `${bytes.length}` };
      weights.push(bytes.slice());
      offset += bytes.length;
      const entries = Object.entries(place).map(([key, value]) => entry(key, value));
      return Buffer.concat([...entries, integerField(14, 1)]);
    });
  const graph = (message) =>
    changeFields(message, ({ number, bytes }) => (number === 5 ? bytesField(5, initializer(bytes)) : undefined));
  const file = changeFields(model, ({ number, bytes }) => (number === 7 ? bytesField(7, graph(bytes)) : undefined));
  return { file, weights: new Uint8Array(Buffer.concat(weights)) };
}
