#include "kernels/portable/pool.h"

#include "core/error.h"
#include "kernels/portable_support.h"

namespace onemodel::kernels {
namespace {

using namespace test;

std::vector<PoolShape> shapes() {
  return {
      {3, {7, 9}, {3, 4}, {{2, 2}, {2, 2}, {1, 1}, {0, 0}, {0, 0}}},
      {2, {8, 8}, {8, 8}, {{3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}},
      {2, {7, 10}, {4, 4}, {{3, 4}, {2, 3}, {2, 1}, {2, 1}, {1, 1}}},
      {4, {11}, {4}, {{5}, {3}, {1}, {1}, {1}}},  // the last reaches beyond the padding
      {2, {4, 5, 6}, {3, 2, 3}, {{2, 2, 3}, {1, 2, 2}, {1, 2, 1}, {0, 1, 1}, {0, 1, 1}}},
      {1, {5}, {0}, {{2}, {1}, {1}, {0}, {0}}},
  };
}

struct Seen {
  std::vector<int64_t> places;  // in the whole of x
  int64_t counted = 0;          // in the input or its padding
};

Seen seen(const PoolShape& s, int64_t plane, const Dims& output) {
  Seen out;
  const Dims strides = contiguous_strides(s.input);
  for_each_index(s.window.kernel, [&](const Dims& k, int64_t) {
    int64_t place = plane * numel(s.input);
    bool inside = true, padded = true;
    for (size_t d = 0; d < k.size(); ++d) {
      const int64_t at = output[d] * s.window.strides[d] + k[d] * s.window.dilations[d] - s.window.pads_begin[d];
      inside = inside && at >= 0 && at < s.input[d];
      padded = padded && at < s.input[d] + s.window.pads_end[d];
      place += at * strides[d];
    }
    if (inside) out.places.push_back(place);
    out.counted += padded;
  });
  return out;
}

template <class F>
void for_outputs(const PoolShape& s, const F& f) {
  for (int64_t plane = 0; plane < s.planes; ++plane)
    for_each_index(s.output, [&](const Dims& o, int64_t i) { f(plane * numel(s.output) + i, seen(s, plane, o)); });
}

template <class T>
void check_max(const PoolShape& s) {
  const int64_t in = s.planes * numel(s.input), out = s.planes * numel(s.output);
  const Array<T> x = values<T>(in, 1);
  Array<T> want(out);
  Array<int64_t> want_indices(out);
  for_outputs(s, [&](int64_t o, const Seen& places) {
    want_indices[o] = -1;
    for (int64_t p : places.places)
      if (want_indices[o] < 0 || number(x[p]) > number(x[want_indices[o]])) want_indices[o] = p;
    want[o] = x[want_indices[o]];
  });
  Array<int64_t> indices(out);
  expect_equal(run<T>(out, [&](T* y) { max_pool(s, x.data(), y, indices.data()); }), want);
  expect_equal(indices, want_indices);
  expect_equal(run<T>(out, [&](T* y) { max_pool(s, x.data(), y, nullptr); }), want);
  if constexpr (!std::is_integral_v<T>) {
    const Array<T> gradient = values<T>(out, 2);
    Array<double> want_gradient(in);
    for (int64_t i = 0; i < out; ++i) want_gradient[indices[i]] += number(gradient[i]);
    expect_close(run<T>(in, [&](T* g) { max_pool_gradient(s, gradient.data(), indices.data(), g); }), want_gradient,
                 4 * kPrecision<T>);
  }
}

TEST(MaxPool, AndItsGradientMatchTheReference) {
  for (const PoolShape& s : shapes()) {
    check_max<float>(s);
    check_max<double>(s);
    check_max<Float16>(s);
    check_max<BFloat16>(s);
    check_max<int8_t>(s);
    check_max<uint8_t>(s);
  }
}

TEST(MaxPool, PropagatesNanAndItsPlace) {
  const Array<float> x{1, kNan, 5, kNan, 2, -kInf};
  const PoolShape s{1, {6}, {2}, {{4}, {4}, {1}, {0}, {2}}};
  Array<int64_t> indices(2);
  EXPECT_TRUE(std::isnan(run<float>(2, [&](float* y) { max_pool(s, x.data(), y, nullptr); })[0]));
  const Array<float> y = run<float>(2, [&](float* out) { max_pool(s, x.data(), out, indices.data()); });
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], 2);
  expect_equal(indices, {1, 4});
}

TEST(MaxPool, OfTheOutsideIsTheLowestAndHasNoPlace) {
  const PoolShape s{1, {1}, {2}, {{1}, {1}, {1}, {1}, {0}}};
  const float x = -kInf;
  Array<int64_t> indices(2);
  expect_equal(run<float>(2, [&](float* y) { max_pool(s, &x, y, indices.data()); }), {-kInf, -kInf});
  expect_equal(indices, {-1, 0});
}

template <class T>
void check_average(const PoolShape& s, bool include_pad) {
  const int64_t in = s.planes * numel(s.input), out = s.planes * numel(s.output);
  const Array<T> x = values<T>(in, 1), gradient = values<T>(out, 2);
  Array<double> want(out), want_gradient(in);
  for_outputs(s, [&](int64_t o, const Seen& places) {
    const double count = static_cast<double>(include_pad ? places.counted : static_cast<int64_t>(places.places.size()));
    for (int64_t p : places.places) {
      want[o] += number(x[p]) / count;
      want_gradient[p] += number(gradient[o]) / count;
    }
  });
  expect_close(run<T>(out, [&](T* y) { average_pool(s, include_pad, x.data(), y); }), want, 4 * kPrecision<T>);
  expect_close(run<T>(in, [&](T* g) { average_pool_gradient(s, include_pad, gradient.data(), g); }), want_gradient,
               4 * kPrecision<T>);
}

TEST(AveragePool, AndItsGradientMatchTheReference) {
  for (const PoolShape& s : shapes()) {
    for (bool include_pad : {false, true}) {
      check_average<float>(s, include_pad);
      check_average<double>(s, include_pad);
      check_average<Float16>(s, include_pad);
      check_average<BFloat16>(s, include_pad);
    }
  }
}

TEST(Pool, GivesTheSameBitsForAnyNumberOfThreads) {
  const PoolShape s{12, {50, 51}, {25, 26}, {{3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}}};
  const int64_t in = 12 * 50 * 51, out = 12 * 25 * 26;
  const Array<float> x = values<float>(in, 1);
  Array<int64_t> indices(out);
  const Array<float> y = run_threaded<float>(out, [&](float* to) { max_pool(s, x.data(), to, indices.data()); });
  run_threaded<float>(in, [&](float* g) { max_pool_gradient(s, y.data(), indices.data(), g); });
  run_threaded<float>(out, [&](float* to) { average_pool(s, false, x.data(), to); });
  run_threaded<float>(in, [&](float* g) { average_pool_gradient(s, false, y.data(), g); });
}

TEST(Pool, RejectsOtherDtypesAndRanks) {
  const PoolShape s{1, {1}, {1}, {{1}, {1}, {1}, {0}, {0}}};
  const int32_t x = 0;
  int32_t y;
  EXPECT_THROW(max_pool(s, &x, &y, nullptr), DTypeError);
  EXPECT_THROW(average_pool(s, true, &x, &y), DTypeError);
  const float f = 0;
  float g;
  EXPECT_THROW(max_pool(PoolShape{1, {}, {}, {}}, &f, &g, nullptr), ShapeError);
}

}  // namespace
}  // namespace onemodel::kernels
