#include "ops/prepared_kernel.h"

#include <algorithm>

namespace onemodel {
namespace {

class PreparedKernel final : public Kernel {
 public:
  PreparedKernel(kernels::xnn::PreparedPtr prepared, std::initializer_list<size_t> operands)
      : prepared_(std::move(prepared)), operands_(operands) {}

  void run(std::span<const Tensor> inputs, std::span<const Tensor> outputs, std::byte* workspace) override {
    std::array<const void*, 8> in{};
    std::array<void*, 4> out{};
    for (size_t i = 0; i < operands_.size(); ++i) in[i] = inputs[operands_[i]].raw();
    for (size_t i = 0; i < outputs.size(); ++i) out[i] = outputs[i].mutable_raw();
    prepared_->run(in.data(), out.data(), workspace);
  }
  size_t workspace_bytes() const override { return prepared_->workspace_bytes(); }
  bool keeps_constant(size_t input) const override {
    return std::find(operands_.begin(), operands_.end(), input) == operands_.end();
  }

 private:
  kernels::xnn::PreparedPtr prepared_;
  std::vector<size_t> operands_;
};

}  // namespace

std::unique_ptr<Kernel> wrap_kernel(kernels::xnn::PreparedPtr prepared, std::initializer_list<size_t> operands) {
  if (!prepared) return nullptr;
  return std::make_unique<PreparedKernel>(std::move(prepared), operands);
}

}  // namespace onemodel
