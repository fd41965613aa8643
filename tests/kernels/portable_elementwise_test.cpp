#include "kernels/portable/elementwise.h"

#include "kernels/portable/half.h"
#include "kernels/portable_support.h"

namespace onemodel::kernels {
namespace {

using namespace test;

double reference(Unary op, double x) {
  switch (op) {
    case Unary::neg: return -x;
    case Unary::abs: return std::fabs(x);
    case Unary::sign: return x > 0 ? 1 : (x < 0 ? -1 : x);
    case Unary::relu: return x < 0 ? 0 : x;
    case Unary::reciprocal: return 1 / x;
    case Unary::sqrt: return std::sqrt(x);
    case Unary::exp: return std::exp(x);
    case Unary::log: return std::log(x);
    case Unary::sin: return std::sin(x);
    case Unary::cos: return std::cos(x);
    case Unary::tan: return std::tan(x);
    case Unary::asin: return std::asin(x);
    case Unary::acos: return std::acos(x);
    case Unary::atan: return std::atan(x);
    case Unary::sinh: return std::sinh(x);
    case Unary::cosh: return std::cosh(x);
    case Unary::asinh: return std::asinh(x);
    case Unary::acosh: return std::acosh(x);
    case Unary::atanh: return std::atanh(x);
    case Unary::tanh: return std::tanh(x);
    case Unary::sigmoid: return 1 / (1 + std::exp(-x));
    case Unary::erf: return std::erf(x);
    case Unary::gelu: return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
    case Unary::gelu_tanh: return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    case Unary::leaky_relu: return x < 0 ? 0.25 * x : x;
    case Unary::hard_sigmoid: return std::fmin(std::fmax(0.25 * x + 0.5, 0), 1);
    case Unary::hard_swish: return x * std::fmin(std::fmax(x / 6 + 0.5, 0), 1);
    case Unary::softplus: return std::log1p(std::exp(x));
    case Unary::softsign: return x / (1 + std::fabs(x));
    case Unary::elu: return x > 0 ? x : 0.25 * std::expm1(x);
    case Unary::selu: return 0.5 * (x > 0 ? x : 0.25 * std::expm1(x));
    case Unary::celu: return x > 0 ? x : 0.25 * std::expm1(x / 0.25);
    case Unary::mish: return x * std::tanh(std::log1p(std::exp(x)));
    case Unary::thresholded_relu: return x > 0.25 ? x : 0;
    case Unary::floor: return std::floor(x);
    case Unary::ceil: return std::ceil(x);
    case Unary::round: return std::nearbyint(x);
  }
  return 0;
}

bool is_for_integers(Unary op) {
  return op <= Unary::relu || op == Unary::floor || op == Unary::ceil || op == Unary::round;
}

/// Odd extents with a transposed, a repeated and a backward axis.
struct View {
  Dims dims{5, 3, 2, 7};
  Dims strides{1, 0, -35, 5};
  int64_t first = 35, size = 70;
};

TEST(Unary, MatchesTheReferenceOnStridedViews) {
  const View view;
  for (DType dtype : kAllDTypes) {
    visit_dtype(dtype, [&]<class T>(TypeTag<T>) {
      const Array<T> x = values<T>(view.size, 1);
      const Array<T> flat = gathered(view.dims, x.data() + view.first, view.strides);
      for (int i = 0; i <= static_cast<int>(Unary::round); ++i) {
        const auto op = static_cast<Unary>(i);
        const auto kernel = [&](T* y) { unary(op, view.dims, x.data() + view.first, view.strides, y, {0.25f, 0.5f}); };
        if (dtype == DType::boolean || (is_integer(dtype) && !is_for_integers(op))) {
          EXPECT_THROW(kernel(Array<T>(flat.size()).data()), DTypeError);
          continue;
        }
        Array<double> want(flat.size());
        for (int64_t k = 0; k < flat.size(); ++k) {
          want[k] = reference(op, number(flat[k]));
          if constexpr (std::is_unsigned_v<T>)
            if (op == Unary::neg) want[k] = number(static_cast<T>(0 - flat[k]));
        }
        SCOPED_TRACE(concat(dtype, " operation ", i));
        expect_close(run<T>(flat.size(), kernel), want, 2 * kPrecision<T>);
      }
    });
  }
}

TEST(Unary, WorksOnManyElementsAndOnNone) {
  const int64_t n = 100001;
  const Array<float> x = values<float>(n, 2);
  Array<double> want(n);
  for (int64_t i = 0; i < n; ++i) want[i] = std::exp(double{x[i]});
  expect_close(run_threaded<float>(n, [&](float* y) { unary(Unary::exp, {n}, x.data(), {1}, y); }), want, 1e-6);
  run<float>(0, [&](float* y) { unary(Unary::exp, {3, 0}, x.data(), {1, 1}, y); });
  expect_equal(run<float>(1, [&](float* y) { unary(Unary::neg, {}, x.data(), {}, y); }), {-x[0]});
}

TEST(Unary, MayOverwriteItsInput) {
  Array<float> x{1.5f, -2.0f, 3.0f};
  unary(Unary::neg, {3}, x.data(), {1}, x.data());
  expect_equal(x, {-1.5f, 2.0f, -3.0f});
}

TEST(Unary, TreatsSpecialValues) {
  const Array<float> x{kNan, kInf, -kInf, -0.0f, 1e30f};
  const auto apply = [&](Unary op) { return run<float>(5, [&](float* y) { unary(op, {5}, x.data(), {1}, y); }); };
  EXPECT_TRUE(std::isnan(apply(Unary::relu)[0]));
  EXPECT_TRUE(std::isnan(apply(Unary::sign)[0]));
  EXPECT_EQ(apply(Unary::exp)[2], 0.0f);
  EXPECT_TRUE(std::isnan(apply(Unary::sin)[1]));
  EXPECT_EQ(apply(Unary::sin)[4], static_cast<float>(std::sin(double{1e30f})));
  EXPECT_TRUE(std::signbit(apply(Unary::floor)[3]));
  EXPECT_EQ(apply(Unary::round)[4], 1e30f);
  const Array<int8_t> lowest{-128};
  expect_equal(run<int8_t>(1, [&](int8_t* y) { unary(Unary::abs, {1}, lowest.data(), {1}, y); }), lowest);
}

TEST(Unary, RoundsHalvesToEven) {
  const Array<double> x{0.5, 1.5, 2.5, -0.5, -1.5, 4503599627370497.0};
  expect_equal(run<double>(6, [&](double* y) { unary(Unary::round, {6}, x.data(), {1}, y); }),
               {0.0, 2.0, 2.0, -0.0, -2.0, 4503599627370497.0});
}

TEST(Clip, KeepsNanAndPrefersTheUpperBound) {
  const Array<float> x{kNan, -5, 0.5f, 9};
  const Array<float> y = run<float>(4, [&](float* out) { clip({4}, x.data(), {1}, -1.0f, 1.0f, out); });
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], -1);
  EXPECT_EQ(y[2], 0.5f);
  EXPECT_EQ(y[3], 1);
  EXPECT_EQ(run<float>(4, [&](float* out) { clip({4}, x.data(), {1}, 3.0f, 2.0f, out); })[1], 2);
  const int64_t big = int64_t{1} << 60;
  const Array<int64_t> whole{big + 5};
  expect_equal(run<int64_t>(1, [&](int64_t* out) { clip({1}, whole.data(), {1}, big, big + 3, out); }), {big + 3});
}

