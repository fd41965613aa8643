#include "onnx/needed_opset.h"

#include <algorithm>
#include <string_view>

#include "ops/cast.h"
#include "ops/matmul_integer.h"
#include "ops/quantize_linear.h"

namespace onemodel {
namespace {

// Those that take bfloat16 since opset 22.
constexpr std::string_view kBFloat16[] = {"Acos",
                                          "Acosh",
                                          "Asin",
                                          "Asinh",
                                          "Atan",
                                          "Atanh",
                                          "AveragePool",
                                          "Bernoulli",
                                          "Conv",
                                          "ConvTranspose",
                                          "Cos",
                                          "Cosh",
                                          "DeformConv",
                                          "Det",
                                          "Dropout",
                                          "Elu",
                                          "EyeLike",
                                          "GRU",
                                          "GlobalAveragePool",
                                          "GridSample",
                                          "HardSigmoid",
                                          "HardSwish",
                                          "InstanceNormalization",
                                          "LSTM",
                                          "LpNormalization",
                                          "MaxPool",
                                          "MaxUnpool",
                                          "Mish",
                                          "Multinomial",
                                          "RNN",
                                          "RandomNormal",
                                          "RandomNormalLike",
                                          "RandomUniform",
                                          "RandomUniformLike",
                                          "RoiAlign",
                                          "Round",
                                          "Selu",
                                          "Sin",
                                          "Sinh",
                                          "Softplus",
                                          "Softsign",
                                          "Tan",
                                          "ThresholdedRelu"};

bool is_wide(DType dtype) { return is_integer(dtype) && dtype_size(dtype) == 2; }

// The opset that came with an element type.
int64_t opset_of(DType dtype) {
  switch (dtype) {
    case DType::u4:
    case DType::i4: return 21;
    case DType::f4e2m1: return 23;
    case DType::f8e8m0: return 24;
    case DType::u2:
    case DType::i2: return 25;
    default: return kLowestWrittenOpset;
  }
}

class Needs {
 public:
  explicit Needs(const Graph& graph) : graph_(graph) {}

  int64_t of(const Node& node) const {
    int64_t opset = kLowestWrittenOpset;
    for (const auto& body : node.bodies) opset = std::max(opset, needed_opset(*body));
    if (const auto* op = node.op.as<Cast>(); op && op->round_mode) return std::max<int64_t>(opset, 24);
    if (const auto* op = node.op.as<QuantizeLinear>()) return std::max(opset, of_quantised(*op, node));
    if (const auto* op = node.op.as<DequantizeLinear>()) return std::max(opset, of_dequantised(*op, node));
    if (node.op.is<QLinearMatMul>() && dtype_of(node, 1) != DType::f32) return std::max<int64_t>(opset, 21);
    const bool narrow = dtype_of(node, 0) == DType::bf16 || result_of(node) == DType::bf16;
    const bool is_listed = narrow && std::ranges::find(kBFloat16, node.op.name()) != std::end(kBFloat16);
    return is_listed ? std::max<int64_t>(opset, 22) : opset;
  }

 private:
  DType dtype_of(const Node& node, size_t input) const {
    const bool has = input < node.inputs.size() && node.inputs[input] != kNone;
    return has ? graph_.value(node.inputs[input]).type.dtype : DType::undefined;
  }
  DType result_of(const Node& node) const {
    return node.outputs[0] == kNone ? DType::undefined : graph_.value(node.outputs[0]).type.dtype;
  }

  // Blocks, 16-bit integers and output_dtype came with opset 21, precision and a scale of another type with 23.
  int64_t of_quantised(const QuantizeLinear& op, const Node& node) const {
    const DType x = dtype_of(node, 0), scale = dtype_of(node, 1);
    const bool is_mixed = x != scale && x != DType::undefined && scale != DType::undefined;
    if (op.precision != DType::undefined || is_mixed) return 23;
    return op.block_size || op.output_dtype != DType::undefined || is_wide(result_of(node)) ? 21 : kLowestWrittenOpset;
  }
  int64_t of_dequantised(const DequantizeLinear& op, const Node& node) const {
    if (op.output_dtype != DType::undefined) return 23;
    return op.block_size || is_wide(dtype_of(node, 0)) ? 21 : kLowestWrittenOpset;
  }

  const Graph& graph_;
};

}  // namespace

int64_t needed_opset(const Graph& graph) {
  int64_t opset = kLowestWrittenOpset;
  for (const Value& value : graph.values) opset = std::max(opset, opset_of(value.type.dtype));
  for (const Node& node : graph.nodes) opset = std::max(opset, Needs(graph).of(node));
  return opset;
}

int64_t ir_version_of(int64_t opset) { return opset < 21 ? 9 : opset < 23 ? 10 : opset - 12; }

}  // namespace onemodel
