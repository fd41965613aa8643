#include "format/layout.h"

#include <xxhash.h>

#include <algorithm>
#include <limits>

#include "format/bytes.h"

namespace onemodel {
namespace {

constexpr std::string_view kSectionNames[] = {"strings", "graph", "weights index", "weights"};
constexpr size_t kCheckedHeader = kHeaderBytes - 8;

[[noreturn]] void fail(std::string_view kind, std::string message) {
  throw ModelError(kind, concat(".onemodel: ", message));
}

uint64_t alignment_of(size_t section) {
  return section + 1 == static_cast<size_t>(SectionType::weights) ? kWeightAlignment : 8;
}

}  // namespace

uint64_t align_up(uint64_t value, uint64_t alignment) { return (value + alignment - 1) / alignment * alignment; }

uint64_t checksum(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

Layout make_layout(const std::array<uint64_t, kSections>& lengths) {
  Layout layout;
  uint64_t at = kHeaderBytes + kTableBytes;
  for (size_t i = 0; i < kSections; ++i) {
    at = align_up(at, alignment_of(i));
    layout.sections[i] = {.offset = at, .length = lengths[i]};
    at += lengths[i];
  }
  layout.file_bytes = at;
  return layout;
}

std::array<std::byte, kHeaderBytes + kTableBytes> encode_layout(const Layout& layout) {
  ByteWriter table;
  for (size_t i = 0; i < kSections; ++i) {
    table.put(static_cast<uint32_t>(i + 1));
    table.put(uint32_t{0});
    table.put(layout.sections[i].offset);
    table.put(layout.sections[i].length);
    table.put(layout.sections[i].checksum);
  }
  ByteWriter header;
  header.append(std::as_bytes(std::span(kMagic)));
  header.put(kFormatVersion);
  header.put(static_cast<uint32_t>(kSections));
  header.put(layout.file_bytes);
  header.put(checksum(table.bytes()));
  while (header.size() < kCheckedHeader) header.put(uint8_t{0});
  header.put(checksum(header.bytes()));
  header.append(table.bytes());
  std::array<std::byte, kHeaderBytes + kTableBytes> out;
  std::copy(header.bytes().begin(), header.bytes().end(), out.begin());
  return out;
}

void check_header_prefix(std::span<const std::byte> bytes) {
  const auto magic = std::as_bytes(std::span(kMagic));
  const size_t known = std::min(bytes.size(), magic.size());
  if (!std::equal(magic.begin(), magic.begin() + static_cast<std::ptrdiff_t>(known), bytes.begin()))
    fail("Malformed", "the file does not begin as a .onemodel file does");
  if (bytes.size() < 12) return;
  const auto version = ByteReader("header", bytes.subspan(8, 4)).get<uint32_t>();
  if (version != kFormatVersion)
    fail("Version", concat("the file has format version ", version, "; this build reads ", kFormatVersion));
}

uint64_t decode_header(std::span<const std::byte, kHeaderBytes> header, std::optional<uint64_t> available,
                       const OneModelLimits& limits) {
  check_header_prefix(header);
  ByteReader tail("header", header.subspan(kCheckedHeader));
  if (tail.get<uint64_t>() != checksum(header.first(kCheckedHeader)))
    fail("Corrupted", "the header does not match its checksum");
  ByteReader reader("header", header.subspan(12));
  const auto sections = reader.get<uint32_t>();
  const auto file_bytes = reader.get<uint64_t>();
  reader.get<uint64_t>();
  const auto reserved = reader.take(kCheckedHeader - 32);
  if (sections != kSections ||
      std::any_of(reserved.begin(), reserved.end(), [](std::byte b) { return b != std::byte{0}; }))
    fail("Malformed", "the header is not one of version 1");
  const uint64_t most = std::min(limits.file_bytes, uint64_t{1} << 62);
  if (file_bytes > most) fail("TooLarge", concat("the file declares ", file_bytes, " bytes; the limit is ", most));
  if (available && file_bytes > *available)
    fail("Truncated", concat("the file declares ", file_bytes, " bytes, but there are ", *available));
  if (available && file_bytes < *available)
    fail("Malformed", concat("the file declares ", file_bytes, " bytes, but there are ", *available));
  return file_bytes;
}

Layout decode_table(std::span<const std::byte, kHeaderBytes> header, std::span<const std::byte, kTableBytes> table,
                    const OneModelLimits& limits) {
  ByteReader head("header", header.subspan(16));
  const auto file_bytes = head.get<uint64_t>();
  if (head.get<uint64_t>() != checksum(table)) fail("Corrupted", "the section table does not match its checksum");
  ByteReader reader("section table", table);
  Layout layout{.file_bytes = file_bytes};
  std::array<uint64_t, kSections> lengths{};
  uint64_t left = file_bytes;
  bool ordered = true;
  for (size_t i = 0; i < kSections; ++i) {
    ordered &= reader.get<uint32_t>() == i + 1 && reader.get<uint32_t>() == 0;
    Section& section = layout.sections[i];
    section.offset = reader.get<uint64_t>();
    section.length = lengths[i] = reader.get<uint64_t>();
    section.checksum = reader.get<uint64_t>();
    if (!ordered || section.length > left)
      fail("Malformed", concat("section ", i + 1, " (", kSectionNames[i], ") with ", section.length,
                               " bytes does not fit the file"));
    left -= section.length;
  }
  const Layout expected = make_layout(lengths);
  for (size_t i = 0; i < kSections; ++i)
    if (expected.sections[i].offset != layout.sections[i].offset)
      fail("Malformed", concat("section ", i + 1, " (", kSectionNames[i], ") is at ", layout.sections[i].offset,
                               " instead of ", expected.sections[i].offset));
  if (expected.file_bytes != file_bytes)
    fail("Malformed", concat("the sections end at ", expected.file_bytes, ", the file at ", file_bytes));
  const uint64_t graph_bytes = layout[SectionType::weights].offset;
  if (graph_bytes > limits.graph_bytes)
    fail("TooLarge", concat("the graph takes ", graph_bytes, " bytes; the limit is ", limits.graph_bytes));
  if (file_bytes > std::numeric_limits<size_t>::max())
    fail("TooLarge", concat("this machine cannot address the ", file_bytes, " bytes of the file"));
  return layout;
}

void check_section(const Layout& layout, SectionType type, std::span<const std::byte> bytes) {
  if (checksum(bytes) != layout[type].checksum) throw_corrupted(type);
}

void throw_corrupted(SectionType type) {
  fail("Corrupted", concat("section ", static_cast<uint32_t>(type), " (", kSectionNames[static_cast<size_t>(type) - 1],
                           ") does not match its checksum"));
}

}  // namespace onemodel
