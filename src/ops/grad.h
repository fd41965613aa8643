#pragma once
// Gradients written with operators, so that they can themselves be recorded.

#include <span>
#include <vector>

#include "core/tensor.h"
#include "ops/op.h"

namespace onemodel {

/// Applies operators for a gradient; the eager layer implements it.
class Applier {
 public:
  virtual ~Applier() = default;
  virtual std::vector<Tensor> apply(const Op& op, std::span<const Tensor> inputs, size_t output_count) = 0;
};

/// A tensor in a gradient formula. An undefined one means a zero gradient.
class Var {
 public:
  Var() = default;
  Var(Tensor tensor, Applier* applier) : tensor_(std::move(tensor)), applier_(applier) {}
  const Tensor& tensor() const { return tensor_; }
  Applier& applier() const { return *applier_; }
  bool defined() const { return tensor_.defined(); }
  const Dims& dims() const { return tensor_.dims(); }
  size_t rank() const { return tensor_.rank(); }
  DType dtype() const { return tensor_.dtype(); }
  /// A constant beside this variable: a scalar of its dtype.
  Var constant(double value) const { return {Tensor::full({}, value, dtype()), applier_}; }

 private:
  Tensor tensor_;
  Applier* applier_ = nullptr;
};

/// What a `vjp` sees: inputs, outputs, and the gradient of each output.
class GradContext {
 public:
  GradContext(std::span<const Tensor> inputs, std::span<const Tensor> outputs, std::span<const Tensor> output_grads,
              std::span<const bool> needed, Applier& applier)
      : inputs_(inputs), outputs_(outputs), grads_(output_grads), needed_(needed), applier_(applier) {}
  size_t input_count() const { return inputs_.size(); }
  size_t output_count() const { return outputs_.size(); }
  bool has(size_t i) const { return i < inputs_.size() && inputs_[i].defined(); }
  /// Whether the gradient of input `i` is wanted; a vjp may skip the others.
  bool needs(size_t i) const { return i < needed_.size() && needed_[i]; }
  Var input(size_t i) const { return {inputs_[i], &applier_}; }
  Var output(size_t i = 0) const { return {outputs_[i], &applier_}; }
  /// The gradient of output `i`: of the output's shape; undefined when nothing used that output.
  Var grad(size_t i = 0) const { return i < grads_.size() ? Var(grads_[i], &applier_) : Var(); }
  Var constant(Tensor tensor) const { return {std::move(tensor), &applier_}; }

 private:
  std::span<const Tensor> inputs_, outputs_, grads_;
  std::span<const bool> needed_;
  Applier& applier_;
};

/// One gradient per input, in order; trailing ones may be left out.
using Gradients = std::vector<Var>;

/// Applies any operator with one output.
Var apply(const Op& op, std::initializer_list<Var> inputs);

// Short forms for formulas; each is the ONNX operator of that name, with numpy broadcasting.
Var operator+(const Var& a, const Var& b);
Var operator-(const Var& a, const Var& b);
Var operator*(const Var& a, const Var& b);
Var operator/(const Var& a, const Var& b);
Var operator-(const Var& a);
Var operator*(const Var& a, double b);
Var operator+(const Var& a, double b);
Var exp(const Var& a);
Var log(const Var& a);
Var sqrt(const Var& a);
Var pow(const Var& a, double exponent);
Var matmul(const Var& a, const Var& b);
/// Swaps the last two axes.
Var transpose(const Var& a);
Var permute(const Var& a, std::span<const int64_t> axes);
Var reshape(const Var& a, const Dims& dims);
Var expand(const Var& a, const Dims& dims);
Var reduce_sum(const Var& a, std::span<const int64_t> axes, bool keepdims);
Var where(const Var& condition, const Var& a, const Var& b);
Var less(const Var& a, const Var& b);
Var equal(const Var& a, const Var& b);
Var cast(const Var& a, DType dtype);
/// Sums a gradient over the axes along which a value of shape `dims` was broadcast.
Var reduce_to(const Var& grad, const Dims& dims);

}  // namespace onemodel
