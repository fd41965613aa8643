// What is required of the outputs of a chain.

import { isFixed } from './sizes.mjs';

/** What a chain did that it must not do. */
export class ChainFailure extends Error {}

/** Throws ChainFailure of the parts unless `ok`. */
export function require(ok, ...parts) {
  if (!ok) throw new ChainFailure(parts.join(''));
}

/** The largest difference; infinite for unlike non-numbers. */
function difference(got, expected) {
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    if (Object.is(got[i], expected[i])) continue;
    if (!Number.isFinite(got[i]) || !Number.isFinite(expected[i])) return Number.POSITIVE_INFINITY;
    worst = Math.max(worst, Math.abs(got[i] - expected[i]));
  }
  return worst;
}

/** The largest number of an array, 1 at least. */
export function largest(numbers) {
  let most = 1;
  for (const value of numbers) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value));
  return most;
}

/**
 * Requires the outputs of `expected` in `got`: of equal shape, and at most `tolerance` apart, scaled by the largest value.
 * Where that is not so, `scale()` tells the largest value on the way there, of which a difference may be a part.
 */
export function compare(got, expected, tolerance, what, scale = () => 1) {
  for (const [name, { dims, data }] of Object.entries(expected)) {
    const other = got[name];
    require(other, what, ` has no output ${name}`);
    require(String(other.dims) === String(dims), what, ` gives ${name} shape [${other.dims}], the model [${dims}]`);
    const apart = difference(other.data, data);
    const fits = apart <= tolerance * largest(data) || apart <= tolerance * scale();
    require(fits, what, ` gives other values of ${name}: ${apart} apart, the largest is ${largest(data)}`);
  }
}

/** Requires the outputs of `expected` in `got`, to the bit. */
export function compareBits(got, expected, what) {
  for (const [name, { data }] of Object.entries(expected)) {
    const at = data.findIndex((value, i) => !Object.is(got[name].data[i], value));
    require(at < 0, what, ` gives ${name} ${got[name].data[at]} at ${at}, expected ${data[at]}`);
  }
}

/** Evaluates "2*batch + 1" or "floor(h / 2)" at the sizes of run `at`. */
function evaluate(formula, chain, at) {
  const names = Object.keys(chain.symbols);
  const sizes = names.map((name) => chain.symbols[name][at]);
  return new Function('floor', ...names, `return ${formula};`)(Math.floor, ...sizes);
}

/** Requires that every extent of the outputs' types is the true size, everywhere, and no more general than it. */
export function checkTypes(chain, outputs, who) {
  for (const { name, shape } of outputs) {
    const truth = chain.shapeOf(name);
    const text = `${who} says that ${name} is [${shape.join(', ')}]`;
    require(shape.length === truth.length, text, ', of another rank');
    shape.forEach((extent, axis) => {
      if (isFixed(truth[axis])) {
        require(extent === truth[axis][0], text, `; axis ${axis} is always ${truth[axis][0]}`);
        return;
      }
      truth[axis].forEach((size, at) => {
        let value = extent;
        if (typeof extent === 'string') {
          try {
            value = evaluate(extent, chain, at);
          } catch {
            require(false, text, `; axis ${axis} is no formula of the symbols`);
          }
        }
        const sizes = Object.entries(chain.symbols).map(([symbol, of]) => `${symbol}=${of[at]}`);
        require(value === size, text, `; axis ${axis} is ${size} at ${sizes.join(', ')}, not ${value}`);
      });
    });
  }
}
