// Portable kernels give the same bits for any number of threads, at sizes that are cut into several jobs.

#include <gtest/gtest.h>

#include "kernels/thread_pool.h"
#include "ops/arg_reduce.h"
#include "ops/cum_sum.h"
#include "ops/einsum.h"
#include "ops/gather_elements.h"
#include "ops/one_hot.h"
#include "ops/pad.h"
#include "ops/prelu.h"
#include "ops/reduce_norm.h"
#include "ops/reverse_sequence.h"
#include "ops/sample.h"
#include "ops/scatter.h"
#include "ops/tile.h"
#include "ops/triangle.h"
#include "support/compare.h"
#include "support/direct_applier.h"

namespace onemodel::test {
namespace {

Tensor indices(const Dims& dims, int64_t bound) {
  return sample_values(dims, 0, static_cast<double>(bound), DType::i64);
}

std::vector<Sample> large_samples() {
  const Tensor x = sample_values({300, 40, 17}), flat = x.reshape({300, 680});
  const Tensor places = indices({900, 1}, 300), rows = sample_values({900, 680});
  return {{CumSum{}, {x, sample_ints({0})}},
          {ArgMax{.axis = 1}, {x}},
          {TopK{.axis = 0}, {x, sample_ints({7})}, "", 2},
          {Hardmax{.axis = 1}, {x}},
          {GatherElements{}, {flat, indices({300, 680}, 300)}},
          {GatherND{}, {flat, places}},
          {ScatterElements{0, "add"}, {flat, indices({300, 680}, 300), flat}},
          {ScatterND{"add"}, {flat, places, rows}},
          {ScatterND{"mul"}, {flat, places, rows}},
          {Pad{.mode = "reflect"}, {x, sample_ints({5, 4, 3, 2, 1, 0})}},
          {Tile{}, {x, sample_ints({2, 1, 3})}},
          {ReverseSequence{}, {x, indices({40}, 300)}},
          {Trilu{}, {x}},
          {OneHot{}, {indices({300, 40}, 9), sample_ints({9}), sample_values({2})}},
          {PRelu{}, {x, sample_values({17})}},
          {ReduceL2{}, {x, sample_ints({0})}},
          {Einsum{"abc,adc->abd"}, {x, x}}};
}

TEST(Threads, ChangeNoBit) {
  for (const Sample& sample : large_samples()) {
    SCOPED_TRACE(concat(sample.op));
    const auto expected = run(sample.op, sample.inputs, sample.outputs);
    set_threads(3);
    const auto results = run(sample.op, sample.inputs, sample.outputs);
    set_threads(1);
    for (size_t i = 0; i < results.size(); ++i) EXPECT_TRUE(same_bits(results[i], expected[i])) << "output " << i;
  }
}

}  // namespace
}  // namespace onemodel::test
