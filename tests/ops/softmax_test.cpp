#include "ops/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/sample.h"
#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/fast_kernel.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

TEST(Softmax, MatchesKnownValues) {
  const Tensor x = Tensor::from({1.0, 2.0, 3.0}, {3});
  EXPECT_TRUE(close(run(Softmax{}, {x}),
                    Tensor::from({0.09003057317038046, 0.24472847105479764, 0.6652409557748218}, {3}), 1e-14));
  EXPECT_TRUE(close(run(LogSoftmax{}, {x}),
                    Tensor::from({-2.4076059644443806, -1.4076059644443804, -0.4076059644443804}, {3}), 1e-14));
}

TEST(Softmax, WorksAlongAnyAxis) {
  const Tensor x = sample_values({2, 3, 4}, -3, 3, DType::f64);
  const auto values = x.to_vector<double>();
  for (int64_t axis : {0, 1, 2}) {
    const auto y = run(Softmax{.axis = axis}, {x}), log = run(LogSoftmax{.axis = axis - 3}, {x});
    for (int64_t i = 0; i < 24; ++i) {
      const int64_t step = x.strides()[static_cast<size_t>(axis)], extent = x.dims()[static_cast<size_t>(axis)];
      const int64_t first = i - i / step % extent * step;
      double total = 0;
      for (int64_t k = 0; k < extent; ++k) total += std::exp(values[static_cast<size_t>(first + k * step)]);
      const double expected = std::exp(values[static_cast<size_t>(i)]) / total;
      EXPECT_NEAR(y.raw_as<double>()[i], expected, 1e-14);
      EXPECT_NEAR(log.raw_as<double>()[i], std::log(expected), 1e-13);
    }
  }
}

TEST(Softmax, StaysFiniteForLargeValues) {
  const Tensor x = Tensor::from({1000.0f, 1000.0f, -1000.0f}, {3});
  EXPECT_EQ(run(Softmax{}, {x}).to_vector<float>(), (std::vector<float>{0.5f, 0.5f, 0}));
  EXPECT_NEAR(run(LogSoftmax{}, {x}).to_vector<float>()[2], -2000.6931f, 1e-3f);
}

TEST(Softmax, KeepsSymbolicShapes) {
  EXPECT_EQ(Inference(Softmax{.axis = 1}).input({Extent::symbol("batch"), Extent::symbol("n")}).text(), "[batch, n]");
}

TEST(Softmax, RejectsAxisOutOfRange) {
  EXPECT_EQ(infer_error(Softmax{.axis = 2}, {sample_values({2, 3})}),
            "Softmax: axis 2 is out of range for rank 2 (expected -2 to 1)");
  EXPECT_EQ(infer_error(LogSoftmax{}, {sample_values({})}),
            "LogSoftmax: axis -1 is out of range for rank 0 (a scalar has no axes)");
}

TEST(Softmax, IsFastAlongTheLastAxis) {
  const Tensor x = sample_values({3, 2, 7}, -5, 5);
  const auto fast = run_fast(Softmax{}, {x});
  EXPECT_EQ(fast.name, "xnn.softmax");
  EXPECT_TRUE(close(fast.outputs[0], run(Softmax{}, {x}), 1e-6));
  EXPECT_EQ(run_fast(Softmax{.axis = 1}, {x}).refusals,
            std::vector<std::string>{"xnn.softmax: the axis is not the last"});
  EXPECT_EQ(run_fast(Softmax{.axis = 0}, {x.reshape({42, 1})}).name, "xnn.softmax") << "the rest has extent 1";
}

}  // namespace
}  // namespace onemodel::test