double reference(Binary op, double a, double b) {
  switch (op) {
    case Binary::add: return a + b;
    case Binary::sub: return a - b;
    case Binary::mul: return a * b;
    case Binary::div: return a / b;
    case Binary::min: return std::fmin(a, b);
    case Binary::max: return std::fmax(a, b);
    default: return 0;  // remainders and functions of bits: tests/ops
  }
}

TEST(Binary, MatchesTheReferenceWithBroadcasting) {
  const Dims dims{3, 5, 7}, a_strides{7, 0, 1}, b_strides{0, 1, 5};
  for (DType dtype : kAllDTypes) {
    visit_dtype(dtype, [&]<class T>(TypeTag<T>) {
      const Array<T> a = values<T>(21, 1), b = values<T>(35, 2);
      const Array<T> af = gathered(dims, a.data(), a_strides), bf = gathered(dims, b.data(), b_strides);
      for (int i = 0; i <= static_cast<int>(Binary::max); ++i) {
        const auto op = static_cast<Binary>(i);
        const auto kernel = [&](T* y) { binary(op, dims, a.data(), a_strides, b.data(), b_strides, y); };
        if (dtype == DType::boolean) {
          EXPECT_THROW(kernel(Array<T>(105).data()), DTypeError);
          continue;
        }
        Array<double> want(105);
        for (int64_t k = 0; k < 105; ++k) {
          double value = reference(op, number(af[k]), number(bf[k]));
          if constexpr (std::is_integral_v<T>) {
            if (op == Binary::div) value = number(bf[k]) == 0 ? 0 : std::trunc(value);
            if (value < 0 || value > 127) value = number(static_cast<T>(static_cast<int64_t>(value)));
          }
          want[k] = value;
        }
        SCOPED_TRACE(concat(dtype, " operation ", i));
        expect_close(run<T>(105, kernel), want, kPrecision<T>);
      }
    });
  }
}

