#include "kernels/xnn/reduce.h"

#include "kernels/xnn/softmax.h"
#include "kernels/xnn/transpose.h"
#include "kernels/xnn_support.h"

namespace onemodel::kernels::xnn {
namespace {

using Floats = std::vector<float>;
constexpr Reduce kReductions[] = {Reduce::sum, Reduce::mean, Reduce::max, Reduce::min, Reduce::sum_square};

std::vector<double> reduced(Reduce function, const Floats& x, const Dims& shape, const Dims& axes) {
  std::vector<int64_t> out_strides(shape.size(), 0);
  int64_t stride = 1, count = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    const bool reduces = axes.empty() || std::find(axes.begin(), axes.end(), int64_t(i)) != axes.end();
    if (reduces) count *= shape[i];
    if (!reduces) out_strides[i] = stride, stride *= shape[i];
  }
  const double start = function == Reduce::max ? -INFINITY : function == Reduce::min ? INFINITY : 0;
  std::vector<double> y(size_t(stride), start);
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t rest = int64_t(i), at = 0;
    for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis]) at += rest % shape[axis] * out_strides[axis];
    double& to = y[size_t(at)];
    const double v = double{x[i]};
    if (function == Reduce::max)
      to = std::isnan(v) || std::isnan(to) ? NAN : std::max(to, v);
    else if (function == Reduce::min)
      to = std::isnan(v) || std::isnan(to) ? NAN : std::min(to, v);
    else
      to += function == Reduce::sum_square ? v * v : function == Reduce::mean ? v / static_cast<double>(count) : v;
  }
  return y;
}

struct Case {
  Dims shape, axes;
};
const Case kCases[] = {{{}, {}},
                       {{1}, {0}},
                       {{7}, {}},
                       {{3, 5}, {1}},
                       {{3, 5}, {0}},
                       {{3, 5}, {1, 0}},
                       {{2, 3, 4}, {1}},
                       {{2, 3, 4}, {2, 1}},
                       {{2, 3, 4}, {0, 1}},
                       {{5, 1, 6}, {0, 2}},
                       {{2, 1, 3, 1}, {3}},
                       {{70, 700}, {0}},
                       {{700, 70}, {0}},
                       {{3, 40001}, {1}},
                       {{3000, 3}, {0}},
                       {{2, 1300, 9}, {1}},
                       {{4, 3, 50}, {0, 2}},
                       {{70, 5, 4, 700}, {0, 2}},
                       {{3, 2, 40, 30}, {0, 2, 3}}};

TEST(XnnReduce, MatchesTheDefinition) {
  with_threads([] {
    for (const auto& [shape, axes] : kCases)
      for (Reduce function : kReductions) {
        SCOPED_TRACE(concat(shape, " over ", axes, " by ", static_cast<int>(function)));
        const Floats x = random_floats(numel(shape), 1);
        check_kernel([&, s = shape, a = axes](auto& r) { return reduce(function, s, a, r); }, {x},
                     reduced(function, x, shape, axes), 3e-6);
      }
  });
}

TEST(XnnReduce, KeepsNanAndInfinity) {
  for (const auto& [shape, axes] : kCases)
    for (Reduce function : {Reduce::max, Reduce::min})
      for (float nan : {kNan, -kNan}) {
        Floats x = random_floats(numel(shape), 1);
        for (size_t i = 0; i < x.size(); i += 11) x[i] = i % 4 == 0 ? nan : i % 4 == 1 ? kInf : -kInf;
        check_kernel([&, s = shape, a = axes](auto& r) { return reduce(function, s, a, r); }, {x},
                     reduced(function, x, shape, axes), 0);
      }
}

TEST(XnnReduce, LongSumsStayExact) {
  const Floats x(1 << 22, 0.1f);
  check_kernel([&](auto& r) { return reduce(Reduce::mean, {1 << 22}, {}, r); }, {x}, {double{0.1f}});
  check_kernel(
      [&](auto& r) {
        return reduce(Reduce::mean, {1 << 19, 8}, {0}, r);
      },
      {x}, std::vector<double>(8, double{0.1f}));
}

TEST(XnnReduce, RefusesWithAReason) {
  const auto refused = [](const Dims& shape, const Dims& axes) {
    return refusal_of([&](auto& r) { return reduce(Reduce::sum, shape, axes, r); });
  };
  EXPECT_EQ(refused({2, 3, 4, 5}, {1, 3}), "axes [1, 3] of [2, 3, 4, 5] do not merge into two");
  EXPECT_EQ(refused({2, 3}, {2}), "[2] are not axes of [2, 3]");
  EXPECT_EQ(refused({2, 3}, {1, 1}), "[1, 1] are not axes of [2, 3]");
  EXPECT_EQ(refused({2, 0}, {1}), "a size is zero");
}

std::vector<double> softmax_of(const Floats& x, size_t columns) {
  std::vector<double> y(x.size());
  for (size_t row = 0; row < x.size(); row += columns) {
    double largest = -INFINITY, sum = 0;
    for (size_t i = row; i < row + columns; ++i) largest = std::max(largest, double{x[i]});
    for (size_t i = row; i < row + columns; ++i) sum += y[i] = std::exp(double{x[i]} - largest);
    for (size_t i = row; i < row + columns; ++i) y[i] /= sum;
  }
  return y;
}

