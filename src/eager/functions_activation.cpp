#include "eager/functions_activation.h"

#include "eager/apply.h"
#include "eager/functions.h"
#include "eager/functions_joining.h"
#include "ops/clip.h"
#include "ops/prelu.h"
#include "ops/unary.h"

namespace onemodel {

Tensor softplus(const Tensor& x, double beta) {
  check(beta > 0, "softplus: beta must be positive, got ", beta);
  return beta == 1 ? apply(Softplus{}, {x}) : apply(Softplus{}, {x * beta}) / beta;
}

Tensor elu(const Tensor& x, float alpha) { return apply(Elu{.alpha = alpha}, {x}); }
Tensor selu(const Tensor& x) { return apply(Selu{}, {x}); }
Tensor celu(const Tensor& x, float alpha) {
  check(alpha != 0, "celu: alpha must not be 0");
  return apply(Celu{.alpha = alpha}, {x});
}
Tensor mish(const Tensor& x) { return apply(Mish{}, {x}); }
Tensor silu(const Tensor& x) { return x * sigmoid(x); }
Tensor softsign(const Tensor& x) { return apply(Softsign{}, {x}); }
Tensor logsigmoid(const Tensor& x) { return -softplus(-x); }
Tensor hardtanh(const Tensor& x, double min_val, double max_val) {
  check(min_val <= max_val, "hardtanh: min_val must be at most max_val, got ", min_val, " and ", max_val);
  return apply(Clip{.is_open = true}, {x, Tensor::full({}, min_val, x.dtype()), Tensor::full({}, max_val, x.dtype())});
}
Tensor relu6(const Tensor& x) { return hardtanh(x, 0, 6); }

Tensor prelu(const Tensor& x, const Tensor& weight) {
  Tensor slope = weight;
  if (weight.numel() != 1) {
    check<ShapeError>(x.rank() >= 2 && weight.rank() == 1 && weight.dims()[0] == x.dims()[1],
                      "prelu: weight must have one element or one per channel of ", x.dims(), ", got ", weight.dims());
    Dims channel = Dims::filled(x.rank() - 1, 1);
    channel[0] = -1;
    slope = reshape(weight, channel);
  }
  return apply(PRelu{}, {x, slope});
}

Tensor glu(const Tensor& x, int64_t axis) {
  const int64_t extent = x.dims()[normalize_axis("glu", axis, x.rank())];
  check<ShapeError>(extent % 2 == 0, "glu: axis ", axis, " of ", x.dims(), " must have an even extent");
  const std::vector<Tensor> halves = chunk(x, 2, axis);
  return halves.size() == 2 ? halves[0] * sigmoid(halves[1]) : x;  // nothing is cut of an axis without elements
}

}  // namespace onemodel
