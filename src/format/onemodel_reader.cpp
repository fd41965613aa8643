#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "format/assemble.h"

namespace onemodel {

namespace {
struct FreeHash {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};
}  // namespace

struct OneModelReader::State {
  State(std::optional<uint64_t> bytes, const OneModelLimits& most) : stream_bytes(bytes), limits(most) {}

  std::optional<uint64_t> stream_bytes;
  OneModelLimits limits;
  uint64_t received = 0;
  std::vector<std::byte> head;         // the file up to the weights
  uint64_t head_bytes = kHeaderBytes;  // how much of it is awaited next
  Layout layout;                       // file_bytes is 0 before the header was read
  DecodedGraph decoded;
  bool in_weights = false;
  uint64_t at = 0;  // in the weights section
  size_t next = 0;  // the weight that is awaited or being filled
  Tensor filling;
  std::unique_ptr<XXH3_state_t, FreeHash> hash{XXH3_createState()};

  void feed(std::span<const std::byte> bytes) {
    received += bytes.size();
    while (!in_weights && !bytes.empty()) {
      const auto part = bytes.first(static_cast<size_t>(std::min<uint64_t>(bytes.size(), head_bytes - head.size())));
      head.insert(head.end(), part.begin(), part.end());
      bytes = bytes.subspan(part.size());
      if (layout.file_bytes == 0) check_header_prefix(head);
      if (head.size() == head_bytes) advance();
    }
    if (bytes.empty()) return;
    if (bytes.size() > layout[SectionType::weights].length - at)
      throw ModelError("Malformed", concat(".onemodel: the stream goes on after the ", layout.file_bytes,
                                           " bytes that it declares"));
    XXH3_64bits_update(hash.get(), bytes.data(), bytes.size());
    while (!bytes.empty()) bytes = bytes.subspan(take_weights(bytes));
  }

  // The next part of the head is complete.
  void advance() {
    const auto header = std::span(head).first<kHeaderBytes>();
    if (layout.file_bytes == 0) {
      layout.file_bytes = decode_header(header, stream_bytes, limits);
      head_bytes = kHeaderBytes + kTableBytes;
      if (layout.file_bytes < head_bytes)
        throw ModelError("Malformed", ".onemodel: the file ends in its section table");
      return;
    }
    if (head.size() == kHeaderBytes + kTableBytes) {
      layout = decode_table(header, std::span(head).subspan<kHeaderBytes, kTableBytes>(), limits);
      head_bytes = layout[SectionType::weights].offset;
      if (head.size() < head_bytes) return;
    }
    decoded = decode_head(layout, head);
    head = {};
    in_weights = true;
    XXH3_64bits_reset(hash.get());
    skip_empty_weights();
  }

  // Consumes bytes of one weight, or of the padding before the next; returns how many.
  size_t take_weights(std::span<const std::byte> bytes) {
    if (next == decoded.weights.size() || at < decoded.weights[next].offset) {
      const uint64_t until =
          next == decoded.weights.size() ? layout[SectionType::weights].length : decoded.weights[next].offset;
      const auto count = static_cast<size_t>(std::min<uint64_t>(bytes.size(), until - at));
      at += count;
      return count;
    }
    const WeightEntry& weight = decoded.weights[next];
    if (!filling.defined()) filling = allocate(weight);
    const uint64_t done = at - weight.offset;
    const auto count = static_cast<size_t>(std::min<uint64_t>(bytes.size(), weight.length - done));
    std::memcpy(filling.mutable_raw() + done, bytes.data(), count);
    at += count;
    if (done + count == weight.length) {
      set_weight(decoded, next++, std::exchange(filling, {}));
      skip_empty_weights();
    }
    return count;
  }

  void skip_empty_weights() {
    for (; next < decoded.weights.size() && decoded.weights[next].length == 0; ++next)
      set_weight(decoded, next, allocate(decoded.weights[next]));
  }

  static Tensor allocate(const WeightEntry& weight) {
    try {
      return Tensor::empty(weight.stored_dims(), weight.stored_dtype());
    } catch (const Error& error) {
      throw ModelError("TooLarge", concat(".onemodel: ", error.what()));
    }
  }

  std::vector<StoredGraph> finish() {
    if (received == 0 || layout.file_bytes == 0 || received < layout.file_bytes)
      throw ModelError("Truncated", concat(".onemodel: the stream ended after ", received, " of ",
                                           layout.file_bytes ? layout.file_bytes : kHeaderBytes, " bytes"));
    if (XXH3_64bits_digest(hash.get()) != layout[SectionType::weights].checksum) throw_corrupted(SectionType::weights);
    return onemodel::finish_graphs(std::move(decoded));
  }
};

OneModelReader::OneModelReader(std::optional<uint64_t> stream_bytes, const OneModelLimits& limits)
    : state_(std::make_unique<State>(stream_bytes, limits)) {}
OneModelReader::~OneModelReader() = default;
OneModelReader::OneModelReader(OneModelReader&&) noexcept = default;
OneModelReader& OneModelReader::operator=(OneModelReader&&) noexcept = default;

void OneModelReader::feed(std::span<const std::byte> bytes) { state_->feed(bytes); }

OneModelReader::Progress OneModelReader::progress() const {
  return {.received = state_->received, .total = state_->layout.file_bytes};
}

Graph OneModelReader::finish() { return std::move(finish_graphs().front().graph); }

std::vector<StoredGraph> OneModelReader::finish_graphs() { return std::exchange(state_, nullptr)->finish(); }

}  // namespace onemodel
