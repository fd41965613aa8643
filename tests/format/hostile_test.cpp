// Truncated, damaged and malicious .onemodel files: an error or the same graph, never anything else.

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <random>

#include "format/layout.h"
#include "format/test_graphs.h"
#include "ops/string_operators.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

// "Kind: message" of the error, empty when the bytes are a graph. Anything but a ModelError gets out.
template <class F>
std::string error_of(F&& read) {
  try {
    read();
    return "";
  } catch (const ModelError& error) {
    return concat(error.kind(), ": ", error.what());
  }
}
std::string error_of_whole(const Bytes& bytes) {
  return error_of([&] { read_onemodel(bytes); });
}
std::string error_of_stream(const Bytes& bytes, std::optional<uint64_t> size = {}) {
  return error_of([&] {
    OneModelReader reader(size);
    for (size_t at = 0; at < bytes.size(); at += 50)
      reader.feed(std::span(bytes).subspan(at, std::min<size_t>(50, bytes.size() - at)));
    reader.finish();
  });
}

template <class T>
T number_at(const Bytes& bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
template <class T>
void set_number(Bytes& bytes, size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

size_t table_entry(SectionType type) { return kHeaderBytes + 32 * (static_cast<size_t>(type) - 1); }

// Makes all checksums right again, as an attacker would.
void seal(Bytes& bytes) {
  for (size_t i = 0; i < kSections; ++i) {
    const size_t entry = kHeaderBytes + 32 * i;
    const auto offset = number_at<uint64_t>(bytes, entry + 8), length = number_at<uint64_t>(bytes, entry + 16);
    if (offset <= bytes.size() && length <= bytes.size() - offset)
      set_number(bytes, entry + 24,
                 checksum(std::span(bytes).subspan(static_cast<size_t>(offset), static_cast<size_t>(length))));
  }
  set_number(bytes, 24, checksum(std::span(bytes).subspan(kHeaderBytes, kTableBytes)));
  set_number(bytes, 56, checksum(std::span(bytes).first(56)));
}

TEST(HostileOneModel, EveryTruncationIsRefused) {
  const Bytes whole = write_onemodel(sample_model());
  const auto before = memory_counters().bytes;
  for (size_t size = 0; size < whole.size(); ++size) {
    const Bytes part(whole.begin(), whole.begin() + static_cast<long>(size));
    EXPECT_TRUE(error_of_whole(part).starts_with("Truncated: ")) << size << ": " << error_of_whole(part);
    EXPECT_TRUE(error_of_stream(part).starts_with("Truncated: ")) << size << ": " << error_of_stream(part);
    if (size < kHeaderBytes) continue;
    EXPECT_TRUE(error_of_stream(part, size).starts_with("Truncated: ")) << size;
  }
  EXPECT_EQ(memory_counters().bytes, before);
}

TEST(HostileOneModel, EveryChangedByteIsRefused) {
  Bytes bytes = write_onemodel(sample_model());
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (const int mask : {0x01, 0x80, 0xff}) {
      bytes[at] ^= std::byte(mask);
      EXPECT_NE(error_of_whole(bytes), "") << at;
      EXPECT_NE(error_of_stream(bytes), "") << at;
      bytes[at] ^= std::byte(mask);
    }
  }
}

TEST(HostileOneModel, BytesAfterTheEndAreRefused) {
  Bytes bytes = write_onemodel(sample_model());
  bytes.push_back(std::byte{0});
  EXPECT_TRUE(error_of_whole(bytes).starts_with("Malformed: .onemodel: the file declares"));
  EXPECT_TRUE(error_of_stream(bytes).starts_with("Malformed: .onemodel: the stream goes on"));
}

TEST(HostileOneModel, SaysWhatIsWrong) {
  const Bytes whole = write_onemodel(sample_model());
  const auto changed = [&](size_t at, int mask) {
    Bytes bytes = whole;
    bytes[at] ^= std::byte(mask);
    return error_of_whole(bytes);
  };
  EXPECT_EQ(changed(0, 1), "Malformed: .onemodel: the file does not begin as a .onemodel file does");
  EXPECT_EQ(changed(8, 3), "Version: .onemodel: the file has format version 2; this build reads 1");
  EXPECT_EQ(changed(40, 1), "Corrupted: .onemodel: the header does not match its checksum");
  EXPECT_EQ(changed(70, 1), "Corrupted: .onemodel: the section table does not match its checksum");
  EXPECT_EQ(changed(192, 1), "Corrupted: .onemodel: section 1 (strings) does not match its checksum");
  EXPECT_EQ(changed(whole.size() - 1, 1), "Corrupted: .onemodel: section 4 (weights) does not match its checksum");
}

TEST(HostileOneModel, LimitsAreObeyed) {
  const Bytes bytes = write_onemodel(sample_model());
  EXPECT_EQ(error_of([&] { read_onemodel(bytes, {.file_bytes = 1000}); }),
            concat("TooLarge: .onemodel: the file declares ", bytes.size(), " bytes; the limit is 1000"));
  EXPECT_TRUE(error_of([&] {
                read_onemodel(bytes, {.graph_bytes = 300});
              }).starts_with("TooLarge: .onemodel: the graph takes"));
}

TEST(HostileOneModel, HugeDeclaredSizesTakeNeitherMemoryNorTime) {
  const Bytes whole = write_onemodel(sample_model());
  const auto memory = memory_counters().bytes;
  const auto start = std::chrono::steady_clock::now();
  for (const uint64_t size : {uint64_t{1} << 33, uint64_t{1} << 50, uint64_t{1} << 63, UINT64_MAX, UINT64_MAX - 63}) {
    Bytes file = whole;
    set_number(file, 16, size);
    seal(file);
    EXPECT_NE(error_of_whole(file), "");
    EXPECT_NE(error_of_stream(file), "");
    EXPECT_NE(error_of_stream(file, size), "");
    for (size_t section = 1; section <= kSections; ++section) {
      for (const size_t field : {8, 16}) {
        Bytes table = whole;
        set_number(table, table_entry(static_cast<SectionType>(section)) + field, size);
        seal(table);
        EXPECT_TRUE(error_of_whole(table).starts_with("Malformed: ")) << error_of_whole(table);
        set_number(table, 16, size);
        seal(table);
        EXPECT_NE(error_of_whole(table), "");
        EXPECT_NE(error_of_stream(table), "");
      }
    }
  }
  EXPECT_EQ(memory_counters().bytes, memory);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(HostileOneModel, HugeCountsInsideSectionsAreRefused) {
  const Bytes whole = write_onemodel(sample_model());
  const auto memory = memory_counters().bytes;
  for (const SectionType type : {SectionType::strings, SectionType::graph, SectionType::index}) {
    const auto offset = number_at<uint64_t>(whole, table_entry(type) + 8);
    const auto length = number_at<uint64_t>(whole, table_entry(type) + 16);
    for (uint64_t at = offset; at + 4 <= offset + length; ++at) {
      for (const uint32_t value : {UINT32_MAX, uint32_t{1} << 31, uint32_t{1} << 20}) {
        Bytes bytes = whole;
        set_number(bytes, static_cast<size_t>(at), value);
        seal(bytes);
        error_of_whole(bytes);
      }
    }
  }
  EXPECT_EQ(memory_counters().bytes, memory);
}

TEST(HostileOneModel, SealedMutationsAreAnErrorOrAGraph) {
  const Bytes whole = write_onemodel(sample_model());
  const auto graph_end = number_at<uint64_t>(whole, table_entry(SectionType::weights) + 8);
  std::mt19937 random(3);
  size_t read = 0;
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes = whole;
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      const size_t at = kHeaderBytes + kTableBytes + random() % (graph_end - kHeaderBytes - kTableBytes);
      bytes[at] = random() % 2 ? std::byte(random() % 8) : std::byte(random() & 0xff);
    }
    seal(bytes);
    const std::string error = error_of_whole(bytes);
    EXPECT_EQ(error_of_stream(bytes), error);
    read += error.empty();
  }
  EXPECT_GT(read, 0u);
}

