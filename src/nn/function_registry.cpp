// Functions of tensors by name, beside the losses, for script.

#include "eager/functions_activation.h"
#include "eager/functions_attention.h"
#include "eager/functions_joining.h"
#include "eager/functions_norm.h"
#include "nn/activations.h"
#include "nn/function_traits.h"
#include "nn/random.h"
#include "nn/rectifiers.h"

namespace onemodel::nn {
namespace {

constexpr Input kPair[] = {{"x1", "values"}, {"x2", "values of as many axes, which broadcast with x1"}};
constexpr Input kPRelu[] = {{"input", "values"}, {"weight", "slopes below zero: one, or one per channel (axis 1)"}};
constexpr Input kPad[] = {
    {"input", "values"},
    {"pad", "elements before and after the last axis, then the one before it, …; negative ones remove", Input::required,
     true}};
constexpr Input kAttention[] = {{"query", "[…, L, E]"},
                                {"key", "[…, S, E]"},
                                {"value", "[…, S, V]"},
                                {"attn_mask",
                                 "broadcasts to […, L, S], but [batch, L, S] beside [batch, heads, L, E] serves all "
                                 "heads: bool, true where a key takes "
                                 "part, or what is added",
                                 Input::optional}};

struct AttentionFields {
  double dropout_p = 0;
  bool is_causal = false;
  std::optional<double> scale;
  bool enable_gqa = false;
  static constexpr auto fields() {
    using O = AttentionFields;
    return std::tuple{field("dropout_p", &O::dropout_p, "probability of dropout of the weights"),
                      field("is_causal", &O::is_causal, "whether query i sees keys 0 … i only"),
                      field("scale", &O::scale, "factor of the products; 1 / √E when left out"),
                      field("enable_gqa", &O::enable_gqa, "whether a head of key and value serves several of query")};
  }
};

struct PadFields {
  std::string mode = "constant";
  double value = 0;
  static constexpr auto fields() {
    return std::tuple{field("mode", &PadFields::mode, "constant, reflect, replicate or circular"),
                      field("value", &PadFields::value, "what constant mode puts there")};
  }
};

struct NormalizeFields {
  double p = 2;
  int64_t dim = 1;
  double eps = 1e-12;
  static constexpr auto fields() {
    using O = NormalizeFields;
    return std::tuple{field("p", &O::p, "exponent of the norm, or infinity"), field("dim", &O::dim, "axis"),
                      field("eps", &O::eps, "the smallest divisor")};
  }
};

struct CosineFields {
  int64_t dim = 1;
  double eps = 1e-8;
  static constexpr auto fields() {
    return std::tuple{field("dim", &CosineFields::dim, "axis"), field("eps", &CosineFields::eps, "the smallest norm")};
  }
};

struct NormFields {
  double p = 2;
  Sizes dim;
  bool keepdim = false;
  static constexpr auto fields() {
    using O = NormFields;
    return std::tuple{field("p", &O::p, "exponent, or infinity"), field("dim", &O::dim, "axes; all when empty"),
                      field("keepdim", &O::keepdim, "whether the axes stay with extent 1")};
  }
};

struct VarFields {
  Sizes dim;
  int64_t correction = 1;
  bool keepdim = false;
  static constexpr auto fields() {
    using O = VarFields;
    return std::tuple{field("dim", &O::dim, "axes; all when empty"),
                      field("correction", &O::correction, "by which the divisor is less than the count"),
                      field("keepdim", &O::keepdim, "whether the axes stay with extent 1")};
  }
};

Tensor call_attention(Given tensors, const AttentionFields& o) {
  return scaled_dot_product_attention(tensors[0], tensors[1], tensors[2], tensors[3],
                                      {o.dropout_p, o.is_causal, o.scale, o.enable_gqa, &default_generator()});
}
Tensor call_prelu(Given tensors, const NoOptions&) { return prelu(tensors[0], tensors[1]); }
Tensor call_pad(Given tensors, const PadFields& o) {
  return pad(tensors[0], tensors[1].to_vector<int64_t>(), o.mode, o.value);
}
Tensor call_normalize(Given tensors, const NormalizeFields& o) { return normalize(tensors[0], o.p, o.dim, o.eps); }
Tensor call_cosine(Given tensors, const CosineFields& o) {
  return cosine_similarity(tensors[0], tensors[1], o.dim, o.eps);
}
Tensor call_norm(Given tensors, const NormFields& o) { return norm(tensors[0], o.p, o.dim.values, o.keepdim); }
Tensor call_var(Given tensors, const VarFields& o) { return var(tensors[0], o.dim.values, o.correction, o.keepdim); }
Tensor call_std(Given tensors, const VarFields& o) {
  return onemodel::std(tensors[0], o.dim.values, o.correction, o.keepdim);
}

}  // namespace

std::vector<FunctionTraits> tensor_functions() {
  constexpr auto method = FunctionTraits::method;
  return {
      function_of<AttentionFields, &call_attention>("scaled_dot_product_attention",
                                                    "softmax(query keyᵀ scale + mask) value", kAttention),
      function_of<NormalizeFields, &call_normalize>("normalize", "input / max(its norm along dim, eps)", kOneInput),
      function_of<CosineFields, &call_cosine>(
          "cosine_similarity", "products along dim, each operand divided by its norm or eps if that is larger", kPair),
      function_of<PadFields, &call_pad>("pad", "the input with elements around it", kPad),
      function_of<NoOptions, &call_prelu>("prelu", "x for x >= 0, weight x below", kPRelu),
      module_function<LeakyReLU>("leaky_relu"),
      module_function<GELU>("gelu"),
      module_function<Hardsigmoid>("hardsigmoid"),
      module_function<Hardswish>("hardswish"),
      module_function<SiLU>("silu"),
      module_function<Mish>("mish"),
      module_function<SELU>("selu"),
      module_function<Softsign>("softsign"),
      module_function<LogSigmoid>("logsigmoid"),
      module_function<ReLU6>("relu6"),
      module_function<ELU>("elu"),
      module_function<CELU>("celu"),
      module_function<Softplus>("softplus"),
      module_function<Hardtanh>("hardtanh"),
      module_function<GLU>("glu"),
      function_of<NormFields, &call_norm>("norm", "(Σ |x|^p)^(1/p) over axes", kOneInput, method),
      function_of<VarFields, &call_var>("var", "the mean square distance from the mean over axes", kOneInput, method),
      function_of<VarFields, &call_std>("std", "the square root of var", kOneInput, method),
  };
}

}  // namespace onemodel::nn
