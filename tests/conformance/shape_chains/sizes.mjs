// Sizes as the generator knows them, apart from the engine: what an axis measures at the example, at the sizes that are
// run, and at further ones that only tell sizes apart. Two sizes are equal when they are everywhere.

/** How many sizes are run besides the example. */
export const runs = 5;

const probes = 1 + runs + 14;

/** A size that never changes. */
export const fixed = (value) => Array(probes).fill(value);

/** `f` of the numbers of several sizes at each place. */
export const combine = (f, ...sizes) => sizes[0].map((_, at) => f(...sizes.map((size) => size[at])));

export const isFixed = (size) => size.every((value) => value === size[0]);
export const same = (a, b) => a.every((value, at) => value === b[at]);
export const isOne = (size) => size.every((value) => value === 1);
export const product = (sizes) => sizes.reduce((total, size) => combine((a, b) => a * b, total, size), fixed(1));
export const sum = (sizes) => sizes.reduce((total, size) => combine((a, b) => a + b, total, size), fixed(0));
export const divides = (divisor, size) => size.every((value, at) => value % divisor[at] === 0);
export const quotient = (size, divisor) => combine((a, b) => a / b, size, divisor);
export const least = (size) => Math.min(...size);

/** A declared symbol: its example size, then random ones of `smallest` or more. */
export function symbol(random, example, smallest) {
  const size = fixed(example);
  for (let at = 1; at < probes; at++) size[at] = random.from(smallest, at <= runs ? smallest + 8 : smallest + 40);
  return size;
}

/** The shape at one place: 0 is the example. */
export const shapeAt = (shape, at) => shape.map((size) => size[at]);

/** The most elements that a run of this shape has. */
export function elements(shape) {
  let most = 0;
  for (let at = 0; at <= runs; at++)
    most = Math.max(
      most,
      shapeAt(shape, at).reduce((a, b) => a * b, 1),
    );
  return most;
}

/** Whether a size is a number times declared symbols. */
function isPlain(chain, size, degree = 4) {
  if (isFixed(size)) return true;
  if (degree === 0) return false;
  return Object.values(chain.symbols).some(
    (declared) => divides(declared, size) && isPlain(chain, quotient(size, declared), degree - 1),
  );
}

/** Whether a number may be taken for a symbol's example size, or a multiple of it. */
export const isLikeSymbol = (chain, size) =>
  isFixed(size) && Object.values(chain.symbols).some((declared) => size[0] % declared[0] === 0);

/** Why a trace may refuse a reshape: example sizes are chosen to be told apart, of declared symbols only. */
export function doubtOfReshape(chain, sizes) {
  return sizes.every((size) => isPlain(chain, size)) ? '' : 'a reshape of a size that an operator made';
}

/** Why a trace may refuse to make an axis of 1 as long as `size`. */
export function doubtOfExpand(chain, size) {
  const declared = Object.values(chain.symbols);
  const isAlone = chain.values.every(({ shape }) =>
    shape.every((other) => isFixed(other) || other[0] !== size[0] || same(other, size)),
  );
  if (isAlone && declared.some((symbol) => same(symbol, size))) return '';
  if (isAlone && isFixed(size)) return '';
  return 'an expansion to a size that an operator made, or to the example size of one';
}

/** How the extent of an axis is read: the place where a handle could be drawn instead. */
const read = (name, axis) => `${name}.shape[${axis}]`;

/** Where, among the chain's values, `size` can be read. */
const places = (chain, size) =>
  chain.values.flatMap(({ name, shape }) =>
    shape.flatMap((other, axis) => (same(size, other) ? [read(name, axis)] : [])),
  );

/**
 * The one place where a size expression is drawn: how someone would write `size` in the model. Read from a shape, rather
 * from axis `near[1]` of value `near[0]`; a literal when it is fixed; or computed: `parts` are sizes whose product it is,
 * `whole` and `divisor` what it is the quotient of. Nothing when it cannot be written.
 */
export function drawSize(random, chain, size, { near, parts, whole, divisor } = {}) {
  if (isFixed(size) && random.chance(0.8)) return String(size[0]);
  if (near && random.chance(0.5)) return read(...near);
  const known = places(chain, size);
  const ways = known.length ? [() => random.pick(known)] : [];
  if (parts && parts.length > 1) {
    const texts = parts.map((part) => drawSize(random, chain, part));
    if (texts.every(Boolean)) ways.push(() => texts.join(' * '));
  }
  if (whole && divisor) {
    const [above, below] = [drawSize(random, chain, whole), drawSize(random, chain, divisor)];
    if (above && below) ways.push(() => `(${above} / ${below})`);
  }
  if (ways.length) return random.pick(ways)();
  return isFixed(size) ? String(size[0]) : null;
}
