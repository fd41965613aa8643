#include "core/tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace onemodel {
namespace {

Tensor counting(const Dims& dims) {
  std::vector<float> values(static_cast<size_t>(numel(dims)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return Tensor::from(std::span<const float>(values), dims);
}

TEST(Tensor, ViewsShareStorage) {
  const Tensor x = counting({2, 3});
  Tensor t = x.transpose(0, 1);
  EXPECT_EQ(t.dims(), (Dims{3, 2}));
  EXPECT_EQ(t.to_vector<float>(), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_FALSE(t.is_contiguous());
  t.fill(7);
  EXPECT_EQ(x.to_vector<float>(), std::vector<float>(6, 7));
}

TEST(Tensor, SlicesAsPythonDoes) {
  const Tensor x = counting({5});
  EXPECT_EQ(x.slice(0, 1, 4, 2).to_vector<float>(), (std::vector<float>{1, 3}));
  EXPECT_EQ(x.slice(0, -1, -100, -2).to_vector<float>(), (std::vector<float>{4, 2, 0}));
  EXPECT_EQ(x.slice(0, 3, 100).to_vector<float>(), (std::vector<float>{3, 4}));
  EXPECT_EQ(x.slice(0, 4, 2).numel(), 0);
  EXPECT_EQ(x.slice(0, INT64_MAX, INT64_MIN, -1).numel(), 5);
  EXPECT_EQ(x.slice(0, -9, INT64_MIN, -1).to_vector<float>(), (std::vector<float>{0})) << "the first element, as ONNX";
  EXPECT_EQ(x.slice(0, 0, 0).slice(0, -9, INT64_MIN, -1).numel(), 0);
  EXPECT_THROW((void)x.slice(0, 0, 5, 0), ArgumentError);
}

TEST(Tensor, SelectsFromTheEnd) {
  const Tensor x = counting({2, 3});
  EXPECT_EQ(x.select(1, -1).to_vector<float>(), (std::vector<float>{2, 5}));
  EXPECT_THROW((void)x.select(1, 3), ShapeError);
  EXPECT_THROW((void)x.select(2, 0), ShapeError);
}

TEST(Tensor, ExpandsWithoutCopy) {
  const Tensor x = counting({3, 1});
  const Tensor wide = x.expand({2, 3, 2});
  EXPECT_EQ(wide.storage(), x.storage());
  EXPECT_EQ(wide.to_vector<float>(), (std::vector<float>{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}));
  EXPECT_THROW((void)x.expand({4, 2}), ShapeError);
}

TEST(Tensor, CountsWritesInItsVersion) {
  Tensor x = counting({2});
  const uint64_t before = x.storage()->version();
  x.slice(0, 0, 1).fill(3);
  EXPECT_GT(x.storage()->version(), before);
}

TEST(Tensor, GivesItsElementsWhereTheyLie) {
  Tensor x = Tensor::from({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f}, {2, 3});
  const uint64_t version = x.storage()->version();
  EXPECT_EQ(x.data<float>()[4], 5);
  EXPECT_EQ(x.storage()->version(), version);
  x.mutable_data<float>()[4] = 50;
  EXPECT_GT(x.storage()->version(), version);
  x.transpose(0, 1).set({2, 0}, 30);
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2, 30, 4, 50, 6}));
  EXPECT_THROW((void)x.data<double>(), DTypeError);
  EXPECT_THROW((void)x.transpose(0, 1).data<float>(), ShapeError);
  EXPECT_THROW(x.set({2, 0}, 1), ShapeError);
  EXPECT_THROW(x.set({1}, 1), ShapeError);
}

TEST(Tensor, CopiesOntoItselfAsIfApart) {
  const Tensor x = Tensor::from({1.0f, 2.0f, 3.0f, 4.0f, 5.0f}, {5});
  x.slice(0, 1, 5).copy_from(x.slice(0, 0, 4));
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 1, 2, 3, 4}));
}

TEST(Tensor, CopiesBetweenDtypes) {
  Tensor target = Tensor::zeros({2, 2}, DType::i32);
  target.transpose(0, 1).copy_from(counting({2, 2}));
  EXPECT_EQ(target.to_vector<int32_t>(), (std::vector<int32_t>{0, 2, 1, 3}));
  EXPECT_THROW(target.copy_from(counting({4})), ShapeError);
}

TEST(Tensor, HasNoElementsWhenUndefined) {
  Tensor none, some = Tensor::zeros({1});
  EXPECT_THROW(none.item<float>(), ArgumentError);
  EXPECT_THROW(none.item<std::string>(), ArgumentError);
  EXPECT_THROW(none.to_vector<double>(), ArgumentError);
  EXPECT_THROW(none.to_vector<std::string>(), ArgumentError);
  EXPECT_THROW(none.data<float>(), ArgumentError);
  EXPECT_THROW(none.mutable_data<float>(), ArgumentError);
  EXPECT_THROW(none.fill(1), ArgumentError);
  EXPECT_THROW(none.set({}, 1), ArgumentError);
  EXPECT_THROW(none.copy_from(some), ArgumentError);
  EXPECT_THROW(some.copy_from(none), ArgumentError);
  EXPECT_THROW(none.clone(), ArgumentError);
  EXPECT_THROW(none.detach(), ArgumentError);
}

