// Weights in files beside the model.

#include "onnx/external_data.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "format/file.h"
#include "onnx/model_file.h"
#include "onnx/write_onnx.h"
#include "runtime/onnx_file.h"
#include "runtime/session.h"
#include "support/compare.h"
#include "support/error_text.h"

namespace onemodel::test {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

void put_elsewhere(onnx::TensorProto& tensor, const Entries& entries) {
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] : entries) {
    auto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
}

// y = x + w, with the three floats of w elsewhere.
ModelFile model(const Entries& entries) {
  ModelFile file;
  file.input("x", {"3"}).node("Add", {"x", "w"}, {"y"}).output("y");
  put_elsewhere(file.add_initializer("w", {3}, 1), entries);
  return file;
}

class ExternalData : public testing::Test {
 protected:
  ExternalData() : folder_(std::filesystem::path(testing::TempDir()) / "onemodel_external_data") {
    std::filesystem::create_directories(folder_);
    const std::array<float, 5> values{9, 1, 2, 3, 9};
    write_file((folder_ / "weights.bin").string(), std::as_bytes(std::span(values)));
  }
  ~ExternalData() override { std::filesystem::remove_all(folder_); }

  Tensor run(const Entries& entries) const {
    const std::string path = (folder_ / "model.onnx").string();
    write_file(path, model(entries).bytes());
    return Session::load(path).run(std::vector{Tensor::from({10.f, 20.f, 30.f}, {3})})[0];
  }

 protected:
  std::filesystem::path folder_;
};

TEST_F(ExternalData, IsReadBesideTheModel) {
  const Tensor expected = Tensor::from({11.f, 22.f, 33.f}, {3});
  EXPECT_TRUE(same_bits(run({{"location", "weights.bin"}, {"offset", "4"}, {"length", "12"}}), expected));
  EXPECT_TRUE(same_bits(run({{"location", "weights.bin"}, {"offset", "4"}}), expected));
  EXPECT_EQ(run({{"location", "weights.bin"}}).to_vector<float>(), (std::vector<float>{19, 21, 32}));
}

TEST_F(ExternalData, StaysInTheFolderAndInTheFile) {
  for (const char* name : {"../weights.bin", "/etc/hostname", "..", "a/b", "a\\b", ""})
    EXPECT_ERROR(run({{"location", name}}), ModelError, "initializer 'w'");
  EXPECT_ERROR(run({{"location", "weights.bin"}, {"offset", "12"}}), ModelError, "has 20 bytes, expected 12 from 12");
  EXPECT_ERROR(run({{"location", "weights.bin"}, {"offset", "18446744073709551615"}}), ModelError, "has 20 bytes");
  EXPECT_ERROR(run({{"location", "weights.bin"}, {"offset", "-4"}}), ModelError, "'offset' expects a number of bytes");
  EXPECT_ERROR(run({{"location", "weights.bin"}, {"length", "8"}}), ModelError,
               "8 bytes of 'weights.bin' do not fit the 12");
  EXPECT_ERROR(run({{"location", "missing.bin"}}), Error, "missing.bin");
}

TEST_F(ExternalData, ThatIsShortIsOneProblem) {
  write_file((folder_ / "weights.bin").string(), std::span<const std::byte>());
  try {
    run({{"location", "weights.bin"}});
    FAIL() << "the model was read";
  } catch (const ModelError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("cannot be read: initializer 'w': "), std::string::npos) << text;
    EXPECT_NE(text.find("has 0 bytes, expected 12 from 0"), std::string::npos) << text;
  }
}

TEST_F(ExternalData, IsRefusedWhereThereIsNoFolder) {
  EXPECT_NE(model({{"location", "weights.bin"}}).error().find("Unsupported: "), std::string::npos);
  EXPECT_NE(
      model({{"location", "weights.bin"}}).error().find("the file 'weights.bin' (external data), which is not at"),
      std::string::npos);
}

