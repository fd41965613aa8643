#pragma once
// Running an operator: the portable evaluation, and the choice among faster kernels.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "ops/op.h"

namespace onemodel {

/// `exact`: only portable kernels, the same bits on every machine. `fast`: the first kernel that accepts.
enum class Arithmetic : uint8_t { fast, exact };

/// Inputs and outputs of one portable evaluation. Inputs are contiguous unless the operator is `strided`; outputs are
/// contiguous and never overlap an input.
class EvalContext {
 public:
  EvalContext(std::span<const Tensor> inputs, std::span<const Tensor> outputs) : inputs_(inputs), outputs_(outputs) {}
  size_t input_count() const { return inputs_.size(); }
  size_t output_count() const { return outputs_.size(); }
  bool has(size_t i) const { return i < inputs_.size() && inputs_[i].defined(); }
  const Tensor& input(size_t i) const { return inputs_[i]; }
  bool has_output(size_t i) const { return i < outputs_.size() && outputs_[i].defined(); }
  const Tensor& output(size_t i = 0) const { return outputs_[i]; }
  std::span<const Tensor> inputs() const { return inputs_; }

 private:
  std::span<const Tensor> inputs_, outputs_;
};

/// A bound that a fused activation puts on the result: Relu is [0, inf).
struct Clamp {
  float min, max;
  friend bool operator==(const Clamp&, const Clamp&) = default;
};

/// What a kernel is wanted for: dtypes, sizes, values known beforehand, and the bound to apply.
struct KernelRequest {
  struct Operand {
    DType dtype = DType::undefined;  // undefined: absent
    Dims dims;
    Tensor constant;  // undefined: given at run time
  };
  std::span<const Operand> inputs, outputs;
  Arithmetic arithmetic = Arithmetic::fast;
  std::optional<Clamp> clamp;

  bool has(size_t i) const { return i < inputs.size() && inputs[i].dtype != DType::undefined; }
  bool is_constant(size_t i) const { return has(i) && inputs[i].constant.defined(); }
  const Dims& dims(size_t i) const { return inputs[i].dims; }
  bool all_f32() const;
};

/// A kernel ready for one set of sizes. `run` allocates nothing; constant inputs may be left undefined by the caller
/// when `keeps_constant` says the kernel has its own copy. Inputs and outputs are contiguous.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void run(std::span<const Tensor> inputs, std::span<const Tensor> outputs, std::byte* workspace) = 0;
  virtual size_t workspace_bytes() const { return 0; }
  virtual bool keeps_constant(size_t /*input*/) const { return false; }
};

/// One entry of an operator's ordered list of fast kernels: a kernel, or null and the reason in `refusal`.
template <class T>
struct FastKernel {
  std::string_view name;
  std::unique_ptr<Kernel> (*make)(const T& op, const KernelRequest& request, std::string& refusal);
};

/// The kernel that was chosen and why those before it refused.
struct KernelChoice {
  std::unique_ptr<Kernel> kernel;  // null: the portable one, through `evaluate`
  std::string_view name = "portable";
  bool applies_clamp = false;
  std::vector<std::string> refusals;  // "xnn.conv2d: weights are not constant"
};

/// Chooses for `op`; with exact arithmetic always the portable one.
KernelChoice choose_kernel(const Op& op, const KernelRequest& request);

/// Runs the portable kernel: makes inputs contiguous where the operator needs it.
void evaluate(const Op& op, std::span<const Tensor> inputs, std::span<const Tensor> outputs);

}  // namespace onemodel