// Changes the first place of the graph section where `before` stands, and returns the error.
std::string with_bytes(const Graph& graph, const std::string& before, const std::string& after, SectionType type) {
  Bytes bytes = write_onemodel(graph);
  const auto offset = static_cast<long>(number_at<uint64_t>(bytes, table_entry(type) + 8));
  const auto* pattern = reinterpret_cast<const std::byte*>(before.data());
  const auto place = std::search(bytes.begin() + offset, bytes.end(), pattern, pattern + before.size());
  EXPECT_TRUE(place != bytes.end());
  std::memcpy(&*place, after.data(), after.size());
  seal(bytes);
  return error_of_whole(bytes);
}

// The contract is the last of the graph section: its last range has no largest size, and one relation follows.
TEST(HostileOneModel, ContractsAreChecked) {
  const Bytes whole = write_onemodel(sample_model());
  const auto end = number_at<uint64_t>(whole, table_entry(SectionType::graph) + 8) +
                   number_at<uint64_t>(whole, table_entry(SectionType::graph) + 16);
  const auto changed = [&]<class T>(uint64_t before_end, T value) {
    Bytes bytes = whole;
    set_number(bytes, static_cast<size_t>(end - before_end), value);
    seal(bytes);
    return error_of_whole(bytes);
  };
  EXPECT_EQ(changed(16, int64_t{0}), "Malformed: .onemodel: size contract: the size '2*n' is 0 times 'n' plus 0");
  EXPECT_EQ(changed(16, INT64_MAX),
            concat("Malformed: .onemodel: size contract: the size '2*n' is ", INT64_MAX, " times 'n' plus 0"));
  EXPECT_EQ(changed(24, UINT32_MAX).substr(0, 46), "Malformed: graph section refers to string 4294");
  EXPECT_EQ(changed(28, uint32_t{2}), "Malformed: graph section ends early");
  EXPECT_EQ(changed(37, uint8_t{2}), "Malformed: graph section has an unknown upper bound of a size");
  EXPECT_EQ(changed(36, int64_t{9}), "Malformed: graph section has an unknown upper bound of a size");
  EXPECT_EQ(changed(45, int64_t{-1}), "Malformed: .onemodel: size contract: the size 'n' has the range [-1, inf]");
}

