#include "eager/functions_joining.h"

#include <algorithm>

#include "eager/apply.h"
#include "eager/functions.h"
#include "ops/pad.h"
#include "ops/split.h"

namespace onemodel {

Tensor pad(const Tensor& x, const std::vector<int64_t>& pad, std::string_view mode, double value) {
  check<ShapeError>(pad.size() % 2 == 0 && pad.size() / 2 <= x.rank(), "pad: two numbers for each of up to ", x.rank(),
                    " axes were expected, got ", pad.size());
  check(mode == "constant" || mode == "reflect" || mode == "replicate" || mode == "circular",
        "pad: mode must be constant, reflect, replicate or circular, got '", mode, "'");
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
