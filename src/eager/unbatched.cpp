#include "eager/unbatched.h"

#include "eager/functions.h"

namespace onemodel {

Tensor with_batch(const Tensor& x, size_t rank, const std::function<Tensor(const Tensor&)>& run) {
  return x.rank() + 1 == rank ? squeeze(run(batch_of_one(x, 0)), {0}) : run(x);
}

Tensor batch_of_one(const Tensor& x, int64_t axis) { return x.defined() ? unsqueeze(x, {axis}) : x; }

}  // namespace onemodel
