#pragma once
// Any operator with its attributes, and the table of everything that is derived from its declaration.

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "ops/attribute.h"

namespace onemodel {

class InferContext;
class EvalContext;
class GradContext;
class Var;
class Op;
struct KernelRequest;
struct KernelChoice;

/// One operand of an operator.
struct Input {
  enum Use : uint8_t {
    required,
    optional,
    variadic,  // the last operand, once or more
  };
  std::string_view name;
  Doc doc;
  Use use = required;
  /// A small integer operand that decides shapes (axes, starts, a target shape): plans know its value, and script
  /// may give it as a list of numbers.
  bool is_shape_data = false;
};

/// What an operator says of itself besides operands and fields.
struct OpInfo {
  std::string_view name;
  Doc doc;
  /// The opset that brought its present form.
  int since = 1;
  /// Takes elements of the types that are only stored (kStorageDTypes) as well, or says itself which.
  bool takes_stored = false;
  /// The operand whose value *is* the output's shape (Reshape, Expand): when the shape is symbolic a trace computes it.
  int shape_operand = -1;
  /// Output 0 has the elements of input 0 in the same order: a plan need not copy.
  bool keeps_elements = false;
  /// `evaluate` takes inputs with any strides; otherwise they are made contiguous before.
  bool strided = false;
  /// Not an ONNX operator: exists for gradients or fusions.
  bool internal = false;
  /// Draws numbers: two runs on the same inputs differ, so that nobody computes it beforehand or once for two.
  bool random = false;
  /// The sizes of its results follow from values: a session runs it between the parts of a graph that it plans.
  bool sizes_from_values = false;
  /// Why a trace refuses it; empty when it does not.
  std::string_view untraceable = {};
};

/// Says that an operator has no gradient, and why.
struct NotDifferentiable {
  std::string_view reason;
};

/// Everything derived from one operator's declaration.
struct OpTraits {
  OpInfo info;
  std::span<const Input> inputs;
  std::span<const std::string_view> outputs;
  std::vector<FieldInfo> fields;
  std::string_view not_differentiable;  // empty: has a gradient
  bool has_view;
  /// The operator from values in field order; nothing keeps the default. Throws ArgumentError naming the attribute.
  Op (*make)(std::span<const std::optional<AttributeValue>>);
  std::optional<AttributeValue> (*get)(const void* op, size_t field);
  void (*infer)(const void* op, InferContext&);
  void (*evaluate)(const void* op, EvalContext&);
  Tensor (*view)(const void* op, std::span<const Tensor> inputs);
  KernelChoice (*choose)(const void* op, const KernelRequest&);
  std::vector<Var> (*vjp)(const void* op, GradContext&);

  size_t min_inputs() const;
  bool is_variadic() const { return !inputs.empty() && inputs.back().use == Input::variadic; }
  /// How operand `i` is called; a variadic operand's name for all beyond.
  const Input& input(size_t i) const { return inputs[std::min(i, inputs.size() - 1)]; }
};

/// The traits of one operator, defined in its .cpp by ONEMODEL_OPERATOR.
template <class T>
const OpTraits& traits_of();

/// An operator and its attributes. Immutable; copies share.
class Op {
 public:
  template <class T>
  requires requires { T::info; }
  Op(T op) : traits_(&traits_of<T>()), data_(share(std::move(op))) {}

  const OpTraits& traits() const { return *traits_; }
  std::string_view name() const { return traits_->info.name; }
  /// The operator's struct when it is a T, else null.
  template <class T>
  const T* as() const {
    return traits_ == &traits_of<T>() ? static_cast<const T*>(data_.get()) : nullptr;
  }
  template <class T>
  bool is() const {
    return traits_ == &traits_of<T>();
  }
  const void* data() const { return data_.get(); }
  std::optional<AttributeValue> attribute(size_t field) const { return traits_->get(data(), field); }
  friend bool operator==(const Op& a, const Op& b);

 private:
  template <class T>
  static std::shared_ptr<const void> share(T op) {
    if constexpr (std::is_empty_v<T>) {  // no attributes: one object serves all
      static const std::shared_ptr<const void> only = std::make_shared<const T>();
      return only;
    } else {
      return std::make_shared<const T>(std::move(op));
    }
  }
  const OpTraits* traits_;
  std::shared_ptr<const void> data_;
};

/// "Softmax(axis=1)".
void append(std::string& out, const Op& op);

/// All operators in the order of op_list.inc.
std::span<const OpTraits* const> all_operators();
/// The operator of that name, or null.
const OpTraits* find_operator(std::string_view name);
/// An operator from named attributes; throws ArgumentError for an unknown name or a value of the wrong kind.
Op make_op(const OpTraits& traits, std::span<const std::pair<std::string, AttributeValue>> attributes);

}  // namespace onemodel