TEST(ExternalTensors, WithoutMemoryForThemAreNoFaultOfTheFile) {
  const OnnxReadOptions options{.external = [](const auto&, uint64_t, uint64_t bytes) -> std::shared_ptr<Storage> {
    throw Error("MemoryError", "OutOfMemory", concat("no room for ", bytes, " bytes"));
  }};
  try {
    model({{"location", "weights.bin"}}).read(options);
    FAIL() << "the model was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), "OutOfMemory");
    EXPECT_STREQ(error.what(), "no room for 12 bytes");
  }
}

// Two tensors that share bytes, and what comes before and after them.
TEST(ExternalPieces, ReachTheTensorsThatNameThem) {
  ModelFile file = model({{"location", "weights.bin"}, {"offset", "4"}});
  file.node("Sub", {"y", "v"}, {"z"}).output("z");
  put_elsewhere(file.add_initializer("v", {3}, 1), {{"location", "weights.bin"}, {"offset", "8"}});
  const std::array<float, 6> values{9, 1, 2, 3, 4, 9};
  const auto bytes = std::as_bytes(std::span(values));
  for (const size_t piece : {1, 3, 7, 24}) {
    OnnxReader reader(file.bytes());
    EXPECT_EQ(reader.missing(), Names{"weights.bin"});
    for (size_t at = 0; at < bytes.size(); at += piece)
      reader.feed("weights.bin", at, bytes.subspan(at, std::min(piece, bytes.size() - at)));
    EXPECT_TRUE(reader.missing().empty());
    const std::vector<Tensor> results = Session(reader.finish()).run(std::vector{Tensor::zeros({3})});
    EXPECT_EQ(results[0].to_vector<float>(), (std::vector<float>{1, 2, 3}));
    EXPECT_EQ(results[1].to_vector<float>(), (std::vector<float>{-1, -1, -1}));
  }
}

TEST(ExternalPieces, ThatEndTooEarlyAreTold) {
  OnnxReader reader(model({{"location", "weights.bin"}, {"offset", "4"}}).bytes());
  reader.feed("weights.bin", 0, std::array<std::byte, 9>{});
  reader.feed("other.bin", 0, std::array<std::byte, 99>{});
  EXPECT_ERROR(reader.finish(), ModelError, "initializer 'w'", "'weights.bin' ends within the 12 bytes from 4");
  OnnxReader empty(model({{"location", "weights.bin"}}).bytes());
  empty.feed("weights.bin", 0, {});
  EXPECT_ERROR(empty.finish(), ModelError, "initializer 'w'", "'weights.bin' ends within the 12 bytes from 0");
  EXPECT_TRUE(OnnxReader(ModelFile().input("x", {}).output("x").bytes()).missing().empty());
}

// Booleans are 0 or 1 whatever the file has, and attributes may lie elsewhere too.
TEST(ExternalPieces, AreOfAnyTypeAndPlace) {
  ModelFile file;
  file.input("x", {"2"}, DType::boolean).node("Constant", {}, {"c"}).node("And", {"x", "c"}, {"a"});
  auto& attribute = *file.graph().mutable_node(0)->add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  attribute.mutable_t()->set_data_type(onnx::TensorProto::BOOL);
  attribute.mutable_t()->add_dims(2);
  put_elsewhere(*attribute.mutable_t(), {{"location", "bits.bin"}});
  put_elsewhere(file.add_initializer("w", {2}, onnx::TensorProto::BOOL), {{"location", "bits.bin"}});
  file.node("Equal", {"a", "w"}, {"y"}).output("y");
  OnnxReader reader(file.bytes());
  reader.feed("bits.bin", 0, std::array{std::byte{7}, std::byte{0}});
  const Tensor x = Tensor::full({2}, 1, DType::boolean);
  const std::vector<Tensor> results = Session(reader.finish()).run(std::vector{x});
  EXPECT_EQ(results[0].to_vector<bool>(), (std::vector<bool>{true, true}));
}

