// Operators that move elements about without looking at them.

import { float, single } from '../model.mjs';
import { countOf, dtypes, floating, numeric, tensor } from '../numbers.mjs';

const any = [...numeric, 'bool'];

const drawn = (draw, dims) => draw.tensor(draw.pick(any), dims);

/** A shape of as many elements. */
function otherShape(draw, dims) {
  let left = countOf(dims);
  if (left === 0) return draw.shuffled(dims);
  const out = [];
  while (left > 1 && out.length < 3) {
    const divisors = Array.from({ length: left }, (_, i) => i + 1).filter((each) => left % each === 0);
    out.push(draw.pick(divisors));
    left /= out.at(-1);
  }
  return [...out, left];
}

function reshape(draw) {
  const dims = draw.shape(0, 4, 0.15);
  const shape = otherShape(draw, dims);
  const allowzero = shape.includes(0) || draw.chance(0.1) ? 1 : 0;
  const keep = shape.findIndex((size, i) => size === dims[i]);
  if (!allowzero && keep >= 0 && draw.chance(0.5)) shape[keep] = 0;
  else if (!shape.includes(0) && draw.chance(0.5)) shape[draw.from(0, shape.length - 1)] = -1;
  const attributes = { allowzero: draw.maybe(allowzero, allowzero ? 1 : 0.3) };
  return single('Reshape', [drawn(draw, dims), draw.operand('int64', shape)], attributes, {
    symbolic: draw.chance(0.2),
  });
}