TEST(Binary, WrapsAndDefinesIntegerDivision) {
  const int32_t low = std::numeric_limits<int32_t>::min(), high = std::numeric_limits<int32_t>::max();
  const Array<int32_t> a{low, 7, -7, high}, b{-1, 0, 2, 1};
  const auto apply = [&](Binary op) {
    return run<int32_t>(4, [&](int32_t* y) { binary(op, {4}, a.data(), {1}, b.data(), {1}, y); });
  };
  expect_equal(apply(Binary::div), {low, 0, -3, high});
  expect_equal(apply(Binary::add), {high, 7, -5, low});
  expect_equal(apply(Binary::mul), {low, 0, -14, high});
}

template <class T>
void expect_defined_remainders() {
  const T low = std::numeric_limits<T>::min();
  const Array<T> a{low, 7, -7, 7, -7}, b{-1, 0, 0, -3, 3};
  const auto apply = [&](Binary op) {
    return run<T>(5, [&](T* y) { binary(op, {5}, a.data(), {1}, b.data(), {1}, y); });
  };
  expect_equal(apply(Binary::div), {low, 0, 0, -2, -2});
  expect_equal(apply(Binary::mod), {0, 0, 0, -2, 2});
  expect_equal(apply(Binary::fmod), {0, 0, 0, 1, -1});
}

TEST(Binary, RemaindersByZeroAndByMinusOneAreDefined) {
  expect_defined_remainders<int32_t>();
  expect_defined_remainders<int64_t>();
}

template <class T>
void expect_defined_shifts(T width) {
  const Array<T> a{3, 3, 3, 3}, b{1, static_cast<T>(width - 1), width, static_cast<T>(width + 6)};
  const auto apply = [&](Binary op) {
    return run<T>(4, [&](T* y) { binary(op, {4}, a.data(), {1}, b.data(), {1}, y); });
  };
  expect_equal(apply(Binary::shift_left), {6, static_cast<T>(T{1} << (width - 1)), 0, 0});
  expect_equal(apply(Binary::shift_right), {1, 0, 0, 0});
}

TEST(Binary, ShiftsByTheWidthAndMoreGiveZero) {
  expect_defined_shifts<uint8_t>(8);
  expect_defined_shifts<uint64_t>(64);
}

TEST(Binary, WorksOnManyElements) {
  const Dims dims{301, 401}, a_strides{1, 301}, b_strides{0, 1};
  const Array<float> a = values<float>(numel(dims), 1), b = values<float>(401, 2);
  const Array<float> y = run_threaded<float>(
      numel(dims), [&](float* out) { binary(Binary::sub, dims, a.data(), a_strides, b.data(), b_strides, out); });
  for_each_index(dims, [&](const Dims& i, int64_t k) { ASSERT_EQ(y[k], a[offset(i, a_strides)] - b[i[1]]); });
}

