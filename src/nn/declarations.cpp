#include "nn/declarations.h"

#include "nn/registry.h"
#include "ops/op.h"

namespace onemodel::nn {
namespace {

// FNV-1a.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
    add(0);
  }
  void add(std::span<const Input> inputs) {
    for (const Input& input : inputs) {
      add(input.name);
      add(input.use);
    }
  }
  void add(std::span<const FieldInfo> fields) {
    for (const FieldInfo& field : fields) {
      add(field.name);
      add(static_cast<unsigned char>(field.kind));
      add(field.required);
    }
  }
  uint32_t value() const { return value_; }

 private:
  void add(unsigned char byte) { value_ = (value_ ^ byte) * 16777619u; }
  uint32_t value_ = 2166136261u;
};

}  // namespace

uint32_t declarations_hash() {
  Hash hash;
  for (const OpTraits* op : all_operators()) {
    hash.add(op->info.name);
    hash.add(op->inputs);
    hash.add(op->fields);
  }
  const auto add_classes = [&](auto classes) {
    for (const auto& each : classes) {
      hash.add(each.name);
      hash.add(each.arguments);
    }
  };
  add_classes(all_modules());
  add_classes(all_optimizers());
  add_classes(all_schedules());
  for (const FunctionTraits& function : all_functions()) {
    hash.add(function.name);
    hash.add(function.inputs);
    hash.add(function.options);
  }
  return hash.value();
}

}  // namespace onemodel::nn
