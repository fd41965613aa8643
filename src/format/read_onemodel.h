#pragma once
// Reads .onemodel files (docs/format.md), whole or as a stream.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "format/stored_graph.h"

namespace onemodel {

/// What a file may ask for before it is refused as TooLarge. In a stream of unknown length nothing else bounds the memory
/// of a weight.
struct OneModelLimits {
  uint64_t file_bytes = uint64_t{1} << 34;
  /// Everything before the weights.
  uint64_t graph_bytes = uint64_t{1} << 28;
};

/// The graph of a whole file, verified and with types inferred. Constants are copies.
///
/// The file is taken to be hostile: sizes and offsets are checked before they are used, each
/// section against its checksum. Throws ModelError: Truncated, Corrupted, Version, TooLarge,
/// Malformed, or Unsupported for an operator this build does not have.
Graph read_onemodel(std::span<const std::byte> file, const OneModelLimits& limits = {});

/// All graphs of the file with their records, the file's own first; they share constants. As above otherwise.
std::vector<StoredGraph> read_graphs(std::span<const std::byte> file, const OneModelLimits& limits = {});

/// As read_onemodel, but constants view `file` in place where they are aligned in memory (a file that
/// begins at a multiple of 64 bytes); `owner` keeps it alive. The bytes must not change afterwards,
/// and such constants must not be written.
Graph read_onemodel(std::shared_ptr<const void> owner, std::span<const std::byte> file,
                    const OneModelLimits& limits = {});

/// Reads a file that arrives in pieces of any size. Weights go straight to their final memory, one
/// storage per constant, allocated when the stream reaches it. After an error the reader is of no
/// more use. Not thread-safe.
class OneModelReader {
 public:
  struct Progress {
    uint64_t received = 0;
    uint64_t total = 0;  // 0 until the header is there
  };

  /// `stream_bytes`: the stream's length when it is known; a file that declares another is refused
  /// at its header.
  explicit OneModelReader(std::optional<uint64_t> stream_bytes = {}, const OneModelLimits& limits = {});
  ~OneModelReader();
  OneModelReader(OneModelReader&&) noexcept;
  OneModelReader& operator=(OneModelReader&&) noexcept;

  /// Takes the next bytes. Errors as for read_onemodel, as early as they can be seen.
  void feed(std::span<const std::byte> bytes);
  Progress progress() const;
  /// The graph; throws ModelError(Truncated) when bytes are missing. Ends the reader.
  Graph finish();
  /// All graphs of the file, as read_graphs.
  std::vector<StoredGraph> finish_graphs();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace onemodel