// 4-bit integers lie two to a byte there, too.
TEST(ExternalPieces, AreUnpacked) {
  ModelFile file(21, 10);
  put_elsewhere(file.add_initializer("w", {3}, static_cast<int32_t>(DType::u4)), {{"location", "bits.bin"}});
  file.node("Cast", {"w"}, {"y"}, {{"to", int64_t{6}}}).output("y");
  OnnxReader reader(file.bytes());
  reader.feed("bits.bin", 0, std::array{std::byte{0x21}, std::byte{0x0f}});
  EXPECT_EQ(Session(reader.finish()).run(std::vector<Tensor>{})[0].to_vector<int64_t>(),
            (std::vector<int64_t>{1, 2, 15}));
}

// A function of one Constant, whose value is to be given.
onnx::FunctionProto& add_function(ModelFile& file) {
  auto& function = *file.model.add_functions();
  function.set_name("F");
  function.set_domain("mine");
  function.add_output("c");
  auto& constant = *function.add_node();
  constant.set_op_type("Constant");
  constant.add_output("c");
  function.add_opset_import()->set_version(20);
  auto& value = *constant.add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  return function;
}

void set_pair(onnx::AttributeProto& attribute, const Entries& entries) {
  attribute.set_type(onnx::AttributeProto::TENSOR);
  attribute.mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
  attribute.mutable_t()->add_dims(2);
  put_elsewhere(*attribute.mutable_t(), entries);
}

// A file may claim to have been placed already, in a function too.
TEST(ExternalPieces, AreNotTakenAtTheFilesWord) {
  ModelFile file = model({{"location", "weights.bin"}, {"onemodel.place", "0"}});
  set_pair(*add_function(file).mutable_node(0)->mutable_attribute(0),
           {{"location", "weights.bin"}, {"offset", "4"}, {"onemodel.place", "0"}});
  file.node("F", {}, {"c"}, {}, "call").last_node().set_domain("mine");
  file.node("F", {}, {"d"}, {}, "again").last_node().set_domain("mine");
  file.output("c").output("d");
  OnnxReader reader(file.bytes());
  const std::array<float, 3> values{1, 2, 3};
  reader.feed("weights.bin", 0, std::as_bytes(std::span(values)));
  const std::vector<Tensor> results = Session(reader.finish()).run(std::vector{Tensor::zeros({3})});
  EXPECT_EQ(results[0].to_vector<float>(), (std::vector<float>{1, 2, 3}));
  for (const size_t i : {1, 2}) EXPECT_EQ(results[i].to_vector<float>(), (std::vector<float>{2, 3}));
}

// What a function's attribute is when a call does not give it.
TEST(ExternalPieces, ReachTheDefaultsOfFunctions) {
  const auto with_default = [](const Entries& entries) {
    ModelFile file;
    auto& function = add_function(file);
    function.mutable_node(0)->mutable_attribute(0)->set_ref_attr_name("pair");
    auto& pair = *function.add_attribute_proto();
    pair.set_name("pair");
    set_pair(pair, entries);
    file.node("F", {}, {"c"}, {}, "call").last_node().set_domain("mine");
    return file.output("c");
  };
  OnnxReader reader(with_default({{"location", "weights.bin"}, {"onemodel.place", "x"}}).bytes());
  EXPECT_EQ(reader.missing(), Names{"weights.bin"});
  const std::array<float, 2> values{2, 3};
  reader.feed("weights.bin", 0, std::as_bytes(std::span(values)));
  EXPECT_EQ(Session(reader.finish()).run(std::vector<Tensor>{})[0].to_vector<float>(), (std::vector<float>{2, 3}));

  ModelFile lacking = with_default({{"onemodel.place", "x"}});
  lacking.node("Nonsense", {"c"}, {"y"});
  const std::string error = lacking.error();
  EXPECT_NE(error.find("function 'F': attribute 'pair': external data: no file is named"), std::string::npos) << error;
  EXPECT_NE(error.find("unknown operator"), std::string::npos) << error;
}

