#include "onnx/external_data.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

#include "onnx/convert_tensor.h"
#include "onnx/packed_elements.h"

namespace onemodel {
namespace {

// In place of the file, in tensors whose values are here.
constexpr std::string_view kPlace = "onemodel.place";

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

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using Attributes = google::protobuf::RepeatedPtrField<onnx::AttributeProto>;

template <class F>
void each_tensor(onnx::GraphProto& graph, F&& f);

/// Calls f(tensor, whether it is an attribute, what it is) for every tensor of the attributes and of graphs among them.
template <class F>
void each_tensor(Attributes& attributes, const std::string& owner, F&& f) {
  for (auto& attribute : attributes) {
    if (attribute.has_t()) f(*attribute.mutable_t(), true, concat(owner, "attribute '", attribute.name(), "'"));
    if (attribute.has_g()) each_tensor(*attribute.mutable_g(), f);
  }
}

template <class F>
void each_tensor(Nodes& nodes, F&& f) {
  for (auto& node : nodes)
    each_tensor(*node.mutable_attribute(), concat("node '", node.name(), "' (", node.op_type(), "): "), f);
}

template <class F>
void each_tensor(onnx::GraphProto& graph, F&& f) {
  for (auto& tensor : *graph.mutable_initializer()) f(tensor, false, concat("initializer '", tensor.name(), "'"));
  each_tensor(*graph.mutable_node(), f);
}

Tensor tensor_of(const onnx::TensorProto& proto, std::shared_ptr<Storage> values) {
  const DType dtype = dtype_from_onnx(proto.data_type());
  const Dims dims(std::span<const int64_t>(proto.dims().data(), static_cast<size_t>(proto.dims_size())));
  if (packed_bits(dtype) < 8)
    return unpack_elements(dtype, dims, {reinterpret_cast<const uint8_t*>(values->data()), values->bytes()});
  if (dtype == DType::boolean)
    for (size_t i = 0; i < values->bytes(); ++i) values->data()[i] = std::byte(values->data()[i] != std::byte{0});
  return Tensor::view_of(std::move(values), 0, dims, contiguous_strides(dims), dtype);
}

}  // namespace

ExternalTensors::ExternalTensors(onnx::ModelProto& model, Problems& problems) {
  const auto find = [&](onnx::TensorProto& tensor, bool is_attribute, const std::string& where) {
    if (!is_external(tensor)) return;
    std::optional<External> described;
    problems.attempt(where, [&] { described = describe(tensor, is_attribute, where); });
    // The file's own entries end here: none can pass for the place that `add` notes.
    tensor.clear_external_data();
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    if (described) add(std::move(*described));
  };
  each_tensor(*model.mutable_graph(), find);
  // A function's nodes and defaults are copied for each call, with what they hold.
  for (auto& function : *model.mutable_functions()) {
    const auto find_inside = [&](onnx::TensorProto& tensor, bool, const std::string& where) {
      find(tensor, true, concat("function '", function.name(), "': ", where));
    };
    each_tensor(*function.mutable_node(), find_inside);
    each_tensor(*function.mutable_attribute_proto(), {}, find_inside);
  }
}

ExternalTensors::External ExternalTensors::describe(onnx::TensorProto& tensor, bool is_attribute,
                                                    const std::string& where) {
  External each{&tensor, is_attribute, where, entry(tensor, "location")};
  if (each.file.empty()) throw ModelError("Malformed", "external data: no file is named");
  if (tensor.dims_size() > static_cast<int>(kMaxRank))
    throw ModelError("Unsupported", concat("rank ", tensor.dims_size(), " is above ", kMaxRank));
  const uint64_t bytes = bytes_of(tensor);
  each.length = number(tensor, "length", bytes);
  if (each.length != bytes)
    throw ModelError("Malformed", concat("external data: ", each.length, " bytes of '", each.file, "' do not fit the ",
                                         bytes, " of the tensor"));
  each.offset = number(tensor, "offset", 0);
  if (bytes > std::numeric_limits<size_t>::max())
    throw ModelError("Unsupported", concat("external data: ", bytes, " bytes are more than this build can address"));
  return each;
}

void ExternalTensors::add(External each) {
  auto& place = *each.proto->add_external_data();
  place.set_key(std::string(kPlace));
  place.set_value(concat(list_.size()));
  list_.push_back(std::move(each));
}

void ExternalTensors::read(const ReadExternal& read, Problems& problems) {
  for (External& each : list_) {
    each.is_refused = !problems.attempt(each.where, [&] {
      each.storage = read(each.file, each.offset, each.length);
      if (each.storage) each.filled = each.length;
    });
  }
}

std::vector<std::string> ExternalTensors::missing() const {
  std::vector<std::string> out;
  for (const External& each : list_)
    if (!each.is_whole() && !each.is_refused && std::find(out.begin(), out.end(), each.file) == out.end())
      out.push_back(each.file);
  return out;
}

void ExternalTensors::feed(std::string_view file, uint64_t offset, std::span<const std::byte> bytes) {
  for (External& each : list_) {
    if (each.file != file || each.is_whole()) continue;
    each.is_begun = true;
    if (each.offset > UINT64_MAX - each.length) continue;  // no file is that long
    const uint64_t next = each.offset + each.filled;
    if (next < offset || next - offset >= bytes.size()) continue;
    if (!each.storage) each.storage = Storage::allocate(static_cast<size_t>(each.length));
    const auto part = bytes.subspan(static_cast<size_t>(next - offset));
    const auto count = static_cast<size_t>(std::min<uint64_t>(part.size(), each.length - each.filled));
    std::memcpy(each.storage->data() + each.filled, part.data(), count);
    each.filled += count;
  }
}

void ExternalTensors::finish(Problems& problems) {
  for (External& each : list_) {
    if (each.is_refused) continue;
    problems.attempt(each.where, [&] {
      if (!each.is_whole() && each.is_begun)
        throw ModelError("Malformed", concat("'", each.file, "' ends within the ", each.length, " bytes from ",
                                             each.offset, " that were expected"));
      if (!each.is_whole())
        throw ModelError("Unsupported",
                         concat("the values are in the file '", each.file, "' (external data), which is not at hand"));
      if (!each.storage) each.storage = Storage::allocate(0);
      if (each.is_attribute) put_into(each);
    });
  }
}

// Attributes are small: they are read like those that are in the file.
void ExternalTensors::put_into(External& each) {
  each.proto->set_raw_data(each.storage->data(), each.storage->bytes());
  each.proto->clear_external_data();
  each.proto->clear_data_location();
  each.storage.reset();
}

bool ExternalTensors::lacks(const onnx::TensorProto& proto) const {
  if (!is_external(proto)) return false;
  const uint64_t place = number(proto, kPlace, list_.size());
  return place >= list_.size() || !list_[static_cast<size_t>(place)].storage ||
         !list_[static_cast<size_t>(place)].is_whole();
}

std::optional<Tensor> ExternalTensors::take(const onnx::TensorProto& proto) {
  if (!is_external(proto)) return {};
  return tensor_of(proto, std::move(list_.at(static_cast<size_t>(number(proto, kPlace, 0))).storage));
}

}  // namespace onemodel
