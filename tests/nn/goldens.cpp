#include "nn/goldens.h"

#include <algorithm>
#include <fstream>
#include <limits>

#include "eager/autograd.h"
#include "eager/functions.h"
#include "nn/layers.h"
#include "nn/registry.h"

namespace onemodel::test {
namespace {

double number(const nlohmann::json& value) {
  return value == "inf" ? std::numeric_limits<double>::infinity() : value.get<double>();
}

AttributeValue attribute(AttributeKind kind, const nlohmann::json& value) {
  if (kind == AttributeKind::real) return number(value);
  if (value.is_boolean()) return int64_t{value.get<bool>()};
  if (value.is_string()) return value.get<std::string>();
  if (kind == AttributeKind::reals && value.is_array()) return value.get<std::vector<double>>();
  if (kind == AttributeKind::reals) return value.get<double>();
  if (value.is_array()) return value.get<std::vector<int64_t>>();
  return value.get<int64_t>();
}

}  // namespace

const nlohmann::json& golden_section(const std::string& section) {
  static const nlohmann::json all = [] {
    std::ifstream file(std::string(ONEMODEL_TEST_DATA) + "/nn/goldens.json");
    return nlohmann::json::parse(file);
  }();
  return all.at(section);
}

std::vector<std::string> golden_names(const std::string& section) {
  std::vector<std::string> out;
  for (const auto& [name, value] : golden_section(section).items()) out.push_back(name);
  return out;
}

const nlohmann::json& golden(const std::string& section, const std::string& name) {
  return golden_section(section).at(name);
}

Tensor golden_tensor(const nlohmann::json& value, DType dtype) {
  const auto data = value.at("data").get<std::vector<double>>();
  return Tensor::from(std::span<const double>(data), value.at("shape").get<std::vector<int64_t>>()).cast(dtype);
}

Tensor golden_operand(const nlohmann::json& value) {
  if (value.is_null()) return {};
  if (value.is_array()) return Tensor::from_ints(value.get<std::vector<int64_t>>());
  return golden_tensor(value, dtype_from_name(value.at("dtype").get<std::string>()));
}

std::map<std::string, Tensor> golden_tensors(const nlohmann::json& values) {
  std::map<std::string, Tensor> out;
  for (const auto& [name, value] : values.items()) out.emplace(name, golden_tensor(value));
  return out;
}

std::vector<std::optional<AttributeValue>> golden_values(std::span<const FieldInfo> fields,
                                                         const nlohmann::json& arguments) {
  for (const auto& [name, value] : arguments.items())
    check(std::ranges::find(fields, name, &FieldInfo::name) != fields.end(), "there is no argument ", name);
  std::vector<std::optional<AttributeValue>> values;
  for (const FieldInfo& field : fields) {
    const auto found = arguments.find(std::string(field.name));
    const bool given = found != arguments.end() && !found->is_null();
    values.push_back(given ? std::optional(attribute(field.kind, *found)) : std::nullopt);
    if (found != arguments.end() && found->is_null() && field.optional && field.initial) values.back() = Tensor();
  }
  return values;
}

namespace {

// A stack of layers, of which there are no arguments as data.
template <class Stack, class Layer>
std::shared_ptr<nn::Module> stack_of(const nlohmann::json& arguments, const char* layer) {
  const auto norm = arguments.find("norm");
  return std::make_shared<Stack>(dynamic_cast<const Layer&>(*golden_architecture(arguments.at(layer))),
                                 arguments.at("num_layers").get<int64_t>(),
                                 norm == arguments.end() ? nullptr : golden_architecture(*norm));
}

nn::TransformerOptions transformer_options(const nlohmann::json& arguments) {
  nn::TransformerOptions out;
  const auto read = [&](const char* name, auto& value) {
    if (arguments.contains(name)) arguments.at(name).get_to(value);
  };
  read("d_model", out.d_model), read("nhead", out.nhead);
  read("num_encoder_layers", out.num_encoder_layers), read("num_decoder_layers", out.num_decoder_layers);
  read("dim_feedforward", out.dim_feedforward), read("dropout", out.dropout), read("activation", out.activation);
  read("batch_first", out.batch_first), read("norm_first", out.norm_first);
  return out;
}

}  // namespace

std::shared_ptr<nn::Module> golden_architecture(const nlohmann::json& golden) {
  const auto name = golden.at("class").get<std::string>();
  if (name == "TransformerEncoder")
    return stack_of<nn::TransformerEncoder, nn::TransformerEncoderLayer>(golden.at("arguments"), "encoder_layer");
  if (name == "TransformerDecoder")
    return stack_of<nn::TransformerDecoder, nn::TransformerDecoderLayer>(golden.at("arguments"), "decoder_layer");
  if (name == "Transformer") return std::make_shared<nn::Transformer>(transformer_options(golden.at("arguments")));
  if (!golden.contains("layers")) {
    const nn::ModuleTraits& traits = named(nn::all_modules(), name);
    return traits.make(golden_values(traits.arguments, golden.at("arguments")));
  }
  const auto layers = std::make_shared<nn::Sequential>();
  for (const auto& layer : golden.at("layers")) layers->append(golden_architecture(layer));
  return layers;
}

std::shared_ptr<nn::Module> golden_module(const nlohmann::json& golden) {
  const std::shared_ptr<nn::Module> module = golden_architecture(golden);
  module->train(golden.at("training").get<bool>());
  module->load_state_dict(golden_tensors(golden.at("state")));
  return module;
}

void golden_backward(const std::vector<Tensor>& outputs, const nlohmann::json& gradients) {
  Tensor total;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (gradients[i].is_null()) continue;
    const Tensor part = sum(outputs[i] * golden_tensor(gradients[i]));
    total = total.defined() ? total + part : part;
  }
  if (total.defined()) backward(total);
}

}  // namespace onemodel::test
