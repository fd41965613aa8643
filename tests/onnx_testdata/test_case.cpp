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

Tensor read_tensor(const fs::path& path) {
  const auto bytes = read_file(path.string());
  onnx::TensorProto proto;
  check(proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())), path.filename().string(),
        " holds no tensor");
  return tensor_from_onnx(proto);
}

std::vector<Tensor> read_tensors(const fs::path& folder, std::string_view stem) {
  std::vector<Tensor> out;
  for (size_t i = 0;; ++i) {
    const fs::path path = folder / concat(stem, "_", i, ".pb");
    if (!fs::exists(path)) return out;
    out.push_back(read_tensor(path));
  }
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

std::string run_data_set(Session& session, const fs::path& folder) {
  std::vector<Tensor> inputs = read_tensors(folder, "input");
  const std::vector<Tensor> expected = read_tensors(folder, "output");
  for (size_t i = 0; i < std::min(inputs.size(), session.inputs().size()); ++i)
    inputs[i] = as_declared(inputs[i], session.inputs()[i].dtype);
  const std::vector<Tensor> outputs = session.run(inputs);
  if (outputs.size() != expected.size()) return concat(outputs.size(), " outputs, expected ", expected.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string difference = compare(outputs[i], expected[i]);
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

}  // namespace onemodel::test
