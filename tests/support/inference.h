#pragma once
// Inference over symbolic inputs in tests: builds a context from types, constants and known contents.

#include "core/extent.h"
#include "ops/infer.h"

namespace onemodel::test {

/// One application of an operator. Inputs are added in order.
class Inference {
 public:
  explicit Inference(Op op) : op_(std::move(op)) {}
  Inference& input(Shape shape, DType dtype = DType::f32) {
    types_.push_back({dtype, std::move(shape)});
    values_.emplace_back();
    return *this;
  }
  Inference& absent() {
    types_.emplace_back();
    values_.emplace_back();
    return *this;
  }
  Inference& constant(const Tensor& value) {
    types_.push_back({value.dtype(), value.dims()});
    values_.push_back(value);
    return *this;
  }
  /// A constant shape operand.
  Inference& ints(std::initializer_list<int64_t> values) {
    return constant(Tensor::from_ints({values.begin(), values.size()}));
  }
  /// An int64 operand that is not constant but has known contents.
  Inference& data(ShapeData contents, Shape shape) {
    data_.emplace_back(types_.size(), std::move(contents));
    return input(std::move(shape), DType::i64);
  }
  Inference& data(ShapeData contents) {
    const auto count = static_cast<int64_t>(contents.size());
    return data(std::move(contents), {count});
  }
  Inference& tracing() {
    tracing_ = true;
    return *this;
  }

  TensorType type() const {
    InferContext context = make();
    return infer(op_, context).front();
  }
  Shape shape() const { return type().shape; }
  std::string text() const { return concat(shape()); }
  /// What is known of the output's contents, as "[2, batch]"; "unknown" for nothing.
  std::string contents() const {
    InferContext context = make();
    infer(op_, context);
    const auto& known = context.output_shape_data(0);
    return known ? concat(Shape(*known)) : "unknown";
  }
  /// "TraceError: message" of what inference throws; empty when it does not.
  std::string error() const {
    try {
      type();
    } catch (const Error& error) {
      return concat(error.name(), ": ", error.what());
    }
    return "";
  }

 private:
  InferContext make() const {
    InferContext context(op_.traits(), types_, values_, 1);
    for (const auto& [i, contents] : data_) context.set_shape_data(i, contents);
    context.set_tracing(tracing_);
    return context;
  }
  Op op_;
  std::vector<TensorType> types_;
  std::vector<Tensor> values_;
  std::vector<std::pair<size_t, ShapeData>> data_;
  bool tracing_ = false;
};

}  // namespace onemodel::test
