// What each eager operation becomes in an ONNX file: exactly these operators, with these attributes and constant operands.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as om from 'onemodel';
import { onnxText } from './onnx_text.mjs';
import { useEngine } from './support.mjs';

await useEngine();

const { nn, ops } = om;
const rand = (...shape) => om.rand(shape, 0.1, 1);
const image = () => ({ input: rand(2, 4, 6, 5) });
/** A layer, made when its row is tested: traced as it is, or as `call` uses it. */
const layer = (Layer, ...args) => ({ make: () => new Layer(...args) });
const called = ({ make }, call) => ({ make, call });

function mapped({ make, call }, inputs, axes) {
  const made = make();
  try {
    return om.scope(() => {
      const traced = om.trace(call ? (...given) => call(made, ...given) : made, inputs(), { axes });
      try {
        return onnxText(traced.toOnnx());
      } finally {
        traced.dispose();
      }
    });
  } finally {
    made?.dispose();
  }
}

/** `model`, a function of the inputs or a layer, becomes these nodes of opset 20, IR version 9. */
function row(title, model, inputs, nodes, axes) {
  test(title, () => {
    const text = mapped(
      typeof model === 'function' ? { make: () => null, call: (_, ...x) => model(...x) } : model,
      inputs,
      axes,
    );
    assert.deepEqual(text.nodes, nodes);
    assert.equal(text.opset, 20);
    assert.equal(text.irVersion, 9);
  });
}

const two = () => ({ a: rand(2, 3, 4), b: rand(3, 4) });
for (const [name, op] of [
  ['add', 'Add'],
  ['sub', 'Sub'],
  ['mul', 'Mul'],
  ['div', 'Div'],
  ['pow', 'Pow'],
]) {
  row(`${name} broadcasts`, (a, b) => a[name](b), two, [`${op}(a, b)`]);
}
for (const [name, op] of [
  ['equal', 'Equal'],
  ['greater', 'Greater'],
  ['less', 'Less'],
]) {
  row(name, (a, b) => a[name](b), two, [`${op}(a, b)`]);
}

// Every element-wise operator of one operand: its own name, and its attributes as they are without a word.
const unary = {
  neg: 'Neg',
  abs: 'Abs',
  sign: 'Sign',
  reciprocal: 'Reciprocal',
  exp: 'Exp',
  log: 'Log',
  sqrt: 'Sqrt',
  sin: 'Sin',
  cos: 'Cos',
  tan: 'Tan',
  asin: 'Asin',
  acos: 'Acos',
  atan: 'Atan',
  sinh: 'Sinh',
  cosh: 'Cosh',
  asinh: 'Asinh',
  acosh: 'Acosh',
  atanh: 'Atanh',
  erf: 'Erf',
  floor: 'Floor',
  ceil: 'Ceil',
  round: 'Round',
  isNaN: 'IsNaN',
  relu: 'Relu',
  sigmoid: 'Sigmoid',
  tanh: 'Tanh',
  softplus: 'Softplus',
  softsign: 'Softsign',
  mish: 'Mish',
  hardSwish: 'HardSwish',
  isInf: 'IsInf{detect_negative=1 detect_positive=1}',
  leakyRelu: 'LeakyRelu{alpha=0.01}',
  elu: 'Elu{alpha=1}',
  celu: 'Celu{alpha=1}',
  selu: 'Selu{alpha=1.67326 gamma=1.0507}',
  hardSigmoid: 'HardSigmoid{alpha=0.2 beta=0.5}',
  thresholdedRelu: 'ThresholdedRelu{alpha=1}',
};
for (const [name, node] of Object.entries(unary)) {
  row(name, (x) => ops[name](x), image, [`${node}(input)`]);
}
row(
  'not',
  (x) => ops.not(x),
  () => ({ input: om.tensor([true, false], 'bool') }),
  ['Not(input)'],
);

row('gelu', (x) => x.gelu(), image, ['Gelu{approximate=none}(input)']);
row('gelu with tanh', (x) => x.gelu({ approximate: 'tanh' }), image, ['Gelu{approximate=tanh}(input)']);
row(
  'matmul',
  (a, b) => a.matmul(b),
  () => ({ a: rand(2, 3, 4), b: rand(4, 5) }),
  ['MatMul(a, b)'],
);
row('softmax', (x) => x.softmax(1), image, ['Softmax{axis=1}(input)']);
row('log_softmax', (x) => x.logSoftmax(), image, ['LogSoftmax{axis=-1}(input)']);

