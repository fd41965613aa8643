// Element-wise steps, and steps that bring several values together.

import { broadcast, vocabulary } from './chain.mjs';
import { combine, doubtOfExpand, drawSize, fixed, isFixed, isOne, least, same, sum } from './sizes.mjs';

const sameShape = (a, b) => a.length === b.length && a.every((size, axis) => same(size, b[axis]));

export function unary(random, chain) {
  const value = chain.recent(random);
  const call = random.pick([
    'relu()',
    'tanh()',
    'sigmoid()',
    'gelu()',
    'abs()',
    'neg()',
    'clip(-1, 1)',
    'mul(0.5)',
    'add(1)',
  ]);
  return value ? { code: `${value.name}.${call}`, shapes: [value.shape] } : null;
}

/** Two values that broadcast, the second also with ones in front. */
export function binary(random, chain) {
  const a = chain.recent(random);
  const partners = chain.filter(({ shape }) => a && broadcast(a.shape, shape));
  if (partners.length === 0) return null;
  const b = random.pick(partners);
  const shape = broadcast(a.shape, b.shape);
  if (random.chance(0.15)) {
    // No value is exactly there, so that rounding does not decide.
    const code = `om.where(${a.name}.greater(0.3718), ${b.name}, ${b.name}.neg())`;
    return { code, shapes: [shape] };
  }
  return { code: `${a.name}.${random.pick(['add', 'sub', 'mul'])}(${b.name})`, shapes: [shape] };
}

/** A vector or a plane made of weights, broadcast along the other axes. */
export function addConstant(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 0 && isFixed(shape.at(-1)));
  if (!value) return null;
  const weight = chain.fresh('w');
  const code = `${value.name}.add(${weight})`;
  return { setup: [[weight, `om.randn([${value.shape.at(-1)[0]}])`]], code, shapes: [value.shape] };
}

/** The value and others that differ from it along one axis at most. */
export function concat(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 0);
  if (!value) return null;
  const axis = random.from(0, value.shape.length - 1);
  const fits = ({ shape }) =>
    shape.length === value.shape.length && shape.every((size, i) => i === axis || same(size, value.shape[i]));
  const partners = chain.filter(fits);
  const parts = random.shuffled([value, ...Array.from({ length: random.from(1, 2) }, () => random.pick(partners))]);
  const joined = value.shape.map((size, i) => (i === axis ? sum(parts.map(({ shape }) => shape[axis])) : size));
  const written = random.chance(0.3) ? axis - value.shape.length : axis;
  return { code: `om.concat([${parts.map(({ name }) => name).join(', ')}], ${written})`, shapes: [joined] };
}

export function stack(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length < 5);
  if (!value) return null;
  const partner = random.pick(chain.filter(({ shape }) => sameShape(shape, value.shape)));
  const axis = random.from(0, value.shape.length);
  const shape = [...value.shape.slice(0, axis), fixed(2), ...value.shape.slice(axis)];
  return { code: `om.stack([${value.name}, ${partner.name}], ${axis})`, shapes: [shape] };
}

/** Products of two values, or of one with its own transpose. */
export function matmul(random, chain) {
  const a = chain.recent(random, ({ shape }) => shape.length > 1);
  if (!a) return null;
  const productOf = (b, inner, columns) => {
    if (!same(a.shape.at(-1), inner)) return null;
    const batch = broadcast(a.shape.slice(0, -2), b.shape.slice(0, -2));
    return batch && [...batch, a.shape.at(-2), columns];
  };
  const ways = chain
    .filter(({ shape }) => shape.length > 1)
    .flatMap((b) => {
      const plain = productOf(b, b.shape.at(-2), b.shape.at(-1));
      const turned = productOf(b, b.shape.at(-1), b.shape.at(-2));
      return [
        plain && { code: `${a.name}.matmul(${b.name})`, shapes: [plain] },
        turned && { code: `${a.name}.matmul(${b.name}.transpose(-1, -2))`, shapes: [turned] },
      ].filter(Boolean);
    });
  return ways.length ? random.pick(ways) : null;
}

export function einsum(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length === 3);
  if (!value) return null;
  const [b, i, j] = value.shape;
  const partners = chain.filter(({ shape }) => shape.length === 3 && same(shape[0], b) && same(shape[2], j));
  const other = random.pick(partners);
  const k = other.shape[1];
  const [equation, shape] = random.pick([
    ['bij,bkj->bik', [b, i, k]],
    ['bij,bkj->kib', [k, i, b]],
    ['bij,bkj->bijk', [b, i, j, k]],
  ]);
  return { code: `om.ops.einsum([${value.name}, ${other.name}], { equation: '${equation}' })`, shapes: [shape] };
}

/** Rows of a value by the indices that are an input. */
export function gather(random, chain) {
  const indices = chain.recent(random, () => true, 'int64');
  const long = (size) => least(size) >= vocabulary;
  const value = chain.recent(random, ({ shape }) => shape.some(long));
  if (!indices || !value) return null;
  const axis = random.pick(value.shape.flatMap((size, i) => (long(size) ? [i] : [])));
  const shape = [...value.shape.slice(0, axis), ...indices.shape, ...value.shape.slice(axis + 1)];
  return { code: `${value.name}.gather(${indices.name}, ${axis})`, shapes: [shape] };
}

export function cumulate(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 0);
  if (!value) return null;
  const axis = random.from(0, value.shape.length - 1);
  const scalar = `om.tensor(${axis}, 'int64')`;
  return { code: `om.ops.cumSum(${value.name}, ${scalar})`, shapes: [value.shape] };
}

/** The mean over an axis, brought back to the axis's size as someone would write it. */
export function spread(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 0);
  if (!value) return null;
  const axis = random.from(0, value.shape.length - 1);
  const texts = value.shape.map((size) => drawSize(random, chain, size));
  if (isOne(value.shape[axis])) return null;
  return {
    code: `${value.name}.mean([${axis}], true).expand([${texts.join(', ')}])`,
    shapes: [value.shape],
    mayRefuse: doubtOfExpand(chain, value.shape[axis]),
  };
}

/** Blocks of channels become a larger plane. */
export function depthToSpace(random, chain) {
  const blocks = (size) => isFixed(size) && size[0] % 4 === 0;
  const value = chain.recent(random, ({ shape }) => shape.length === 4 && blocks(shape[1]));
  if (!value) return null;
  const [batch, channels, height, width] = value.shape;
  const twice = (size) => combine((n) => 2 * n, size);
  return {
    code: `om.ops.depthToSpace(${value.name}, { blocksize: 2 })`,
    shapes: [[batch, fixed(channels[0] / 4), twice(height), twice(width)]],
  };
}