TEST(HostileOneModel, UnknownOperatorsAreNamed) {
  EXPECT_EQ(with_bytes(sample_model(), "LeakyRelu", "SneakRelu", SectionType::strings),
            "Unsupported: .onemodel: this build has no operator SneakRelu");
}

TEST(HostileOneModel, UnknownAttributesAreRefused) {
  const std::string error = with_bytes(sample_model(), "alpha", "omega", SectionType::strings);
  EXPECT_TRUE(error.starts_with("Malformed: .onemodel: node 'leaky': ")) << error;
  EXPECT_NE(error.find("unknown attribute 'omega'"), std::string::npos) << error;
}

TEST(HostileOneModel, BooleansOtherThanZeroAndOneAreRefused) {
  EXPECT_EQ(
      with_bytes(sample_model(), std::string("\x01\x00\x00", 3), std::string("\x02\x00\x00", 3), SectionType::weights),
      "Malformed: .onemodel: constant 'flag' has a boolean other than 0 and 1");
}

TEST(HostileOneModel, ElementsOfFewBitsAreWithinTheirRange) {
  Graph graph;
  graph.outputs = {graph.add_constant("few", Tensor::from<float>({3, 5}, {2}).cast(DType::i4))};
  EXPECT_EQ(with_bytes(graph, "\x03\x05", "\x03\x15", SectionType::weights),
            "Malformed: .onemodel: constant 'few' has an element that is no int4");
}

TEST(HostileOneModel, StringsOfTensorsFitTheirBytes) {
  Graph graph;
  const Tensor words = Tensor::from<std::string>({"hello", "bytes of it"}, {2});
  const ValueId x = graph.add_constant("words", words);
  graph.outputs = {x, graph.add_node(StringNormalizer{.stopwords = words}, {x}, "normalise")[0]};
  const std::string lengths("\x05\0\0\0\x0b\0\0\0", 8);
  for (const SectionType type : {SectionType::weights, SectionType::graph}) {
    for (const char first : {'\x06', '\x7f', '\xff'}) {
      std::string changed = lengths;
      changed[0] = first;
      EXPECT_TRUE(with_bytes(graph, lengths, changed, type).starts_with("Malformed: ")) << first;
      changed[3] = first;
      const std::string error = with_bytes(graph, lengths, changed, type);
      EXPECT_NE(error.find("ends early"), std::string::npos) << error;
    }
    std::string shorter = lengths;
    shorter[0] = '\x01';
    EXPECT_TRUE(with_bytes(graph, lengths, shorter, type).starts_with("Malformed: "));
  }
}

TEST(HostileOneModel, NamesThatHideHugeNumbersAreRefused) {
  Graph graph;
  graph.outputs = {graph.add_input("x", {DType::f32, {Extent::symbol("n + 99999999999999999999")}})};
  EXPECT_NE(error_of_whole(write_onemodel(graph)).find("as a symbol"), std::string::npos);
}

TEST(HostileOneModel, LongStringsAreNotRepeatedBeyondReason) {
  Graph graph;
  graph.metadata["long"] = std::string(1 << 20, 'x');
  ValueId x = graph.add_input("x", {DType::f32, {1}});
  for (int i = 0; i < 200; ++i) x = graph.add_node(Relu{}, {x}, concat("relu", i), 1, graph.metadata["long"])[0];
  graph.outputs = {x};
  EXPECT_NE(error_of_whole(write_onemodel(graph)).find("repeats long strings"), std::string::npos);
}

}  // namespace
}  // namespace onemodel::test
