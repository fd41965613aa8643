// graph -> .onemodel -> graph -> .onemodel: the same bytes and everything a graph knows; whole and as a stream.

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "format/file.h"
#include "format/layout.h"
#include "format/test_graphs.h"
#include "ops/fused_matmul.h"
#include "support/compare.h"
#include "support/error_text.h"
#include "support/graphs.h"
#include "support/sample_graph.h"

namespace onemodel::test {
namespace {

Graph round_trip(const Graph& graph) {
  const Bytes bytes = write_onemodel(graph);
  Graph read = read_onemodel(bytes);
  EXPECT_TRUE(write_onemodel(read) == bytes) << to_string(graph) << to_string(read);
  return read;
}

Graph stream(const Bytes& bytes, size_t piece, std::optional<uint64_t> size = {}) {
  OneModelReader reader(size);
  for (size_t at = 0; at < bytes.size(); at += piece) {
    reader.feed(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)));
    EXPECT_EQ(reader.progress().received, std::min(at + piece, bytes.size()));
  }
  EXPECT_EQ(reader.progress().total, bytes.size());
  return reader.finish();
}

// A copy in memory that begins at a multiple of 64.
std::shared_ptr<Storage> aligned(const Bytes& bytes) {
  auto storage = Storage::allocate(bytes.size());
  std::memcpy(storage->data(), bytes.data(), bytes.size());
  return storage;
}

TEST(OneModelRoundTrip, KeepsEverything) {
  const Graph graph = sample_model();
  const Graph read = round_trip(graph);
  EXPECT_EQ(to_string(read), to_string(graph));
  EXPECT_EQ(read.name, graph.name);
  EXPECT_EQ(read.metadata, graph.metadata);
  ASSERT_EQ(read.nodes.size(), graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    EXPECT_TRUE(read.nodes[i].op == graph.nodes[i].op);
    EXPECT_EQ(read.nodes[i].name, graph.nodes[i].name);
    EXPECT_EQ(read.nodes[i].module_path, graph.nodes[i].module_path);
    EXPECT_EQ(read.nodes[i].clamp, graph.nodes[i].clamp);
  }
  ASSERT_EQ(read.values.size(), graph.values.size());
  for (size_t i = 0; i < graph.values.size(); ++i) {
    EXPECT_EQ(read.values[i].kind, graph.values[i].kind);
    EXPECT_EQ(read.values[i].type, graph.values[i].type);
    if (!graph.values[i].is_constant()) continue;
    EXPECT_TRUE(same_bits(read.values[i].constant, graph.values[i].constant));
  }
  const Shape& shape = read.value(read.inputs[0]).type.shape;
  EXPECT_EQ(shape[0].example(), 4);
  EXPECT_EQ(shape[1].example(), std::nullopt);
  EXPECT_EQ(shape[1].coefficient(), 2);
  EXPECT_TRUE(same_results(graph, read));
}

class EveryOperator : public ::testing::TestWithParam<OperatorCase> {};

TEST_P(EveryOperator, KeepsItsAttributes) {
  each_sample_graph(GetParam(), [](const Graph& graph) {
    const Graph read = round_trip(graph);
    EXPECT_EQ(to_string(read), to_string(graph));
    EXPECT_TRUE(read.nodes[0].op == graph.nodes[0].op) << concat(read.nodes[0].op, " for ", graph.nodes[0].op);
    EXPECT_TRUE(same_results(graph, read));
  });
}

INSTANTIATE_TEST_SUITE_P(OneModel, EveryOperator, ::testing::ValuesIn(operator_cases()),
                         [](const auto& info) { return info.param.struct_name; });

