#include "nn/containers.h"

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

}  // namespace onemodel::nn
