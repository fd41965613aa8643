// Operators that pick and place elements by index.

import { float, single } from '../model.mjs';
import { countOf, numeric, tensor } from '../numbers.mjs';

const any = [...numeric, 'bool'];
const wholes = ['int32', 'int64'];

/** Random indices into an axis of that size, from either end. */
function places(draw, dims, size, dtype = draw.pick(wholes)) {
  const one = () => (size === 0 ? 0 : draw.from(-size, size - 1));
  const values = Array.from({ length: countOf(dims) }, one);
  return { ...tensor(dtype, values, dims), constant: draw.chance(0.3) };
}

/** Rows of different indices into the first axes of `dims`. */
function tuples(draw, dims, count) {
  const cells = countOf(dims);
  const chosen = draw.shuffled([...Array(cells).keys()]).slice(0, count);
  return chosen.map((cell) => {
    let rest = cell;
    const at = dims.map((_, axis) => {
      const inner = countOf(dims.slice(axis + 1));
      const index = Math.floor(rest / inner);
      rest %= inner;
      return index;
    });
    return at.map((index, axis) => (draw.chance(0.3) ? index - dims[axis] : index));
  });
}

const reductions = ['none', 'add', 'mul', 'max', 'min'];

/** Indices along an axis, different from one another in every line where nothing is reduced. */
function lines(draw, dims, size, axis, unique) {
  const values = Array(countOf(dims)).fill(0);
  const inner = countOf(dims.slice(axis + 1));
  for (let i = 0; i < values.length; i++) {
    const along = Math.floor(i / inner) % dims[axis];
    const from = Math.floor(i / (inner * dims[axis])) + (i % inner);
    values[i] = unique ? (along + from) % size : draw.from(0, size - 1);
    if (draw.chance(0.3)) values[i] -= size;
  }
  return { ...tensor('int64', values, dims), constant: draw.chance(0.3) };
}

