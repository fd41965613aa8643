#include "onnx_testdata/test_case.h"

#include <onnx.pb.h>

#include <algorithm>
#include <cmath>

#include "format/file.h"
#include "onnx/convert_tensor.h"
#include "onnx/read_onnx.h"
#include "runtime/session.h"

namespace onemodel::test {
namespace {

namespace fs = std::filesystem;

using Bytes = std::span<const std::byte>;

Tensor parse_tensor(Bytes bytes) {
  onnx::TensorProto proto;
  check(proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())), "the data holds no tensor");
  return tensor_from_onnx(proto);
}

uint64_t take_varint(Bytes& bytes) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    check(!bytes.empty() && shift < 64, "the data is no protocol buffer");
    const auto byte = std::to_integer<uint64_t>(bytes[0]);
    bytes = bytes.subspan(1);
    value |= (byte & 127) << shift;
    if (byte < 128) return value;
  }
}

// The messages in field `wanted` of a message, which onnx-data.proto describes: SequenceProto and OptionalProto.
std::vector<Bytes> messages(Bytes bytes, uint64_t wanted) {
  std::vector<Bytes> out;
  while (!bytes.empty()) {
    const uint64_t key = take_varint(bytes), length = take_varint(bytes);
    if ((key & 7) == 0) continue;  // a number
    check((key & 7) == 2 && length <= bytes.size(), "the data is no protocol buffer");
    if (key >> 3 == wanted) out.push_back(bytes.first(static_cast<size_t>(length)));
    bytes = bytes.subspan(static_cast<size_t>(length));
  }
  return out;
}

Item parse_sequence(Bytes bytes) {
  std::vector<Tensor> tensors;
  for (const Bytes tensor : messages(bytes, 3)) tensors.push_back(parse_tensor(tensor));
  return tensors;
}

Item parse(Bytes bytes, Holds holds) {
  if (holds == Holds::sequence) return parse_sequence(bytes);
  if (holds == Holds::tensor) return parse_tensor(bytes);
  if (const auto tensor = messages(bytes, 3); !tensor.empty()) return parse_tensor(tensor[0]);
  if (const auto sequence = messages(bytes, 5); !sequence.empty()) return parse_sequence(sequence[0]);
  return {};
}

std::vector<Item> read_items(const fs::path& folder, std::string_view stem, std::span<const ValueInfo> infos) {
  std::vector<Item> out;
  for (const ValueInfo& info : infos) {
    const fs::path path = folder / concat(stem, "_", out.size(), ".pb");
    if (info.initial.defined() && !fs::exists(path)) break;
    check(fs::exists(path), path.filename().string(), " is missing");
    out.push_back(parse(read_file(path.string()), info.holds));
  }
  return out;
}

// The data of bfloat16 cases is stored as uint16: the bits.
Tensor as_declared(const Tensor& tensor, DType declared) {
  if (declared != DType::bf16 || tensor.dtype() != DType::u16) return tensor;
  return Tensor::view_of(tensor.storage(), tensor.offset(), tensor.dims(), tensor.strides(), DType::bf16);
}

std::string compare(const Tensor& result, const Tensor& stored) {
  const Tensor expected = as_declared(stored, result.dtype());
  if (result.dtype() != expected.dtype() || result.dims() != expected.dims())
    return concat("is ", result, ", expected ", expected);
  if (result.dtype() == DType::string) {
    const auto texts = result.to_vector<std::string>(), wanted = expected.to_vector<std::string>();
    for (size_t i = 0; i < texts.size(); ++i)
      if (texts[i] != wanted[i]) return concat("is '", texts[i], "' at ", i, ", expected '", wanted[i], '\'');
    return {};
  }
  const auto a = result.to_vector<double>(), b = expected.to_vector<double>();
  double largest = 0;
  for (const double x : b)
    if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
  for (size_t i = 0; i < a.size(); ++i) {
    const bool same = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
    const bool close = is_floating(result.dtype()) && std::fabs(a[i] - b[i]) <= 1e-3 * std::fabs(b[i]) + 1e-5 * largest;
    if (!same && !close) return concat("is ", a[i], " at ", i, ", expected ", b[i]);
  }
  return {};
}

std::string compare(const Item& result, const Item& expected) {
  if (result.tensor.defined() && expected.tensor.defined()) return compare(result.tensor, expected.tensor);
  if (!result.sequence || !expected.sequence || result.sequence->size() != expected.sequence->size())
    return result.is_nothing() && expected.is_nothing() ? "" : concat("is ", result, ", expected ", expected);
  for (size_t i = 0; i < result.sequence->size(); ++i) {
    const std::string difference = compare((*result.sequence)[i], (*expected.sequence)[i]);
    if (!difference.empty()) return concat("[", i, "] ", difference);
  }
  return {};
}

// Whether a result is what the session announced.
std::string compare(const ValueInfo& info, const Item& result) {
  if (info.holds != Holds::tensor || !info.has_rank) return {};
  bool fits =
      result.tensor.defined() && result.tensor.dtype() == info.dtype && result.tensor.rank() == info.shape.rank();
  for (size_t axis = 0; fits && axis < info.shape.rank(); ++axis)
    fits = !info.shape[axis].is_number() || info.shape[axis].number() == result.tensor.dims()[axis];
  return fits ? "" : concat("is ", result, ", announced as ", TensorType{info.dtype, info.shape});
}

std::string run_data_set(Session& session, const fs::path& folder) {
  std::vector<Item> inputs = read_items(folder, "input", session.inputs());
  const std::vector<Item> expected = read_items(folder, "output", session.outputs());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].tensor.defined()) inputs[i].tensor = as_declared(inputs[i].tensor, session.inputs()[i].dtype);
  const std::vector<Item> outputs = session.run_items(inputs);
  for (size_t i = 0; i < outputs.size(); ++i) {
    std::string difference = compare(session.outputs()[i], outputs[i]);
    if (difference.empty()) difference = compare(outputs[i], expected[i]);
    if (!difference.empty()) return concat("output '", session.outputs()[i].name, "' ", difference);
  }
  return {};
}

}  // namespace

std::vector<std::string> test_case_names(const fs::path& root) {
  std::vector<std::string> out;
  for (const char* group : {"node", "simple", "pytorch-converted", "pytorch-operator"})
    for (const auto& entry : fs::directory_iterator(root / group))
      out.push_back(concat(group, "/", entry.path().filename().string()));
  std::sort(out.begin(), out.end());
  return out;
}

std::string run_test_case(const fs::path& folder, Arithmetic arithmetic) {
  try {
    Session session = Session::load((folder / "model.onnx").string(), {.arithmetic = arithmetic});
    size_t sets = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (!entry.is_directory()) continue;
      const std::string problem = run_data_set(session, entry.path());
      if (!problem.empty()) return problem;
      ++sets;
    }
    return sets ? "" : "has no data";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string outputs_without_rank(const fs::path& folder) {
  std::string out;
  try {
    const Session session = Session::load((folder / "model.onnx").string());
    for (const ValueInfo& info : session.outputs())
      if (info.holds == Holds::tensor && !info.has_rank) out += concat(out.empty() ? "" : ", ", info.name);
  } catch (const Error&) {  // the other test says that it is refused
  }
  return out;
}

}  // namespace onemodel::test
