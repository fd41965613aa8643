// Modules, checkpoints and the generator.

#include <emscripten/bind.h>

#include "bindings/bytes.h"
#include "bindings/call_buffer.h"
#include "bindings/guard.h"
#include "bindings/modules.h"
#include "bindings/state.h"
#include "eager/call_log.h"
#include "eager/functions.h"
#include "format/safetensors.h"
#include "nn/random.h"
#include "nn/registry.h"
#include "nn/transformer.h"

namespace onemodel::bindings {

Handles<std::shared_ptr<nn::Module>>& modules() {
  static Handles<std::shared_ptr<nn::Module>> table("module");
  return table;
}

namespace {

using emscripten::val;

/// Buffer: the constructor's arguments.
uint32_t module_make(uint32_t index) {
  return guarded([&] {
    const nn::ModuleTraits& traits = nn::all_modules()[index];
    CallReader reader;
    return modules().add(traits.make(reader.values(traits.name, traits.arguments)));
  });
}

/// Buffer: operands; afterwards: the outputs. Of the calls that a captured program keeps, the root's is the program's own.
int module_forward(uint32_t handle, uint32_t inputs) {
  return guarded([&] {
    const std::shared_ptr<nn::Module> module = modules().get(handle);
    CallReader reader;
    return write_tensors((*module)(reader.operands(inputs)));
  });
}

/// The same of a MultiheadAttention, whose weights are the second output.
int attention_forward(uint32_t handle, uint32_t inputs, bool average) {
  return guarded([&] {
    const auto attention = std::dynamic_pointer_cast<nn::MultiheadAttention>(modules().get(handle));
    check<ArgumentError>(attention != nullptr, modules().get(handle)->describe(), " gives no attention weights");
    CallReader reader;
    return write_tensors(attention->with_weights(reader.operands(inputs), average));
  });
}

/// [{path, kind, handle}]: the module's tensors, with those below it or without.
val module_tensors(uint32_t handle, bool below) {
  return guarded([&] {
    val out = val::array();
    for (const nn::NamedTensor& named : modules().get(handle)->named_tensors()) {
      if (!below && named.path.find('.') != std::string::npos) continue;
      val entry = val::object();
      entry.set("path", named.path);
      entry.set("kind", std::string(constant_kind_name(named.kind)));
      entry.set("handle", tensors().add(named.tensor));
      out.call<void>("push", entry);
    }
    return out;
  });
}

val write_state(const val& state, const val& metadata) {
  return guarded([&] {
    std::map<std::string, std::string> extra;
    const val names = val::global("Object").call<val>("keys", metadata);
    for (int i = 0, n = names["length"].as<int>(); i < n; ++i)
      extra.emplace(names[i].as<std::string>(), metadata[names[i]].as<std::string>());
    return to_script(write_safetensors(state_from_script(state), extra));
  });
}

val read_state(uintptr_t data, size_t bytes) {
  return guarded([&] {
    std::map<std::string, std::string> metadata;
    val out = val::object();
    out.set("tensors", state_to_script(read_safetensors(heap_bytes(data, bytes), &metadata)));
    val extra = record();
    for (const auto& [name, text] : metadata) extra.set(name, text);
    out.set("metadata", extra);
    return out;
  });
}

/// Buffer: rank, sizes. Uniform in [low, high), or normal with mean `low` and deviation `high`.
uint32_t random_tensor(bool normal, float low, float high) {
  return guarded([&] {
    CallReader reader;
    Dims dims;
    for (size_t i = reader.count(); i > 0; --i) dims.push_back(static_cast<int64_t>(reader.next()));
    return tensors().add(normal ? nn::randn(dims, low, high) : nn::rand(dims, low, high));
  });
}

uint32_t permutation(double n) {
  return guarded([&] { return tensors().add(nn::randperm(static_cast<int64_t>(n))); });
}

uint32_t dropout_of(uint32_t handle, float p) {
  return guarded([&] { return tensors().add(dropout(tensors().get(handle), p, true, nn::default_generator())); });
}

/// Buffer afterwards: seed and offset, each as two 32-bit halves, low first.
void generator_state() {
  const Generator::State state = nn::default_generator().state();
  double* out = call_buffer();
  for (uint64_t value : {state.seed, state.offset}) {
    *out++ = static_cast<double>(value & 0xffffffffu);
    *out++ = static_cast<double>(value >> 32);
  }
}

void set_generator_state() {
  guarded([&] {
    nn::check_generator_free("set_generator_state");
    CallReader reader;
    uint64_t halves[4];
    for (uint64_t& half : halves) half = static_cast<uint64_t>(reader.next());
    nn::default_generator().set_state({halves[0] | halves[1] << 32, halves[2] | halves[3] << 32});
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(nn) {
  using emscripten::function;
  function("moduleMake", &module_make);
  function("moduleForward", &module_forward);
  function("attentionForward", &attention_forward);
  function("moduleTensors", &module_tensors);
  function(
      "moduleTrain", +[](uint32_t handle, bool mode) { guarded([&] { modules().get(handle)->train(mode); }); });
  function(
      "moduleDescribe", +[](uint32_t handle) { return guarded([&] { return modules().get(handle)->describe(); }); });
  function(
      "moduleRelease", +[](uint32_t handle) { modules().release(handle); });
  function(
      "moduleCount", +[] { return modules().live(); });
  function("writeSafetensors", &write_state);
  function("readSafetensors", &read_state);
  function(
      "manualSeed",
      +[](uint32_t low, uint32_t high) { guarded([&] { nn::manual_seed(low | uint64_t{high} << 32); }); });
  function("randomTensor", &random_tensor);
  function("permutation", &permutation);
  function("dropout", &dropout_of);
  function("generatorState", &generator_state);
  function("setGeneratorState", &set_generator_state);
}

}  // namespace onemodel::bindings
