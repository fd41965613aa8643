#pragma once
// Reads and writes .safetensors files: named tensors without a graph.

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/tensor.h"

namespace onemodel {

/// The tensors of a file as copies; `metadata`, when given, gets the file's `__metadata__`. Element
/// types: F64 F32 F16 BF16 I64 I32 I16 I8 U64 U32 U16 U8 BOOL
/// F8_E4M3 F8_E5M2 F8_E8M0.
///
/// The file is taken to be hostile. Throws ModelError naming the tensor: Truncated, TooLarge (a
/// header above 100 MB), Malformed (bad JSON, holes, overlaps, sizes that contradict each other),
/// Unsupported (element type, rank above 8).
std::map<std::string, Tensor> read_safetensors(std::span<const std::byte> file,
                                               std::map<std::string, std::string>* metadata = nullptr);

/// A file whose bytes depend only on the arguments: tensors by falling element size, then name, so
/// that each is aligned to its element and the first to 8 bytes. Throws ArgumentError for a
/// tensor named `__metadata__` or an undefined one, DTypeError for one of an element type that is not above.
std::vector<std::byte> write_safetensors(const std::map<std::string, Tensor>& tensors,
                                         const std::map<std::string, std::string>& metadata = {});

}  // namespace onemodel
