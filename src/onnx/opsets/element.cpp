// Element types, defaults that changed, recurrent operators.

#include <utility>

#include "core/error.h"
#include "onnx/opsets/rule.h"

namespace onemodel {
namespace {

// Element types by name, as the first opsets had them.
void cast(FileNode& node, int64_t, ConversionHost&) {
  const auto to = node.attributes.find("to");
  if (to == node.attributes.end()) return;
  const auto* name = std::get_if<std::string>(&to->second);
  if (!name) return;
  constexpr std::pair<std::string_view, DType> names[] = {
      {"FLOAT", DType::f32},     {"UINT8", DType::u8},     {"INT8", DType::i8},    {"UINT16", DType::u16},
      {"INT16", DType::i16},     {"INT32", DType::i32},    {"INT64", DType::i64},  {"BOOL", DType::boolean},
      {"FLOAT16", DType::f16},   {"DOUBLE", DType::f64},   {"UINT32", DType::u32}, {"UINT64", DType::u64},
      {"BFLOAT16", DType::bf16}, {"STRING", DType::string}};
  for (const auto& [spelling, dtype] : names) {
    if (spelling != *name) continue;
    to->second = static_cast<int64_t>(dtype);
    return;
  }
  throw ModelError("Unsupported", concat("element type '", *name, "' is not supported"));
}

void selu(FileNode& node, int64_t, ConversionHost&) {
  node.attributes.emplace("alpha", 1.6732);
  node.attributes.emplace("gamma", 1.0507);
}

// Whether all steps are an output is told by the outputs.
void recurrent(FileNode& node, int64_t, ConversionHost&) { take_integer(node, "output_sequence", 0); }

void dft(FileNode& node, int64_t, ConversionHost&) { node.attributes.try_emplace("axis", int64_t{1}); }

void roi_align(FileNode& node, int64_t, ConversionHost&) {
  node.attributes.try_emplace("coordinate_transformation_mode", std::string("output_half_pixel"));
}

constexpr OpsetRule kRules[] = {
    {"Cast", kEveryOpset, cast}, {"Selu", 6, selu}, {"RNN", 7, recurrent},       {"GRU", 7, recurrent},
    {"LSTM", 7, recurrent},      {"DFT", 20, dft},  {"RoiAlign", 16, roi_align},
};

}  // namespace

std::span<const OpsetRule> element_rules() { return kRules; }

}  // namespace onemodel
