// Resize and what it was called before; GridSample.

#include "core/error.h"
#include "onnx/opsets/rule.h"

namespace onemodel {
namespace {

std::string scales_constant(const FileNode& node, const std::vector<double>& scales, ConversionHost& host) {
  const Tensor factors = Tensor::from(std::span<const double>(scales), {static_cast<int64_t>(scales.size())});
  return host.add_constant(node.name + "_scales", factors.cast(DType::f32));
}

// Before opset 11 places were asymmetric and rounded down, and there was no roi; before opset 10 it was Upsample, whose
// scales were attributes before opset 9 and two of them before opset 7.
void resize(FileNode& node, int64_t, ConversionHost& host) {
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
  set_text(node, "nearest_mode", "floor");
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