// Weights of several kinds, one of which a branch uses as well.
ModelFile weighty() {
  ModelFile file(21, 10);
  file.input("x", {"2", "3"}).input("flag", {}, DType::boolean);
  file.constant("w", Tensor::from({1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {2, 3}));
  file.constant("small", Tensor::scalar(2.f)).constant("bytes", Tensor::full({5}, 7, DType::u8));
  file.constant("nibbles", Tensor::full({3}, 5, DType::u8).cast(DType::u4));
  file.constant("texts", Tensor::from(std::span<const std::string>(std::vector<std::string>(40, "text")), {40}));
  file.node("Mul", {"x", "small"}, {"a"}).node("Add", {"a", "w"}, {"y"}).output("y");
  file.node("Cast", {"nibbles"}, {"n"}, {{"to", int64_t{6}}}).output("n");
  file.node("Cast", {"bytes"}, {"b"}, {{"to", int64_t{7}}}).output("b");
  file.node("Identity", {"texts"}, {"t"}).output("t").node("If", {"flag"}, {"z"}).output("z");
  for (const char* name : {"then_branch", "else_branch"}) {
    auto& attribute = *file.last_node().add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::GRAPH);
    ModelFile body;
    const std::string sum = concat(name, "_sum");
    body.node(name[0] == 't' ? "Add" : "Sub", {"x", "w"}, {sum}).output(sum);
    *attribute.mutable_g() = body.graph();
  }
  return file;
}

TEST_F(ExternalData, IsWrittenBesideTheModel) {
  const Graph graph = weighty().read();
  const std::vector<Tensor> inputs{Tensor::full({2, 3}, 3), Tensor::scalar(true)};
  const std::vector<Tensor> expected = Session(graph).run(inputs);
  const std::string path = (folder_ / "written.onnx").string(), data = path + ".data";
  const std::pair<uint64_t, size_t> cases[] = {{1000, 0}, {24, 24}, {5, 64 + 5}};
  for (const auto& [least, bytes] : cases) {
    save_onnx(path, graph, least);
    EXPECT_EQ(read_file(data).size(), bytes);
    const std::vector<Tensor> got = Session::load(path).run(inputs);
    for (size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(same_bits(got[i], expected[i])) << least << ", output " << i;
  }
}

TEST_F(ExternalData, WithAThresholdOfNothingHoldsEveryNumber) {
  const std::string path = (folder_ / "written.onnx").string();
  save_onnx(path, weighty().read(), 0);
  onnx::ModelProto model;
  const std::vector<std::byte> file = read_file(path);
  ASSERT_TRUE(model.ParseFromArray(file.data(), static_cast<int>(file.size())));
  for (const auto& tensor : model.graph().initializer()) {
    if (tensor.data_type() == onnx::TensorProto::STRING) continue;
    ASSERT_EQ(tensor.data_location(), onnx::TensorProto::EXTERNAL) << tensor.name();
    EXPECT_EQ(tensor.external_data(0).value(), "written.onnx.data");
    EXPECT_EQ(std::stoull(tensor.external_data(1).value()) % 64, 0u);
  }
  EXPECT_EQ(model.graph().initializer_size(), 5);
}

TEST_F(ExternalData, IsWrittenToPlainNamesOnly) {
  const Graph graph = weighty().read();
  for (const char* name : {"", "..", "a/b", "a\\b", "c:d"}) {
    const ExternalWeights external{name, [](std::span<const std::byte>) { FAIL() << "something was written"; }};
    EXPECT_ERROR(write_onnx(graph, &external), ArgumentError, "external data: the file expects a plain name");
  }
}

// The order of the file is that of the model, and an error of whoever takes the bytes comes out.
TEST_F(ExternalData, GoesToWhoeverTakesIt) {
  const ExternalWeights external{"w", [](std::span<const std::byte>) { throw ArgumentError("the disk is full"); }, 1};
  EXPECT_ERROR(write_onnx(weighty().read(), &external), ArgumentError, "the disk is full");
}

}  // namespace
}  // namespace onemodel::test