row('layer_norm', layer(nn.LayerNorm, [5], { eps: 0.001 }), image, [
  'LayerNormalization{axis=-1 epsilon=0.001 stash_type=1}(input, weight, bias)',
]);
row('layer_norm over two axes', layer(nn.LayerNorm, [6, 5]), image, [
  'LayerNormalization{axis=-2 epsilon=0.00001 stash_type=1}(input, weight, bias)',
]);
row('batch_norm2d in evaluation mode', layer(nn.BatchNorm2d, 4), image, [
  'BatchNormalization{epsilon=0.00001 momentum=0.9 training_mode=0}(input, weight, bias, running_mean, running_var)',
]);
row('group_norm', layer(nn.GroupNorm, 2, 4), image, [
  'Reshape{allowzero=1}(input, [2,2,2,30])',
  'Reshape{allowzero=1}(., [2,2,60])',
  'InstanceNormalization{epsilon=0.00001}(., constant, constant_1)',
  'Reshape{allowzero=1}(., [2,4,6,5])',
  'Mul(., weight.view_1)',
  'Add(., bias.view_1)',
]);
row('instance_norm', layer(nn.InstanceNorm2d, 4, { affine: true }), image, [
  'InstanceNormalization{epsilon=0.00001}(input, weight, bias)',
]);
row('rms_norm', layer(nn.RMSNorm, [5]), image, [
  'Mul(input, input)',
  'ReduceMean{keepdims=1 noop_with_empty_axes=0}(., [-1])',
  'Add(., constant)',
  'Sqrt(.)',
  'Div(input, .)',
  'Mul(., weight)',
]);

row('conv1d', layer(nn.Conv1d, 4, 6, 3, { stride: 2, padding: 1, groups: 2 }), () => ({ input: rand(2, 4, 9) }), [
  'Conv{auto_pad=NOTSET dilations=[1] group=2 pads=[1,1] strides=[2]}(input, weight, bias)',
]);
row(
  'conv2d',
  layer(nn.Conv2d, 4, 6, [3, 2], { stride: [2, 1], padding: [1, 0], dilation: [1, 2], bias: false }),
  image,
  ['Conv{auto_pad=NOTSET dilations=[1,2] group=1 pads=[1,0,1,0] strides=[2,1]}(input, weight)'],
);
row('conv_transpose2d', layer(nn.ConvTranspose2d, 4, 6, 3, { stride: 2, padding: 1, outputPadding: 1 }), image, [
  'ConvTranspose{auto_pad=NOTSET dilations=[1,1] group=1 output_padding=[1,1] pads=[1,1,1,1] strides=[2,2]}(input, weight, bias)',
]);
row('max_pool2d', layer(nn.MaxPool2d, 2, { stride: 1, padding: 1, ceilMode: true }), image, [
  'MaxPool{auto_pad=NOTSET ceil_mode=1 dilations=[1,1] kernel_shape=[2,2] pads=[1,1,1,1] storage_order=0 strides=[1,1]}(input)',
]);
for (const [countIncludePad, attribute] of [
  [true, 1],
  [false, 0],
]) {
  row(
    `avg_pool2d, count_include_pad ${countIncludePad}`,
    layer(nn.AvgPool2d, 2, { padding: 1, countIncludePad }),
    image,
    [
      `AveragePool{auto_pad=NOTSET ceil_mode=0 count_include_pad=${attribute} kernel_shape=[2,2] pads=[1,1,1,1] strides=[2,2]}(input)`,
    ],
  );
}
row('global_avg_pool2d', layer(nn.GlobalAvgPool2d), image, [
  'ReduceMean{keepdims=1 noop_with_empty_axes=0}(input, [2,3])',
]);

const resize = (coordinates, mode, nearest) =>
  `Resize{antialias=0 axes=[2,3] coordinate_transformation_mode=${coordinates} cubic_coeff_a=-0.75 exclude_outside=0 ` +
  `extrapolation_value=0 keep_aspect_ratio_policy=stretch mode=${mode} nearest_mode=${nearest}}`;
const nearest = resize('asymmetric', 'nearest', 'floor');
const halfPixel = resize('half_pixel', 'linear', 'round_prefer_floor');
const corners = resize('align_corners', 'linear', 'round_prefer_floor');
for (const [title, options, node] of [
  ['nearest', { size: [12, 10] }, `${nearest}(input, , , [12,10])`],
  ['bilinear', { size: [12, 10], mode: 'bilinear', alignCorners: false }, `${halfPixel}(input, , , [12,10])`],
  [
    'bilinear, corners aligned',
    { size: [12, 10], mode: 'bilinear', alignCorners: true },
    `${corners}(input, , , [12,10])`,
  ],
  ['by a factor', { scaleFactor: 2, mode: 'bilinear', alignCorners: false }, `${halfPixel}(input, , constant)`],
]) {
  row(`resize2d, ${title}`, layer(nn.Upsample, options), image, [node]);
}

