// Models that ONNX does not allow: both engines must say so.

import { single } from '../model.mjs';
import { countOf, tensor } from '../numbers.mjs';

/** A shape without empty axes, of a rank in that range. */
const plainShape = (draw, least, most) => draw.shape(least, most, 0).map((size) => size + 1);

const beyond = (draw, rank) => draw.pick([rank, -rank - 1, rank + 3]);

const badAxis =
  (op, attributes = {}, options = {}) =>
  (draw) => {
    const dims = plainShape(draw, 1, 3);
    return single(op, [draw.tensor('float32', dims)], { ...attributes, axis: beyond(draw, dims.length) }, options);
  };

/** An index outside of an axis of that size. */
const outside = (draw, size) => draw.pick([size, size + 4, -size - 1]);

export const refusals = {
  'bad broadcast': (draw) => {
    const dims = plainShape(draw, 1, 3);
    const op = draw.pick(['Add', 'Mul', 'Less', 'Max', 'Pow']);
    return single(op, [draw.tensor('float32', dims), draw.tensor('float32', [...dims.slice(0, -1), dims.at(-1) + 1])]);
  },
  'bad axis of Softmax': badAxis('Softmax'),
  'bad axis of Concat': badAxis('Concat'),
  'bad axis of Split': badAxis('Split', { num_outputs: 1 }),
  'bad axis of ArgMax': badAxis('ArgMax'),
  'bad axes of ReduceSum': (draw) => {
    const dims = plainShape(draw, 1, 3);
    return single('ReduceSum', [draw.tensor('float32', dims), draw.operand('int64', [beyond(draw, dims.length)])]);
  },
  'bad index of Gather': (draw) => {
    const dims = plainShape(draw, 1, 3);
    const at = draw.operand('int64', [0, outside(draw, dims[0])]);
    return single('Gather', [draw.tensor('float32', dims), at]);
  },
  'bad index of GatherElements': (draw) =>
    single('GatherElements', [draw.tensor('float32', [3, 2]), draw.operand('int64', [0, outside(draw, 3)], [1, 2])]),
  'bad index of GatherND': (draw) =>
    single('GatherND', [draw.tensor('float32', [3, 2]), draw.operand('int64', [0, outside(draw, 2)], [1, 2])]),
  'bad index of ScatterElements': (draw) => {
    const at = draw.operand('int64', [outside(draw, 3), 0], [1, 2]);
    return single('ScatterElements', [draw.tensor('float32', [3, 2]), at, draw.tensor('float32', [1, 2])]);
  },
  'bad index of ScatterND': (draw) => {
    const at = draw.operand('int64', [outside(draw, 3)], [1, 1]);
    return single('ScatterND', [draw.tensor('float32', [3, 2]), at, draw.tensor('float32', [1, 2])]);
  },
  'bad factors of MatMul': (draw) =>
    single('MatMul', [draw.tensor('float32', [2, 3]), draw.tensor('float32', [4, draw.from(1, 3)])]),
  'bad bias of Gemm': (draw) =>
    single('Gemm', [draw.tensor('float32', [2, 3]), draw.tensor('float32', [3, 2]), draw.tensor('float32', [3])]),
  'bad size of Reshape': (draw) => {
    const dims = plainShape(draw, 1, 3);
    return single('Reshape', [draw.tensor('float32', dims), draw.operand('int64', [countOf(dims) + 1])]);
  },
  'two -1 of Reshape': (draw) => single('Reshape', [draw.tensor('float32', [2, 3]), draw.operand('int64', [-1, -1])]),
  'bad channels of Conv': (draw) =>
    single('Conv', [draw.tensor('float32', [1, 3, 4, 4]), draw.tensor('float32', [2, 2, 3, 3])]),
  'bad sum of Split': (draw) =>
    single('Split', [draw.tensor('float32', [5]), draw.operand('int64', [2, draw.pick([2, 4])])], {}, { outputs: 2 }),
  'bad K of TopK': (draw) =>
    single('TopK', [draw.tensor('float32', [3]), draw.operand('int64', [draw.pick([4, -1])])], {}, { outputs: 2 }),
  'step 0 of Slice': (draw) =>
    single('Slice', [draw.tensor('float32', [3]), ...[0, 2, 0, 0].map((each) => draw.operand('int64', [each]))]),
  'axis of Squeeze that is not 1': (draw) =>
    single('Squeeze', [draw.tensor('float32', [1, 3]), draw.operand('int64', [1])]),
  'bad perm of Transpose': (draw) =>
    single('Transpose', [draw.tensor('float32', [2, 3])], { perm: draw.pick([[0, 0], [0, 2], [0]]) }),
  'negative repeats of Tile': (draw) => single('Tile', [draw.tensor('float32', [2]), draw.operand('int64', [-1])]),
  'bad shape of Expand': (draw) => single('Expand', [draw.tensor('float32', [3]), draw.operand('int64', [2])]),
  'pads beyond the axis': (draw) =>
    single('Pad', [draw.tensor('float32', [3]), draw.operand('int64', [draw.pick([-2, -4]), -2])]),
  'unknown attribute': (draw) => single('Relu', [draw.tensor('float32', [2])], { alpha: draw.from(1, 2) }),
  'too many inputs': (draw) => single('Relu', [draw.tensor('float32', [2]), draw.tensor('float32', [2])]),
  'integers of Sqrt': (draw) => single('Sqrt', [draw.tensor('int32', [2])]),
  'mixed types of Add': (draw) => single('Add', [draw.tensor('float32', [2]), draw.tensor('int32', [2])]),
  'bad equation of Einsum': (draw) =>
    single('Einsum', [draw.tensor('float32', [2, 3])], {
      equation: draw.pick(['ijk->i', 'i->i', 'ij->k', 'ij,jk->ik']),
    }),
  'depth 0 of OneHot': (draw) =>
    single('OneHot', [tensor('int64', [0, 1]), draw.operand('int64', [-1], []), draw.tensor('float32', [2])]),
  'bad blocks of SpaceToDepth': (draw) =>
    single('SpaceToDepth', [draw.tensor('float32', [1, 1, 3, 4])], { blocksize: 2 }),
  'bad condition of Where': (draw) =>
    single('Where', [draw.tensor('bool', [2]), draw.tensor('float32', [3]), draw.tensor('float32', [3])]),
  'bad limit of Clip': (draw) => single('Clip', [draw.tensor('float32', [3]), draw.tensor('float32', [2])]),
};
