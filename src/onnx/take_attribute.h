#pragma once
// Attributes of a node of a file, as conversions read, remove and set them.

#include <string_view>

#include "onnx/convert_opset.h"

namespace onemodel {

bool has_attribute(const FileNode& node, std::string_view name);
/// The value, or `otherwise` when the node has none. Throw ModelError(Malformed) for another kind of value.
int64_t take_integer(FileNode& node, std::string_view name, int64_t otherwise);
double take_real(FileNode& node, std::string_view name, double otherwise);
std::string take_text(FileNode& node, std::string_view name, std::string_view otherwise);
std::vector<int64_t> take_integers(FileNode& node, std::string_view name);
std::vector<double> take_reals(FileNode& node, std::string_view name);

/// Sets or replaces an attribute.
void set_integer(FileNode& node, std::string_view name, int64_t value);
void set_text(FileNode& node, std::string_view name, std::string_view value);
void set_integers(FileNode& node, std::string_view name, std::vector<int64_t> value);

}  // namespace onemodel
