#include "onnx/take_attribute.h"

#include <utility>

#include "core/error.h"

namespace onemodel {
namespace {

template <class T>
T take(FileNode& node, std::string_view name, T otherwise, std::string_view expected) {
  const auto found = node.attributes.find(std::string(name));
  if (found == node.attributes.end()) return otherwise;
  T* value = std::get_if<T>(&found->second);
  if (!value) throw ModelError("Malformed", concat("attribute '", name, "' expects ", expected));
  T out = std::move(*value);
  node.attributes.erase(found);
  return out;
}

void set(FileNode& node, std::string_view name, AttributeValue value) {
  node.attributes.insert_or_assign(std::string(name), std::move(value));
}

}  // namespace

bool has_attribute(const FileNode& node, std::string_view name) { return node.attributes.contains(std::string(name)); }

int64_t take_integer(FileNode& node, std::string_view name, int64_t otherwise) {
  return take<int64_t>(node, name, otherwise, "an integer");
}
double take_real(FileNode& node, std::string_view name, double otherwise) {
  return take<double>(node, name, otherwise, "a number");
}
std::string take_text(FileNode& node, std::string_view name, std::string_view otherwise) {
  return take<std::string>(node, name, std::string(otherwise), "a text");
}
std::vector<int64_t> take_integers(FileNode& node, std::string_view name) {
  return take<std::vector<int64_t>>(node, name, {}, "integers");
}
std::vector<double> take_reals(FileNode& node, std::string_view name) {
  return take<std::vector<double>>(node, name, {}, "numbers");
}

void set_integer(FileNode& node, std::string_view name, int64_t value) { set(node, name, value); }
void set_text(FileNode& node, std::string_view name, std::string_view value) { set(node, name, std::string(value)); }
void set_integers(FileNode& node, std::string_view name, std::vector<int64_t> value) {
  set(node, name, std::move(value));
}

}  // namespace onemodel
