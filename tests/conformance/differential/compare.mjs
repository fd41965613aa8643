// How results are compared: integers exactly, floats within a tolerance, NaN and infinities at the same places.

import { fromFloat16 } from './half.mjs';
import { isFloating } from './numbers.mjs';

/** By dtype: the difference allowed, relative to the number, and to the largest one. */
const tolerances = {
  float64: { relative: 1e-4, ofLargest: 1e-5 },
  float32: { relative: 1e-4, ofLargest: 1e-5 },
  float16: { relative: 4e-3, ofLargest: 2e-3 },
};

/** An element as a number that can be read. */
export const plain = (dtype, value) => (dtype === 'float16' ? fromFloat16(value) : value);

function largest(numbers) {
  let most = 0;
  for (const value of numbers) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value));
  return most;
}

function unlikeFloat(got, expected, dtype) {
  const [a, b] = [Array.from(got, (x) => plain(dtype, x)), Array.from(expected, (x) => plain(dtype, x))];
  const { relative, ofLargest } = tolerances[dtype];
  const slack = ofLargest * largest(b);
  return b.findIndex((value, i) => {
    if (Object.is(a[i], value) || a[i] === value) return false;
    if (!Number.isFinite(a[i]) || !Number.isFinite(value)) return true;
    return Math.abs(a[i] - value) > relative * Math.abs(value) + slack + 1e-30;
  });
}

/** The first difference of one output as { kind, text }, or null. */
function differenceOf(got, expected) {
  if (got.dtype !== expected.dtype) return { kind: 'dtype', text: `dtype ${got.dtype}, expected ${expected.dtype}` };
  if (String(got.dims) !== String(expected.dims)) {
    return { kind: 'shape', text: `shape [${got.dims}], expected [${expected.dims}]` };
  }
  const { dtype } = expected;
  const at = isFloating(dtype)
    ? unlikeFloat(got.data, expected.data, dtype)
    : expected.data.findIndex((value, i) => value !== got.data[i]);
  if (at < 0) return null;
  const [a, b] = [got, expected].map(({ data }) => plain(dtype, data[at]));
  return { kind: 'values', text: `${a} at ${at}, expected ${b}` };
}

/** The first difference of two lists of outputs, or null. */
export function compareOutputs(got, expected) {
  for (const [i, each] of expected.entries()) {
    const difference = differenceOf(got[i], each);
    if (difference) return { ...difference, text: `output ${i}: ${difference.text}` };
  }
  return null;
}
