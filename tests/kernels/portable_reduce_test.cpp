#include "kernels/portable/reduce.h"

#include "kernels/portable/batch_norm.h"
#include "kernels/portable/softmax.h"
#include "kernels/portable_support.h"

namespace onemodel::kernels {
namespace {

using namespace test;

double reference(Reduce op, const ReduceShape& shape, int64_t output, const Array<double>& x) {
  double sum = 0, product = 1, highest = -HUGE_VAL, lowest = HUGE_VAL;
  int64_t base = 0;
  for_each_index(shape.kept, [&](const Dims& i, int64_t k) {
    if (k == output) base = offset(i, shape.kept_strides);
  });
  for_each_index(shape.reduced, [&](const Dims& i, int64_t) {
    const double v = x[base + offset(i, shape.reduced_strides)];
    sum += v;
    product *= v;
    highest = std::fmax(highest, v);
    lowest = std::fmin(lowest, v);
  });
  switch (op) {
    case Reduce::sum: return sum;
    case Reduce::mean: return sum / static_cast<double>(numel(shape.reduced));
    case Reduce::max: return highest;
    case Reduce::min: return lowest;
    case Reduce::prod: return product;
  }
  return 0;
}

template <class T>
void check_reduce(const Dims& dims, const Dims& strides, const Dims& axes) {
  SCOPED_TRACE(concat(dtype_of<T>, " ", dims, " over ", axes));
  const ReduceShape shape = ReduceShape::over(dims, strides, axes);
  const Array<T> x = values<T>(numel(dims), 1);
  Array<double> exact(x.size());
  for (int64_t i = 0; i < x.size(); ++i) exact[i] = number(x[i]);
  const int64_t outputs = numel(shape.kept);
  for (Reduce op : {Reduce::sum, Reduce::mean, Reduce::max, Reduce::min, Reduce::prod}) {
    if (std::is_integral_v<T> && op == Reduce::prod) continue;
    Array<double> want(outputs);
    for (int64_t i = 0; i < outputs; ++i) {
      want[i] = reference(op, shape, i, exact);
      if constexpr (std::is_integral_v<T>) {
        want[i] = std::trunc(want[i]);
        if (op == Reduce::sum) want[i] = number(static_cast<T>(static_cast<int64_t>(want[i])));
      }
    }
    expect_close(run<T>(outputs, [&](T* y) { reduce(op, shape, x.data(), y); }), want, 4 * kPrecision<T>);
  }
}

TEST(Reduce, MatchesTheReferenceOverAnyAxes) {
  for (DType dtype : kAllDTypes) {
    if (dtype == DType::boolean) continue;
    visit_dtype(dtype, [&]<class T>(TypeTag<T>) {
      check_reduce<T>({3, 5, 7}, {35, 7, 1}, {2});
      check_reduce<T>({3, 5, 7}, {35, 7, 1}, {0});
      check_reduce<T>({3, 5, 7}, {35, 7, 1}, {0, 2});
      check_reduce<T>({3, 5, 7}, {35, 7, 1}, {1});
      check_reduce<T>({3, 5, 7}, {35, 7, 1}, {0, 1, 2});
      check_reduce<T>({3, 5, 7}, {35, 7, 1}, {});
      check_reduce<T>({7, 5, 3}, {1, 7, 35}, {0, 1});
    });
  }
}

TEST(Reduce, RejectsBool) {
  const bool x = true;
  bool y;
  EXPECT_THROW(reduce(Reduce::max, ReduceShape::over({1}, {1}, {0}), &x, &y), DTypeError);
}

TEST(Reduce, OfNothingIsTheNeutralElement) {
  const ReduceShape shape = ReduceShape::over({2, 0}, {1, 1}, {1});
  const float x = 0;
  const auto apply = [&](Reduce op) { return run<float>(2, [&](float* y) { reduce(op, shape, &x, y); })[1]; };
  EXPECT_EQ(apply(Reduce::sum), 0);
  EXPECT_EQ(apply(Reduce::prod), 1);
  EXPECT_EQ(apply(Reduce::max), -kInf);
  EXPECT_EQ(apply(Reduce::min), kInf);
  EXPECT_TRUE(std::isnan(apply(Reduce::mean)));
  const int8_t none = 0;
  EXPECT_EQ(run<int8_t>(2, [&](int8_t* y) { reduce(Reduce::max, shape, &none, y); })[0], -128);
  EXPECT_EQ(run<int8_t>(2, [&](int8_t* y) { reduce(Reduce::mean, shape, &none, y); })[0], 0);
}

TEST(Reduce, ExtremesPropagateNan) {
  Array<float> x = values<float>(1000, 1);
  x[517] = kNan;
  for (Reduce op : {Reduce::max, Reduce::min})
    EXPECT_TRUE(
        std::isnan(run<float>(1, [&](float* y) { reduce(op, ReduceShape::over({1000}, {1}, {0}), x.data(), y); })[0]));
}

TEST(Reduce, DependsOnTheIndexOnlyNotOnTheLayout) {
  const int64_t rows = 5003, columns = 37;
  const Array<float> x = values<float>(rows * columns, 3);
  Array<float> turned(x.size());
  for (int64_t i = 0; i < x.size(); ++i) turned[i % columns * rows + i / columns] = x[i];
  const auto sum = [&](const Array<float>& from, const Dims& strides) {
    return run_threaded<float>(columns, [&](float* y) {
      reduce(Reduce::sum, ReduceShape::over({rows, columns}, strides, {0}), from.data(), y);
    });
  };
  EXPECT_TRUE(same_bytes(sum(x, {columns, 1}), sum(turned, {1, rows})));
}

TEST(Reduce, LongSumsStayAccurate) {
  const int64_t n = 3000017;
  Array<float> x(n);
  std::fill(x.begin(), x.end(), 0.1f);
  const float sum =
      run<float>(1, [&](float* y) { reduce(Reduce::sum, ReduceShape::over({n}, {1}, {0}), x.data(), y); })[0];
  EXPECT_NEAR(sum / (0.1f * static_cast<double>(n)), 1.0, 5e-7);
}

template <class T>
void check_softmax(int64_t outer, int64_t length, int64_t inner) {
  SCOPED_TRACE(concat(dtype_of<T>, " ", Dims{outer, length, inner}));
  const Array<T> x = values<T>(outer * length * inner, 5);
  Array<double> soft(x.size()), logs(x.size());
  for (int64_t i = 0; i < outer * inner; ++i) {
    const int64_t base = i / inner * length * inner + i % inner;
    double sum = 0;
    for (int64_t k = 0; k < length; ++k) sum += std::exp(number(x[base + k * inner]));
    for (int64_t k = 0; k < length; ++k) {
      soft[base + k * inner] = std::exp(number(x[base + k * inner])) / sum;
      logs[base + k * inner] = number(x[base + k * inner]) - std::log(sum);
    }
  }
  expect_close(run_threaded<T>(x.size(), [&](T* y) { softmax(outer, length, inner, x.data(), y); }), soft,
               kPrecision<T>);
  expect_close(run_threaded<T>(x.size(), [&](T* y) { log_softmax(outer, length, inner, x.data(), y); }), logs,
               kPrecision<T>);
}

TEST(Softmax, MatchesTheReferenceAlongAnyAxis) {
  check_softmax<float>(3, 1001, 1);
  check_softmax<float>(5, 7, 1);
  check_softmax<float>(2, 300, 67);
  check_softmax<float>(2, 0, 3);
  check_softmax<double>(40, 33, 1);
  check_softmax<double>(3, 5, 130);
  check_softmax<Float16>(3, 300, 1);
  check_softmax<BFloat16>(3, 9, 70);
}

TEST(Softmax, SurvivesLargeInputsAndGivesNanWhereNumpyDoes) {
  const Array<float> x{1000, 1000, -kInf, -kInf, -kInf, -kInf, kInf, 0, 1, kNan, 0, 1};
  const Array<float> y = run<float>(12, [&](float* out) { softmax(4, 3, 1, x.data(), out); });
  EXPECT_EQ(y[0], 0.5f);
  EXPECT_EQ(y[2], 0.0f);
  for (int64_t i : {3, 5, 6, 9, 10}) EXPECT_TRUE(std::isnan(y[i])) << i;
  const Array<float> z = run<float>(12, [&](float* out) { log_softmax(4, 3, 1, x.data(), out); });
  EXPECT_EQ(z[2], -kInf);
  EXPECT_TRUE(std::isnan(z[3]));
}

TEST(Softmax, GivesTheSameBitsInEveryLayoutAndInPlace) {
  const Array<float> x = values<float>(300 * 70, 1);
  const Array<float> y = run<float>(x.size(), [&](float* out) { softmax(1, 300, 70, x.data(), out); });
  Array<float> turned(x.size()), back(x.size());
  for (int64_t i = 0; i < x.size(); ++i) turned[i % 70 * 300 + i / 70] = x[i];
  softmax(70, 300, 1, turned.data(), turned.data());
  for (int64_t i = 0; i < x.size(); ++i) back[i] = turned[i % 70 * 300 + i / 70];
  EXPECT_TRUE(same_bytes(y, back));
}

TEST(Softmax, RejectsIntegers) {
  const int32_t x = 0;
  int32_t y;
  EXPECT_THROW(softmax(1, 1, 1, &x, &y), DTypeError);
  EXPECT_THROW(log_softmax(1, 1, 1, &x, &y), DTypeError);
}

template <class T>
void check_batch_norm() {
  const int64_t batch = 2, channels = 3, inner = 1100;
  const Array<T> x = values<T>(batch * channels * inner, 1), scale = values<T>(channels, 2);
  const Array<T> bias = values<T>(channels, 3), mean = values<T>(channels, 4);
  const Array<T> variance{convert<T>(0.5f), convert<T>(2.0f), convert<T>(0.0f)};
  Array<double> want(x.size());
  for (int64_t i = 0; i < x.size(); ++i) {
    const int64_t c = i / inner % channels;
    const double deviation = std::sqrt(number(variance[c]) + 0.25);
    want[i] = (number(x[i]) - number(mean[c])) / deviation * number(scale[c]) + number(bias[c]);
  }
  const BatchNormParams<T> params{scale.data(), bias.data(), mean.data(), variance.data(), 0.25};
  expect_close(run_threaded<T>(x.size(), [&](T* y) { batch_norm(batch, channels, inner, x.data(), params, y); }), want,
               2 * kPrecision<T>);
}

TEST(BatchNorm, MatchesTheReference) {
  check_batch_norm<float>();
  check_batch_norm<double>();
  check_batch_norm<Float16>();
  check_batch_norm<BFloat16>();
}

}  // namespace
}  // namespace onemodel::kernels
