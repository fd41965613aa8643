// Resize, GridSample, Pad and operators that move pixels.

import { float, single } from '../model.mjs';
import { numeric, tensor } from '../numbers.mjs';

const modes = ['nearest', 'nearest', 'linear', 'linear', 'cubic'];
const transforms = [
  'half_pixel',
  'half_pixel_symmetric',
  'pytorch_half_pixel',
  'align_corners',
  'asymmetric',
  'tf_crop_and_resize',
];
const roundings = ['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil'];

/** Sizes or scales of a Resize over the last axes. */
function target(draw, spatial, leading) {
  const scales = spatial.map(() => draw.pick([0.5, 0.6, 1, 1.5, 2, 2.4, 3]));
  const bySizes = draw.chance(0.4);
  const sizes = spatial.map((size) => draw.from(1, size * 2 + 1));
  return {
    scales: bySizes ? null : draw.operand('float32', [...leading.map(() => 1), ...scales]),
    sizes: bySizes ? draw.operand('int64', [...leading, ...sizes]) : null,
  };
}

export const image = {
  Resize: (draw) => {
    const mode = draw.pick(modes);
    const rank = mode === 'cubic' ? 2 : draw.pick([1, 2, 2, 3]);
    const spatial = Array.from({ length: rank }, () => draw.from(1, 6));
    const leading = [draw.from(1, 2), draw.from(1, 3)];
    const { scales, sizes } = target(draw, spatial, leading);
    const transform = draw.pick(transforms);
    const rank2 = leading.length + rank;
    const cropped = transform === 'tf_crop_and_resize';
    const roi = cropped
      ? draw.operand(
          'float32',
          [...leading.map(() => 0), ...spatial.map(() => 0.125), ...leading.map(() => 1), ...spatial.map(() => 0.875)],
          [2 * rank2],
        )
      : null;
    const attributes = {
      mode,
      coordinate_transformation_mode: draw.maybe(transform, cropped ? 1 : 0.8),
      nearest_mode: mode === 'nearest' ? draw.maybe(draw.pick(roundings), 0.8) : undefined,
      cubic_coeff_a: mode === 'cubic' ? draw.maybe(float(-0.5)) : undefined,
      exclude_outside: mode === 'cubic' && !cropped ? draw.maybe(draw.from(0, 1)) : undefined,
      extrapolation_value: cropped ? draw.maybe(float(2.5)) : undefined,
      antialias: mode !== 'nearest' && !cropped ? draw.maybe(1, 0.25) : undefined,
    };
    const opset = attributes.antialias || transform === 'half_pixel_symmetric' ? 19 : draw.pick([11, 13, 18, 19]);
    const dtype = draw.pick(['float32', 'float32', 'float32', 'uint8', 'int32']);
    const x = draw.tensor(mode === 'nearest' ? dtype : 'float32', [...leading, ...spatial]);
    const empty = { ...tensor('float32', []), constant: true };
    return single(
      'Resize',
      [x, opset < 13 && !roi ? empty : roi, scales ?? (opset < 13 ? empty : null), sizes],
      attributes,
      { opset },
    );
  },
  Upsample: (draw) => {
    const dims = [1, draw.from(1, 2), draw.from(1, 4), draw.from(1, 4)];
    const scales = { ...tensor('float32', [1, 1, draw.pick([1, 2, 3]), draw.pick([1, 2, 1.5])]), constant: true };
    return single(
      'Upsample',
      [draw.tensor('float32', dims), scales],
      { mode: draw.pick(['nearest', 'linear']) },
      { opset: 9 },
    );
  },
  GridSample: (draw) => {
    const rank = draw.pick([2, 2, 2, 3]);
    const spatial = Array.from({ length: rank }, () => draw.from(1, 5));
    const places = Array.from({ length: rank }, () => draw.from(1, 3));
    const mode = draw.pick(rank === 2 ? ['linear', 'nearest', 'cubic'] : ['linear', 'nearest']);
    const inputs = [
      draw.tensor('float32', [2, draw.from(1, 2), ...spatial]),
      draw.tensor('float32', [2, ...places, rank], { low: -1.6, high: 1.6 }),
    ];
    return single('GridSample', inputs, {
      mode: draw.maybe(mode, mode === 'linear' ? 0.5 : 1),
      padding_mode: draw.maybe(draw.pick(['zeros', 'border', 'reflection'])),
      align_corners: draw.maybe(draw.from(0, 1)),
    });
  },
  Pad: (draw) => {
    const mode = draw.pick(['constant', 'constant', 'reflect', 'edge', 'wrap']);
    const dims = draw.shape(1, 4, mode === 'constant' ? 0.1 : 0);
    const axes = draw.chance(0.3) ? draw.axes(dims.length, 1) : null;
    const of = (axes ?? [...dims.keys()]).map((axis) => dims.at(axis));
    const least = (size) => (mode === 'constant' ? -Math.floor((size - 1) / 2) : 0);
    const most = (size) => (mode === 'constant' ? 3 : mode === 'reflect' ? size - 1 : mode === 'wrap' ? size : 3);
    const pads = [...of, ...of].map((size) => draw.from(Math.min(0, draw.chance(0.3) ? least(size) : 0), most(size)));
    const dtype = draw.pick([...numeric, 'bool']);
    const value =
      mode === 'constant' && draw.chance(0.6) ? { ...draw.tensor(dtype, []), constant: draw.chance(0.5) } : null;
    const inputs = [draw.tensor(dtype, dims), draw.operand('int64', pads), value];
    if (axes) inputs.push(draw.operand('int64', axes));
    return single('Pad', value || axes ? inputs : inputs.slice(0, 2), {
      mode: draw.maybe(mode, mode === 'constant' ? 0.5 : 1),
    });
  },
  DepthToSpace: (draw) => {
    const block = draw.from(1, 3);
    const dims = [draw.from(1, 2), block * block * draw.from(1, 2), draw.from(1, 3), draw.from(1, 3)];
    return single('DepthToSpace', [draw.tensor(draw.pick(['float32', 'float64', 'uint8']), dims)], {
      blocksize: block,
      mode: draw.maybe(draw.pick(['DCR', 'CRD'])),
    });
  },
  SpaceToDepth: (draw) => {
    const block = draw.from(1, 3);
    const dims = [draw.from(1, 2), draw.from(1, 3), block * draw.from(1, 3), block * draw.from(1, 3)];
    return single('SpaceToDepth', [draw.tensor(draw.pick(['float32', 'float64']), dims)], { blocksize: block });
  },
  RoiAlign: (draw) => {
    const [h, w] = [draw.from(3, 8), draw.from(3, 8)];
    const rois = Array.from({ length: draw.from(1, 3) }, () => {
      const [x, y] = [draw.next() * w * 0.5, draw.next() * h * 0.5];
      return [x, y, x + draw.next() * w, y + draw.next() * h];
    });
    const batch = rois.map(() => draw.from(0, 1));
    const inputs = [
      draw.tensor('float32', [2, 2, h, w]),
      tensor('float32', rois.flat(), [rois.length, 4]),
      tensor('int64', batch),
    ];
    return single(
      'RoiAlign',
      inputs,
      {
        mode: draw.maybe(draw.pick(['avg', 'max'])),
        output_height: draw.maybe(draw.from(1, 3)),
        output_width: draw.maybe(draw.from(1, 3)),
        sampling_ratio: draw.maybe(draw.from(0, 3)),
        spatial_scale: draw.maybe(float(0.5)),
        coordinate_transformation_mode: draw.maybe(draw.pick(['half_pixel', 'output_half_pixel'])),
      },
      { opset: 16 },
    );
  },
  Col2Im: (draw) => {
    const size = [draw.from(2, 5), draw.from(2, 5)];
    const kernel = size.map((n) => draw.from(1, n));
    const blocks = size.map((n, i) => n - kernel[i] + 1);
    const dims = [draw.from(1, 2), 2 * kernel[0] * kernel[1], blocks[0] * blocks[1]];
    return single('Col2Im', [draw.tensor('float32', dims), draw.operand('int64', size), draw.operand('int64', kernel)]);
  },
};
