#pragma once
// What a value of a graph is while it runs.

#include <memory>
#include <vector>

#include "core/tensor.h"

namespace onemodel {

/// A tensor, a sequence of tensors, or, as an optional without a value, nothing.
struct Item {
  Item() = default;
  Item(Tensor one) : tensor(std::move(one)) {}
  Item(std::vector<Tensor> many) : sequence(std::make_shared<const std::vector<Tensor>>(std::move(many))) {}

  bool is_nothing() const { return !tensor.defined() && !sequence; }

  Tensor tensor;                                        // undefined: it is none
  std::shared_ptr<const std::vector<Tensor>> sequence;  // null: it is none; copies share
};

/// "float32[2, 3]", "a sequence of 2", "nothing".
void append(std::string& out, const Item& item);

}  // namespace onemodel
