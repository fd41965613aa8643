// Grids and cropping.

#include "core/error.h"
#include "onnx/functions/families.h"

namespace onemodel {
namespace {

using Ref = NodeWriter::Ref;

// The middle of each axis: what is too long is cropped, what is too short padded with zeros.
void center_crop_pad(FunctionCall& call) {
  const Ref x = call.input(0);
  std::vector<int64_t> axes = call.integers_of("axes");
  if (axes.empty())
    for (size_t i = 0; i < call.rank(x); ++i) axes.push_back(static_cast<int64_t>(i));
  const Ref over = call.integers(axes), zero = call.integers({0}), two = call.integers({2});
  const Ref wanted = call.cast(call.input(1), DType::i64);
  const Ref sizes = call.make("Gather", {call.make("Shape", {x}), over}, {{"axis", 0}});
  const auto positive = [&](Ref a, Ref b) { return call.make("Max", {call.make("Sub", {a, b}), zero}); };
  const Ref start = call.make("Div", {positive(sizes, wanted), two});
  const Ref end = call.make("Add", {start, call.make("Min", {sizes, wanted})});
  const Ref cropped = call.make("Slice", {x, start, end, over});
  const Ref missing = positive(wanted, sizes), before = call.make("Div", {missing, two});
  const Ref pads = call.make("Concat", {before, call.make("Sub", {missing, before})}, {{"axis", 0}});
  call.give(0, "Pad", {cropped, pads, {}, over});
}

// Places from -1 to 1 along an axis: the middles of its cells, or with corners aligned their ends.
double place(int64_t i, int64_t extent, bool align_corners) {
  const double n = static_cast<double>(extent), at = static_cast<double>(i);
  if (align_corners) return extent > 1 ? 2 * at / (n - 1) - 1 : -1;
  return (2 * at + 1) / n - 1;
}

// [positions, axes + 1]: x, y (, z), 1 of each position, rows first.
Tensor places(std::span<const int64_t> extents, bool align_corners) {
  int64_t count = 1;
  for (const int64_t extent : extents) count *= extent;
  std::vector<double> out;
  for (int64_t position = 0; position < count; ++position) {
    int64_t rest = position;
    for (size_t i = extents.size(); i-- > 0; rest /= extents[i])
      out.push_back(place(rest % extents[i], extents[i], align_corners));
    out.push_back(1);
  }
  return Tensor::from(std::span<const double>(out), {count, static_cast<int64_t>(extents.size()) + 1});
}

void affine_grid(FunctionCall& call) {
  const Tensor size = call.constant(call.input(1));
  if (!size.defined()) throw ModelError("Unsupported", "operand 'size' needs to be a constant");
  std::vector<int64_t> dims = size.to_vector<int64_t>();
  if (dims.size() != 4 && dims.size() != 5) throw ModelError("Malformed", "operand 'size' expects 4 or 5 elements");
  constexpr int64_t kMostPlaces = int64_t{1} << 24;
  int64_t count = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 1 || (i >= 2 && dims[i] > kMostPlaces / count))
      throw ModelError("Malformed", concat("operand 'size' has ", dims[i], " at ", i, ", which is out of range"));
    if (i >= 2) count *= dims[i];
  }
  const Tensor base = places(std::span(dims).subspan(2), call.integer("align_corners", 0) != 0);
  const Ref theta = call.input(0);
  const Ref columns = call.make("Transpose", {theta}, "perm", std::vector<int64_t>{0, 2, 1});
  const Ref grid = call.make("MatMul", {call.add(base.cast(call.dtype(theta))), columns});
  std::vector<int64_t> shape{dims[0]};
  shape.insert(shape.end(), dims.begin() + 2, dims.end());
  shape.push_back(static_cast<int64_t>(dims.size()) - 2);
  call.give(0, "Reshape", {grid, call.integers(shape)});
}

constexpr Function kFunctions[] = {
    {"CenterCropPad", 2, 2, 1, center_crop_pad},
    {"AffineGrid", 2, 2, 1, affine_grid},
    {"ImageDecoder", 1, 1, 1, nullptr, "decoding image files is left to whoever feeds the model"}};

}  // namespace

std::span<const Function> image_functions() { return kFunctions; }

}  // namespace onemodel
