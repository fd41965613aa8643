#include "ops/einsum.h"

#include "ops/sample.h"

#include <gtest/gtest.h>

#include "support/compare.h"
#include "support/direct_applier.h"
#include "support/inference.h"

namespace onemodel::test {
namespace {

const Extent batch = Extent::symbol("batch", 6), seq = Extent::symbol("seq", 5);

Tensor grid() { return Tensor::from<float>({1, 2, 3, 4}, {2, 2}); }

TEST(Einsum, SumsProducts) {
  const Tensor a = grid(), b = Tensor::from<float>({5, 6, 7, 8}, {2, 2});
  const auto values = [&](const char* equation, std::vector<Tensor> inputs) {
    return run(Einsum{equation}, inputs)[0].to_vector<float>();
  };
  EXPECT_EQ(values("ij,jk->ik", {a, b}), (std::vector<float>{19, 22, 43, 50}));
  EXPECT_EQ(values("ij,jk", {a, b}), (std::vector<float>{19, 22, 43, 50}));
  EXPECT_EQ(values("ij,kj->ki", {a, b}), (std::vector<float>{17, 39, 23, 53}));
  EXPECT_EQ(values("ij,ij->", {a, b}), (std::vector<float>{70}));
  EXPECT_EQ(values("ij->j", {a}), (std::vector<float>{4, 6}));
  EXPECT_EQ(values("ba", {a}), (std::vector<float>{1, 3, 2, 4}));
  EXPECT_EQ(values("ii", {a}), (std::vector<float>{5}));
  EXPECT_EQ(values("ii->i", {a}), (std::vector<float>{1, 4}));
  EXPECT_EQ(values("ij,jk,kl->il", {a, b, a}), (std::vector<float>{85, 126, 193, 286}));
  EXPECT_EQ(values("... i,i->...", {a, Tensor::from<float>({1, 10}, {2})}), (std::vector<float>{21, 43}));
}

TEST(Einsum, BroadcastsUnderTheEllipsis) {
  const Tensor a = Tensor::from<float>({1, 2, 3, 4}, {2, 1, 2}),
               b = Tensor::from<float>({1, 1, 10, 10, 100, 0}, {3, 2});
  EXPECT_TRUE(same_bits(run(Einsum{"...i,...i->..."}, {a, b}), Tensor::from<float>({3, 30, 100, 7, 70, 300}, {2, 3})));
}

TEST(Einsum, KeepsSymbolicExtents) {
  EXPECT_EQ(Inference(Einsum{"bhqd,bhkd->bhqk"}).input({batch, 4, seq, 8}).input({batch, 4, seq, 8}).text(),
            "[batch, 4, seq, seq]");
  EXPECT_EQ(Inference(Einsum{"...d,df->...f"}).input({batch, seq, 8}).input({8, 3}).text(), "[batch, seq, 3]");
  EXPECT_EQ(
      Inference(Einsum{"ij,jk"}).tracing().input({2, batch}).input({6, 3}).error(),
      "TraceError: Einsum: 'j' has extent batch and, in operand 1 of shape [6, 3], 6 (equal in the example only)");
}

TEST(Einsum, WrapsShortIntegers) {
  const Tensor x = Tensor::full({3}, 100, DType::i8);
  EXPECT_EQ(run(Einsum{"i,i"}, {x, x}).item<int8_t>(), static_cast<int8_t>(30000));
}

}  // namespace
}  // namespace onemodel::test
