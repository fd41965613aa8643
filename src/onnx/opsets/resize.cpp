// Resize and what it was called before; GridSample.

#include <algorithm>

#include "core/error.h"
#include "onnx/opsets/rule.h"

namespace onemodel {
namespace {

std::string scales_constant(const FileNode& node, const std::vector<double>& scales, ConversionHost& host) {
  const Tensor factors = Tensor::from(std::span<const double>(scales), {static_cast<int64_t>(scales.size())});
  return host.add_constant(node.name + "_scales", factors.cast(DType::f32));
}

// The nearest place was the one before along axes that grow, and the one after along those that shrink. Where both may
// be, one Resize shrinks and the next grows.
void round_places(FileNode& node, ConversionHost& host, bool may_shrink) {
  set_text(node, "nearest_mode", "floor");
  if (node.inputs.size() != 3) return;
  bool may_grow = true;
  if (const Tensor known = host.constant_of(node.inputs[2]); known.defined()) {
    const std::vector<double> scales = known.to_vector<double>();
    may_shrink = std::ranges::any_of(scales, [](double scale) { return scale < 1; });
    may_grow = std::ranges::any_of(scales, [](double scale) { return scale > 1; });
  }
  if (!may_shrink) return;
  FileNode shrinking = node;
  set_text(shrinking, "nearest_mode", "ceil");
  if (!may_grow) return std::swap(node, shrinking);
  NodeWriter writer(node, host);
  const NodeWriter::Ref scales = writer.input(2), one = writer.number(1, DType::f32);
  shrinking.name.clear();
  shrinking.inputs[2] = writer.make("Min", {scales, one});
  shrinking.outputs = {std::string(writer.fresh("shrunk"))};
  node.inputs[0] = shrinking.outputs[0];
  writer.emit(std::move(shrinking));
  node.inputs[2] = writer.make("Max", {scales, one});
}

// Before opset 11 places were asymmetric, and there was no roi; before opset 10 it was Upsample, which only grew, whose
// scales were attributes before opset 9 and two of them before opset 7.
void resize(FileNode& node, int64_t, ConversionHost& host) {
  const bool may_shrink = node.type == "Resize";
  std::vector<double> scales = take_reals(node, "scales");
  if (has_attribute(node, "height_scale") || has_attribute(node, "width_scale"))
    scales = {1, 1, take_real(node, "height_scale", 1), take_real(node, "width_scale", 1)};
  if (!scales.empty()) {
    node.inputs.resize(1);
    node.inputs.push_back(scales_constant(node, scales, host));
  }
  const std::string mode = take_text(node, "mode", "nearest");
  set_text(node, "mode", mode == "bilinear" ? "linear" : mode);
  if (node.inputs.size() == 2) node.inputs.insert(node.inputs.begin() + 1, std::string());
  node.type = "Resize";
  set_text(node, "coordinate_transformation_mode", "asymmetric");
  if (mode == "nearest") round_places(node, host, may_shrink);
}

void grid_sample(FileNode& node, int64_t, ConversionHost&) {
  const std::string mode = take_text(node, "mode", "bilinear");
  set_text(node, "mode", mode == "bilinear" ? "linear" : mode == "bicubic" ? "cubic" : mode);
}

constexpr OpsetRule kRules[] = {
    {"Resize", 11, resize}, {"Upsample", kEveryOpset, resize}, {"GridSample", 20, grid_sample}};

}  // namespace

std::span<const OpsetRule> resize_rules() { return kRules; }

}  // namespace onemodel
