// Damaged and malicious files: an error or a graph, never anything else.

#include <gtest/gtest.h>

#include <random>

#include "onnx/model_file.h"
#include "onnx/write_onnx.h"

namespace onemodel::test {
namespace {

using Bytes = std::vector<std::byte>;

ModelFile sample_model() {
  ModelFile file(12, 7);
  file.input("image", {"n", "3", "8", "w"});
  file.constant("weight", Tensor::full({4, 3, 3, 3}, 0.5))
      .constant("shape", Tensor::from_ints(std::vector<int64_t>{0, -1}));
  auto& typed = file.add_initializer("bias", {4}, static_cast<int32_t>(DType::f32));
  for (int i = 0; i < 4; ++i) typed.add_float_data(1);
  file.node("Conv", {"image", "weight", "bias"}, {"c"}, {{"pads", std::vector<int64_t>{1, 1, 1, 1}}}, "conv");
  file.node("Clip", {"c"}, {"r"}, {{"min", 0.0}}, "clip");
  file.node("ReduceMean", {"r"}, {"m"}, {{"axes", std::vector<int64_t>{2, 3}}, {"keepdims", int64_t{0}}});
  file.node("Slice", {"m", "one", "two"}, {"s"}).constant("one", Tensor::from_ints(std::vector<int64_t>{0}));
  file.constant("two", Tensor::from_ints(std::vector<int64_t>{2}));
  file.node("Reshape", {"s", "shape"}, {"f"}).node("Softmax", {"f"}, {"y"}).output("y", {"?", "?"}, DType::f32);
  return file;
}

// Whether the bytes are a model; anything but an Error gets out.
bool reads(const Bytes& bytes) {
  try {
    write_onnx(read_onnx(bytes));
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST(HostileOnnx, EveryTruncationIsAnErrorOrAGraph) {
  const Bytes whole = sample_model().bytes();
  ASSERT_TRUE(reads(whole));
  for (size_t size = 0; size < whole.size(); ++size)
    reads(Bytes(whole.begin(), whole.begin() + static_cast<long>(size)));
}

TEST(HostileOnnx, EveryByteChangedIsAnErrorOrAGraph) {
  Bytes bytes = sample_model().bytes();
  for (std::byte& byte : bytes) {
    for (const int mask : {0x01, 0x80, 0xff}) {
      byte ^= std::byte(mask);
      reads(bytes);
      byte ^= std::byte(mask);
    }
  }
}

TEST(HostileOnnx, RandomMutationsAreAnErrorOrAGraph) {
  const Bytes whole = sample_model().bytes();
  std::mt19937 random(20);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  size_t read = 0;
  for (int round = 0; round < 4000; ++round) {
    Bytes bytes = whole;
    for (size_t edits = 1 + below(4); edits > 0; --edits) {
      const size_t at = below(bytes.size());
      const auto place = bytes.begin() + static_cast<long>(at);
      switch (below(4)) {
        case 0: *place = std::byte(random() & 0xff); break;
        case 1: bytes.insert(place, std::byte(random() & 0xff)); break;
        case 2: bytes.erase(place, place + static_cast<long>(std::min<size_t>(1 + below(8), bytes.size() - at))); break;
        default: std::swap(*place, bytes[below(bytes.size())]); break;
      }
    }
    read += reads(bytes);
  }
  EXPECT_GT(read, 0u);
}

// Damage that keeps the protocol buffer sound, and so reaches further.
TEST(HostileOnnx, MutatedFieldsAreAnErrorOrAGraph) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const int64_t numbers[] = {-1, 0, 1, 2, 9, -9, 1 << 20, int64_t{1} << 40, INT64_MAX, INT64_MIN};
  const auto number = [&] { return numbers[below(std::size(numbers))]; };
  const auto attribute_number = [&] { return numbers[below(8)]; };
  size_t read = 0;
  for (int round = 0; round < 4000; ++round) {
    ModelFile file = sample_model();
    onnx::GraphProto& graph = file.graph();
    for (int edits = 1 + below(3); edits > 0; --edits) {
      auto& node = *graph.mutable_node(below(graph.node_size()));
      auto& tensor = *graph.mutable_initializer(below(graph.initializer_size()));
      switch (below(9)) {
        case 0: tensor.set_dims(0, number()); break;
        case 1: tensor.set_data_type(below(24)); break;
        case 2: tensor.add_dims(number()); break;
        case 3: node.set_input(0, graph.node(below(graph.node_size())).output(0)); break;
        case 4: node.set_op_type(graph.node(below(graph.node_size())).op_type()); break;
        case 5:
          for (auto& attribute : *node.mutable_attribute()) {
            attribute.set_i(attribute_number());
            for (auto& i : *attribute.mutable_ints()) i = attribute_number();
          }
          break;
        case 6: {
          auto& dim =
              *graph.mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(below(4));
          dim.set_dim_value(number());
          break;
        }
        case 7:
          if (tensor.data_type() == static_cast<int>(DType::i64)) {
            const int64_t value = number();
            tensor.set_raw_data(std::string(reinterpret_cast<const char*>(&value), 8));
          }
          break;
        default: node.set_output(0, graph.node(below(graph.node_size())).output(0)); break;
      }
    }
    read += reads(file.bytes());
  }
  EXPECT_GT(read, 0u);
}

TEST(HostileOnnx, HugeSizesInSmallFilesTakeNoMemory) {
  const auto before = memory_counters().bytes;
  ModelFile file;
  file.add_initializer("w", {int64_t{1} << 30, 1 << 10}, 1).set_raw_data("1234");
  file.add_initializer("v", {int64_t{1} << 60, int64_t{1} << 60}, 1);
  file.input("x", {"2"}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_NE(file.error().find("2 problems"), std::string::npos) << file.error();
  EXPECT_EQ(memory_counters().bytes, before);
}

ModelFile nested(int graphs) {
  ModelFile file;
  file.input("x", {"2"}).node("Relu", {"x"}, {"y"}).output("y");
  onnx::GraphProto* inner = &file.graph();
  for (int depth = 0; depth < graphs; ++depth) {
    auto& node = depth == 0 ? file.last_node() : *inner->add_node();
    auto& attribute = *node.add_attribute();
    attribute.set_name("g");
    attribute.set_type(onnx::AttributeProto::GRAPH);
    inner = attribute.mutable_g();
  }
  return file;
}

TEST(HostileOnnx, DeepNestingIsRefused) {
  EXPECT_EQ(nested(100).error().find("nested"), std::string::npos) << nested(100).error();
  EXPECT_EQ(nested(101).error(), "Unsupported: the ONNX model cannot be read: graphs are nested more than 100 deep");
  EXPECT_EQ(nested(500).error(),
            "Malformed: the ONNX model cannot be read: not a protocol buffer, or one nested far too deep");
}

TEST(HostileOnnx, LongChainsAreReadInLinearTime) {
  ModelFile file;
  file.input("v0", {"2"});
  constexpr int kNodes = 20000;
  for (int i = kNodes; i-- > 0;) file.node("Relu", {concat("v", i)}, {concat("v", i + 1)});
  file.output(concat("v", kNodes));
  EXPECT_EQ(file.read().nodes.size(), size_t{kNodes});
}

}  // namespace
}  // namespace onemodel::test
