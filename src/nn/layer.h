#pragma once
// The base of modules with one input, one output and arguments as data.

#include <utility>

#include "nn/module.h"
#include "nn/options.h"

namespace onemodel::nn {

/// The only one of `inputs`; throws ArgumentError naming `who` when there is not exactly one, or it is undefined.
const Tensor& only_input(std::string_view who, std::span<const Tensor> inputs);
/// Throws ArgumentError naming the argument unless `value` is at least `least`.
void check_at_least(int64_t least, std::string_view who, std::string_view argument, int64_t value);
void check_at_least(int64_t least, std::string_view who, std::string_view argument, Pair value);
void check_at_least(int64_t least, std::string_view who, std::string_view argument, Triple value);
/// Throws ArgumentError naming the argument unless `value` is 0 or more.
void check_not_negative(std::string_view who, std::string_view argument, double value);

/// `M` has `kName`, `kDoc` and `Tensor run(const Tensor&)`; `O` is a struct with `fields()` in PyTorch's order.
template <class M, class O>
class Layer : public Module {
 public:
  using Options = O;
  explicit Layer(O options = {}) : options_(std::move(options)) {}
  const O& options() const { return options_; }
  std::vector<Tensor> forward(std::span<const Tensor> inputs) final {
    return {static_cast<M*>(this)->run(only_input(M::kName, inputs))};
  }
  std::string describe() const override { return describe_options(M::kName, options_); }

 private:
  O options_;
};

struct NoOptions {
  static constexpr auto fields() { return std::tuple{}; }
};

}  // namespace onemodel::nn