TEST(OneModelRoundTrip, KeepsEveryDType) {
  for (const DType dtype : kAllDTypes) {
    Graph graph;
    graph.outputs = {graph.add_constant("c", Tensor::from<float>({0, 1, 1, 0, 1}, {5}).cast(dtype))};
    EXPECT_TRUE(same_bits(round_trip(graph).values[0].constant, graph.values[0].constant)) << dtype_name(dtype);
  }
  for (const DType dtype : kStorageDTypes) {
    const Tensor tensor = sample_values({5}, -3, 3).cast(dtype);
    Graph graph;
    graph.outputs = {graph.add_constant("c", tensor), graph.add_constant("other", Tensor::scalar(1.5f))};
    EXPECT_TRUE(same_bits(round_trip(graph).values[0].constant, tensor)) << dtype_name(dtype);
    const Bytes bytes = write_onemodel(graph);
    for (const size_t piece : {1, 7, 1000})
      EXPECT_TRUE(same_bits(stream(bytes, piece).values[0].constant, tensor)) << dtype_name(dtype);
    const auto memory = aligned(bytes);
    const Graph view = read_onemodel(memory, {memory->data(), memory->bytes()});
    EXPECT_TRUE(same_bits(view.values[0].constant, tensor)) << dtype_name(dtype);
  }
}

TEST(OneModelRoundTrip, KeepsStrings) {
  const Tensor texts = Tensor::from<std::string>({"", "ü", std::string("a\0b", 3), std::string(300, 'x')}, {2, 2});
  Graph graph;
  graph.outputs = {graph.add_constant("none", Tensor::zeros({0, 3}, DType::string)),
                   graph.add_constant("texts", texts.transpose(0, 1))};
  const Graph read = round_trip(graph);
  EXPECT_EQ(read.values[1].constant.to_vector<std::string>(), texts.transpose(0, 1).to_vector<std::string>());
  EXPECT_EQ(to_string(stream(write_onemodel(graph), 3)), to_string(graph));
}

TEST(OneModelRoundTrip, KeepsEmptyTensorsAndGraphsWithoutConstants) {
  Graph graph;
  graph.outputs = {add(graph, Relu{}, {graph.add_input("x", {DType::f32, {3}})})};
  EXPECT_EQ(to_string(round_trip(graph)), to_string(graph));
  graph.outputs.push_back(graph.add_constant("none", Tensor::zeros({0, 4})));
  graph.outputs.push_back(graph.add_constant("scalar", Tensor::scalar<int64_t>(7)));
  graph.outputs.push_back(graph.add_constant("last", Tensor::zeros({0})));
  EXPECT_EQ(to_string(round_trip(graph)), to_string(graph));
  for (const size_t piece : {1, 1000}) EXPECT_EQ(to_string(stream(write_onemodel(graph), piece)), to_string(graph));
}

TEST(WriteOneModel, LeavesUnusedValuesOut) {
  Graph graph = sample_model();
  const Bytes bytes = write_onemodel(graph);
  graph.add_constant("unused", Tensor::zeros({1000}));
  EXPECT_TRUE(write_onemodel(graph) == bytes);
}

TEST(WriteOneModel, WritesTheElementsOfViews) {
  const Tensor plain = Tensor::from<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  Graph graph;
  graph.outputs = {graph.add_constant("c", plain.transpose(0, 1))};
  EXPECT_TRUE(same_bits(round_trip(graph).values[0].constant, plain.transpose(0, 1)));
}

