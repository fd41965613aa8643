// Steps that move elements about.

import { divisorsOf } from './chain.mjs';
import { anyAxis, axisOf, inserted, replaced, without } from './drawing.mjs';
import {
  combine,
  divides,
  doubtOfExpand,
  doubtOfReshape,
  drawSize,
  fixed,
  isFixed,
  isOne,
  least,
  product,
  quotient,
  same,
  sum,
} from './sizes.mjs';

/** The axis cut in two, as [size, how it is written]: by a divisor, or by a size that some value has. */
function cutAxis(random, chain, size) {
  const known = chain.values
    .flatMap((value) => value.shape)
    .filter((other) => !isFixed(other) && !same(other, size) && divides(other, size));
  const divisors = [...divisorsOf(size), ...known];
  if (divisors.length === 0) return null;
  const divisor = random.pick(divisors);
  const rest = quotient(size, divisor);
  const parts = [
    { size: divisor, text: drawSize(random, chain, divisor) },
    { size: rest, text: drawSize(random, chain, rest, { whole: size, divisor }) },
  ];
  return random.chance(0.5) ? parts : parts.reverse();
}

/** Cuts some axes, joins neighbours, puts in ones, and leaves one to -1. */
export function reshape(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 0);
  if (!value) return null;
  const pieces = value.shape.flatMap((size, axis) => {
    const cut = random.chance(0.35) && cutAxis(random, chain, size);
    return cut || [{ size, text: drawSize(random, chain, size, { near: [value.name, axis] }) }];
  });
  const groups = [];
  for (const piece of pieces) {
    if (groups.length && random.chance(0.35)) groups.at(-1).push(piece);
    else groups.push([piece]);
  }
  if (random.chance(0.2)) groups.splice(random.from(0, groups.length), 0, [{ size: fixed(1), text: '1' }]);
  const shape = groups.map((group) => product(group.map(({ size }) => size)));
  const texts = groups.map((group, i) => {
    if (group.length === 1) return group[0].text;
    const joined = group.every(({ text }) => text) ? group.map(({ text }) => text).join(' * ') : null;
    const drawn = drawSize(random, chain, shape[i], { parts: group.map(({ size }) => size) });
    return random.chance(0.6) ? (joined ?? drawn) : (drawn ?? joined);
  });
  if (random.chance(0.3)) texts[random.from(0, texts.length - 1)] = '-1';
  if (texts.some((text) => text === null)) return null;
  return {
    code: `${value.name}.reshape([${texts.join(', ')}])`,
    shapes: [shape],
    mayRefuse: doubtOfReshape(chain, [...value.shape, ...pieces.map(({ size }) => size)]),
  };
}

export function flatten(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 1);
  if (!value) return null;
  const start = random.from(0, value.shape.length - 1);
  const shape = [...value.shape.slice(0, start), product(value.shape.slice(start))];
  return { code: `${value.name}.flatten(${axisOf(random, start, value.shape.length)})`, shapes: [shape] };
}

export function permute(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 1);
  if (!value) return null;
  const axes = random.shuffled(value.shape.map((_, axis) => axis));
  return { code: `${value.name}.permute([${axes.join(', ')}])`, shapes: [axes.map((axis) => value.shape[axis])] };
}

export function transpose(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 1);
  if (!value) return null;
  const rank = value.shape.length;
  const [a, b] = random.shuffled(value.shape.map((_, axis) => axis));
  const shape = replaced(replaced(value.shape, a, value.shape[b]), b, value.shape[a]);
  const code = `${value.name}.transpose(${axisOf(random, a, rank)}, ${axisOf(random, b, rank)})`;
  return { code, shapes: [shape] };
}

export function unsqueeze(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length < 5);
  if (!value) return null;
  const at = random.from(0, value.shape.length);
  const code = `${value.name}.unsqueeze(${axisOf(random, at, value.shape.length + 1)})`;
  return { code, shapes: [inserted(value.shape, at, fixed(1))] };
}

export function squeeze(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.some(isOne));
  if (!value) return null;
  const axis = anyAxis(random, value, isOne);
  const code = `${value.name}.squeeze(${axisOf(random, axis, value.shape.length)})`;
  return { code, shapes: [without(value.shape, [axis])] };
}

/** Axes of one become any size, and others come in front. */
export function expand(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.some(isOne) || shape.length < 3);
  if (!value) return null;
  const known = chain.values.flatMap(({ shape }) => shape).filter((size) => !isFixed(size));
  const doubts = [];
  const drawNew = () => {
    const size = known.length && random.chance(0.5) ? random.pick(known) : fixed(random.from(2, 4));
    doubts.push(doubtOfExpand(chain, size));
    return size;
  };
  const shape = value.shape.map((size) => (isOne(size) && random.chance(0.8) ? drawNew() : size));
  if (random.chance(0.4)) shape.unshift(drawNew());
  const texts = shape.map((size) => drawSize(random, chain, size));
  const mayRefuse = doubts.find(Boolean) ?? '';
  return { code: `${value.name}.expand([${texts.join(', ')}])`, shapes: [shape], mayRefuse };
}

export function tile(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 0);
  if (!value) return null;
  const repeats = value.shape.map(() => random.pick([1, 1, 2, 3]));
  const shape = value.shape.map((size, axis) => combine((n) => n * repeats[axis], size));
  return { code: `om.ops.tile(${value.name}, [${repeats.join(', ')}])`, shapes: [shape] };
}

export function pad(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length > 0);
  if (!value) return null;
  const mode = random.pick(['constant', 'constant', 'edge', 'reflect', 'wrap']);
  const drawPad = (size) =>
    random.chance(0.5) ? random.from(0, mode === 'constant' ? 3 : Math.min(2, least(size) - 1)) : 0;
  const begin = value.shape.map(drawPad);
  const end = value.shape.map(drawPad);
  const options = mode === 'constant' ? '' : `, undefined, undefined, { mode: '${mode}' }`;
  const shape = value.shape.map((size, axis) => sum([size, fixed(begin[axis] + end[axis])]));
  return { code: `om.ops.pad(${value.name}, [${[...begin, ...end].join(', ')}]${options})`, shapes: [shape] };
}
