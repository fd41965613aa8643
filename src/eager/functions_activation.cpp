#include "eager/functions_activation.h"

#include <algorithm>

#include "eager/apply.h"
#include "eager/functions.h"
#include "ops/clip.h"
#include "ops/pad.h"
#include "ops/prelu.h"
#include "ops/split.h"
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

Tensor pad(const Tensor& x, const std::vector<int64_t>& pad, std::string_view mode, double value) {
  check<ShapeError>(pad.size() % 2 == 0 && pad.size() / 2 <= x.rank(), "pad: two numbers for each of up to ", x.rank(),
                    " axes were expected, got ", pad.size());
  check(mode == "constant" || mode == "reflect" || mode == "replicate" || mode == "circular",
        "pad: mode must be constant, reflect, replicate (Pad's edge) or circular (wrap), got '", mode, "'");
  std::vector<int64_t> before, after, axes;
  for (size_t i = 0; i < pad.size(); i += 2) {
    before.push_back(pad[i]);
    after.push_back(pad[i + 1]);
    axes.push_back(static_cast<int64_t>(x.rank() - 1 - i / 2));
  }
  before.insert(before.end(), after.begin(), after.end());
  const Pad op{.mode = mode == "replicate" ? "edge" : mode == "circular" ? "wrap" : std::string(mode)};
  const Tensor filler = mode == "constant" ? Tensor::full({}, value, x.dtype()) : Tensor();
  return apply(op, {x, Tensor::from_ints(before), filler, Tensor::from_ints(axes)});
}

std::vector<Tensor> chunk(const Tensor& x, int64_t chunks, int64_t axis) {
  check(chunks >= 1, "chunk: chunks must be at least 1, got ", chunks);
  const int64_t extent = x.dims()[normalize_axis("chunk", axis, x.rank())];
  const int64_t size = std::max<int64_t>((extent + chunks - 1) / chunks, 1);
  const int64_t count = (extent + size - 1) / size;
  if (count < 2) return {x};
  const auto parts = static_cast<size_t>(count);
  if (parts <= Split::outputs.size()) return apply(Split{.axis = axis, .num_outputs = count}, {&x, 1}, parts);
  std::vector<Tensor> out;
  for (int64_t start = 0; start < extent; start += size)
    out.push_back(slice(x, axis, start, std::min(start + size, extent)));
  return out;
}

Tensor stack(const std::vector<Tensor>& parts, int64_t axis) {
  check(!parts.empty(), "stack: there are no tensors");
  const auto at = static_cast<int64_t>(normalize_axis("stack", axis, parts[0].rank() + 1));
  std::vector<Tensor> rows;
  for (const Tensor& part : parts) {
    check<ShapeError>(part.dims() == parts[0].dims(), "stack: tensors of ", parts[0].dims(), " and ", part.dims(),
                      " were given");
    rows.push_back(unsqueeze(part, {at}));
  }
  return cat(rows, at);
}

}  // namespace onemodel
