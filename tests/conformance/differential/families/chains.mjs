// Chains of operators on float32 tensors, so that what fuses is tested too.

import { float, newest } from '../model.mjs';

const elementwise = ['Relu', 'Sigmoid', 'Tanh', 'Abs', 'Neg', 'Erf', 'Softplus', 'HardSwish', 'Floor', 'Elu', 'Sin'];

/** Each link: `(draw, dims) => { op, attributes, operands }`, which keeps the shape. */
const links = {
  elementwise: (draw) => ({ op: draw.pick(elementwise) }),
  binary: (draw, dims) => ({
    op: draw.pick(['Add', 'Sub', 'Mul', 'Max', 'Min']),
    operands: [draw.tensor('float32', draw.narrower(dims), { constant: 0.6 })],
    swap: draw.chance(0.3),
  }),
  clip: (draw) => ({
    op: 'Clip',
    operands: [draw.operand('float32', [-draw.next()], []), draw.operand('float32', [draw.next()], [])],
  }),
  leaky: () => ({ op: 'LeakyRelu', attributes: { alpha: float(0.25) } }),
  softmax: (draw, dims) =>
    dims.length ? { op: 'Softmax', attributes: { axis: draw.axis(dims.length) } } : { op: 'Abs' },
  product: (draw, dims) =>
    dims.length > 1
      ? {
          op: 'MatMul',
          operands: [draw.tensor('float32', [dims.at(-1), dims.at(-1)], { constant: 0.8, low: -1, high: 1 })],
        }
      : { op: 'Relu' },
  convolution: (draw, dims) =>
    dims.length === 4
      ? {
          op: 'Conv',
          attributes: { pads: [1, 1, 1, 1] },
          operands: [draw.tensor('float32', [dims[1], dims[1], 3, 3], { constant: 0.9, low: -1, high: 1 })],
        }
      : { op: 'Tanh' },
  batchNormalization: (draw, dims) => {
    if (dims.length < 2) return { op: 'Sigmoid' };
    const each = (low) => ({ ...draw.tensor('float32', [dims[1]], { low, high: 2 }), constant: true });
    return { op: 'BatchNormalization', operands: [each(-1), each(-1), each(-1), each(0.2)] };
  },
  layerNormalization: (draw, dims) =>
    dims.at(-1) > 0
      ? { op: 'LayerNormalization', operands: [draw.tensor('float32', dims.slice(-1), { constant: 0.8 })] }
      : { op: 'Exp' },
};

function link(model, drawn, i) {
  const operands = (drawn.operands ?? []).map((each, at) => ({ name: `w${i}_${at}`, ...each }));
  const names = [i === 0 ? 'x' : `h${i - 1}`, ...operands.map(({ name }) => name)];
  model.tensors.push(...operands);
  model.nodes.push({
    op: drawn.op,
    attributes: drawn.attributes ?? {},
    inputs: drawn.swap ? names.reverse() : names,
    outputs: [`h${i}`],
  });
}

const chain = (least, most) => (draw) => {
  const dims = draw.shape(least, most, 0.03);
  const x = { name: 'x', ...draw.tensor('float32', dims, { constant: 0 }) };
  const model = { nodes: [], tensors: [x], outputs: [], opset: newest, symbolic: draw.chance(0.4) };
  const length = draw.from(2, 4);
  for (let i = 0; i < length; i++) link(model, draw.pick(Object.values(links))(draw, dims), i);
  model.outputs = draw.chance(0.2) ? ['h0', `h${length - 1}`] : [`h${length - 1}`];
  return model;
};

export const chains = {
  'chain of vectors': chain(0, 1),
  'chain of matrices': chain(2, 2),
  'chain of tokens': chain(3, 3),
  'chain of images': chain(4, 4),
  'another chain of images': chain(4, 4),
};
