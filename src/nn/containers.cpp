#include "nn/containers.h"

#include "eager/apply.h"
#include "eager/unbatched.h"
#include "ops/depth_space.h"

namespace onemodel::nn {

Sequential::Sequential(std::initializer_list<std::shared_ptr<Module>> modules) {
  for (const auto& module : modules) append(module);
}

void Sequential::append(std::shared_ptr<Module> module) {
  add_module(concat(children_.size()), module);
  children_.push_back(std::move(module));
}

std::vector<Tensor> Sequential::forward(std::span<const Tensor> inputs) {
  std::vector<Tensor> values(inputs.begin(), inputs.end());
  for (const auto& child : children_) values = (*child)(std::span<const Tensor>(values));
  return values;
}

std::string Sequential::describe() const {
  std::string out = "Sequential(";
  for (size_t i = 0; i < children_.size(); ++i) out += concat(i ? ", " : "", i, ": ", children_[i]->describe());
  return out + ')';
}

Tensor Flatten::run(const Tensor& x) { return flatten(x, options().start_dim, options().end_dim); }

Unflatten::Unflatten(const UnflattenOptions& options) : Layer(options) {
  check(!options.unflattened_size.values.empty(), kName, ": unflattened_size must name at least one extent");
}

Tensor Unflatten::run(const Tensor& x) {
  const size_t axis = normalize_axis(kName, options().dim, x.rank());
  std::vector<ShapeEntry> sizes;
  for (size_t i = 0; i < x.rank(); ++i) {
    if (i != axis)
      sizes.emplace_back(dim(x, static_cast<int64_t>(i)));
    else
      for (const int64_t size : options().unflattened_size.values) sizes.emplace_back(size);
  }
  return reshape(x, onemodel::Sizes(std::move(sizes)));
}

PixelShuffle::PixelShuffle(const PixelShuffleOptions& options) : Layer(options) {
  check_at_least(1, kName, "upscale_factor", options.upscale_factor);
}

Tensor PixelShuffle::run(const Tensor& x) {
  return with_batch(x, 4, [&](const Tensor& batch) {
    return apply(DepthToSpace{.blocksize = options().upscale_factor, .mode = "CRD"}, {batch});
  });
}

}  // namespace onemodel::nn
