#include "support/compare.h"

#include <cmath>
#include <cstring>

namespace onemodel::test {
namespace {
constexpr int64_t kGuardBytes = 256;
constexpr int kMark = 0xa5;
}  // namespace

testing::AssertionResult same_bits(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.dims() != b.dims()) return testing::AssertionFailure() << concat(a, " against ", b);
  const Tensor x = a.contiguous(), y = b.contiguous();
  if (x.bytes() == 0 || std::memcmp(x.raw(), y.raw(), x.bytes()) == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << to_string(x, 20) << " against " << to_string(y, 20);
}

testing::AssertionResult close(const Tensor& a, const Tensor& b, double tolerance) {
  if (a.dims() != b.dims()) return testing::AssertionFailure() << concat(a, " against ", b);
  if (a.dtype() == DType::string) return same_bits(a, b);
  const auto x = a.to_vector<double>(), y = b.to_vector<double>();
  double scale = 1;
  for (double value : y)
    if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
  for (size_t i = 0; i < x.size(); ++i) {
    const bool fits = std::isfinite(y[i]) ? std::abs(x[i] - y[i]) <= tolerance * scale
                                          : (std::isnan(y[i]) ? std::isnan(x[i]) : x[i] == y[i]);
    if (!fits)
      return testing::AssertionFailure() << concat("element ", i, " of ", a, ": ", x[i], ", expected ", y[i],
                                                   " within ", tolerance * scale);
  }
  return testing::AssertionSuccess();
}

Guarded::Guarded(const Dims& dims, DType dtype) {
  const auto item = static_cast<int64_t>(dtype_size(dtype));
  whole_ = Tensor::empty({numel(dims) + 2 * kGuardBytes / item}, dtype);
  std::memset(whole_.mutable_raw(), kMark, whole_.bytes());
  tensor_ = Tensor::view_of(whole_.storage(), kGuardBytes / item, dims, contiguous_strides(dims), dtype);
}

bool Guarded::intact() const {
  const std::byte* data = whole_.raw();
  const auto is_marked = [&](size_t i) { return data[i] == static_cast<std::byte>(kMark); };
  for (size_t i = 0; i < kGuardBytes; ++i)
    if (!is_marked(i) || !is_marked(whole_.bytes() - 1 - i)) return false;
  return true;
}

Tensor with_reversed_axes(const Tensor& x) {
  Dims axes;
  for (size_t i = x.rank(); i-- > 0;) axes.push_back(static_cast<int64_t>(i));
  return x.permute(axes).clone().permute(axes);
}

Tensor with_negative_strides(const Tensor& x) {
  Dims larger = x.dims();
  for (int64_t& extent : larger) extent += 2;
  Tensor inside = Tensor::zeros(larger, x.dtype());
  for (size_t i = 0; i < x.rank(); ++i)
    inside = inside.slice(static_cast<int64_t>(i), x.dims()[i], x.dims()[i] ? 0 : 1, -1);
  inside.copy_from(x);
  return inside;
}

}  // namespace onemodel::test
