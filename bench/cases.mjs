// What is measured: models as files for the engines that read ONNX, and the same operator in tfjs.

/** A function as a model file, with constant weights inside. */
export function fileOf(om, fn, shape, dtype = 'float32') {
  return om.scope(() => {
    const traced = om.trace(fn, om.ones(shape, dtype));
    const bytes = traced.toOnnx();
    traced.dispose();
    return bytes;
  });
}

function matmul(om, n) {
  const shape = [n, n];
  const weight = om.rand(shape, -0.1, 0.1);
  return {
    name: `matrix product ${n}`,
    shape,
    bytes: fileOf(om, (x) => x.matmul(weight), shape),
    tfjs(tf, x) {
      const other = tf.randomUniform(shape);
      return () => tf.matMul(x, other);
    },
  };
}

// tfjs holds images with the channels last.
function convolution(om, { name, channels, size, kernel = 3, groups = 1 }) {
  const shape = [1, channels, size, size];
  const weight = om.rand([channels, channels / groups, kernel, kernel], -0.1, 0.1);
  const pad = (kernel - 1) / 2;
  const options = { pads: [pad, pad, pad, pad], group: groups };
  return {
    name,
    shape,
    bytes: fileOf(om, (x) => om.ops.conv(x, weight, null, options), shape),
    tfjs(tf) {
      const image = tf.randomUniform([1, size, size, channels]);
      const depthwise = groups === channels;
      const filter = tf.randomUniform([kernel, kernel, channels, depthwise ? 1 : channels]);
      return () => (depthwise ? tf.depthwiseConv2d : tf.conv2d)(image, filter, 1, 'same');
    },
  };
}

/** The cases in the order of the table. `classifier`: the bytes of the text-direction model. */
export function makeCases(om, classifier) {
  return [
    matmul(om, 256),
    matmul(om, 512),
    matmul(om, 1024),
    convolution(om, { name: 'convolution 3×3, 64→64, 56×56', channels: 64, size: 56 }),
    convolution(om, { name: 'convolution 1×1, 128→128, 28×28', channels: 128, size: 28, kernel: 1 }),
    convolution(om, { name: 'depthwise 3×3, 64, 112×112', channels: 64, size: 112, groups: 64 }),
    {
      name: 'softmax 128×1000',
      shape: [128, 1000],
      bytes: fileOf(om, (x) => x.softmax(-1), [128, 1000]),
      tfjs: (tf, x) => () => tf.softmax(x),
    },
    { name: 'text direction classifier, 48×192', shape: [1, 3, 48, 192], bytes: classifier },
    {
      name: oneNode,
      shape: [8],
      bytes: fileOf(om, (x) => x.neg(), [8]),
      tfjs: (tf, x) => () => tf.neg(x),
    },
  ];
}

export const oneNode = 'one node: Neg of 8 elements';
