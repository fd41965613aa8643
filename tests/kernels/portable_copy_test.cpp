#include "kernels/portable/copy.h"

#include "core/error.h"
#include "kernels/portable/gather.h"
#include "kernels/portable_support.h"

namespace onemodel::kernels {
namespace {

using namespace test;

template <class T>
void check_copy(const Dims& dims, const Dims& strides, int64_t first, int64_t size) {
  const Array<T> x = values<T>(size, 1);
  const auto copied = run_threaded<T>(numel(dims), [&](T* y) { copy(sizeof(T), dims, x.data() + first, strides, y); });
  expect_equal(copied, gathered(dims, x.data() + first, strides));
}

TEST(Copy, FollowsAnyStrides) {
  check_copy<float>({3, 4, 5}, {20, 5, 1}, 0, 60);
  check_copy<float>({3, 4, 5}, {-20, 5, 1}, 40, 60);
  check_copy<double>({4, 3, 5}, {1, 0, -4}, 16, 20);
  check_copy<uint8_t>({7, 2}, {0, 0}, 0, 1);
  check_copy<Float16>({2, 3, 1, 4}, {1, 8, 100, 2}, 0, 24);
  check_copy<bool>({}, {}, 0, 1);
  check_copy<float>({0, 3}, {3, 1}, 0, 1);
}

TEST(Copy, TransposesLargeMatrices) {
  check_copy<float>({201, 333}, {1, 201}, 0, 201 * 333);
  check_copy<int64_t>({3, 70, 5, 65}, {70 * 5 * 65, 1, 70 * 65, 70}, 0, 3 * 70 * 5 * 65);
  check_copy<uint8_t>({65, 33, 31}, {1, 65 * 31, 65}, 0, 65 * 33 * 31);
}

TEST(Copy, WritesStridedOutputs) {
  const Array<float> x = values<float>(12, 1);
  const Array<float> y = run<float>(40, [&](float* out) {
    std::fill_n(out, 40, -9.0f);
    copy(4, {3, 4}, x.data(), {1, 3}, out + 39, {-1, -8});
  });
  Array<float> want(40);
  std::fill(want.begin(), want.end(), -9.0f);
  for_each_index({3, 4}, [&](const Dims& i, int64_t) { want[39 - i[0] - 8 * i[1]] = x[i[0] + 3 * i[1]]; });
  expect_equal(y, want);
}

TEST(Concat, PutsPartsInOrder) {
  const Array<int32_t> a{1, 2, 3, 4}, b{5, 6, 7, 8, 9, 10, 11, 12};
  const ConcatPart parts[] = {{a.data(), 1}, {nullptr, 0}, {b.data(), 2}};
  expect_equal(run<int32_t>(12, [&](int32_t* y) { concat(4, 2, 2, parts, y); }),
               {1, 2, 5, 6, 7, 8, 3, 4, 9, 10, 11, 12});
}

TEST(Pad, SurroundsWithTheValueAndCropsWhereNegative) {
  const Array<float> x{1, 2, 3, 4, 5, 6};
  const float value = 9;
  expect_equal(run<float>(12,
                          [&](float* y) {
                            pad(4, {2, 3}, x.data(), {3, 1}, {1, -1}, {3, 4}, &value, y);
                          }),
               {9, 9, 9, 9, 2, 3, 9, 9, 5, 6, 9, 9});
  expect_equal(run<float>(2, [&](float* y) { pad(4, {2, 3}, x.data(), {1, 2}, {-1, -1}, {1, 2}, &value, y); }), {4, 6});
  expect_equal(run<float>(2, [&](float* y) { pad(4, {0}, x.data(), {1}, {1}, {2}, &value, y); }), {9, 9});
}

TEST(SliceGradient, ScattersIntoZeros) {
  const Array<float> gradient{1, 2, 3, 4};
  expect_equal(run<float>(15,
                          [&](float* x) {
                            slice_gradient(4, {2, 2}, gradient.data(), {1, 2}, {3, 5}, {2, 1}, {-2, 3}, x);
                          }),
               {0, 2, 0, 0, 4, 0, 0, 0, 0, 0, 0, 1, 0, 0, 3});
}

TEST(Gather, TakesRowsByIndexAlsoFromTheEnd) {
  const Array<float> x = values<float>(2 * 4 * 3, 1);
  const Array<int64_t> indices{3, -4, -1, 0, 1};
  const GatherShape shape{2, 4, 3, 5};
  Array<float> want(30);
  for_each_index({2, 5, 3},
                 [&](const Dims& i, int64_t k) { want[k] = x[(i[0] * 4 + (indices[i[1]] + 4) % 4) * 3 + i[2]]; });
  expect_equal(run_threaded<float>(30, [&](float* y) { gather(4, shape, x.data(), indices.data(), y); }), want);
  const Array<int32_t> one{-2};
  expect_equal(run<float>(1, [&](float* y) { gather(4, GatherShape{1, 24, 1, 1}, x.data(), one.data(), y); }), {x[22]});
}

TEST(Gather, NamesIndexAndBoundWhenOutOfRange) {
  const Array<float> x(6);
  const Array<int32_t> indices{0, 3};
  try {
    gather(4, GatherShape{1, 3, 2, 2}, x.data(), indices.data(), Array<float>(4).data());
    FAIL() << "no error";
  } catch (const ShapeError& error) {
    EXPECT_STREQ(error.what(), "index 3 is out of range for an extent of 3");
  }
  const Array<int64_t> low{-4};
  EXPECT_THROW(scatter_add(GatherShape{1, 3, 2, 1}, x.data(), low.data(), Array<float>(6).data()), ShapeError);
}

TEST(ScatterAdd, SumsRepeatedRowsInOrder) {
  const GatherShape shape{2, 5, 130, 400};
  const Array<float> y = values<float>(2 * 400 * 130, 1);
  Array<int64_t> indices(400);
  for (int64_t i = 0; i < 400; ++i) indices[i] = i * 7 % 10 - 5;
  const Array<float> start = values<float>(2 * 5 * 130, 2);
  Array<float> want(start.size());
  std::copy(start.begin(), start.end(), want.begin());
  for_each_index({2, 400, 130},
                 [&](const Dims& i, int64_t k) { want[(i[0] * 5 + (indices[i[1]] + 5) % 5) * 130 + i[2]] += y[k]; });
  expect_equal(run_threaded<float>(start.size(),
                                   [&](float* x) {
                                     std::copy(start.begin(), start.end(), x);
                                     scatter_add(shape, y.data(), indices.data(), x);
                                   }),
               want);
}

TEST(ScatterAdd, TakesNumericDtypesOnly) {
  const Array<int32_t> indices{1, 1};
  for (DType dtype : kAllDTypes) {
    visit_dtype(dtype, [&]<class T>(TypeTag<T>) {
      const Array<T> y{convert<T>(2), convert<T>(3)}, x(2);
      const auto kernel = [&] { scatter_add(GatherShape{1, 2, 1, 2}, y.data(), indices.data(), x.data()); };
      if (dtype == DType::boolean) {
        EXPECT_THROW(kernel(), DTypeError);
      } else {
        kernel();
        expect_equal(x, {convert<T>(0), convert<T>(5)});
      }
    });
  }
}

}  // namespace
}  // namespace onemodel::kernels
