#include "kernels/xnn/matmul.h"

#include <vector>

#include "kernels/xnn/gemm.h"
#include "kernels/xnn/gemv.h"
#include "kernels/xnn/layout.h"
#include "kernels/xnn/operator.h"
#include "kernels/xnn/strided.h"

namespace onemodel::kernels::xnn {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class PackedRowProducts : public Prepared {
 public:
  PackedRowProducts(const FullyConnected& p, const float* b, const float* bias)
      : p_(p), packed_(static_cast<size_t>(packed_size(p.k, p.n))) {
    pack_panels(b, p.transposed_b, p.k, p.n, packed_.data());
    if (bias) bias_.assign(bias, bias + p.n);
  }
  void run(const void* const* inputs, void* const* outputs, std::byte*) override {
    const float* bias = bias_.empty() ? nullptr : bias_.data();
    for (int64_t row = 0; row < p_.m; ++row)
      gemv_packed(packed_.data(), input_f32(inputs, 0) + row * p_.k, bias, output_f32(outputs) + row * p_.n, p_.k, p_.n,
                  p_.min, p_.max);
  }

 private:
  FullyConnected p_;
  std::vector<float> packed_, bias_;
};

/// XNNPACK's native kernels for fewer columns turn a NaN into infinity, bounded or not: ours take the rows one by one.
constexpr int64_t kNarrow = 16;

class PackedMatmul : public Prepared {
 public:
  PackedMatmul(const FullyConnected& p, Operator op) : p_(p), op_(std::move(op)) {}
  void run(const void* const* inputs, void* const* outputs, std::byte*) override {
    float* y = output_f32(outputs);
    expect_success(xnn_setup_fully_connected_nc_f32(op_.get(), input_f32(inputs, 0), y), "fully connected setup");
    run_operator(op_, p_.m * p_.k * p_.n);
    if (!kClampsKeepNan) add_bias_to_rows(y, nullptr, 1, p_.m, p_.n, p_.min, p_.max);
  }

 private:
  FullyConnected p_;
  Operator op_;
};

/// The shape decides how a product is computed: up to kFewRows rows read b as it lies, more are worth packing it.
constexpr int64_t kFewRows = 8;

class BatchProduct : public Prepared {
 public:
  /// `batches`: which matrix of a, and of b.
  BatchProduct(const BatchMatmul& p, std::vector<std::pair<int64_t, int64_t>> batches)
      : p_(p),
        batches_(std::move(batches)),
        product_{.m = p.m, .k = p.k, .n = p.n, .transposed_a = p.transposed_a, .transposed_b = p.transposed_b},
        packs_(p.n > 1 && p.m > 1 && (p.m > kFewRows || p.transposed_a || p.transposed_b)) {}

  size_t workspace_bytes() const override { return packs_ ? gemm_workspace_bytes(slots_) : 0; }

  void run(const void* const* inputs, void* const* outputs, std::byte* workspace) override {
    const auto operands = [&](size_t i) {
      return Operands{.a = input_f32(inputs, 0) + batches_[i].first * p_.m * p_.k,
                      .b = input_f32(inputs, 1) + batches_[i].second * p_.k * p_.n,
                      .c = output_f32(outputs) + static_cast<int64_t>(i) * p_.m * p_.n,
                      .column_bias = p_.bias ? input_f32(inputs, 2) : nullptr};
    };
    if (packs_) return gemm(product_, batches_.size(), std::cref(operands), slots_, workspace);
    for (size_t i = 0; i < batches_.size(); ++i) run_unpacked(operands(i));
  }

 private:
  void run_unpacked(const Operands& o) const {
    if (p_.n == 1 && p_.m > 1) {
      p_.transposed_a ? gemv_columns(o.a, o.b, o.c, 1, p_.k, p_.m) : gemv_rows(o.a, o.b, o.c, p_.m, p_.k);
      if (o.column_bias) add_bias_to_rows(o.c, o.column_bias, 1, 1, p_.m);
    } else {
      p_.transposed_b ? gemv_rows(o.b, o.a, o.c, p_.n, p_.k) : gemv_columns(o.b, o.a, o.c, p_.m, p_.k, p_.n);
      if (o.column_bias) add_bias_to_columns(o.c, o.column_bias, p_.m, p_.n);
    }
  }