TEST(WriteOneModel, GivesTheSameBytesInPieces) {
  Bytes bytes;
  write_onemodel(sample_model(),
                 [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
  EXPECT_TRUE(bytes == write_onemodel(sample_model()));
}

TEST(WriteOneModel, RefusesGraphsThatDoNotVerify) {
  Graph graph = sample_model();
  graph.nodes[0].inputs[0] = 99;
  EXPECT_ERROR(write_onemodel(graph), ModelError, "value id 99");
}

TEST(ReadOneModel, ViewsAlignedFiles) {
  const Bytes bytes = write_onemodel(sample_model());
  std::weak_ptr<Storage> file;
  {
    Graph graph;
    {
      const auto storage = aligned(bytes);
      file = storage;
      graph = read_onemodel(storage, std::span(storage->data(), storage->bytes()));
      const std::byte* weight = graph.value(graph.find_value("fc.weight")).constant.raw();
      EXPECT_TRUE(weight > storage->data() && weight < storage->data() + storage->bytes());
      EXPECT_EQ(reinterpret_cast<uintptr_t>(weight) % Storage::kAlignment, 0u);
    }
    EXPECT_FALSE(file.expired());
    EXPECT_TRUE(same_results(sample_model(), graph));
  }
  EXPECT_TRUE(file.expired());
}

TEST(ReadOneModel, CopiesFilesThatAreNotAligned) {
  Bytes bytes = write_onemodel(sample_model());
  bytes.insert(bytes.begin(), std::byte{0});
  const auto storage = aligned(bytes);
  const Graph graph = read_onemodel(storage, std::span(storage->data() + 1, storage->bytes() - 1));
  EXPECT_EQ(storage.use_count(), 1);
  EXPECT_TRUE(same_results(sample_model(), graph));
}

TEST(ReadOneModel, LeavesReadableBytesAfterTheLastWeight) {
  const Bytes bytes = write_onemodel(sample_model());
  EXPECT_TRUE(std::all_of(bytes.end() - static_cast<long>(Storage::kReadPadding), bytes.end(),
                          [](std::byte b) { return b == std::byte{0}; }));
}

TEST(OneModelReader, TakesPiecesOfAnySize) {
  const Graph graph = sample_model();
  const Bytes bytes = write_onemodel(graph);
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{64}, size_t{1000}, bytes.size()}) {
    const Graph read = stream(bytes, piece, piece % 2 ? std::optional<uint64_t>(bytes.size()) : std::nullopt);
    EXPECT_EQ(to_string(read), to_string(graph));
    EXPECT_TRUE(write_onemodel(read) == bytes);
  }
}

TEST(OneModelReader, GivesEachWeightItsOwnAlignedMemory) {
  const Bytes bytes = write_onemodel(sample_model());
  const auto before = memory_counters();
  {
    const Graph graph = stream(bytes, 100);
    size_t constants = 0;
    for (const Value& value : graph.values) {
      if (!value.is_constant()) continue;
      ++constants;
      EXPECT_EQ(reinterpret_cast<uintptr_t>(value.constant.raw()) % Storage::kAlignment, 0u);
    }
    EXPECT_EQ(memory_counters().storages - before.storages, static_cast<int64_t>(constants) + 1);  // an attribute
  }
  EXPECT_EQ(memory_counters().storages, before.storages);
}

TEST(OneModelReader, RefusesTheHeaderOfAFileOfAnotherSizeThanTheStream) {
  const Bytes bytes = write_onemodel(sample_model());
  OneModelReader longer(bytes.size() - 1);
  EXPECT_ERROR(longer.feed(std::span(bytes).first(kHeaderBytes)), ModelError, "declares", "but there are");
}

TEST(Files, SaveAndLoadModels) {
  const auto path = (std::filesystem::temp_directory_path() / "onemodel_round_trip_test.onemodel").string();
  const Graph graph = sample_model();
  save_onemodel(path, graph);
  EXPECT_TRUE(read_file(path) == write_onemodel(graph));
  EXPECT_EQ(to_string(load_onemodel(path)), to_string(graph));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  Bytes bytes = read_file(path);
  bytes.pop_back();
  write_file(path, bytes);
  EXPECT_ERROR(load_onemodel(path), ModelError, path, "declares");
  std::filesystem::remove(path);
}

TEST(Files, NameThePathThatTheSystemRefuses) {
  EXPECT_ERROR(read_file("/nowhere/at.all"), ArgumentError, "cannot open '/nowhere/at.all'", "No such file");
  EXPECT_ERROR(load_onemodel("/nowhere/at.all"), ArgumentError, "cannot open '/nowhere/at.all'");
  EXPECT_ERROR(save_onemodel("/nowhere/at.all", sample_model()), ArgumentError, "cannot open '/nowhere/at.all");
}

}  // namespace
}  // namespace onemodel::test