TEST(Binary, ExtremesPropagateNan) {
  const Array<float> a{kNan, 1, kNan}, b{1, kNan, kNan};
  for (Binary op : {Binary::min, Binary::max})
    for (float v : run<float>(3, [&](float* y) { binary(op, {3}, a.data(), {1}, b.data(), {1}, y); }))
      EXPECT_TRUE(std::isnan(v));
}

TEST(Compare, WorksForEveryDtypeAndIsFalseForNan) {
  for (DType dtype : kAllDTypes) {
    visit_dtype(dtype, [&]<class T>(TypeTag<T>) {
      const Array<T> a = values<T>(70, 1), b = values<T>(70, 2);
      const auto check = [&](Compare op, auto reference) {
        Array<bool> want(70);
        for (int64_t i = 0; i < 70; ++i) want[i] = reference(number(a[i]), number(b[i]));
        expect_equal(run<bool>(70, [&](bool* y) { compare(op, {70}, a.data(), {1}, b.data(), {1}, y); }), want);
      };
      check(Compare::equal, std::equal_to<>());
      check(Compare::less, std::less<>());
      check(Compare::less_or_equal, std::less_equal<>());
      check(Compare::greater, std::greater<>());
      check(Compare::greater_or_equal, std::greater_equal<>());
    });
  }
  const float nan = kNan;
  for (Compare op : {Compare::equal, Compare::less_or_equal, Compare::greater_or_equal})
    EXPECT_FALSE(run<bool>(1, [&](bool* y) { compare(op, {1}, &nan, {1}, &nan, {1}, y); })[0]);
}

TEST(Where, SelectsElementsOfAnySize) {
  const Dims dims{3, 4};
  const Array<bool> condition = values<bool>(4, 3);
  const auto check = [&]<class T>(TypeTag<T>) {
    const Array<T> a = values<T>(12, 1), b = values<T>(3, 2);
    Array<T> want(12);
    for_each_index(dims, [&](const Dims& i, int64_t k) { want[k] = condition[i[1]] ? a[k] : b[i[0]]; });
    expect_equal(run<T>(12,
                        [&](T* y) {
                          where(sizeof(T), dims, condition.data(), {0, 1}, a.data(), {4, 1}, b.data(), {1, 0}, y);
                        }),
                 want);
  };
  check(TypeTag<uint8_t>{});
  check(TypeTag<Float16>{});
  check(TypeTag<float>{});
  check(TypeTag<int64_t>{});
}

TEST(Cast, EqualsConvertBetweenAllDtypes) {
  const double specials[] = {0,     -0.0, 1.5,   -1.5, 2.5,  255.9, -129, 70000, 65520, 1e10,
                             -1e10, 1e19, -1e30, kNan, kInf, -kInf, 1e-8, 3e9,   1e300, 0.1};
  for (DType from : kAllDTypes) {
    visit_dtype(from, [&]<class From>(TypeTag<From>) {
      Array<From> x(90);
      const Array<From> small = values<From>(70, 1);
      for (int64_t i = 0; i < 90; ++i) x[i] = i < 70 ? small[i] : convert<From>(specials[i - 70]);
      x[0] = convert<From>(std::numeric_limits<int64_t>::max());
      x[1] = convert<From>(std::numeric_limits<uint64_t>::max() - 1000);
      x[2] = convert<From>((int64_t{1} << 53) + 1);
      for (DType to : kAllDTypes) {
        visit_dtype(to, [&]<class To>(TypeTag<To>) {
          const Dims dims{9, 10}, strides{1, 9};
          const Array<From> flat = gathered(dims, x.data(), strides);
          const Array<To> y = run<To>(90, [&](To* out) { cast(dims, from, x.data(), strides, to, out); });
          for (int64_t i = 0; i < 90; ++i) {
            const To want = convert<To>(flat[i]);
            EXPECT_TRUE(y[i] == want || (number(want) != number(want) && number(y[i]) != number(y[i])))
                << concat(from, " to ", to, " of ", number(flat[i]));
          }
        });
      }
    });
  }
}

