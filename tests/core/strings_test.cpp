// String tensors and the texts behind them.

#include "core/strings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "core/tensor.h"
#include "support/error_text.h"

namespace onemodel {
namespace {

using Texts = std::vector<std::string>;

Texts as_texts(const Tensor& x) { return x.cast(DType::string).to_vector<std::string>(); }

TEST(StringTensor, KeepsItsTexts) {
  const Texts texts = {"", "a", "ü", std::string("a\0b", 3), "a", std::string(1000, 'x')};
  const Tensor x = Tensor::from(std::span<const std::string>(texts), {2, 3});
  EXPECT_EQ(x.to_vector<std::string>(), texts);
  EXPECT_EQ(concat(x), "string[2, 3]");
  EXPECT_EQ(x.select(0, 0).select(0, 1).item<std::string>(), "a");
  EXPECT_EQ(x.transpose(0, 1).to_vector<std::string>(),
            (Texts{texts[0], texts[3], texts[1], texts[4], texts[2], texts[5]}));
  EXPECT_EQ(x.transpose(0, 1).clone().to_vector<std::string>(), x.transpose(0, 1).to_vector<std::string>());
  EXPECT_EQ(to_string(x.slice(1, 0, 2).slice(0, 0, 1)), "[[\"\", \"a\"]]");
  EXPECT_EQ(x.raw_as<uint32_t>()[1], x.raw_as<uint32_t>()[4]) << "equal texts have equal handles";
  Tensor y = Tensor::zeros({2, 3}, DType::string);
  EXPECT_EQ(y.to_vector<std::string>(), Texts(6));
  y.copy_from(x);
  EXPECT_EQ(y.to_vector<std::string>(), texts);
}

TEST(StringTensor, IsMadeOfNumbers) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(as_texts(Tensor::from<float>({0.1f, 314.15926f, -2, NAN, infinity, -infinity}, {6})),
            (Texts{"0.1", "314.15927", "-2", "NaN", "INF", "-INF"}));
  EXPECT_EQ(as_texts(Tensor::from<double>({0.1f, 0.1}, {2})), (Texts{"0.10000000149011612", "0.1"}));
  EXPECT_EQ(as_texts(Tensor::from<int64_t>({INT64_MIN, 7}, {2})), (Texts{"-9223372036854775808", "7"}));
  EXPECT_EQ(as_texts(Tensor::from<uint64_t>({UINT64_MAX}, {1})), Texts{"18446744073709551615"});
  EXPECT_EQ(as_texts(Tensor::from<bool>({true, false}, {2})), (Texts{"1", "0"}));
  EXPECT_EQ(as_texts(Tensor::from<float>({-448}, {1}).cast(DType::f8e4m3fn)), Texts{"-448"});
  EXPECT_EQ(as_texts(Tensor::from<float>({-8}, {1}).cast(DType::i4)), Texts{"-8"});
}

TEST(StringTensor, ReadsAsNumbers) {
  const Tensor x = Tensor::from<std::string>({"3.14", "1000", "1e-5", "1E8", "+INF", "inf", "-InF"}, {7});
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{3.14f, 1000, 1e-5f, 1e8f, infinity, infinity, -infinity}));
  EXPECT_TRUE(std::isnan(Tensor::from<std::string>({"nAn"}, {}).item<double>()));
  const Tensor integers =
      Tensor::from<std::string>({"9223372036854775807", "-9223372036854775808", "100.5", "1e30"}, {4});
  EXPECT_EQ(integers.to_vector<int64_t>(), (std::vector<int64_t>{INT64_MAX, INT64_MIN, 100, INT64_MAX}));
  const Tensor unsigned_ones = Tensor::from<std::string>({"18446744073709551615", "-1"}, {2});
  EXPECT_EQ(unsigned_ones.to_vector<uint64_t>(), (std::vector<uint64_t>{UINT64_MAX, 0}));
  EXPECT_EQ(x.slice(0, 0, 2).cast(DType::f8e5m2).to_vector<float>(), (std::vector<float>{3, 1024}));
  for (const char* text : {"", "Hello World!", "1 2", "1e", "--1"})
    EXPECT_ERROR(Tensor::from<std::string>({text}, {1}).cast(DType::f32), ArgumentError, "is no number", "float32");
}

TEST(StringTensor, HasNoArithmetic) {
  const Tensor x = Tensor::zeros({2}, DType::string);
  EXPECT_ERROR(visit_dtype(x.dtype(), [](auto) {}), DTypeError, "no arithmetic on string");
  EXPECT_ERROR(visit_dtype(DType::f8e4m3fn, [](auto) {}), DTypeError, "no arithmetic on float8e4m3fn");
  EXPECT_ERROR(x.data<float>(), DTypeError, "the tensor has dtype string");
}

TEST(Strings, AnyBitsAreHarmless) {
  Tensor x = Tensor::empty({3}, DType::string);
  std::memset(x.mutable_raw(), 0xff, x.bytes());
  EXPECT_EQ(x.to_vector<std::string>(), Texts(3));
}

TEST(Strings, AreFreedWhenNoTensorHasThem) {
  const Tensor kept = Tensor::from<std::string>({"kept alive"}, {1});
  const std::string filler(100, 'f');
  int64_t most = 0;
  for (int round = 0; round < 200; ++round) {
    Texts texts;
    for (int i = 0; i < 1000; ++i) texts.push_back(concat(filler, round, "-", i));
    const Tensor x = Tensor::from(std::span<const std::string>(texts), {1000});
    EXPECT_EQ(x.select(0, 999).item<std::string>(), texts[999]);
    most = std::max(most, string_counters().bytes);
  }
  EXPECT_LT(most, 4 << 20) << "200 rounds make 40 MB";
  EXPECT_EQ(kept.item<std::string>(), "kept alive");
}

TEST(Strings, StayWhileSeveralThreadsMakeAndDropThem) {
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
  GTEST_SKIP() << "a build without threads";
#endif
  std::vector<std::thread> threads;
  std::vector<std::string> problems(3);
  for (size_t t = 0; t < problems.size(); ++t)
    threads.emplace_back([&, t] {
      Texts texts(200);
      for (int round = 0; round < 100 && problems[t].empty(); ++round) {
        for (size_t i = 0; i < texts.size(); ++i) texts[i] = concat(std::string(200, 'y'), t, ' ', round, ' ', i);
        const Tensor x = Tensor::from(std::span<const std::string>(texts), {10, 20});
        if (x.transpose(0, 1).clone().transpose(0, 1).to_vector<std::string>() != texts) problems[t] = concat(round);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(problems, Texts(3));
}

}  // namespace
}  // namespace onemodel