  BatchMatmul p_;
  std::vector<std::pair<int64_t, int64_t>> batches_;
  Product product_;
  bool packs_;
  size_t slots_ = slots_for_pool();
};

Dims padded(const Dims& dims, size_t rank) {
  Dims out = Dims::filled(rank - dims.size(), 1);
  for (int64_t d : dims) out.push_back(d);
  return out;
}

/// Row-major index into `dims`, where extents of 1 are broadcast, of each index into `all`.
std::vector<int64_t> broadcast_indices(const Dims& dims, const Dims& all) {
  std::vector<int64_t> out(static_cast<size_t>(numel(all)));
  for (size_t i = 0; i < out.size(); ++i) {
    int64_t rest = static_cast<int64_t>(i), stride = 1;
    for (size_t axis = all.size(); axis-- > 0; rest /= all[axis]) {
      if (dims[axis] != 1) out[i] += rest % all[axis] * stride;
      stride *= dims[axis];
    }
  }
  return out;
}

/// V8 makes of XNNPACK's tile about 80 % of what it makes of ours, except where a tile's beginning and end weigh more
/// than its depth.
constexpr bool suits_own_tile([[maybe_unused]] const FullyConnected& p) {
#ifdef __wasm__
  return p.k >= 128 && p.n >= 8;
#else
  return false;
#endif
}

}  // namespace

PreparedPtr fully_connected(const FullyConnected& p, const float* b, const float* bias, std::string& refusal) {
  if (!initialize(refusal)) return nullptr;
  if (p.m <= 0 || p.k <= 0 || p.n <= 0) return refuse(refusal, "a size is zero");
  if (!(p.min < p.max)) return refuse(refusal, "the clamp's range is empty");
  if (p.m == 1 || (kClampsKeepNan && p.n < kNarrow)) return std::make_unique<PackedRowProducts>(p, b, bias);
  if (suits_own_tile(p)) return packed_product(p, b, bias);
  const size_t k = static_cast<size_t>(p.k), n = static_cast<size_t>(p.n);
  xnn_operator_t op = nullptr;
  if (!accepted(xnn_create_fully_connected_nc_f32(
                    k, n, k, n, b, bias, kClampsKeepNan ? p.min : -kInfinity, kClampsKeepNan ? p.max : kInfinity,
                    p.transposed_b ? 0 : XNN_FLAG_TRANSPOSE_WEIGHTS, nullptr, nullptr, &op),
                "fully connected create", refusal))
    return nullptr;
  Operator owned(op);
  if (!accepted(xnn_reshape_fully_connected_nc_f32(op, static_cast<size_t>(p.m), thread_pool().handle()),
                "fully connected reshape", refusal))
    return nullptr;
  return std::make_unique<PackedMatmul>(p, std::move(owned));
}

PreparedPtr batch_matmul(const BatchMatmul& given, std::string& refusal) {
  if (!initialize(refusal)) return nullptr;
  BatchMatmul p = given;
  Dims batch;
  if (p.m <= 0 || p.k <= 0 || p.n <= 0) return refuse(refusal, "a size is zero");
  if (!broadcast(p.a_batch, p.b_batch, batch))
    return refuse(refusal, "batches ", p.a_batch, " and ", p.b_batch, " do not fit");
  if (numel(batch) == 0) return refuse(refusal, "a batch is empty");
  if (p.m == 1 || p.k == 1) p.transposed_a = false;  // the same memory either way
  if (p.n == 1 || p.k == 1) p.transposed_b = false;
  Dims a_batch = padded(p.a_batch, batch.size()), b_batch = padded(p.b_batch, batch.size());
  if (numel(b_batch) == 1 && !p.transposed_a) {  // the same b for every row
    p.m *= numel(a_batch);
    a_batch = b_batch = batch = Dims{};
  }
  const std::vector<int64_t> a = broadcast_indices(a_batch, batch), b = broadcast_indices(b_batch, batch);
  std::vector<std::pair<int64_t, int64_t>> batches(a.size());
  for (size_t i = 0; i < a.size(); ++i) batches[i] = {a[i], b[i]};
  return std::make_unique<BatchProduct>(p, std::move(batches));
}

}  // namespace onemodel::kernels::xnn