row(
  'concat',
  (a, b) => om.concat([a, b], 1),
  () => ({ a: rand(2, 3), b: rand(2, 4) }),
  ['Concat{axis=1}(a, b)'],
);
const indices = () => ({ input: om.tensor([1, 2, 3], 'int64') });
row('embedding, whose padding index is for gradients', layer(nn.Embedding, 7, 3, { paddingIdx: 1 }), indices, [
  'Gather{axis=0}(weight, input)',
]);

// Attention within its projections: cut into heads, the pattern of the fusion pass, and joined again.
const project = (from, name) => [`MatMul(${from}, ${name})`];
const heads = ['Reshape{allowzero=1}(., [2,5,2,4])', 'Transpose{perm=[0,2,1,3]}(.)'];
const attention = (mask, { before = [], scale = 'constant', after = [] } = {}) => [
  ...['in_proj_weight.view_1', 'in_proj_weight.view_2', 'in_proj_weight.view_3'].flatMap((weight, i) => [
    ...project('x', weight),
    `Add(., in_proj_bias.view_${i + 1})`,
    ...heads,
  ]),
  ...before,
  'Transpose{perm=[0,1,3,2]}(.)',
  'MatMul(., .)',
  `Mul(., ${scale})`,
  ...mask,
  'Softmax{axis=-1}(.)',
  'MatMul(., .)',
  ...after,
  'Transpose{perm=[0,2,1,3]}(.)',
  'Reshape{allowzero=1}(., [2,5,8])',
  'MatMul(., out_proj.weight.view_1)',
  'Add(., out_proj.bias)',
];
class Attention extends nn.MultiheadAttention {
  forward(x, attnMask) {
    return super.forward(x, x, x, { attnMask });
  }
}
const attending = layer(Attention, 8, 2, { batchFirst: true });
row('attention', attending, () => ({ x: rand(2, 5, 8) }), attention([]));
row('attention with a mask', attending, () => ({ x: rand(2, 5, 8), mask: rand(5, 5) }), attention(['Add(., mask)']));
row(
  'attention with a mask of bools, of which a row may leave nothing',
  attending,
  () => ({ x: rand(2, 5, 8), mask: om.zeros([5, 5], 'bool') }),
  attention(
    [
      'Where(., constant_2, constant_3)',
      'ReduceMax{keepdims=1 noop_with_empty_axes=0}(., [-1])',
      'Equal(., constant_4)',
      'Where(., constant_5, .)',
      'Add(., .)',
    ],
    { before: ['Equal(mask, constant)'], scale: 'constant_1', after: ['Where(., constant_6, .)'] },
  ),
);

const steps = { x: () => rand(5, 2, 3), h: () => rand(1, 2, 4), c: () => rand(1, 2, 4) };
const given =
  (...names) =>
  () =>
    Object.fromEntries(names.map((name) => [name, steps[name]()]));
const lstm = layer(nn.LSTM, 3, 4);
const lstmNode = 'LSTM{activations=[] direction=forward hidden_size=4 input_forget=0 layout=0}';
row(
  'lstm',
  called(lstm, (each, x) => each.forward(x)[0]),
  given('x'),
  [`${lstmNode}(x, constant, constant_1, constant_2)`, 'Squeeze(., [1])'],
);
row(
  'lstm with initial states',
  called(lstm, (each, ...all) => each.forward(...all)),
  given('x', 'h', 'c'),
  [`${lstmNode}(x, constant, constant_1, constant_2, , h, c)`, 'Squeeze(., [1])'],
);
const gru = layer(nn.GRU, 3, 4);
const gruNode = (direction) =>
  `GRU{activations=[] direction=${direction} hidden_size=4 layout=0 linear_before_reset=1}`;
row(
  'gru',
  called(gru, (each, ...all) => each.forward(...all)),
  given('x', 'h'),
  [`${gruNode('forward')}(x, constant, constant_1, constant_2, , h)`, 'Squeeze(., [1])'],
);
const both = layer(nn.GRU, 3, 4, { bidirectional: true });
row(
  'a bidirectional layer is a composition',
  called(both, (each, x) => each.forward(x)[0]),
  given('x'),
  [
    `${gruNode('forward')}(x, constant, constant_1, constant_2)`,
    'Squeeze(., [1])',
    `${gruNode('reverse')}(x, constant_3, constant_4, constant_5)`,
    'Squeeze(., [1])',
    'Concat{axis=-1}(., .)',
  ],
);

