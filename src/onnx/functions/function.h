#pragma once
// Operators of a file that are compositions of others.

#include <span>
#include <string_view>

#include "onnx/node_writer.h"
#include "onnx/take_attribute.h"

namespace onemodel {

/// One call of a function: what it was given, and the writer of its body.
class FunctionCall : public NodeWriter {
 public:
  FunctionCall(FileNode& node, ConversionHost& host) : NodeWriter(node, host), call_(node) {}

  /// Attributes, each read once: what no one reads is refused.
  int64_t integer(std::string_view name, int64_t otherwise) { return take_integer(call_, name, otherwise); }
  double real(std::string_view name, double otherwise) { return take_real(call_, name, otherwise); }
  std::string text(std::string_view name, std::string_view otherwise) { return take_text(call_, name, otherwise); }
  std::vector<int64_t> integers_of(std::string_view name) { return take_integers(call_, name); }
  /// An element type by its ONNX number.
  DType element_type(std::string_view name, DType otherwise);
  bool has_attribute(std::string_view name) const { return onemodel::has_attribute(call_, name); }
  /// Whether an attribute is given as a real number.
  bool is_real(std::string_view name) const;
  /// A new node of one operand with the attributes that were not read.
  Ref make_with_rest(std::string_view type, Ref input);
  FileNode& node() { return call_; }

 private:
  FileNode& call_;
};

/// A declaration: everything else follows from it. `build` writes the body; one that is known but not taken says why in
/// `refused`, and has none.
struct Function {
  std::string_view name;
  size_t least_inputs, most_inputs, most_outputs;
  void (*build)(FunctionCall& call);
  std::string_view refused = {};
};
inline constexpr size_t kAnyNumber = size_t(-1);

/// Adds operators of a domain, as declarations; `functions` lives as long as the program. Before any model is read: reading
/// does not wait for it.
void add_functions(std::string_view domain, std::span<const Function> functions);
/// "" and "ai.onnx" are the same domain.
bool is_standard_domain(std::string_view domain);
/// Null when there is none.
const Function* find_function(std::string_view domain, std::string_view name);
/// Whether any operator or function of the domain is declared.
bool is_known_domain(std::string_view domain);
/// Whether a node of the file may have this type: an operator under its newest or an older name, or a function.
bool is_known_operator(std::string_view domain, std::string_view type);

/// Emits the body of `function` in place of `node`. Throws ModelError naming what does not fit.
void expand_function(const Function& function, FileNode node, ConversionHost& host);

}  // namespace onemodel