TEST(Tensor, RefusesViewsBeyondItsStorage) {
  const Tensor x = counting({4});
  EXPECT_THROW((void)Tensor::view_of(x.storage(), 1, {4}, {1}, DType::f32), ShapeError);
  EXPECT_THROW((void)Tensor::view_of(x.storage(), 0, {2}, {-1}, DType::f32), ShapeError);
}

TEST(Tensor, RefusesSizesThatCannotBe) {
  EXPECT_THROW((void)Tensor::empty({int64_t{1} << 40, int64_t{1} << 40}), ShapeError);
  EXPECT_THROW((void)Tensor::empty({-1}), ShapeError);
  EXPECT_THROW((void)Tensor::empty(Dims::filled(9, 1)), ShapeError);
  EXPECT_THROW((void)counting({2}).item<float>(), ShapeError);
}

TEST(Tensor, LeavesNothingAlive) {
  const MemoryCounters before = memory_counters();
  {
    const Tensor x = counting({100});
    const Tensor y = x.reshape({10, 10}).transpose(0, 1).contiguous();
    EXPECT_GT(memory_counters().bytes, before.bytes);
  }
  EXPECT_EQ(memory_counters().bytes, before.bytes);
  EXPECT_EQ(memory_counters().storages, before.storages);
}

TEST(Float16, RoundsToNearestEven) {
  EXPECT_EQ(Float16(1.0f).bits, 0x3c00);
  EXPECT_EQ(Float16(65504.0f).bits, 0x7bff);
  EXPECT_EQ(Float16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(Float16(1.0f + 0x1p-11f).bits, 0x3c00);
  EXPECT_EQ(Float16(1.0f + 3 * 0x1p-11f).bits, 0x3c02);
  EXPECT_EQ(Float16(0x1p-24f).bits, 0x0001);
  EXPECT_EQ(Float16(0x1p-25f).bits, 0x0000);
  EXPECT_EQ(Float16(-0.0f).bits, 0x8000);
  EXPECT_TRUE(std::isnan(static_cast<float>(Float16(NAN))));
}

TEST(Float16, KeepsEveryValueThroughFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    Float16 half;
    half.bits = static_cast<uint16_t>(bits);
    const auto value = static_cast<float>(half);
    if (!std::isnan(value)) {
      EXPECT_EQ(Float16(value).bits, bits);
    }
  }
}

TEST(BFloat16, RoundsToNearestEven) {
  EXPECT_EQ(BFloat16(1.0f).bits, 0x3f80);
  EXPECT_EQ(BFloat16(1.0f + 0x1p-8f).bits, 0x3f80);
  EXPECT_EQ(BFloat16(1.0f + 3 * 0x1p-8f).bits, 0x3f82);
  EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(NAN))));
}

TEST(Convert, SaturatesAndTakesNaNToZero) {
  EXPECT_EQ(convert<int8_t>(300.0f), 127);
  EXPECT_EQ(convert<int8_t>(-300.0), -128);
  EXPECT_EQ(convert<uint8_t>(-1.5f), 0);
  EXPECT_EQ(convert<int32_t>(-2.9f), -2);
  EXPECT_EQ(convert<int64_t>(NAN), 0);
  EXPECT_EQ(convert<int64_t>(1e30f), INT64_MAX);
  EXPECT_TRUE(convert<bool>(0.5f));
}

template <class T>
T element(const Tensor& x, int64_t i) {
  return x.raw_as<T>()[i];
}

TEST(Convert, IsWhatTensorsDoBetweenAnyTwoDTypes) {
  const std::vector<double> numbers = {0, 1, -1, 2.5, -2.5, 127, 128, 255, -129, 65504, 65520, 1e10, -1e10, 1e19, NAN};
  const auto count = static_cast<int64_t>(numbers.size());
  for (const DType from : kAllDTypes) {
    for (const DType to : kAllDTypes) {
      SCOPED_TRACE(concat(from, " to ", to));
      Tensor x = Tensor::zeros({count, 2}, from);
      for (int64_t i = 0; i < count; ++i) x.set({i, 1}, numbers[static_cast<size_t>(i)]);
      const Tensor column = x.slice(1, 1, 2), y = column.cast(to);
      visit_dtype(from, [&]<class From>(TypeTag<From>) {
        visit_dtype(to, [&]<class To>(TypeTag<To>) {
          for (int64_t i = 0; i < count; ++i) {
            const auto expected = convert<To>(element<From>(column, 2 * i)), got = element<To>(y, i);
            EXPECT_EQ(std::memcmp(&expected, &got, sizeof got), 0) << numbers[static_cast<size_t>(i)];
          }
        });
      });
    }
  }
}

TEST(Convert, TakesLongRowsInPieces) {
  std::vector<float> values(3000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const Tensor ints = Tensor::from(std::span<const float>(values), {3, 1000}).slice(1, 0, 999, 2).cast(DType::i32);
  for (int64_t i = 0; i < ints.numel(); ++i) ASSERT_EQ(element<int32_t>(ints, i), i / 500 * 1000 + i % 500 * 2);
}

}  // namespace
}  // namespace onemodel
