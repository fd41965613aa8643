#include "onnx/convert_sparse_tensor.h"

#include <cstring>
#include <limits>

#include "graph/malformed.h"
#include "onnx/convert_tensor.h"

namespace onemodel {
namespace {

Dims dims_of(const onnx::SparseTensorProto& proto, DType dtype) {
  if (proto.dims_size() > static_cast<int>(kMaxRank))
    throw ModelError("Unsupported", concat("rank ", proto.dims_size(), " is above ", kMaxRank));
  constexpr int64_t kMostBytes = std::numeric_limits<int32_t>::max();
  int64_t bytes = static_cast<int64_t>(dtype_size(dtype));
  Dims dims;
  for (const int64_t extent : proto.dims()) {
    require(extent >= 0, "extent ", extent, " is negative");
    if (extent > 0 && bytes > kMostBytes / extent)
      throw ModelError("TooLarge", "the dense form of a sparse tensor has more than 2 GiB");
    bytes *= extent;
    dims.push_back(extent);
  }
  return dims;
}

// The place of a row of coordinates.
int64_t place_of(const int64_t* coordinates, const Dims& dims) {
  int64_t place = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    require(coordinates[i] >= 0 && coordinates[i] < dims[i], "index ", coordinates[i], " at axis ", i,
            " is out of range for shape ", dims);
    place = place * dims[i] + coordinates[i];
  }
  return place;
}

}  // namespace

Tensor dense_tensor_from_onnx(const onnx::SparseTensorProto& proto) {
  const Tensor values = tensor_from_onnx(proto.values()), indices = tensor_from_onnx(proto.indices());
  const Dims dims = dims_of(proto, values.dtype());
  const int64_t count = values.numel(), rank = static_cast<int64_t>(dims.size());
  require(values.rank() == 1, "the values of a sparse tensor expect one axis, got ", values.dims());
  require(indices.dtype() == DType::i64, "the indices of a sparse tensor expect int64, got ", indices.dtype());
  const bool is_flat = indices.rank() == 1 && indices.dims()[0] == count;
  require(is_flat || indices.dims() == Dims{count, rank}, "the indices of ", count, " values in shape ", dims,
          " expect shape ", Dims{count}, " or ", Dims{count, rank}, ", got ", indices.dims());
  Tensor out = Tensor::zeros(dims, values.dtype());
  const auto size = static_cast<int64_t>(dtype_size(values.dtype()));
  const Dims flat{out.numel()};
  const int64_t* index = indices.raw_as<int64_t>();
  for (int64_t i = 0; i < count; ++i) {
    const int64_t place = is_flat ? place_of(index + i, flat) : place_of(index + i * rank, dims);
    std::memcpy(out.mutable_raw() + place * size, values.raw() + i * size, static_cast<size_t>(size));
  }
  return out;
}

}  // namespace onemodel
