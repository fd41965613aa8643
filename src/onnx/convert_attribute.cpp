#include "onnx/convert_attribute.h"

#include <algorithm>

#include "onnx/convert_sparse_tensor.h"
#include "onnx/convert_tensor.h"

namespace onemodel {
namespace {

using Proto = onnx::AttributeProto;

// Files before IR version 2 do not write the type.
Proto::AttributeType type_of(const Proto& proto) {
  if (proto.has_type() && proto.type() != Proto::UNDEFINED) return proto.type();
  if (proto.has_f()) return Proto::FLOAT;
  if (proto.has_i()) return Proto::INT;
  if (proto.has_s()) return Proto::STRING;
  if (proto.has_t()) return Proto::TENSOR;
  if (proto.has_g()) return Proto::GRAPH;
  if (proto.has_sparse_tensor()) return Proto::SPARSE_TENSOR;
  if (proto.floats_size()) return Proto::FLOATS;
  if (proto.ints_size()) return Proto::INTS;
  if (proto.strings_size()) return Proto::STRINGS;
  return Proto::UNDEFINED;
}

[[noreturn]] void unsupported(const Proto& proto, std::string_view what) {
  throw ModelError("Unsupported", concat("attribute '", proto.name(), "': ", what, " is not supported"));
}

template <class F>
AttributeValue tensor_of(const Proto& proto, F&& read) {
  try {
    return read();
  } catch (Error& error) {
    error.add_context(concat("attribute '", proto.name(), "'"));
    throw;
  }
}

// A list of strings is a tensor with one axis; but the recurrent operators keep their activations as one text.
constexpr std::string_view kActivations = "activations";

AttributeValue strings_of(const Proto& proto) {
  if (proto.name() != kActivations) {
    const std::vector<std::string> texts(proto.strings().begin(), proto.strings().end());
    return Tensor::from(std::span<const std::string>(texts), {proto.strings_size()});
  }
  std::string out;
  for (const std::string& name : proto.strings()) out += concat(out.empty() ? "" : ",", name);
  return out;
}

void add_names(std::string_view list, Proto& out) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    out.add_strings(std::string(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

}  // namespace

AttributeValue attribute_from_onnx(const Proto& proto) {
  if (!proto.ref_attr_name().empty())
    throw ModelError("Malformed", concat("attribute '", proto.name(), "' refers to one of a function"));
  switch (type_of(proto)) {
    case Proto::FLOAT: return static_cast<double>(proto.f());
    case Proto::INT: return static_cast<int64_t>(proto.i());
    case Proto::STRING: return proto.s();
    case Proto::TENSOR: return tensor_of(proto, [&] { return tensor_from_onnx(proto.t()); });
    case Proto::SPARSE_TENSOR: return tensor_of(proto, [&] { return dense_tensor_from_onnx(proto.sparse_tensor()); });
    case Proto::FLOATS: return std::vector<double>(proto.floats().begin(), proto.floats().end());
    case Proto::INTS: return std::vector<int64_t>(proto.ints().begin(), proto.ints().end());
    case Proto::GRAPH:
    case Proto::GRAPHS: unsupported(proto, "a subgraph");
    case Proto::STRINGS: return strings_of(proto);
    case Proto::TENSORS: unsupported(proto, "a list of tensors");
    case Proto::SPARSE_TENSORS: unsupported(proto, "a list of sparse tensors");
    case Proto::TYPE_PROTO:
    case Proto::TYPE_PROTOS: unsupported(proto, "a type");
    case Proto::UNDEFINED: break;
  }
  throw ModelError("Malformed", concat("attribute '", proto.name(), "' has no value"));
}

void attribute_to_onnx(std::string_view name, const AttributeValue& value, Proto& out) {
  out.set_name(std::string(name));
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    out.set_type(Proto::INT);
    out.set_i(*integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    out.set_type(Proto::FLOAT);
    out.set_f(static_cast<float>(*real));
  } else if (const auto* text = std::get_if<std::string>(&value); text && name == kActivations) {
    out.set_type(Proto::STRINGS);
    add_names(*text, out);
  } else if (text) {
    out.set_type(Proto::STRING);
    out.set_s(*text);
  } else if (const auto* integers = std::get_if<std::vector<int64_t>>(&value)) {
    out.set_type(Proto::INTS);
    for (const int64_t i : *integers) out.add_ints(i);
  } else if (const auto* reals = std::get_if<std::vector<double>>(&value)) {
    out.set_type(Proto::FLOATS);
    for (const double r : *reals) out.add_floats(static_cast<float>(r));
  } else if (const auto& tensor = std::get<Tensor>(value); tensor.dtype() == DType::string && tensor.rank() == 1) {
    out.set_type(Proto::STRINGS);
    for (std::string& text : tensor.to_vector<std::string>()) out.add_strings(std::move(text));
  } else {
    out.set_type(Proto::TENSOR);
    tensor_to_onnx(tensor, {}, *out.mutable_t());
  }
}

}  // namespace onemodel
