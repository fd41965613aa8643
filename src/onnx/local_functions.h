#pragma once
// The functions that a model brings with it, and how much their calls stand for.

#include <onnx.pb.h>

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace onemodel {

/// "function 'F' (mine)".
std::string describe(const onnx::FunctionProto& function);

class LocalFunctions {
 public:
  /// False when there is one of this domain, name and overload. `function` outlives this.
  bool add(const onnx::FunctionProto& function);
  bool empty() const { return functions_.empty(); }
  /// What the node calls; null for an operator, which one that is known without the model always is.
  const onnx::FunctionProto* of(const onnx::NodeProto& node) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  // domain, name, overload
  std::map<Key, const onnx::FunctionProto*> functions_;
};

/// What calls add to a model when all inside them is written out, or more. Counts end at the largest number.
struct CallSize {
  uint64_t nodes = 0, names = 0;
  /// Attributes that are what the caller gives.
  uint64_t references = 0;
  uint64_t bytes = 0;
  /// Calls and graphs within each other.
  uint64_t depth = 0;

  void add(const CallSize& other, uint64_t times = 1);
};

class CallSizes {
 public:
  explicit CallSizes(const LocalFunctions& functions) : functions_(functions) {}

  /// What `call` of `function` adds. Throws ModelError for a function that calls
  /// itself, and for more than 256 calls and graphs within each other.
  CallSize of(const onnx::NodeProto& call, const onnx::FunctionProto& function);

 private:
  using Attributes = google::protobuf::RepeatedPtrField<onnx::AttributeProto>;

  CallSize inside(const onnx::NodeProto& call, CallSize given, const onnx::FunctionProto& function);
  CallSize count(const onnx::FunctionProto& function);
  CallSize attributes(const Attributes& attributes);
  void add(const onnx::NodeProto& node, CallSize& size);
  void add(const onnx::GraphProto& graph, CallSize& size);

  const LocalFunctions& functions_;
  std::unordered_map<const onnx::FunctionProto*, CallSize> known_;
  size_t depth_ = 0;                              // of what is being counted
  std::vector<const onnx::FunctionProto*> open_;  // those that are being counted, each called by the one before
};

}  // namespace onemodel
