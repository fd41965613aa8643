#include "ops/fourier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "kernels/portable/fourier.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

using kernels::Complex;

std::vector<Complex> signal(int64_t length) {
  const auto values = sample_values({2 * length}, -1, 1, DType::f64).to_vector<double>();
  std::vector<Complex> out;
  for (size_t i = 0; i < values.size(); i += 2) out.push_back({values[i], values[i + 1]});
  return out;
}

// The definition, with angles reduced before they are converted.
std::vector<Complex> by_definition(const std::vector<Complex>& x, bool inverse) {
  const auto n = static_cast<int64_t>(x.size());
  std::vector<Complex> out(x.size());
  for (int64_t k = 0; k < n; ++k)
    for (int64_t i = 0; i < n; ++i) {
      const double turn = static_cast<double>(k * i % n) / static_cast<double>(n) * (inverse ? 1 : -1);
      const double angle = 2 * std::numbers::pi * turn;
      const Complex part = x[static_cast<size_t>(i)] * Complex{std::cos(angle), std::sin(angle)};
      out[static_cast<size_t>(k)] = out[static_cast<size_t>(k)] + part;
    }
  if (inverse)
    for (Complex& value : out) value = {value.re / static_cast<double>(n), value.im / static_cast<double>(n)};
  return out;
}

double largest_error(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double out = 0;
  for (size_t i = 0; i < a.size(); ++i) out = std::max({out, std::abs(a[i].re - b[i].re), std::abs(a[i].im - b[i].im)});
  return out;
}

TEST(Fourier, IsTheDefinitionForEveryLength) {
  for (const bool inverse : {false, true})
    for (int64_t length = 1; length <= 70; ++length) {
      std::vector<Complex> x = signal(length);
      const std::vector<Complex> expected = by_definition(x, inverse);
      kernels::Fourier plan(length, inverse);
      plan.run(x.data());
      EXPECT_LT(largest_error(x, expected), 1e-13) << length << (inverse ? " inverse" : "");
    }
}

TEST(Fourier, InverseUndoesLongTransforms) {
  for (const int64_t length : {4096, 4095, 4099, 10007}) {
    const std::vector<Complex> x = signal(length);
    std::vector<Complex> y = x;
    kernels::Fourier(length, false).run(y.data());
    kernels::Fourier(length, true).run(y.data());
    EXPECT_LT(largest_error(x, y), 1e-13) << length;
  }
}

TEST(Fourier, APlanRunsManyTimes) {
  kernels::Fourier plan(12, false);
  std::vector<Complex> first = signal(12), second = first;
  plan.run(first.data());
  plan.run(second.data());
  EXPECT_EQ(largest_error(first, second), 0);
}

TEST(DFT, OfAnImpulseIsFlat) {
  const Tensor x = Tensor::from<float>({1, 0, 0, 0, 0}, {1, 5, 1});
  EXPECT_TRUE(close(run(DFT{}, {x}), Tensor::from<float>({1, 0, 1, 0, 1, 0, 1, 0, 1, 0}, {1, 5, 2}), 1e-6));
}

TEST(DFT, InverseUndoesIt) {
  const Tensor x = sample_values({2, 7, 3, 2}), axis = Tensor::scalar(int64_t{1});
  const Tensor y = run(DFT{}, {x, Tensor(), axis});
  EXPECT_TRUE(close(run(DFT{.inverse = true}, {y, Tensor(), axis}), x, 1e-6));
}

TEST(DFT, PadsAndCuts) {
  const Tensor x = sample_values({1, 6, 1});
  const auto length = [](int64_t n) { return Tensor::scalar(n); };
  const Tensor padded = Tensor::zeros({1, 9, 1});
  padded.slice(1, 0, 6).copy_from(x);
  EXPECT_TRUE(same_bits(run(DFT{}, {x, length(9)}), run(DFT{}, {padded})));
  EXPECT_TRUE(same_bits(run(DFT{}, {x, length(4)}), run(DFT{}, {x.slice(1, 0, 4).contiguous()})));
}

TEST(DFT, OnesidedIsTheBeginning) {
  for (const int64_t n : {6, 7}) {
    const Tensor x = sample_values({2, n, 1});
    const Tensor whole = run(DFT{}, {x});
    EXPECT_TRUE(same_bits(run(DFT{.onesided = true}, {x}), whole.slice(1, 0, n / 2 + 1).contiguous()));
  }
}

TEST(DFT, FollowsSymbols) {
  const Extent s = Extent::symbol("s");
  EXPECT_EQ(Inference(DFT{}).input({s, s, 1}).text(), "[s, s, 2]");
  EXPECT_EQ(Inference(DFT{.onesided = true}).input({2, s, 1}).absent().ints({1}).text(), "[2, floor((s + 2) / 2), 2]");
  EXPECT_EQ(Inference(DFT{.onesided = true}).input({s, s, 1}).ints({400}).text(), "[s, 201, 2]");
}

TEST(STFT, IsTheTransformOfEachFrame) {
  const Tensor x = sample_values({2, 11, 1}, -1, 1, DType::f64), window = sample_values({4}, 0, 1, DType::f64);
  const Tensor y = run(STFT{}, {x, Tensor::scalar(int64_t{3}), window});
  ASSERT_EQ(y.dims(), (Dims{2, 3, 3, 2}));
  for (int64_t frame = 0; frame < 3; ++frame) {
    const Tensor part = x.slice(1, 3 * frame, 3 * frame + 4).clone();
    double* values = part.mutable_raw_as<double>();
    for (int64_t i = 0; i < 8; ++i) values[i] *= window.raw_as<double>()[i % 4];
    EXPECT_TRUE(same_bits(y.select(1, frame).contiguous(), run(DFT{.onesided = true}, {part}))) << frame;
  }
}

TEST(STFT, FollowsSymbols) {
  const Extent s = Extent::symbol("s");
  EXPECT_EQ(Inference(STFT{}).input({1, s, 1}).ints({160}).input({400}).text(), "[1, floor((s - 240) / 160), 201, 2]");
}

TEST(MelWeightMatrix, IsThatOfTheOnnxText) {
  const Tensor y =
      run(MelWeightMatrix{}, {Tensor::scalar(int64_t{8}), Tensor::scalar(int64_t{16}), Tensor::scalar(int64_t{8192}),
                              Tensor::scalar(0.0f), Tensor::scalar(4096.0f)});
  const std::vector<float> expected = {1, 1, 0, 0, 0, 0, 0, 0,  //
                                       0, 0, 1, 1, 0, 0, 0, 0,  //
                                       0, 0, 0, 0, 1, 0, 0, 0,  //
                                       0, 0, 0, 0, 0, 1, 0, 0,  //
                                       0, 0, 0, 0, 0, 0, 1, 0,  //
                                       0, 0, 0, 0, 0, 0, 0, 1,  //
                                       0, 0, 0, 0, 0, 0, 0, 0,  //
                                       0, 0, 0, 0, 0, 0, 0, 0,  //
                                       0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(y.to_vector<float>(), expected);
}

}  // namespace
}  // namespace onemodel::test