function slice(draw) {
  const dims = draw.shape(1);
  const axes = draw.axes(dims.length, 1);
  const far = [-(2 ** 31), 2 ** 31 - 1, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const bound = (size) => (draw.chance(0.12) ? draw.pick(far) : draw.from(-size - 2, size + 2));
  const at = axes.map((axis) => dims.at(axis));
  const [starts, ends] = [at.map(bound), at.map(bound)];
  const steps = at.map(() => draw.pick([1, 1, 2, 3, -1, -1, -2, -3]));
  const dtype = [...starts, ...ends].some((each) => Math.abs(each) > 2 ** 31) ? 'int64' : draw.pick(['int32', 'int64']);
  const lists = [starts, ends, axes, steps].map((list) => draw.operand(dtype, list));
  return single('Slice', [drawn(draw, dims), ...lists], {}, { symbolic: draw.chance(0.2) });
}

function split(draw) {
  const dims = draw.shape(1);
  const axis = draw.axis(dims.length);
  const size = dims.at(axis);
  const parts = draw.from(1, Math.max(1, Math.min(size, 4)));
  const attributes = { axis: draw.maybe(axis, axis === 0 ? 0.5 : 1) };
  if (draw.chance(0.5)) {
    // ceil(size / parts) each, the last smaller: not every number of parts can be had so.
    const chunk = Math.ceil(size / parts);
    const fits = size > 0 && Math.ceil(size / chunk) === parts;
    return single(
      'Split',
      [drawn(draw, dims)],
      { ...attributes, num_outputs: fits ? parts : 1 },
      { outputs: fits ? parts : 1 },
    );
  }
  const cuts = Array.from({ length: parts - 1 }, () => draw.from(0, size)).sort((a, b) => a - b);
  const lengths = [...cuts, size].map((cut, i) => cut - (i ? cuts[i - 1] : 0));
  return single('Split', [drawn(draw, dims), draw.operand('int64', lengths)], attributes, { outputs: parts });
}

export const layout = {
  Constant: (draw) => {
    const value = draw.pick([
      { value: drawn(draw, draw.shape()) },
      { value_float: float(draw.next()) },
      { value_floats: float([draw.next(), -2]) },
      { value_int: draw.from(-5, 5) },
      { value_ints: [draw.from(-5, 5), 2] },
    ]);
    return single('Constant', [], value);
  },
  Dropout: (draw) => {
    const dtype = draw.pick(floating);
    const off = draw.chance(0.5);
    const inputs = [draw.tensor(dtype, draw.shape()), draw.operand('float32', [off ? 0.4 : 0], [])];
    return single(
      'Dropout',
      off ? inputs : [...inputs, draw.operand('bool', [1], [])],
      {},
      { outputs: draw.from(1, 2) },
    );
  },
  Reshape: reshape,
  Slice: slice,
  Split: split,
  Tile: (draw) => {
    const dims = draw.shape(1);
    return single('Tile', [
      drawn(draw, dims),
      draw.operand(
        'int64',
        dims.map(() => draw.from(draw.chance(0.1) ? 0 : 1, 3)),
      ),
    ]);
  },
  Expand: (draw) => {
    const dims = draw.shape();
    const inner = draw.narrower(dims);
    const target = draw.chance(0.3)
      ? dims.map((size) => (draw.chance(0.3) && inner.length === dims.length ? 1 : size))
      : dims;
    return single('Expand', [drawn(draw, inner), draw.operand('int64', target)]);
  },
  Concat: (draw) => {
    const dims = draw.shape(1);
    const axis = draw.axis(dims.length);
    const dtype = draw.pick(any);
    const parts = Array.from({ length: draw.from(1, 4) }, () =>
      draw.tensor(dtype, dims.with(axis < 0 ? axis + dims.length : axis, draw.from(0, 3))),
    );
    return single('Concat', parts, { axis });
  },
  Transpose: (draw) => {
    const dims = draw.shape(0, 5);
    const perm = draw.shuffled([...dims.keys()]);
    return single('Transpose', [drawn(draw, dims)], { perm: dims.length ? draw.maybe(perm, 0.8) : undefined });
  },
  Squeeze: (draw) => {
    const dims = draw.shape(0, 4).map((size) => (draw.chance(0.5) ? 1 : size));
    const ones = [...dims.keys()].filter((axis) => dims[axis] === 1);
    const axes = draw.shuffled(ones).slice(0, draw.from(0, ones.length));
    const given = axes.length > 0 && draw.chance(0.7);
    const list = axes.map((axis) => (draw.chance(0.3) ? axis - dims.length : axis));
    return single('Squeeze', given ? [drawn(draw, dims), draw.operand('int64', list)] : [drawn(draw, dims)]);
  },
  Unsqueeze: (draw) => {
    const dims = draw.shape(0, 3);
    const count = draw.from(1, 2);
    const axes = draw.shuffled([...Array(dims.length + count).keys()]).slice(0, count);
    const list = axes.map((axis) => (draw.chance(0.3) ? axis - dims.length - count : axis));
    return single('Unsqueeze', [drawn(draw, dims), draw.operand('int64', list)]);
  },
  Flatten: (draw) => {
    const dims = draw.shape(1);
    return single('Flatten', [drawn(draw, dims)], { axis: draw.maybe(draw.from(-dims.length, dims.length)) });
  },
  Trilu: (draw) => {
    const inputs = [drawn(draw, draw.shape(2, 4))];
    if (draw.chance(0.7)) inputs.push(draw.operand('int64', [draw.from(-5, 5)], []));
    return single('Trilu', inputs, { upper: draw.maybe(draw.from(0, 1)) });
  },
  EyeLike: (draw) =>
    single('EyeLike', [draw.tensor(draw.pick(numeric), draw.shape(2, 2))], {
      k: draw.maybe(draw.from(-4, 4)),
      dtype: draw.maybe(dtypes[draw.pick(['float32', 'float64', 'int32', 'int64', 'uint64'])].code),
    }),
  Range: (draw) => {
    const dtype = draw.pick(['float32', 'float64', 'int16', 'int32', 'int64']);
    const whole = dtype.includes('int');
    const step = whole ? draw.from(1, 3) : 0.25 + Math.round(draw.next() * 8) / 8;
    const numbers = [draw.from(-5, 5), draw.from(-9, 9), draw.chance(0.5) ? step : -step];
    return single(
      'Range',
      numbers.map((each) => draw.operand(dtype, [each], [])),
    );
  },
  ConstantOfShape: (draw) => {
    const value = draw.tensor(draw.pick(any), [1]);
    const attributes = { value: draw.maybe({ dtype: value.dtype, dims: [1], data: value.data }, 0.7) };
    return single('ConstantOfShape', [draw.operand('int64', draw.shape(0, 4, 0.1))], attributes);
  },
  Shape: (draw) => {
    const dims = draw.shape();
    const bound = () => draw.maybe(draw.from(-6, 6));
    return single('Shape', [drawn(draw, dims)], { start: bound(), end: bound() }, { symbolic: draw.chance(0.4) });
  },
  Size: (draw) => single('Size', [drawn(draw, draw.shape())], {}, { symbolic: draw.chance(0.4) }),
  Identity: (draw) => single('Identity', [drawn(draw, draw.shape())]),
  ReverseSequence: (draw) => {
    const dims = draw.shape(2, 4, 0);
    const timeFirst = draw.chance(0.5);
    const lengths = Array.from({ length: dims[timeFirst ? 1 : 0] }, () => draw.from(1, dims[timeFirst ? 0 : 1]));
    const attributes = timeFirst
      ? { time_axis: draw.maybe(0), batch_axis: draw.maybe(1) }
      : { time_axis: 1, batch_axis: 0 };
    return single('ReverseSequence', [drawn(draw, dims), tensor('int64', lengths)], attributes);
  },
};
