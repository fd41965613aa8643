#pragma once
// Shape and type inference: what an operator sees of its inputs and says of its outputs.

#include <optional>
#include <span>
#include <vector>

#include "core/extent.h"
#include "core/tensor.h"
#include "ops/op.h"

namespace onemodel {

/// Known integer contents of a small operand (a shape, axes): extents that may be symbolic.
using ShapeData = std::vector<Extent>;

/// Inputs' types, and values where they are known, of one application of an operator. `infer` reads them, checks
/// every argument, and sets each output. All errors name the operator.
class InferContext {
 public:
  /// `types[i].dtype` undefined: the input is absent. `values[i]` undefined: its value is not known now; `values` may
  /// be shorter than `types`.
  InferContext(const OpTraits& traits, std::span<const TensorType> types, std::span<const Tensor> values,
               size_t output_count);

  size_t input_count() const { return types_.size(); }
  size_t output_count() const { return outputs_.size(); }
  bool has(size_t i) const { return i < types_.size() && types_[i].dtype != DType::undefined; }
  const TensorType& input(size_t i) const { return types_[i]; }
  DType dtype(size_t i) const { return types_[i].dtype; }
  const Shape& shape(size_t i) const { return types_[i].shape; }
  size_t rank(size_t i) const { return types_[i].shape.rank(); }
  /// The value, or undefined when it is not known.
  Tensor value(size_t i) const { return i < values_.size() ? values_[i] : Tensor(); }
  /// The integers of operand `i`; nothing when not known (or symbolic).
  std::optional<std::vector<int64_t>> ints(size_t i) const;
  /// The integers of operand `i` as extents; nothing when not known.
  std::optional<ShapeData> shape_data(size_t i) const;
  /// Knows the contents of input `i` although its value is not constant.
  void set_shape_data(size_t i, ShapeData data);
  /// Tells the contents of an integer output.
  void output_shape_data(size_t i, ShapeData data);
  const std::optional<ShapeData>& output_shape_data(size_t i) const;

  /// True while a model is traced: numbers in shape operands are then sizes of the example run, and may stand for
  /// symbolic extents.
  bool tracing() const { return tracing_; }
  void set_tracing(bool tracing) { tracing_ = tracing; }

  void output(size_t i, DType dtype, Shape shape) { outputs_[i] = {dtype, std::move(shape)}; }
  void output(DType dtype, Shape shape) { output(0, dtype, std::move(shape)); }
  const std::vector<TensorType>& outputs() const { return outputs_; }

  /// Throws ShapeError (or E) "Op: parts…" unless ok.
  template <class E = ShapeError, class... Parts>
  void check(bool ok, const Parts&... parts) const {
    if (!ok) [[unlikely]]
      throw E(concat(traits_.info.name, ": ", parts...));
  }
  /// Throws DTypeError naming the operand unless `ok`. `expected` reads like "a floating-point type".
  void check_dtype(bool ok, size_t i, std::string_view expected) const;
  /// Throws DTypeError unless inputs a and b (when present) have one dtype.
  void check_same_dtype(size_t a, size_t b) const;
  size_t axis(int64_t axis, size_t rank) const { return normalize_axis(traits_.info.name, axis, rank); }
  /// Numpy broadcasting; a symbolic extent meets a number other than 1 only in an error.
  Shape broadcast(const Shape& a, const Shape& b) const;
  /// Tells whoever traces of a choice that another example would settle.
  void warn(std::string warning) { warnings_.push_back(std::move(warning)); }
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// A size that only running tells.
  Extent unknown(std::string_view what);
  /// Throws TraceError(SymbolicShape).
  [[noreturn]] void symbolic_error(std::string_view what) const;
  std::string_view op_name() const { return traits_.info.name; }
  /// Makes the names of unknown extents unique; usually the node's name.
  void set_label(std::string label) { label_ = std::move(label); }

 private:
  const OpTraits& traits_;
  std::span<const TensorType> types_;
  std::span<const Tensor> values_;
  std::vector<std::optional<ShapeData>> data_;
  std::vector<TensorType> outputs_;
  std::vector<std::optional<ShapeData>> output_data_;
  std::vector<std::string> warnings_;
  std::string label_;
  bool tracing_ = false;
};

/// Checks the number of inputs, runs the operator's `infer`, and returns the outputs' types.
const std::vector<TensorType>& infer(const Op& op, InferContext& context);

}  // namespace onemodel
