#pragma once
// Header and section table of a .onemodel file (docs/format.md).

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/storage.h"
#include "format/read_onemodel.h"

namespace onemodel {

inline constexpr std::array<uint8_t, 8> kMagic = {0x89, 'O', 'N', 'E', 'M', '\r', '\n', 0x1a};
inline constexpr uint32_t kFormatVersion = 1;
inline constexpr size_t kHeaderBytes = 64;
inline constexpr size_t kSections = 4;
inline constexpr size_t kTableBytes = kSections * 32;
inline constexpr uint64_t kWeightAlignment = Storage::kAlignment;
/// Zeros after the last weight: kernels may read so far beyond a tensor.
inline constexpr uint64_t kWeightPadding = Storage::kReadPadding;

/// The places of the sections, in file order; types count from 1.
enum class SectionType : uint32_t { strings = 1, graph, index, weights };

struct Section {
  uint64_t offset = 0, length = 0, checksum = 0;
  uint64_t end() const { return offset + length; }
};

struct Layout {
  uint64_t file_bytes = 0;
  std::array<Section, kSections> sections;
  Section& operator[](SectionType type) { return sections[static_cast<size_t>(type) - 1]; }
  const Section& operator[](SectionType type) const { return sections[static_cast<size_t>(type) - 1]; }
};

uint64_t align_up(uint64_t value, uint64_t alignment);
/// XXH3, 64 bits, seed 0.
uint64_t checksum(std::span<const std::byte> bytes);

/// Where sections of the given lengths lie; checksums are left 0.
Layout make_layout(const std::array<uint64_t, kSections>& lengths);
/// Header and table as they are in the file.
std::array<std::byte, kHeaderBytes + kTableBytes> encode_layout(const Layout& layout);

/// Checks what is there of a header: also less than its full length, for an early answer. Throws
/// ModelError.
void check_header_prefix(std::span<const std::byte> bytes);
/// The file's size, from a whole header. `available`: the size of file or stream when it is known.
uint64_t decode_header(std::span<const std::byte, kHeaderBytes> header, std::optional<uint64_t> available,
                       const OneModelLimits& limits);
/// From a checked header and the table after it.
Layout decode_table(std::span<const std::byte, kHeaderBytes> header, std::span<const std::byte, kTableBytes> table,
                    const OneModelLimits& limits);

/// Throws ModelError(Corrupted) unless `bytes`, the section's content, has its checksum.
void check_section(const Layout& layout, SectionType type, std::span<const std::byte> bytes);
[[noreturn]] void throw_corrupted(SectionType type);

}  // namespace onemodel
