// What layers compute as functions by name, for script: their parameters are operands.

#include "eager/functions_attention.h"
#include "eager/functions_norm.h"
#include "nn/conv_functions.h"
#include "nn/function_traits.h"
#include "nn/layers.h"

namespace onemodel::nn {
namespace {

constexpr Input kLinear[] = {{"input", "[…, in]"}, {"weight", "[out, in]"}, {"bias", "[out]", Input::optional}};
constexpr Input kConv[] = {{"input", "[batch, channels, …], or without the batch"},
                           {"weight", "[out, in / groups, …]"},
                           {"bias", "[out]", Input::optional}};
constexpr Input kConvTranspose[] = {{"input", "[batch, channels, …], or without the batch"},
                                    {"weight", "[in, out / groups, …]"},
                                    {"bias", "[out]", Input::optional}};
constexpr Input kEmbedding[] = {{"input", "int64 or int32 indices"}, {"weight", "[count, width]"}};
constexpr Input kLayerNorm[] = {{"input", "values"},
                                {"normalized_shape", "extents of the last axes", Input::required, true},
                                {"weight", "of that shape", Input::optional},
                                {"bias", "of that shape", Input::optional}};
constexpr Input kGroupNorm[] = {{"input", "[batch, channels, …]"},
                                {"num_groups", "groups, which divide the channels", Input::required, true},
                                {"weight", "[channels]", Input::optional},
                                {"bias", "[channels]", Input::optional}};
constexpr Input kBatchNorm[] = {{"input", "[batch, channels, …]"},
                                {"running_mean", "[channels]", Input::optional},
                                {"running_var", "[channels]", Input::optional},
                                {"weight", "[channels]", Input::optional},
                                {"bias", "[channels]", Input::optional}};

struct EmbeddingFields {
  std::optional<int64_t> padding_idx;
  static constexpr auto fields() {
    return std::tuple{field("padding_idx", &EmbeddingFields::padding_idx, "a row that gets no gradient")};
  }
};

struct EpsFields {
  double eps = 1e-5;
  static constexpr auto fields() { return std::tuple{field("eps", &EpsFields::eps, "added to the variance")}; }
};

struct BatchNormFields {
  bool training = false;
  double momentum = 0.1, eps = 1e-5;
  static constexpr auto fields() {
    using O = BatchNormFields;
    return std::tuple{
        field("training", &O::training, "whether the batch's statistics are used, and the running ones move"),
        field("momentum", &O::momentum, "weight of a batch in the running statistics"),
        field("eps", &O::eps, "added to the variance")};
  }
};

struct InstanceNormFields {
  bool use_input_stats = true;
  double momentum = 0.1, eps = 1e-5;
  static constexpr auto fields() {
    using O = InstanceNormFields;
    return std::tuple{field("use_input_stats", &O::use_input_stats,
                            "whether the input's statistics are used, and the running ones move"),
                      field("momentum", &O::momentum, "weight of an input in the running statistics"),
                      field("eps", &O::eps, "added to the variance")};
  }
};

Tensor call_linear(Given x, const NoOptions&) { return linear(x[0], x[1], x[2]); }
Tensor call_embedding(Given x, const EmbeddingFields& o) { return embedding(x[0], x[1], o.padding_idx); }
Tensor call_layer_norm(Given x, const EpsFields& o) {
  return layer_norm(x[0], x[1].to_vector<int64_t>(), x[2], x[3], o.eps);
}
Tensor call_group_norm(Given x, const EpsFields& o) {
  check(x[1].numel() == 1, "group_norm: num_groups must be one number, got ", x[1].numel());
  return group_norm(x[0], x[1].to_vector<int64_t>().front(), x[2], x[3], o.eps);
}
Tensor call_batch_norm(Given x, const BatchNormFields& o) {
  return batch_norm(x[0], {x[3], x[4], x[1], x[2]}, o.training, o.momentum, o.eps);
}
Tensor call_instance_norm(Given x, const InstanceNormFields& o) {
  return instance_norm(x[0], x[1], x[2], x[3], x[4], o.use_input_stats, o.momentum, o.eps);
}

Tensor call_interpolate(Given x, const UpsampleOptions& o) {
  std::optional<std::vector<int64_t>> size;
  std::optional<std::vector<double>> scale_factor;
  if (o.size) size = o.size->values;
  if (o.scale_factor) scale_factor = o.scale_factor->values;
  return interpolate(x[0], size, scale_factor, o.mode, o.align_corners);
}

// One call serves all numbers of axes, which are in the name.
template <class O, auto Function>
FunctionTraits convolution(std::string_view name, Doc doc, std::span<const Input> inputs) {
  return {name,
          doc,
          inputs,
          field_infos<O>(),
          [](std::string_view name, Given x, Values values) {
            return Function(name, x[0], x[1], x[2], from_values<O>(name, values));
          },
          FunctionTraits::functional};
}
FunctionTraits conv(std::string_view name) {
  return convolution<ConvFunctionOptions, &conv_function>(
      name, "cross-correlation of the input with the weight, plus the bias", kConv);
}
FunctionTraits conv_transpose(std::string_view name) {
  return convolution<ConvTransposeFunctionOptions, &conv_transpose_function>(name, "transpose of the convolution",
                                                                             kConvTranspose);
}

}  // namespace

std::vector<FunctionTraits> layer_functions() {
  return {
      function_of<NoOptions, &call_linear>("linear", "the input times the transposed weight, plus the bias", kLinear),
      conv("conv1d"),
      conv("conv2d"),
      conv("conv3d"),
      conv_transpose("conv_transpose1d"),
      conv_transpose("conv_transpose2d"),
      conv_transpose("conv_transpose3d"),
      function_of<EmbeddingFields, &call_embedding>("embedding", "the rows that the input names", kEmbedding),
      function_of<EpsFields, &call_layer_norm>("layer_norm", "normalises over the last axes", kLayerNorm),
      function_of<EpsFields, &call_group_norm>("group_norm", "normalises over groups of channels", kGroupNorm),
      function_of<BatchNormFields, &call_batch_norm>("batch_norm", "normalises each channel", kBatchNorm),
      function_of<InstanceNormFields, &call_instance_norm>("instance_norm", "normalises each channel of each example",
                                                           kBatchNorm),
      module_function<MaxPool1d>("max_pool1d"),
      module_function<MaxPool2d>("max_pool2d"),
      module_function<MaxPool3d>("max_pool3d"),
      module_function<AvgPool1d>("avg_pool1d"),
      module_function<AvgPool2d>("avg_pool2d"),
      module_function<AvgPool3d>("avg_pool3d"),
      module_function<AdaptiveAvgPool1d>("adaptive_avg_pool1d"),
      module_function<AdaptiveAvgPool2d>("adaptive_avg_pool2d"),
      module_function<AdaptiveAvgPool3d>("adaptive_avg_pool3d"),
      module_function<AdaptiveMaxPool1d>("adaptive_max_pool1d"),
      module_function<AdaptiveMaxPool2d>("adaptive_max_pool2d"),
      module_function<AdaptiveMaxPool3d>("adaptive_max_pool3d"),
      module_function<PixelShuffle>("pixel_shuffle"),
      module_function<Threshold>("threshold"),
      module_function<Hardshrink>("hardshrink"),
      module_function<Softshrink>("softshrink"),
      module_function<Softmin>("softmin"),
      function_of<UpsampleOptions, &call_interpolate>("interpolate", Upsample::kDoc, kOneInput),
  };
}

}  // namespace onemodel::nn