TEST(Cast, HalvesConvertAsSingleElementsDo) {
  Array<Float16> half(65536);
  Array<BFloat16> brain(65536);
  for (int64_t i = 0; i < 65536; ++i) half[i].bits = brain[i].bits = static_cast<uint16_t>(i);
  Array<float> wide(65536), exact(65536);
  const auto compare_bits = [](const Array<float>& a, const Array<float>& b) { EXPECT_TRUE(same_bytes(a, b)); };
  widen(half.data(), 65536, wide.data());
  for (int64_t i = 0; i < 65536; ++i) exact[i] = static_cast<float>(half[i]);
  compare_bits(wide, exact);
  widen(brain.data(), 65536, wide.data());
  for (int64_t i = 0; i < 65536; ++i) exact[i] = static_cast<float>(brain[i]);
  compare_bits(wide, exact);

  Array<float> x(1 << 18);
  for (int64_t i = 0; i < x.size(); ++i) x[i] = std::bit_cast<float>(static_cast<uint32_t>(i * 16381));
  Array<Float16> narrow_half(x.size()), one_half(x.size());
  Array<BFloat16> narrow_brain(x.size()), one_brain(x.size());
  narrow(x.data(), x.size(), narrow_half.data());
  narrow(x.data(), x.size(), narrow_brain.data());
  for (int64_t i = 0; i < x.size(); ++i) {
    one_half[i] = Float16(x[i]);
    one_brain[i] = BFloat16(x[i]);
  }
  EXPECT_TRUE(same_bytes(narrow_half, one_half));
  EXPECT_TRUE(same_bytes(narrow_brain, one_brain));
}

template <class T, class U>
Array<T> power(const Array<T>& a, const Array<U>& b) {
  return run<T>(a.size(), [&](T* y) { pow({a.size()}, a.data(), {1}, dtype_of<U>, b.data(), {1}, y); });
}

TEST(Pow, TakesExponentsOfEveryNumericDtype) {
  for (DType base : kAllDTypes) {
    for (DType exponent : kAllDTypes) {
      visit_dtype(base, [&]<class T>(TypeTag<T>) {
        visit_dtype(exponent, [&]<class U>(TypeTag<U>) {
          const Array<T> a{convert<T>(1), convert<T>(2), convert<T>(3), convert<T>(2)};
          const Array<U> b{convert<U>(5), convert<U>(3), convert<U>(2), convert<U>(0)};
          if (base == DType::boolean || exponent == DType::boolean)
            EXPECT_THROW(power(a, b), DTypeError);
          else
            expect_close(power(a, b), {1, 8, 9, 1}, 0);
        });
      });
    }
  }
}

TEST(Pow, IsExactAndWrapsForIntegers) {
  expect_equal(power<int32_t, int64_t>({-3, -1, -1, 2, 2, 0, 1, 3}, {3, -3, -2, -1, 32, -1, -9, 40}),
               {-27, -1, 1, 0, 0, 0, 1, static_cast<int32_t>(12157665459056928801u)});
  expect_equal(power<int64_t, float>({2, 9, 2}, {-1.0f, 0.5f, 100.0f}), {0, 3, std::numeric_limits<int64_t>::max()});
  expect_equal(power<uint64_t, uint64_t>({3}, {40}), {12157665459056928801u});
}

TEST(Pow, SquaresLikeAProduct) {
  const Array<float> x = values<float>(1000, 4);
  const Array<float> two{2};
  const Array<float> y =
      run<float>(1000, [&](float* out) { pow({1000}, x.data(), {1}, DType::f32, two.data(), {0}, out); });
  for (int64_t i = 0; i < 1000; ++i) ASSERT_EQ(y[i], x[i] * x[i]);
}

}  // namespace
}  // namespace onemodel::kernels