export const indices = {
  Gather: (draw) => {
    const dims = draw.shape(1, 4, 0);
    const axis = draw.axis(dims.length);
    const at = places(draw, draw.shape(0, 3), dims.at(axis));
    return single(
      'Gather',
      [draw.tensor(draw.pick(any), dims), at],
      { axis: draw.maybe(axis, axis === 0 ? 0.5 : 1) },
      { symbolic: draw.chance(0.2) },
    );
  },
  GatherElements: (draw) => {
    const dims = draw.shape(1, 4, 0);
    const axis = draw.axis(dims.length);
    const index = dims.map((size, i) =>
      i === (axis < 0 ? axis + dims.length : axis) ? draw.from(0, 5) : draw.from(1, size),
    );
    return single('GatherElements', [draw.tensor(draw.pick(any), dims), places(draw, index, dims.at(axis))], { axis });
  },
  GatherND: (draw) => {
    const dims = draw.shape(2, 4, 0);
    const batch = draw.from(0, 1);
    const depth = draw.from(1, dims.length - batch);
    const lead = [...dims.slice(0, batch), ...draw.shape(1, 2, 0)];
    const values = Array.from({ length: countOf(lead) }, () =>
      Array.from({ length: depth }, (_, i) => draw.from(-dims[batch + i], dims[batch + i] - 1)),
    );
    const at = { ...tensor('int64', values.flat(), [...lead, depth]), constant: draw.chance(0.3) };
    return single('GatherND', [draw.tensor(draw.pick(any), dims), at], {
      batch_dims: draw.maybe(batch, batch ? 1 : 0.3),
    });
  },
  ScatterElements: (draw) => {
    const dims = draw.shape(1, 4, 0);
    const axis = draw.axis(dims.length);
    const real = axis < 0 ? axis + dims.length : axis;
    const reduction = draw.pick(reductions);
    const index = dims.map((size) => draw.from(1, size));
    const dtype = draw.pick(numeric);
    const at = lines(draw, index, dims[real], real, reduction === 'none');
    const inputs = [draw.tensor(dtype, dims), at, draw.tensor(dtype, index)];
    return single('ScatterElements', inputs, {
      axis,
      reduction: draw.maybe(reduction, reduction === 'none' ? 0.5 : 1),
    });
  },
  ScatterND: (draw) => {
    const dims = draw.shape(1, 4, 0);
    const depth = draw.from(1, dims.length);
    const reduction = draw.pick(reductions);
    const rows = tuples(draw, dims.slice(0, depth), draw.from(1, 3));
    if (reduction !== 'none' && rows.length > 1) rows[1] = rows[0];
    const dtype = draw.pick(numeric);
    const at = { ...tensor('int64', rows.flat(), [rows.length, depth]), constant: draw.chance(0.3) };
    const updates = draw.tensor(dtype, [rows.length, ...dims.slice(depth)]);
    return single('ScatterND', [draw.tensor(dtype, dims), at, updates], {
      reduction: draw.maybe(reduction, reduction === 'none' ? 0.5 : 1),
    });
  },
  OneHot: (draw) => {
    const dims = draw.shape(0, 3);
    const depth = draw.from(1, 5);
    const values = draw.tensor(draw.pick(['float32', 'int64', 'int32', 'float64']), [2]);
    const at = draw.tensor(draw.pick(['int64', 'int32', 'float32']), dims);
    // Out-of-range indices give off values; fractions are not indices.
    const range = Array.from(at.data, () => draw.from(-depth - 2, depth + 1));
    const index = { ...tensor(at.dtype, range, dims), constant: at.constant };
    const axis = draw.from(-dims.length - 1, dims.length);
    const width = draw.operand(draw.pick(['int64', 'int64', 'int32', 'float32']), [depth], draw.chance(0.5) ? [] : [1]);
    return single('OneHot', [index, width, values], { axis: draw.maybe(axis, 0.7) });
  },
  NonZero: (draw) =>
    single('NonZero', [
      draw.tensor(draw.pick(['float32', 'int32', 'int64', 'uint8', 'bool']), draw.shape(0, 4, 0.1), {
        low: -1,
        high: 1,
        special: 0.5,
      }),
    ]),
  Unique: (draw) => {
    // An empty tensor stops the module of onnxruntime-web.
    const dims = draw.shape(1, 3, 0);
    const x = draw.tensor(draw.pick(['float32', 'float64', 'int64', 'int8']), dims, { low: -2, high: 2 });
    if (x.dtype.startsWith('float')) x.data = x.data.map(Math.round).map((value) => value + 0);
    const attributes = { axis: draw.maybe(draw.axis(dims.length)), sorted: draw.maybe(draw.from(0, 1)) };
    return single('Unique', [x], attributes, { outputs: 4 });
  },
  Compress: (draw) => {
    const dims = draw.shape(1, 4, 0);
    const axis = draw.maybe(draw.axis(dims.length));
    const size = axis === undefined ? countOf(dims) : dims.at(axis);
    const condition = draw.tensor('bool', [draw.from(1, size)]);
    return single('Compress', [draw.tensor(draw.pick(any), dims), condition], { axis });
  },
  NonMaxSuppression: (draw) => {
    const [batches, classes, boxes] = [draw.from(1, 2), draw.from(1, 2), draw.from(1, 6)];
    const corner = draw.from(0, 1);
    const list = Array.from({ length: batches * boxes }, () => {
      const [x, y] = [draw.next(), draw.next()];
      const [w, h] = [0.1 + draw.next(), 0.1 + draw.next()];
      if (corner) return [x, y, w, h];
      return draw.chance(0.3) ? [y + h, x + w, y, x] : [y, x, y + h, x + w];
    });
    const inputs = [
      tensor('float32', list.flat(), [batches, boxes, 4]),
      draw.tensor('float32', [batches, classes, boxes], { low: 0, high: 1 }),
      draw.chance(0.85) ? draw.operand('int64', [draw.from(0, boxes)]) : null,
      draw.chance(0.7) ? draw.operand('float32', [draw.next()]) : null,
      draw.operand('float32', [draw.chance(0.7) ? draw.next() * 0.5 : 0]),
    ];
    return single('NonMaxSuppression', inputs, { center_point_box: draw.maybe(corner, corner ? 1 : 0.5) });
  },
  TfIdfVectorizer: (draw) =>
    single('TfIdfVectorizer', [draw.tensor(draw.pick(wholes), draw.chance(0.5) ? [8] : [2, 6], { low: 1, high: 4 })], {
      max_gram_length: 2,
      min_gram_length: draw.from(1, 2),
      max_skip_count: draw.from(0, 2),
      mode: draw.pick(['TF', 'IDF', 'TFIDF']),
      ngram_counts: [0, 3],
      ngram_indexes: [0, 1, 2, 3, 4, 5],
      pool_int64s: [1, 2, 3, 1, 2, 2, 3, 4, 1],
      weights: draw.maybe(float([1, 0.5, 2, 3, 0.25, 1.5])),
    }),
};
