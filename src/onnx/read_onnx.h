#pragma once
// Reads .onnx files into graphs.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace onemodel {

/// `length` bytes from `offset` of the file that a model names beside it, in the memory in which they stay; null when the
/// file is not at hand (yet). Throws ModelError when it is, and they cannot be had.
using ReadExternal =
    std::function<std::shared_ptr<Storage>(const std::string& location, uint64_t offset, uint64_t length)>;

/// What a file may ask for. Protocol buffers end at 2 GiB in any case.
struct OnnxReadOptions {
  size_t max_bytes = (size_t{1} << 31) - 1;
  size_t max_nodes = 1'000'000;
  /// For models whose weights are in other files (external data); without it those are refused.
  ReadExternal external = {};
};

inline constexpr int kOldestOnnxOpset = 1;
inline constexpr int kNewestOnnxOpset = 25;
inline constexpr int kOldestOnnxIr = 3;
inline constexpr int kNewestOnnxIr = 13;

/// The graph of a ModelProto: operators in today's form, functions inlined, nodes in topological order, Constant nodes
/// as constants, types inferred, verified. Tensors own their memory; `file` is not kept.
///
/// The file is taken to be hostile. Everything wrong with it is found first and told in one
/// ModelError, one line each with node, operator, domain and opset: kind Unsupported when the file
/// is well formed but beyond this engine (unknown operator, domain or opset, element type,
/// weights in a file that is not at hand), else Malformed; TooLarge beyond the options.
Graph read_onnx(std::span<const std::byte> file, const OnnxReadOptions& options = {});

/// The same in steps, for weights in other files that arrive piece by piece. Not thread-safe.
class OnnxReader {
 public:
  /// Parses the model, which is not kept, and asks `options.external` for what is at hand. Throws ModelError for a file that
  /// cannot be parsed, and for versions that are not supported.
  explicit OnnxReader(std::span<const std::byte> file, OnnxReadOptions options = {});
  ~OnnxReader();
  OnnxReader(OnnxReader&&) noexcept;
  OnnxReader& operator=(OnnxReader&&) noexcept;

  /// The files that hold weights which are still missing, each once.
  std::vector<std::string> missing() const;
  /// Bytes of one of these files from `offset` on, front to back; they go straight to the tensors that name them.
  void feed(const std::string& name, uint64_t offset, std::span<const std::byte> bytes);
  /// The graph. Throws what read_onnx throws. Ends the reader.
  Graph finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace onemodel
