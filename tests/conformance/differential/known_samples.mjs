// Sample calls of which onnxruntime-web 1.30 gives something else or nothing. `pattern`: of the call and what is said of the
// difference; `kinds`: what it may be, each of which there is; `reason`: why ours is right, or is not wrong.

const refuses = ['onnxruntime-web refuses'];
const both = [...refuses, 'values'];

export const knownDifferences = [
  { pattern: /unsupported (data )?type/, kinds: refuses, reason: 'its JavaScript interface has no such type' },
  {
    pattern: /"hidden_size"|activations_\.size\(\)/,
    kinds: refuses,
    reason: 'recurrent operators: it demands hidden_size and activations, which ONNX lets a node leave out',
  },
  {
    pattern: /^Mod.*modulo by zero/,
    kinds: refuses,
    reason: 'Mod: it refuses to divide by zero, which ONNX does not forbid',
  },
  {
    pattern: /^(Pad|Slice) of float32\[\]/,
    kinds: refuses,
    reason: 'Pad and Slice: it refuses scalars, whose lists of pads and axes are empty',
  },
  {
    pattern: /^OneHot of int64\[\]: .*rank >= 1/,
    kinds: refuses,
    reason:
      'OneHot: it refuses a scalar; "The rank of the output tensor will be one greater than the rank of the input tensor"',
  },
  { pattern: /^OneHot.*Depth is negative/, kinds: refuses, reason: 'OneHot: it refuses a depth of 0' },
  {
    pattern: /^NonZero of int64\[\]/,
    kinds: ['shape'],
    reason: 'NonZero: "for scalar input, NonZero produces output shape (0, N) instead of (1, N)"',
  },
  {
    pattern: /^Cast\(to=[23]\) of float32\[2, 3\]/,
    kinds: ['values'],
    reason: 'Cast: "Casting from floating point to fixed point: undefined if OOR"; ours is the nearest number',
  },
  {
    pattern: /^Cast\(.*Attribute (saturate|round_mode) is only/,
    kinds: refuses,
    reason: 'Cast: it refuses saturate and round_mode where they have no effect',
  },
  {
    pattern: /^Dropout\(seed=/,
    kinds: ['values'],
    reason: 'Dropout: in training its numbers are drawn anew',
  },
  {
    pattern: /^QuantizeLinear\(.*precision=/,
    kinds: both,
    reason:
      'QuantizeLinear: "precision: The precision of the division operation between x and y_scale", which it ignores or refuses',
  },
  {
    pattern: /^(MatMulInteger|QLinearMatMul|ConvInteger).*(IsScalarOr1ElementVector|Non per-tensor)/,
    kinds: refuses,
    reason: 'integer products: it refuses zero points and scales for each row or channel',
  },
  { pattern: /^LRN.*size_ % 2/, kinds: refuses, reason: 'LRN: it refuses an even size' },
  { pattern: /^LRN.*NumDimensions\(\) == 4/, kinds: refuses, reason: 'LRN: it refuses other than two spatial axes' },
  {
    pattern: /^ConvTranspose\(auto_pad="SAME_LOWER", strides=\[3, 3\]\)/,
    kinds: refuses,
    reason: 'ConvTranspose: "pad the input so that output_shape[i] = input_shape[i] * strides[i]"',
  },
  {
    pattern: /^Resize\(axes=\[2, 3\], coordinate_transformation_mode="tf_crop_and_resize"/,
    kinds: refuses,
    reason: 'Resize: "output_dimension = floor(input_dimension * (roi_end - roi_start) * scale)"',
  },
  {
    pattern: /^Resize\(axes=\[-2, -1\], keep_aspect_ratio_policy="not_smaller"\)/,
    kinds: ['shape'],
    reason: 'Resize: "Accepted range is [-r, r-1]"; it does not count negative axes',
  },
  {
    pattern: /^Resize\(antialias=1\).*anti-aliasing/,
    kinds: refuses,
    reason: 'Resize: it refuses antialias where it has no effect',
  },
  {
    pattern: /^Resize\(.*mode="cubic"\) of float32\[2, 1, 5\]/,
    kinds: refuses,
    reason: 'Resize: it refuses cubic along one axis',
  },
  {
    pattern: /^MaxUnpool\(.*\) of float32\[1, 1, 2, 2\]/,
    kinds: ['values'],
    reason: "MaxUnpool: indices are of the shape without output_shape, as in ONNX's own test with one",
  },
  {
    pattern: /^GridSample\(.*mode="cubic", padding_mode="border"\)/,
    kinds: ['values'],
    reason: 'GridSample: "border: use border values for out-of-bound grid locations"',
  },
  {
    pattern: /^GridSample\(mode="bi(linear|cubic)"/,
    kinds: refuses,
    reason: 'GridSample: it refuses the names that modes had in opset 16, which are read here as well',
  },
  { pattern: /^GridSample.*NumDimensions\(\) == 4/, kinds: refuses, reason: 'GridSample: it refuses one spatial axis' },
  {
    pattern: /^(DFT|STFT).*must be (a )?scalar/,
    kinds: refuses,
    reason: 'DFT and STFT: it refuses a list of one number as a length, which is read here as a number',
  },
  {
    pattern: /^DFT\(inverse=1, onesided=1\) of float32\[2, 6, 1\]/,
    kinds: refuses,
    reason: 'DFT: it refuses to give one side of the inverse of a real signal',
  },
  {
    pattern: /^STFT\(onesided=0\) of float32\[1, 9, 2\]/,
    kinds: ['values'],
    reason: 'STFT: of a complex signal with a window it gives numbers from beyond the signal',
  },
  {
    pattern: /^STFT of float32\[2, 12, 1\].*must be >= 0/,
    kinds: refuses,
    reason: 'STFT: it refuses to take the whole signal as a frame where neither a window nor a length is given',
  },
];