for (const [name, op] of [
  ['sum', 'ReduceSum'],
  ['mean', 'ReduceMean'],
  ['max', 'ReduceMax'],
]) {
  const node = (keepdims) => `${op}{keepdims=${keepdims} noop_with_empty_axes=0}`;
  row(`${name} of all`, (x) => x[name](), image, [`${node(0)}(input)`]);
  row(`${name} over one axis`, (x) => x[name](-1), image, [`${node(0)}(input, [-1])`]);
  row(`${name} over several, kept`, (x) => x[name]([1, 2], true), image, [`${node(1)}(input, [1,2])`]);
}
row('min', (x) => ops.reduceMin(x, om.tensor([0], 'int64'), { keepdims: false }), image, [
  'ReduceMin{keepdims=0 noop_with_empty_axes=0}(input, [0])',
]);

row('permute', (x) => x.permute([3, 0, 2, 1]), image, ['Transpose{perm=[3,0,2,1]}(input)']);
row('transpose', (x) => x.transpose(), image, ['Transpose{perm=[0,1,3,2]}(input)']);
row('reshape', (x) => x.reshape([8, 30]), image, ['Reshape{allowzero=1}(input, [8,30])']);
row('flatten', (x) => x.flatten(1), image, ['Reshape{allowzero=1}(input, [2,120])']);
row('a reshape that copies', (x) => x.transpose().reshape([8, 30]), image, [
  'Transpose{perm=[0,1,3,2]}(input)',
  'Reshape{allowzero=1}(., [8,30])',
]);
row(
  'squeeze',
  (x) => x.squeeze(1),
  () => ({ input: rand(2, 1, 3) }),
  ['Squeeze(input, [1])'],
);
row('unsqueeze', (x) => x.unsqueeze(1), image, ['Unsqueeze(input, [1])']);
const sized = () => ({ input: rand(5, 7, 6) });
const open = { input: ['n', 'm', null] };
row('reshape with one symbol', (x) => x.reshape([x.shape[0] * 42]), sized, ['Reshape{allowzero=1}(input, [-1])'], {
  input: ['n', null, null],
});
row(
  'reshape with two',
  (x) => x.reshape([x.shape[0], x.shape[1] * 6]),
  sized,
  [
    'Shape{end=1 start=0}(input)',
    'Shape{end=2 start=1}(input)',
    'Mul(., [6])',
    'Concat{axis=0}(., .)',
    'Reshape{allowzero=1}(input, .)',
  ],
  open,
);
row(
  'expand',
  (x) => x.expand([2, 3, 4]),
  () => ({ input: rand(3, 1) }),
  ['Expand(input, [2,3,4])'],
);

row('slice', (x) => x.slice(2, 1, 5, 2), image, ['Slice(input, [1], [5], [2], [2])']);
row('select', (x) => x.select(1, -1), image, ['Gather{axis=1}(input, -1)']);
row('flip', (x) => x.slice(1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, -1), image, [
  `Slice(input, [${Number.MAX_SAFE_INTEGER}], [${Number.MIN_SAFE_INTEGER}], [1], [-1])`,
]);
row('index_select', (x) => x.gather(om.tensor([0, 2], 'int64'), 1), image, ['Gather{axis=1}(input, [0,2])']);
row(
  'gather',
  (x, at) => x.gather(at, 1),
  () => ({ x: rand(2, 4), at: om.tensor([0, 2], 'int64') }),
  ['Gather{axis=1}(x, at)'],
);
row(
  'where',
  (c, a, b) => om.where(c, a, b),
  () => ({ c: om.tensor([true, false], 'bool'), a: rand(2), b: rand(2) }),
  ['Where(c, a, b)'],
);
row('cast', (x) => x.cast('float16'), image, ['Cast{saturate=1 to=10}(input)']);
for (const mode of ['constant', 'reflect', 'edge', 'wrap']) {
  row(
    `pad, ${mode}`,
    (x) => ops.pad(x, om.tensor([1, 0, 0, 2], 'int64'), null, null, { mode }),
    () => ({ input: rand(3, 4) }),
    [`Pad{mode=${mode}}(input, [1,0,0,2])`],
  );
}
row('clip', (x) => x.clip(0.2, 0.5), image, ['Clip(input, constant, constant_1)']);

row('linear', layer(nn.Linear, 5, 2), image, ['MatMul(input, weight.view_1)', 'Add(., bias)']);
row('linear without bias', layer(nn.Linear, 5, 2, { bias: false }), image, ['MatMul(input, weight.view_1)']);
