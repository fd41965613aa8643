#pragma once
// The one buffer through which calls with many arguments go: a stream of doubles that script writes and C++ reads.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "ops/op.h"

namespace onemodel::bindings {

inline constexpr size_t kCallBufferLength = 1 << 16;
double* call_buffer();

/// Reads the stream from its start. Throws ArgumentError past the end.
class CallReader {
 public:
  double next();
  size_t count();
  /// An operand: a handle; 0 absent; -1, n and n integers as an int64 tensor; -2 and a number as a scalar of the dtype
  /// of the first tensor that is no condition; -3, n and n numbers as a float32 tensor; -4, n and
  /// n sizes, each 0 and a number or 1 and a handle, as an int64 tensor; -5 and an integer as an int64 scalar. Throws
  /// ArgumentError naming `owner` and the input for a number that the integer tensor beside it cannot hold.
  std::vector<Tensor> operands(size_t count, std::string_view owner = {}, std::span<const Input> inputs = {});
  /// Fields of `owner`, which errors name, in order: 0 keeps the default; 1 a number; 2, n and n numbers;
  /// 3, n and n UTF-16 units, of a dtype its name; 4 a tensor handle; 5 null, which is not the default of an optional field that
  /// has one (an undefined tensor stands for it), and else keeps the default.
  std::vector<std::optional<AttributeValue>> values(std::string_view owner, std::span<const FieldInfo> fields);

 private:
  Tensor list(int tag);
  size_t at_ = 0;
};

/// Adds the tensors as handles, written from the buffer's start; returns how many.
int write_tensors(std::span<const Tensor> tensors);

}  // namespace onemodel::bindings
