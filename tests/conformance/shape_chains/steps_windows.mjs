// Steps that compute over windows: convolutions, pools, upsampling.

import { atMost, list } from './drawing.mjs';
import { combine, fixed } from './sizes.mjs';

const spanned = (n, { kernel, padding, dilation }) => n + 2 * padding - dilation * (kernel - 1) - 1;

/** Whether the last window of ceil mode starts in the padding at the end. */
const startsInPadding = (n, window) =>
  Math.ceil(spanned(n, window) / window.stride) * window.stride >= n + window.padding;

const windowed = (n, window) => {
  const steps = spanned(n, window) / window.stride;
  if (steps < 0) return 0;
  return window.ceil && !startsInPadding(n, window) ? Math.ceil(steps) + 1 : Math.floor(steps) + 1;
};

const drawWindow = (random) => {
  const kernel = random.from(1, 3);
  return {
    kernel,
    stride: random.pick([1, 1, 2, 3]),
    padding: random.from(0, Math.floor(kernel / 2)),
    dilation: random.pick([1, 1, 1, 2]),
    ceil: false,
  };
};

export function conv(random, chain) {
  const value = chain.recent(random, ({ shape }) => [3, 4].includes(shape.length) && atMost(shape[1], 24));
  if (!value) return null;
  const [batch, channels, ...spatial] = value.shape;
  const window = drawWindow(random);
  const groups = channels[0] % 2 === 0 && random.chance(0.2) ? 2 : 1;
  const out = random.pick([2, 4, 6]);
  const layer = chain.fresh('m');
  const options = list([
    window.stride !== 1 && `stride: ${window.stride}`,
    window.padding && `padding: ${window.padding}`,
    window.dilation !== 1 && `dilation: ${window.dilation}`,
    groups !== 1 && `groups: ${groups}`,
  ]);
  return {
    setup: [[layer, `new om.nn.Conv${spatial.length}d(${channels[0]}, ${out}, ${window.kernel}${options})`]],
    code: `${layer}.forward(${value.name})`,
    shapes: [[batch, fixed(out), ...spatial.map((size) => combine((n) => windowed(n, window), size))]],
  };
}

export function convTranspose(random, chain) {
  const value = chain.recent(random, ({ shape }) => [3, 4].includes(shape.length) && atMost(shape[1], 24));
  if (!value) return null;
  const [batch, channels, ...spatial] = value.shape;
  const [kernel, stride] = random.pick([
    [2, 2],
    [3, 1],
    [3, 2],
    [1, 1],
  ]);
  const [padding, outputPadding] =
    kernel === 3 && stride === 2
      ? random.pick([
          [1, 1],
          [0, 0],
        ])
      : [0, 0];
  const out = random.pick([2, 3]);
  const layer = chain.fresh('m');
  const options = list([
    `stride: ${stride}`,
    padding && `padding: ${padding}`,
    outputPadding && `outputPadding: ${outputPadding}`,
  ]);
  const grown = (n) => (n - 1) * stride - 2 * padding + kernel + outputPadding;
  return {
    setup: [[layer, `new om.nn.ConvTranspose${spatial.length}d(${channels[0]}, ${out}, ${kernel}${options})`]],
    code: `${layer}.forward(${value.name})`,
    shapes: [[batch, fixed(out), ...spatial.map((size) => combine(grown, size))]],
  };
}

export function pool(random, chain) {
  const value = chain.recent(random, ({ shape }) => [3, 4].includes(shape.length));
  if (!value) return null;
  const [batch, channels, ...spatial] = value.shape;
  const kind = random.pick(['MaxPool', 'AvgPool']);
  const window = { ...drawWindow(random), ceil: random.chance(0.2) };
  if (kind === 'AvgPool') window.dilation = 1;
  // onnxruntime counts windows that start in the padding at the end; ONNX says that they are ignored.
  window.ceil &&= !spatial.some((size) => size.some((n) => startsInPadding(n, window)));
  // A window of padding only has no largest element: onnxruntime gives the least float, we minus infinity.
  if (window.dilation > 1) window.padding = 0;
  const layer = chain.fresh('m');
  const options = list([
    `stride: ${window.stride}`,
    window.padding && `padding: ${window.padding}`,
    window.dilation !== 1 && `dilation: ${window.dilation}`,
    window.ceil && 'ceilMode: true',
    kind === 'AvgPool' && random.chance(0.3) && 'countIncludePad: false',
  ]);
  return {
    setup: [[layer, `new om.nn.${kind}${spatial.length}d(${window.kernel}${options})`]],
    code: `${layer}.forward(${value.name})`,
    shapes: [[batch, channels, ...spatial.map((size) => combine((n) => windowed(n, window), size))]],
  };
}

export function upsample(random, chain) {
  const value = chain.recent(random, ({ shape }) => shape.length === 4);
  if (!value) return null;
  const [batch, channels, ...spatial] = value.shape;
  const mode = random.pick(['nearest', 'bilinear']);
  const layer = chain.fresh('m');
  return {
    setup: [[layer, `new om.nn.Upsample({ scaleFactor: [2, 2], mode: '${mode}' })`]],
    code: `${layer}.forward(${value.name})`,
    shapes: [[batch, channels, ...spatial.map((size) => combine((n) => 2 * n, size))]],
  };
}
