#include "onnx/external_data.h"

#include <algorithm>
#include <charconv>

#include "onnx/convert_tensor.h"
#include "onnx/packed_elements.h"

namespace onemodel {
namespace {

bool is_external(const onnx::TensorProto& tensor) {
  return tensor.data_location() == onnx::TensorProto::EXTERNAL || tensor.external_data_size() > 0;
}

std::string entry(const onnx::TensorProto& tensor, std::string_view key) {
  for (const auto& each : tensor.external_data())
    if (each.key() == key) return each.value();
  return {};
}

// Bytes, as text.
uint64_t number(const onnx::TensorProto& tensor, std::string_view key, uint64_t otherwise) {
  const std::string text = entry(tensor, key);
  if (text.empty()) return otherwise;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw ModelError("Malformed", concat("external data: '", key, "' expects a number of bytes, got '", text, "'"));
  return value;
}

// As many bytes as dtype and shape ask for.
uint64_t bytes_of(const onnx::TensorProto& tensor) {
  const DType dtype = dtype_from_onnx(tensor.data_type());
  if (dtype == DType::string) throw ModelError("Malformed", "external data: strings are in the model itself");
  uint64_t count = 1, bits;
  for (const int64_t extent : tensor.dims())
    if (extent < 0 || __builtin_mul_overflow(count, static_cast<uint64_t>(extent), &count))
      throw ModelError("Malformed", concat("external data: a tensor has the extent ", extent));
  if (__builtin_mul_overflow(count, uint64_t{packed_bits(dtype)}, &bits))
    throw ModelError("Malformed", "external data: a tensor is larger than any file");
  return packed_bytes(dtype, count);
}

void fill(onnx::TensorProto& tensor, const ReadExternal& read) {
  const std::string location = entry(tensor, "location");
  if (location.empty()) throw ModelError("Malformed", "external data: no file is named");
  if (!read)
    throw ModelError("Unsupported",
                     concat("the values are in the file '", location, "' (external data), which is not at hand"));
  const uint64_t bytes = bytes_of(tensor), length = number(tensor, "length", bytes);
  if (length != bytes)
    throw ModelError("Malformed", concat("external data: ", length, " bytes of '", location, "' do not fit the ", bytes,
                                         " of the tensor"));
  const std::vector<std::byte> data = read(location, number(tensor, "offset", 0), length);
  tensor.set_raw_data(data.data(), data.size());
  tensor.clear_external_data();
  tensor.clear_data_location();
}

/// Calls f(tensor, what it is) for every tensor of the graph and of those inside its nodes.
template <class F>
void each_tensor(onnx::GraphProto& graph, F&& f) {
  for (auto& tensor : *graph.mutable_initializer()) f(tensor, concat("initializer '", tensor.name(), "'"));
  for (auto& node : *graph.mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_t())
        f(*attribute.mutable_t(),
          concat("node '", node.name(), "' (", node.op_type(), "): attribute '", attribute.name(), "'"));
      if (attribute.has_g()) each_tensor(*attribute.mutable_g(), f);
    }
  }
}

}  // namespace

std::vector<std::string> external_files(onnx::ModelProto& model) {
  std::vector<std::string> out;
  each_tensor(*model.mutable_graph(), [&](const onnx::TensorProto& tensor, const std::string&) {
    const std::string location = is_external(tensor) ? entry(tensor, "location") : std::string();
    if (!location.empty() && std::find(out.begin(), out.end(), location) == out.end()) out.push_back(location);
  });
  return out;
}

void fill_external_data(onnx::ModelProto& model, const ReadExternal& read, Problems& problems) {
  each_tensor(*model.mutable_graph(), [&](onnx::TensorProto& tensor, const std::string& where) {
    if (is_external(tensor)) problems.attempt(where, [&] { fill(tensor, read); });
  });
}

}  // namespace onemodel
