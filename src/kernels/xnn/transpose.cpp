#include "kernels/xnn/transpose.h"

#include "kernels/xnn/layout.h"
#include "kernels/xnn/operator.h"
#include "kernels/xnn/simd.h"

namespace onemodel::kernels::xnn {
namespace {

class Copy : public Prepared {
 public:
  explicit Copy(size_t bytes) : bytes_(bytes) {}
  void run(const void* const* inputs, void* const* outputs, std::byte*) override {
    std::memcpy(outputs[0], inputs[0], bytes_);
  }

 private:
  size_t bytes_;
};

class PlaneTranspose : public Prepared {
 public:
  explicit PlaneTranspose(const Dims& shape) : shape_(shape) {}
  void run(const void* const* inputs, void* const* outputs, std::byte*) override {
    transpose_planes(input_f32(inputs, 0), output_f32(outputs), shape_[0], shape_[1], shape_[2]);
  }

 private:
  Dims shape_;
};

constexpr int64_t kWorkEach = 4;  // multiplications that take as long as moving an element

using Setup = xnn_status (*)(xnn_operator_t, const void*, void*);

class Transpose : public Prepared {
 public:
  Transpose(Operator op, Setup setup, int64_t work) : op_(std::move(op)), setup_(setup), work_(work) {}
  void run(const void* const* inputs, void* const* outputs, std::byte*) override {
    expect_success(setup_(op_.get(), inputs[0], outputs[0]), "transpose setup");
    run_operator(op_, work_);
  }

 private:
  Operator op_;
  Setup setup_;
  int64_t work_;
};

/// Drops extents of 1 and merges axes that stay together.
void simplify(Dims& shape, Dims& perm) {
  Dims kept;  // axes of perm that are not 1, in output order
  for (int64_t axis : perm)
    if (shape[to_size(axis)] != 1) kept.push_back(axis);
  Dims groups, sizes;  // first axis of each group in output order, and its merged extent
  for (size_t i = 0; i < kept.size(); ++i) {
    bool joined = i > 0 && kept[i] > kept[i - 1];
    for (int64_t between = i > 0 ? kept[i - 1] + 1 : 0; joined && between < kept[i]; ++between)
      joined = shape[to_size(between)] == 1;
    if (joined) {
      sizes[sizes.size() - 1] *= shape[to_size(kept[i])];
    } else {
      groups.push_back(kept[i]);
      sizes.push_back(shape[to_size(kept[i])]);
    }
  }
  perm = groups;
  shape = sizes;
  for (size_t i = 0; i < groups.size(); ++i) {
    int64_t rank = 0;
    for (int64_t other : groups) rank += other < groups[i];
    perm[i] = rank;
    shape[to_size(rank)] = sizes[i];
  }
}

}  // namespace

PreparedPtr transpose(const Dims& given_shape, const Dims& given_perm, size_t element_bytes, std::string& refusal) {
  if (!initialize(refusal)) return nullptr;
  Dims shape = given_shape, perm = given_perm;
  std::array<bool, kMaxRank> seen{};
  bool permutes = perm.size() == shape.size();
  for (size_t i = 0; permutes && i < perm.size(); ++i) {
    permutes = perm[i] >= 0 && perm[i] < static_cast<int64_t>(shape.size()) && !seen[to_size(perm[i])];
    if (permutes) seen[to_size(perm[i])] = true;
  }
  if (!permutes) return refuse(refusal, perm, " does not permute the axes of ", shape);
  if (numel(shape) == 0) return refuse(refusal, "a size is zero");
  simplify(shape, perm);
  if (perm.size() <= 1) return std::make_unique<Copy>(to_size(numel(shape)) * element_bytes);
  if (element_bytes == 4 && perm == Dims{1, 0}) return std::make_unique<PlaneTranspose>(Dims{1, shape[0], shape[1]});
  if (element_bytes == 4 && perm == Dims{0, 2, 1}) return std::make_unique<PlaneTranspose>(shape);
  if (perm.size() > XNN_MAX_TENSOR_DIMS) return refuse(refusal, "more than ", XNN_MAX_TENSOR_DIMS, " axes");

  const auto make = [&](auto create, auto reshape, Setup setup) -> PreparedPtr {
    xnn_operator_t op = nullptr;
    if (!accepted(create(0, &op), "transpose create", refusal)) return nullptr;
    Operator owned(op);
    size_t dims[kMaxRank], order[kMaxRank];
    std::copy(shape.begin(), shape.end(), dims);
    std::copy(perm.begin(), perm.end(), order);
    if (!accepted(reshape(op, shape.size(), dims, order, thread_pool().handle()), "transpose reshape", refusal))
      return nullptr;
    return std::make_unique<Transpose>(std::move(owned), setup, kWorkEach * numel(shape));
  };
  switch (element_bytes) {
    case 1: return make(xnn_create_transpose_nd_x8, xnn_reshape_transpose_nd_x8, xnn_setup_transpose_nd_x8);
    case 2: return make(xnn_create_transpose_nd_x16, xnn_reshape_transpose_nd_x16, xnn_setup_transpose_nd_x16);
    case 4: return make(xnn_create_transpose_nd_x32, xnn_reshape_transpose_nd_x32, xnn_setup_transpose_nd_x32);
    case 8: return make(xnn_create_transpose_nd_x64, xnn_reshape_transpose_nd_x64, xnn_setup_transpose_nd_x64);
    default: return refuse(refusal, "elements of ", element_bytes, " bytes");
  }
}

}  // namespace onemodel::kernels::xnn
