/** The handwritten digits that plugins/digits_asset.ts packed. */

export interface DigitSet {
  /** Rows of 784 grey levels in [0, 1]. */
  images: Float32Array<ArrayBuffer>;
  labels: Uint8Array;
}

export interface Digits {
  train: DigitSet;
  heldOut: DigitSet;
}

const pixelsPerDigit = 784;

function unpack(file: ArrayBuffer): Digits {
  const header = new DataView(file);
  const trainCount = header.getUint32(0, true);
  const count = trainCount + header.getUint32(4, true);
  const labels = new Uint8Array(file, 8, count);
  const levels = new Uint8Array(file, 8 + count, count * pixelsPerDigit);
  const images = Float32Array.from(levels, (level) => level / 255);
  const part = (from: number, to: number): DigitSet => ({
    images: images.subarray(from * pixelsPerDigit, to * pixelsPerDigit),
    labels: labels.subarray(from, to),
  });
  return { train: part(0, trainCount), heldOut: part(trainCount, count) };
}

let loading: Promise<Digits> | undefined;

async function load(): Promise<Digits> {
  // The worker's own address is in a subfolder; its name is where the page is.
  const response = await fetch(new URL('digits.bin', self.name));
  if (!response.ok) throw new Error(`cannot load the digits: HTTP status ${response.status}`);
  return unpack(await response.arrayBuffer());
}

/** Loads once; a failed load can be tried again. */
export function loadDigits(): Promise<Digits> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
