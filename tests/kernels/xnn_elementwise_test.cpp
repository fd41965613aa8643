#include "kernels/xnn/elementwise.h"

#include <functional>

#include "kernels/xnn_support.h"

namespace onemodel::kernels::xnn {
namespace {

using Floats = std::vector<float>;

double clamped(double x, double low, double high) { return x < low ? low : x > high ? high : x; }
double gelu_tanh(double x) { return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }

struct Case {
  Unary function;
  std::function<double(double)> reference;
  float a = 0, b = 0;
};
const Case kCases[] = {
    {Unary::neg, [](double x) { return -x; }},
    {Unary::abs, [](double x) { return std::abs(x); }},
    {Unary::exp, [](double x) { return std::exp(x); }},
    {Unary::log, [](double x) { return std::log(x); }},
    {Unary::sqrt, [](double x) { return std::sqrt(x); }},
    {Unary::reciprocal, [](double x) { return 1 / x; }},
    {Unary::square, [](double x) { return x * x; }},
    {Unary::floor, [](double x) { return std::floor(x); }},
    {Unary::ceil, [](double x) { return std::ceil(x); }},
    {Unary::round, [](double x) { return std::nearbyint(x); }},
    {Unary::relu, [](double x) { return x < 0 ? 0 : x; }},
    {Unary::leaky_relu, [](double x) { return x < 0 ? 0.125 * x : x; }, 0.125f},
    {Unary::elu, [](double x) { return x < 0 ? 1.5 * std::expm1(x) : x; }, 1.5f},
    {Unary::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
    {Unary::tanh, [](double x) { return std::tanh(x); }},
    {Unary::erf, [](double x) { return std::erf(x); }},
    {Unary::softplus, [](double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }},
    {Unary::silu, [](double x) { return x / (1 + std::exp(-x)); }},
    {Unary::gelu, [](double x) { return 0.5 * x * (1 + std::erf(x * 0.7071067811865476)); }},
    {Unary::gelu_tanh, gelu_tanh},
    {Unary::hardsigmoid, [](double x) { return clamped(0.25 * x + 0.5, 0, 1); }, 0.25f, 0.5f},
    {Unary::hardswish, [](double x) { return x * clamped(x / 6 + 0.5, 0, 1); }},
    {Unary::clamp, [](double x) { return clamped(x, -0.5, 2); }, -0.5f, 2},
};

Floats arguments() {
  Floats x = random_floats(3001, 1, -6, 6);
  const Floats wide = random_floats(3000, 2, -110, 110), tiny = random_floats(500, 3, -1e-3f, 1e-3f);
  x.insert(x.end(), wide.begin(), wide.end());
  x.insert(x.end(), tiny.begin(), tiny.end());
  for (float edge : {0.f, 0.5f, 1.f, 1.5f, 2.5f, 1e-30f, 1e-42f, 88.7f, 3e38f, kInf}) {
    x.push_back(edge);
    x.push_back(-edge);
  }
  return x;
}

TEST(XnnUnary, MatchesTheDefinition) {
  const Floats x = arguments();
  with_threads([&] {
    for (const Case& c : kCases) {
      SCOPED_TRACE(static_cast<int>(c.function));
      std::vector<double> y;
      for (float v : x) y.push_back(c.reference(double{v}));
      if (c.function == Unary::silu) y.back() = kNan;  // -inf times 0
      check_kernel([&](auto& r) { return unary(c.function, int64_t(x.size()), c.a, c.b, r); }, {x}, y);
    }
  });
}

TEST(XnnUnary, KeepsNanAtEveryPosition) {
  for (const Case& c : kCases)
    for (int64_t count : {1, 4, 9, 33})
      for (float nan : {kNan, -kNan}) {
        const Floats x(size_t(count), nan);
        check_kernel([&](auto& r) { return unary(c.function, count, c.a, c.b, r); }, {x},
                     std::vector<double>(x.size(), double{kNan}));
      }
}

TEST(XnnUnary, MayRunInPlace) {
  std::string refusal;
  for (const Case& c : kCases) {
    Floats x = random_floats(1001, 1, 0.1f, 3);
    Floats expected(x.size());
    PreparedPtr kernel = unary(c.function, 1001, c.a, c.b, refusal);
    ASSERT_TRUE(kernel);
    const void* inputs[] = {x.data()};
    void* out_of_place[] = {expected.data()};
    kernel->run(inputs, out_of_place, nullptr);
    void* in_place[] = {x.data()};
    kernel->run(inputs, in_place, nullptr);
    for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], expected[i]) << static_cast<int>(c.function);
  }
}

double apply(Binary function, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return double{kNan};
  switch (function) {
    case Binary::add: return a + b;
    case Binary::sub: return a - b;
    case Binary::mul: return a * b;
    case Binary::div: return a / b;
    case Binary::min: return std::min(a, b);
    case Binary::max: return std::max(a, b);
    case Binary::squared_difference: return (a - b) * (a - b);
  }
  return 0;
}
constexpr Binary kBinaries[] = {
    Binary::add, Binary::sub, Binary::mul, Binary::div, Binary::min, Binary::max, Binary::squared_difference};

std::vector<double> broadcast_apply(Binary function, const Dims& a_dims, const Floats& a, const Dims& b_dims,
                                    const Floats& b, double low, double high) {
  Dims out;
  EXPECT_TRUE(broadcast(a_dims, b_dims, out));
  const auto at = [&](const Dims& own, int64_t index) {
    int64_t offset = 0, stride = 1;
    for (size_t i = 0; i < own.size(); ++i) {
      const int64_t extent = own[own.size() - 1 - i], whole = out[out.size() - 1 - i];
      offset += extent == 1 ? 0 : index % whole * stride;
      index /= whole;
      stride *= extent;
    }
    return size_t(offset);
  };
  std::vector<double> y;
  for (int64_t i = 0; i < numel(out); ++i) {
    const double v = apply(function, double{a[at(a_dims, i)]}, double{b[at(b_dims, i)]});
    y.push_back(std::isnan(v) ? v : std::min(std::max(v, low), high));
  }
  return y;
}

const std::pair<Dims, Dims> kShapes[] = {{{}, {}},
                                         {{1}, {1}},
                                         {{7}, {7}},
                                         {{3, 5}, {3, 5}},
                                         {{40000}, {}},
                                         {{}, {2, 9}},
                                         {{4, 7}, {7}},
                                         {{4, 7}, {4, 1}},
                                         {{2, 3, 5}, {3, 1}},
                                         {{1, 5}, {6, 1}},
                                         {{2, 1, 4}, {3, 1}},
                                         {{2, 3, 1, 5, 1}, {1, 3, 4, 1, 6}},
                                         {{300, 200}, {300, 1}},
                                         {{200}, {300, 200}},
                                         {{2, 8, 3, 3}, {8, 1, 1}}};

TEST(XnnBinary, BroadcastsAndMatchesTheDefinition) {
  with_threads([] {
    for (const auto& [a_dims, b_dims] : kShapes)
      for (Binary function : kBinaries) {
        SCOPED_TRACE(concat(a_dims, " with ", b_dims, " by ", static_cast<int>(function)));
        const Floats a = random_floats(numel(a_dims), 1), b = random_floats(numel(b_dims), 2, 0.5f, 2);
        check_kernel([&, x = a_dims, y = b_dims](auto& r) { return binary(function, x, y, r); }, {a, b},
                     broadcast_apply(function, a_dims, a, b_dims, b, -1e30, 1e30));
        check_kernel([&, x = a_dims, y = b_dims](auto& r) { return binary(function, x, y, -0.25f, 0.5f, r); }, {a, b},
                     broadcast_apply(function, a_dims, a, b_dims, b, -0.25, 0.5));
      }
  });
}

TEST(XnnBinary, KeepsNanFromEitherSide) {
  const Floats special = {kNan, -kNan, kInf, -kInf, 0, -1, 1};
  Floats a, b;
  for (int repeat = 0; repeat < 3; ++repeat)
    for (float x : special)
      for (float y : special) a.push_back(x), b.push_back(y);
  const Dims dims{int64_t(a.size())};
  for (Binary function : {Binary::min, Binary::max}) {
    const std::vector<double> expected = broadcast_apply(function, dims, a, dims, b, -INFINITY, INFINITY);
    check_kernel([&](auto& r) { return binary(function, dims, dims, r); }, {a, b}, expected);
  }
  for (size_t i = 0; i < a.size(); ++i)
    if (std::isnan(b[i]))
      check_kernel([&](auto& r) { return binary(Binary::add, dims, {1}, 0, 6, r); }, {a, {b[i]}},
                   std::vector<double>(a.size(), double{kNan}));
}

TEST(XnnElementwise, RefusesWithAReason) {
  EXPECT_EQ(refusal_of([](auto& r) { return unary(Unary::relu, 0, 0, 0, r); }), "a size is zero");
  EXPECT_EQ(refusal_of([](auto& r) { return binary(Binary::add, {0, 2}, {2}, r); }), "a size is zero");
  EXPECT_EQ(refusal_of([](auto& r) { return binary(Binary::add, {3}, {2}, r); }), "shapes [3] and [2] do not fit");
}

}  // namespace
}  // namespace onemodel::kernels::xnn
