// Products of matrices.

import { float, single } from '../model.mjs';

const dtypes = ['float32', 'float32', 'float32', 'float64', 'float16', 'int32', 'int64', 'uint32', 'uint64'];

/** Shapes of factors, batched and broadcast, and now and then vectors. */
function factors(draw, empty = 0.08) {
  const [m, k, n] = Array.from({ length: 3 }, () => (draw.chance(empty) ? 0 : draw.from(1, 9)));
  const [left, right] = draw.chance(0.5) ? [[], []] : draw.broadcast().map((dims) => dims.slice(0, 2));
  if (!broadcasts(left, right)) return { a: [m, k], b: [k, n] };
  return { a: draw.chance(0.1) ? [k] : [...left, m, k], b: draw.chance(0.1) ? [k] : [...right, k, n] };
}

function broadcasts(left, right) {
  const [a, b] = [[...left].reverse(), [...right].reverse()];
  return a.every((size, i) => b[i] === undefined || size === b[i] || size === 1 || b[i] === 1);
}

const equations = [
  ['ij,jk->ik', 'ij', 'jk'],
  ['bij,bjk->bik', 'bij', 'bjk'],
  ['ij,ij->', 'ij', 'ij'],
  ['ij->ji', 'ij'],
  ['ii->i', 'ii'],
  ['ii', 'ii'],
  ['i,j', 'i', 'j'],
  ['ba', 'ba'],
  ['bhqd,bhkd->bhqk', 'bhqd', 'bhkd'],
  ['...ij,...jk->...ik', 'ij', 'jk'],
  ['i...->...', 'ijk'],
  ['ij,jk,kl->il', 'ij', 'jk', 'kl'],
  ['ij, kj -> ik', 'ij', 'kj'],
  ['ijk->kj', 'ijk'],
  ['iji->j', 'iji'],
];

export const matrix = {
  MatMul: (draw) => {
    const { a, b } = factors(draw);
    const dtype = draw.pick(dtypes);
    const right = draw.tensor(dtype, b, { constant: 0.4 });
    return single('MatMul', [draw.tensor(dtype, a), right], {}, { symbolic: draw.chance(0.2) });
  },
  Gemm: (draw) => {
    const [m, k, n] = Array.from({ length: 3 }, () => (draw.chance(0.06) ? 0 : draw.from(1, 9)));
    const dtype = draw.pick(dtypes);
    const [transA, transB] = [draw.from(0, 1), draw.from(0, 1)];
    const bias = draw.chance(0.3) ? null : draw.tensor(dtype, draw.narrower([m, n]), { constant: 0.4 });
    const right = draw.tensor(dtype, transB ? [n, k] : [k, n], { constant: 0.4 });
    const whole = dtype.includes('int');
    return single('Gemm', [draw.tensor(dtype, transA ? [k, m] : [m, k]), right, ...(bias ? [bias] : [])], {
      alpha: draw.maybe(float(whole ? 2 : 0.75)),
      beta: draw.maybe(float(whole ? 3 : draw.pick([0, 0.5]))),
      transA: draw.maybe(transA, transA ? 1 : 0.5),
      transB: draw.maybe(transB, transB ? 1 : 0.5),
    });
  },
  Einsum: (draw) => {
    const [equation, ...terms] = draw.pick(equations);
    const sizes = {};
    const size = (letter) => {
      sizes[letter] ??= draw.from(1, 4);
      return sizes[letter];
    };
    const batch = equation.startsWith('...') && draw.chance(0.6) ? draw.shape(1, 2, 0) : [];
    const dtype = draw.pick(['float32', 'float32', 'float64', 'int32', 'int64']);
    return single(
      'Einsum',
      terms.map((term) => draw.tensor(dtype, [...batch, ...[...term].map(size)])),
      { equation },
    );
  },
  Det: (draw) => {
    const n = draw.from(1, 4);
    return single('Det', [draw.tensor('float32', [...draw.shape(0, 2, 0), n, n])]);
  },
};
