#pragma once
// What an application of an operator leaves behind: read by autograd and by the tracer.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/extent.h"
#include "core/tensor.h"
#include "ops/infer.h"
#include "ops/op.h"

namespace onemodel {

/// One recorded application. It keeps its inputs alive, and through them the records before it.
struct Record {
  Op op;
  std::vector<Tensor> inputs;            // undefined: absent
  std::vector<uint64_t> input_versions;  // storage versions at that time
  std::vector<Tensor> outputs;           // same storage as the results, without extension
  std::vector<uint64_t> output_versions;
  std::vector<Shape> output_shapes;   // of a traced application
  std::vector<std::string> warnings;  // of its shape inference
  std::string module_path;
  uint64_t sequence = 0;  // order of application
  ~Record();
};

/// What the eager layer attaches to a tensor that has a gradient or is traced.
class TensorState final : public TensorExtension {
 public:
  void before_read(const Tensor& tensor, std::string_view how) override;
  void before_write(const Tensor& tensor, std::string_view how) override;
  void before_view(const Tensor& tensor, std::string_view how) override;
  void after_copy(const Tensor& tensor, const Tensor& copy) override;
  bool survives_detach() const override;

  bool requires_grad = false;
  Tensor grad;
  std::shared_ptr<Record> record;  // null: a leaf
  size_t output_index = 0;
  uint64_t trace_id = 0;           // not 0: depends on an input of that trace
  Shape symbolic_shape;            // of a traced tensor
  std::optional<ShapeData> sizes;  // what a traced list of integers holds, where it was made from sizes
  Tensor value;                    // of its last update (eager/functional_trace.h)
};

/// The state of `tensor`, or null.
TensorState* state_of(const Tensor& tensor);
/// The state of `tensor`, made when there is none.
TensorState& ensure_state(const Tensor& tensor);

/// The trace that records on this thread: 0 for none.
uint64_t active_trace();
void set_active_trace(uint64_t id);
/// Whether `tensor` depends on an input of the active trace.
bool is_traced(const Tensor& tensor);
/// dtype and sizes, symbolic where it is traced.
TensorType type_of(const Tensor& tensor);
/// A traced state for `tensor` in the active trace.
void mark_traced(const Tensor& tensor, Shape symbolic_shape);

/// Puts `name` on the module path of this thread while it lives.
class ModuleScope {
 public:
  explicit ModuleScope(std::string_view name);
  ~ModuleScope();
  ModuleScope(const ModuleScope&) = delete;
  ModuleScope& operator=(const ModuleScope&) = delete;
};
/// "encoder.layers.0"; empty outside of modules.
std::string module_path();
/// For callers that cannot scope: every push needs its pop.
void push_module(std::string_view name);
void pop_module();

/// While one lives, operators leave no record on this thread, but for those of a captured program. Throws
/// TraceError(NoGradInTrace) in any other trace.
class NoGrad {
 public:
  NoGrad();
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool before_;
};
bool grad_enabled();
/// For callers that cannot scope; as NoGrad.
void set_grad_enabled(bool enabled);

}  // namespace onemodel
