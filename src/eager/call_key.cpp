#include "eager/call_key.h"

#include <bit>
#include <cstring>

#include "kernels/thread_pool.h"

namespace onemodel {
namespace {

constexpr size_t kMostInputs = 8, kMostBytes = 128;

bool write_bytes(const void* data, size_t bytes, CallKey& key) {
  key.push_back(static_cast<int64_t>(bytes));
  if (bytes > kMostBytes) return false;
  const size_t at = key.size();
  key.resize(at + (bytes + sizeof(int64_t) - 1) / sizeof(int64_t));
  if (bytes) std::memcpy(key.data() + at, data, bytes);
  return true;
}

template <class T>
bool write_list(const T& list, CallKey& key) {
  return write_bytes(list.data(), list.size() * sizeof(*list.data()), key);
}

struct WriteAttribute {
  CallKey& key;
  bool operator()(int64_t value) const { return key.push_back(value), true; }
  bool operator()(double value) const { return key.push_back(std::bit_cast<int64_t>(value)), true; }
  bool operator()(const Tensor&) const { return false; }
  template <class T>
  bool operator()(const T& list) const {
    return write_list(list, key);
  }
};

bool write_attributes(const Op& op, CallKey& key) {
  for (size_t i = 0; i < op.traits().fields.size(); ++i) {
    const auto value = op.attribute(i);
    key.push_back(value.has_value());
    if (value && !std::visit(WriteAttribute{key}, *value)) return false;
  }
  return true;
}

bool write_input(const Tensor& input, bool is_shape_data, CallKey& key) {
  if (!input.defined()) return key.push_back(-1), true;
  key.push_back(static_cast<int64_t>(input.dtype()));
  const Dims& dims = input.dims();
  key.push_back(static_cast<int64_t>(dims.size()));
  key.insert(key.end(), dims.begin(), dims.end());
  return !is_shape_data || (input.is_contiguous() && write_bytes(input.raw(), input.bytes(), key));
}

}  // namespace

bool write_call_key(const Op& op, std::span<const Tensor> inputs, size_t output_count, Arithmetic arithmetic,
                    CallKey& key) {
  const OpTraits& traits = op.traits();
  if (inputs.size() > kMostInputs) return false;
  key.clear();
  key.push_back(static_cast<int64_t>(reinterpret_cast<uintptr_t>(&traits)));
  key.push_back(static_cast<int64_t>(arithmetic));
  key.push_back(static_cast<int64_t>(thread_pool().threads()));
  key.push_back(static_cast<int64_t>(output_count));
  key.push_back(static_cast<int64_t>(inputs.size()));
  if (!write_attributes(op, key)) return false;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!write_input(inputs[i], traits.input(i).is_shape_data, key)) return false;
  return true;
}

uint64_t hash_of(const CallKey& key) {
  uint64_t hash = 0;
  for (const int64_t value : key) {
    hash = (hash ^ static_cast<uint64_t>(value)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace onemodel