TEST(XnnSoftmax, MatchesTheDefinition) {
  with_threads([] {
    for (auto [rows, columns] : {std::pair<int64_t, int64_t>{1, 1}, {3, 7}, {130, 1000}, {1000, 10}, {1, 50000}})
      for (float range : {1.f, 100.f}) {
        Floats x = random_floats(rows * columns, 1, -range, range);
        check_kernel([&](auto& r) { return softmax(rows, columns, r); }, {x}, softmax_of(x, size_t(columns)), 5e-7);
      }
  });
}

TEST(XnnSoftmax, KeepsNanAndIgnoresMinusInfinity) {
  for (int64_t columns : {1, 3, 5, 16, 37})
    for (int64_t at = 0; at < columns; ++at) {
      Floats x = random_floats(2 * columns, 1);
      const auto make = [&](auto& r) { return softmax(2, columns, r); };
      for (float nan : {kNan, -kNan, kInf}) {
        x[size_t(at)] = nan;
        std::vector<double> y = softmax_of(x, size_t(columns));
        for (int64_t i = 0; i < columns && nan != kInf; ++i) y[size_t(i)] = NAN;
        check_kernel(make, {x}, y);
      }
      x[size_t(at)] = -kInf;
      check_kernel(make, {x}, softmax_of(x, size_t(columns)));
    }
  const Floats all(5, -kInf);
  check_kernel([&](auto& r) { return softmax(1, 5, r); }, {all}, std::vector<double>(5, NAN));
}

TEST(XnnSoftmax, RefusesWithAReason) {
  EXPECT_EQ(refusal_of([](auto& r) { return softmax(3, 0, r); }), "a size is zero");
}

template <class T>
void check_transpose(const Dims& shape, const Dims& perm) {
  SCOPED_TRACE(concat(shape, " by ", perm, " of ", sizeof(T)));
  std::vector<T> x(size_t(numel(shape)));
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(i * 7);
  const Dims strides = contiguous_strides(shape);
  Dims out;
  for (int64_t axis : perm) out.push_back(shape[size_t(axis)]);
  std::vector<T> expected;
  for (int64_t i = 0; i < numel(out); ++i) {
    int64_t rest = i, at = 0;
    for (size_t axis = out.size(); axis-- > 0; rest /= out[axis]) at += rest % out[axis] * strides[size_t(perm[axis])];
    expected.push_back(x[size_t(at)]);
  }
  std::string refusal;
  PreparedPtr kernel = transpose(shape, perm, sizeof(T), refusal);
  ASSERT_TRUE(kernel) << refusal;
  EXPECT_EQ(run_kernel<T>(*kernel, {x}, x.size()), expected);
}

TEST(XnnTranspose, MatchesTheDefinition) {
  const std::pair<Dims, Dims> cases[] = {{{}, {}},
                                         {{5}, {0}},
                                         {{3, 4}, {0, 1}},
                                         {{33, 70}, {1, 0}},
                                         {{1, 9, 1}, {2, 0, 1}},
                                         {{2, 35, 41}, {0, 2, 1}},
                                         {{5, 6, 7}, {2, 1, 0}},
                                         {{5, 6, 7}, {1, 0, 2}},
                                         {{2, 3, 4, 5}, {0, 2, 3, 1}},
                                         {{2, 3, 4, 5}, {0, 3, 1, 2}},
                                         {{2, 3, 4, 5}, {0, 2, 1, 3}},
                                         {{2, 1, 3, 4, 1, 5}, {5, 1, 3, 4, 2, 0}},
                                         {{2, 3, 2, 3, 2, 3}, {5, 3, 1, 4, 2, 0}},
                                         {{2, 2, 3, 2, 2, 3, 2}, {4, 5, 6, 2, 3, 0, 1}}};
  with_threads([&] {
    for (const auto& [shape, perm] : cases) {
      check_transpose<uint8_t>(shape, perm);
      check_transpose<uint16_t>(shape, perm);
      check_transpose<uint32_t>(shape, perm);
      check_transpose<uint64_t>(shape, perm);
    }
  });
}

TEST(XnnTranspose, RefusesWithAReason) {
  const auto refused = [](const Dims& shape, const Dims& perm, size_t bytes) {
    return refusal_of([&](auto& r) { return transpose(shape, perm, bytes, r); });
  };
  EXPECT_EQ(refused({2, 3}, {0, 0}, 4), "[0, 0] does not permute the axes of [2, 3]");
  EXPECT_EQ(refused({2, 3}, {0}, 4), "[0] does not permute the axes of [2, 3]");
  EXPECT_EQ(refused({2, 0}, {1, 0}, 4), "a size is zero");
  EXPECT_EQ(refused({2, 3}, {1, 0}, 3), "elements of 3 bytes");
  EXPECT_EQ(refused({2, 2, 2, 2, 2, 2, 2}, {6, 5, 4, 3, 2, 1, 0}, 4), "more than 6 axes");
}

}  // namespace
}  // namespace onemodel::kernels::xnn
