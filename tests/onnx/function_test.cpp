// Operators that are read as compositions give what the ONNX text says.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "onnx/model_file.h"
#include "ops/sample.h"
#include "support/compare.h"
#include "support/error_text.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

using Ints = std::vector<int64_t>;
using Reals = std::vector<double>;
using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

// A model of one node; inputs "a", "b", … of the given tensors' types, outputs "y0", "y1", …
struct Call {
  Call(const std::string& type, const std::vector<Tensor>& operands, const Attributes& attributes = {},
       size_t outputs = 1, int64_t opset = 24)
      : file(opset), inputs() {
    Names names, results;
    for (size_t i = 0; i < operands.size(); ++i) {
      const std::string name(1, static_cast<char>('a' + i));
      names.push_back(operands[i].defined() ? name : "");
      if (!operands[i].defined()) continue;
      Names dims;
      for (const int64_t extent : operands[i].dims()) dims.push_back(concat(extent));
      file.input(name, dims, operands[i].dtype());
      inputs.push_back(operands[i]);
    }
    for (size_t i = 0; i < outputs; ++i) results.push_back(concat("y", i));
    file.node(type, names, results, attributes, "n");
    for (const std::string& name : results) file.output(name);
  }
  std::vector<Tensor> run() const { return evaluate_graph(file.read(), inputs); }
  Tensor first() const { return run()[0]; }
  ModelFile file;
  std::vector<Tensor> inputs;
};

Tensor reals(const Reals& values, const Dims& dims) {
  return Tensor::from(std::span<const double>(values), dims).cast(DType::f32);
}
testing::AssertionResult is(const Tensor& got, const Reals& values, const Dims& dims, double tolerance = 1e-6) {
  return close(got, reals(values, dims), tolerance);
}

TEST(Functions, CastLikeTakesTheOthersType) {
  const Tensor y = Call("CastLike", {reals({1.5, -2}, {2}), Tensor::zeros({1}, DType::i32)}).first();
  EXPECT_EQ(concat(y.dtype()), "int32");
  EXPECT_EQ(y.to_vector<int64_t>(), (Ints{1, -2}));
}

TEST(Functions, CastLikeSaturatesOrNot) {
  const std::vector<Tensor> operands = {reals({500}, {1}), Tensor::zeros({1}, DType::f8e5m2)};
  EXPECT_EQ(Call("CastLike", operands).first().to_vector<float>(), std::vector<float>{512});
  const std::vector<Tensor> large = {reals({1e6}, {1}), operands[1]};
  EXPECT_EQ(Call("CastLike", large).first().to_vector<float>(), std::vector<float>{57344});
  EXPECT_EQ(Call("CastLike", large, {{"saturate", int64_t{0}}}).first().to_vector<float>(),
            std::vector<float>{std::numeric_limits<float>::infinity()});
}

TEST(Functions, RegexFullMatchIsRefusedWithItsReason) {
  const Call call("RegexFullMatch", {Tensor::zeros({1}, DType::string)}, {{"pattern", std::string("a+")}});
  EXPECT_NE(call.file.error().find("node 'n' (RegexFullMatch, ai.onnx opset 24): the patterns are those of RE2"),
            std::string::npos)
      << call.file.error();
}

TEST(Functions, SwishWeighsByItsSigmoid) {
  EXPECT_TRUE(is(Call("Swish", {reals({1, -2}, {2})}, {{"alpha", 2.0}}).first(),
                 {1 / (1 + std::exp(-2.0)), -2 / (1 + std::exp(4.0))}, {2}));
}

const Tensor kLogs = reals({-1, -2, -3, -4, -5, -6}, {2, 3});  // [batch, classes]
const Tensor kTarget = Tensor::from<int64_t>({2, 0}, {2});
const Tensor kWeights = reals({1, 2, 3}, {3});

TEST(Functions, NegativeLogLikelihoodReduces) {
  const std::string nll = "NegativeLogLikelihoodLoss";
  const auto with = [&](const char* reduction) { return Attributes{{"reduction", std::string(reduction)}}; };
  EXPECT_TRUE(is(Call(nll, {kLogs, kTarget}, with("none")).first(), {3, 4}, {2}));
  EXPECT_TRUE(is(Call(nll, {kLogs, kTarget}, with("sum")).first(), {7}, {}));
  EXPECT_TRUE(is(Call(nll, {kLogs, kTarget}).first(), {3.5}, {}));
  EXPECT_TRUE(is(Call(nll, {kLogs, kTarget, kWeights}, with("none")).first(), {9, 4}, {2}));
  EXPECT_TRUE(is(Call(nll, {kLogs, kTarget, kWeights}).first(), {13.0 / 4}, {}));
  EXPECT_NE(Call(nll, {kLogs, kTarget}, with("most")).file.error().find("expects none, sum or mean"),
            std::string::npos);
}

TEST(Functions, NegativeLogLikelihoodIgnoresAClass) {
  const std::string nll = "NegativeLogLikelihoodLoss";
  const Attributes ignoring{{"ignore_index", int64_t{-1}}};
  const Tensor target = Tensor::from<int32_t>({-1, 1}, {2});
  EXPECT_TRUE(is(Call(nll, {kLogs, target}, ignoring).first(), {5}, {}));
  EXPECT_TRUE(is(Call(nll, {kLogs, target, kWeights}, ignoring).first(), {5}, {}));
  const Tensor infinite = reals({-INFINITY, -2, -3, -4, -5, -6}, {2, 3});
  EXPECT_TRUE(is(Call(nll, {infinite, target}, ignoring).first(), {5}, {}));
  const Attributes none{{"ignore_index", int64_t{2}}, {"reduction", std::string("none")}};
  EXPECT_TRUE(is(Call(nll, {kLogs, kTarget, kWeights}, none).first(), {0, 4}, {2}));
}

TEST(Functions, NegativeLogLikelihoodTakesPositions) {
  const Tensor logs = kLogs.reshape({1, 3, 2, 1});  // classes of position 0: -1, -3, -5
  const Tensor target = Tensor::from<int64_t>({1, 0}, {1, 2, 1});
  EXPECT_TRUE(is(Call("NegativeLogLikelihoodLoss", {logs, target}, {{"reduction", std::string("none")}}).first(),
                 {3, 2}, {1, 2, 1}));
}

TEST(Functions, SoftmaxCrossEntropyTellsLogProbabilities) {
  const Tensor scores = reals({0, std::log(3.0), 0, 0}, {2, 2}), target = Tensor::from<int64_t>({1, 0}, {2});
  const auto out = Call("SoftmaxCrossEntropyLoss", {scores, target}, {}, 2).run();
  EXPECT_TRUE(is(out[0], {(std::log(4.0 / 3) + std::log(2.0)) / 2}, {}));
  EXPECT_TRUE(is(out[1], {-std::log(4.0), std::log(0.75), -std::log(2.0), -std::log(2.0)}, {2, 2}));
}

Tensor window(const std::string& type, int64_t size, const Attributes& attributes) {
  ModelFile file(17);
  file.constant("size", Tensor::scalar(static_cast<int32_t>(size)))
      .node(type, {"size"}, {"y"}, attributes, "n")
      .output("y");
  return evaluate_graph(file.read(), {})[0];
}

TEST(Functions, WindowsAreSumsOfCosines) {
  const Attributes symmetric{{"periodic", int64_t{0}}};
  EXPECT_TRUE(is(window("HannWindow", 4, {}), {0, 0.5, 1, 0.5}, {4}));
  EXPECT_TRUE(is(window("HannWindow", 3, symmetric), {0, 1, 0}, {3}));
  EXPECT_TRUE(is(window("HammingWindow", 4, {}), {4.0 / 46, 25.0 / 46, 1, 25.0 / 46}, {4}));
  EXPECT_TRUE(is(window("BlackmanWindow", 4, {}), {0, 0.34, 1, 0.34}, {4}));
  EXPECT_TRUE(is(window("BlackmanWindow", 3, symmetric), {0, 1, 0}, {3}));
  EXPECT_EQ(concat(window("HannWindow", 4, {{"output_datatype", int64_t{11}}}).dtype()), "float64");
  EXPECT_EQ(concat(window("HannWindow", 4, {{"output_datatype", int64_t{10}}}).dtype()), "float16");
  ModelFile odd(17);
  odd.input("n", {}, DType::i64).node("HannWindow", {"n"}, {"y"}, {{"output_datatype", int64_t{257}}}, "w").output("y");
  EXPECT_NE(odd.error().find("element type 257"), std::string::npos) << odd.error();
}

TEST(Functions, PoolsOverAllPositions) {
  const Tensor x = reals({1, -5, 2, 3, 4, 0}, {1, 2, 3});
  EXPECT_TRUE(is(Call("GlobalMaxPool", {x}).first(), {2, 4}, {1, 2, 1}));
  EXPECT_TRUE(is(Call("GlobalLpPool", {x}).first(), {std::sqrt(30.0), 5}, {1, 2, 1}));
  EXPECT_TRUE(is(Call("GlobalLpPool", {x}, {{"p", int64_t{1}}}).first(), {8, 7}, {1, 2, 1}));
  EXPECT_TRUE(is(Call("LpPool", {x}, {{"kernel_shape", Ints{2}}, {"pads", Ints{1, 0}}}).first(),
                 {1, std::sqrt(26.0), std::sqrt(29.0), 3, 5, 4}, {1, 2, 3}, 1e-5));
}

TEST(Functions, LpPoolRoundsTheNumberOfWindowsUp) {
  const auto pooled = [](const Tensor& x, Attributes attributes) {
    attributes.insert(attributes.end(), {{"p", int64_t{1}}, {"ceil_mode", int64_t{1}}});
    return Call("LpPool", {x}, attributes).first();
  };
  const Tensor x = reals({1, -2, 3, 4, 5}, {1, 1, 5});
  EXPECT_TRUE(is(pooled(x, {{"kernel_shape", Ints{2}}, {"strides", Ints{2}}}), {3, 7, 5}, {1, 1, 3}, 1e-5));
  EXPECT_TRUE(is(pooled(x, {{"kernel_shape", Ints{2}}, {"strides", Ints{3}}}), {3, 9}, {1, 1, 2}, 1e-5));
  // No window begins in the padding at the end.
  EXPECT_TRUE(is(pooled(x, {{"kernel_shape", Ints{2}}, {"strides", Ints{2}}, {"pads", Ints{1, 1}}}), {1, 5, 9},
                 {1, 1, 3}, 1e-5));
  EXPECT_TRUE(is(pooled(x, {{"kernel_shape", Ints{2}}, {"dilations", Ints{3}}, {"strides", Ints{2}}}), {5, 3},
                 {1, 1, 2}, 1e-5));
  EXPECT_TRUE(is(pooled(x, {{"kernel_shape", Ints{1}}, {"strides", Ints{3}}, {"auto_pad", std::string("VALID")}}),
                 {1, 4}, {1, 1, 2}, 1e-5));
  const Call bad("LpPool", {x}, {{"kernel_shape", Ints{2}}, {"strides", Ints{1, 1}}, {"ceil_mode", int64_t{1}}});
  EXPECT_NE(bad.file.error().find("'strides' expects 1 numbers"), std::string::npos);
}

TEST(Functions, GroupNormalizationScalesGroupsOrChannels) {
  const Tensor x = reals({1, 3, 5, 7, 0, 2, 4, 4}, {1, 4, 2});  // groups of two channels
  const Attributes two{{"num_groups", int64_t{2}}, {"epsilon", 0.0}};
  const double a = std::sqrt(5.0), b = std::sqrt(2.75);
  const Reals plain{-3 / a, -1 / a, 1 / a, 3 / a, -2.5 / b, -0.5 / b, 1.5 / b, 1.5 / b};
  Reals groups, channels;
  for (size_t i = 0; i < 8; ++i) {
    groups.push_back(plain[i] * (i < 4 ? 1 : 2) + (i < 4 ? 0 : 1));
    channels.push_back(plain[i] * static_cast<double>(i / 2 + 1) + 1);
  }
  EXPECT_TRUE(is(Call("GroupNormalization", {x, reals({1, 2}, {2}), reals({0, 1}, {2})}, two, 1, 18).first(), groups,
                 {1, 4, 2}, 1e-5));
  EXPECT_TRUE(is(Call("GroupNormalization", {x, reals({1, 2, 3, 4}, {4}), Tensor::full({4}, 1)}, two, 1, 21).first(),
                 channels, {1, 4, 2}, 1e-5));
}

TEST(Functions, GroupNormalizationHasNoMoreGroupsThanChannels) {
  const Tensor x = Tensor::zeros({1, 4, 2}), four = Tensor::zeros({4});
  EXPECT_NE(
      Call("GroupNormalization", {x, four, four}, {{"num_groups", int64_t{5}}}).file.error().find("at most 4, got 5"),
      std::string::npos);
  EXPECT_NE(Call("GroupNormalization", {x, four, four}).file.error().find("expects a positive integer"),
            std::string::npos);
}

TEST(Functions, RmsNormalizationDividesByTheRootMeanSquare) {
  const Tensor x = reals({3, 4, 0, 2}, {2, 2}), scale = reals({1, 2}, {2});
  const double a = std::sqrt(12.5), b = std::sqrt(2.0);
  EXPECT_TRUE(is(Call("RMSNormalization", {x, scale}, {{"epsilon", 0.0}}).first(), {3 / a, 8 / a, 0, 4 / b}, {2, 2}));
  const double all = std::sqrt(29.0 / 4);
  EXPECT_TRUE(is(Call("RMSNormalization", {x, Tensor::full({}, 1)}, {{"axis", int64_t{0}}, {"epsilon", 0.0}}).first(),
                 {3 / all, 4 / all, 0, 2 / all}, {2, 2}));
}

TEST(Functions, BatchNormalizationTrains) {
  const Tensor x = reals({1, 2, 3, 6}, {2, 2}), one = Tensor::full({2}, 1), zero = Tensor::zeros({2});
  const auto out = Call("BatchNormalization", {x, one, one, zero, one},
                        {{"training_mode", int64_t{1}}, {"epsilon", 0.0}, {"momentum", 0.5}}, 3, 15)
                       .run();
  EXPECT_TRUE(is(out[0], {0, 0, 2, 2}, {2, 2}));
  EXPECT_TRUE(is(out[1], {1, 2}, {2}));    // half of the means 2 and 4
  EXPECT_TRUE(is(out[2], {1, 2.5}, {2}));  // half of 1, and of the variances 1 and 4
}

TEST(Functions, CenterCropPadKeepsTheMiddle) {
  const Tensor x = reals({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {2, 5});
  EXPECT_TRUE(is(Call("CenterCropPad", {x, Tensor::from_ints(Ints{3, 2})}).first(), {1, 2, 6, 7, 0, 0}, {3, 2}));
  EXPECT_TRUE(is(Call("CenterCropPad", {x, Tensor::from_ints(Ints{4})}, {{"axes", Ints{-2}}}).first(),
                 {0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0}, {4, 5}));
}

Tensor grid(const Tensor& theta, const Ints& size, int64_t align_corners) {
  ModelFile file(20);
  Names dims;
  for (const int64_t extent : theta.dims()) dims.push_back(concat(extent));
  file.input("theta", dims).constant("size", Tensor::from_ints(size));
  file.node("AffineGrid", {"theta", "size"}, {"y"}, {{"align_corners", align_corners}}, "n").output("y");
  return evaluate_graph(file.read(), {theta})[0];
}

TEST(Functions, AffineGridTellsWherePixelsComeFrom) {
  const Tensor same = reals({1, 0, 0, 0, 1, 0}, {1, 2, 3}), moved = reals({1, 0, 0.5, 0, -1, 0}, {1, 2, 3});
  EXPECT_TRUE(is(grid(same, {1, 1, 2, 2}, 1), {-1, -1, 1, -1, -1, 1, 1, 1}, {1, 2, 2, 2}));
  EXPECT_TRUE(is(grid(moved, {1, 1, 2, 2}, 0), {0, 0.5, 1, 0.5, 0, -0.5, 1, -0.5}, {1, 2, 2, 2}));
  EXPECT_ERROR(grid(same, {1, 1, 1 << 20, 1 << 20}, 1), ModelError, "1048576 at 3, which is out of range");
  EXPECT_ERROR(grid(same, {1, 1, 2}, 1), ModelError, "expects 4 or 5 elements");
  const Tensor solid = reals({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {1, 3, 4});
  EXPECT_TRUE(is(grid(solid, {1, 1, 1, 1, 2}, 0), {-0.5, 0, 0, 0.5, 0, 0}, {1, 1, 1, 2, 3}));
}

// Attention with plain loops; [batch, heads, length, size].
Tensor attended(const Tensor& q, const Tensor& k, const Tensor& v, double scale, bool causal, int64_t past) {
  const int64_t batch = q.dims()[0], heads = q.dims()[1], length = q.dims()[2], size = q.dims()[3], keys = k.dims()[2],
                times = heads / k.dims()[1], wide = v.dims()[3];
  const Reals a = q.to_vector<double>(), b = k.to_vector<double>(), c = v.to_vector<double>();
  Reals out;
  for (int64_t n = 0; n < batch * heads; ++n) {
    const int64_t other = n / heads * k.dims()[1] + n % heads / times;
    for (int64_t i = 0; i < length; ++i) {
      Reals weights;
      double sum = 0;
      for (int64_t j = 0; j < keys; ++j) {
        double dot = 0;
        for (int64_t d = 0; d < size; ++d)
          dot += a[static_cast<size_t>((n * length + i) * size + d)] *
                 b[static_cast<size_t>((other * keys + j) * size + d)];
        weights.push_back(causal && j > i + past ? 0 : std::exp(dot * scale));
        sum += weights.back();
      }
      for (int64_t d = 0; d < wide; ++d) {
        double y = 0;
        for (int64_t j = 0; j < keys; ++j)
          y += weights[static_cast<size_t>(j)] / sum * c[static_cast<size_t>((other * keys + j) * wide + d)];
        out.push_back(y);
      }
    }
  }
  return reals(out, {batch, heads, length, wide});
}

Tensor joined(const Tensor& a, const Tensor& b) { return Call("Concat", {a, b}, {{"axis", int64_t{2}}}).first(); }

TEST(Functions, AttentionRepeatsHeadsAndRemembersThePast) {
  const Tensor q = sample_values({2, 4, 3, 2}), k = sample_values({2, 2, 3, 2}, -1, 1, DType::f32, 5),
               v = sample_values({2, 2, 3, 5}, -1, 1, DType::f32, 6);
  EXPECT_TRUE(close(Call("Attention", {q, k, v}).first(), attended(q, k, v, 1 / std::sqrt(2.0), false, 0), 1e-5));
  EXPECT_TRUE(close(Call("Attention", {q, k, v}, {{"is_causal", int64_t{1}}, {"scale", 0.5}}).first(),
                    attended(q, k, v, 0.5, true, 0), 1e-5));
  const Tensor past_k = sample_values({2, 2, 1, 2}), past_v = sample_values({2, 2, 1, 5});
  const auto out = Call("Attention", {q, k, v, Tensor(), past_k, past_v}, {{"is_causal", int64_t{1}}}, 3).run();
  EXPECT_TRUE(same_bits(out[1], joined(past_k, k)));
  EXPECT_TRUE(same_bits(out[2], joined(past_v, v)));
  EXPECT_TRUE(close(out[0], attended(q, out[1], out[2], 1 / std::sqrt(2.0), true, 1), 1e-5));
}

TEST(Functions, AttentionMasksAndCaps) {
  const Tensor q = reals({1, 0}, {1, 1, 1, 2}), k = reals({2, 0, 4, 0}, {1, 1, 2, 2}), v = reals({1, 3}, {1, 1, 2, 1});
  const Tensor hidden = Tensor::from<bool>({true, false}, {1, 2});
  EXPECT_TRUE(is(Call("Attention", {q, k, v, hidden}).first(), {1}, {1, 1, 1, 1}));
  EXPECT_TRUE(is(Call("Attention", {q, k, v, reals({2, 0}, {1, 2})}, {{"scale", 1.0}}).first(), {2}, {1, 1, 1, 1}));
  const double a = std::exp(std::tanh(2.0)), b = std::exp(std::tanh(4.0));
  const Attributes capped{{"scale", 1.0}, {"softcap", 1.0}, {"qk_matmul_output_mode", int64_t{3}}};
  const auto out = Call("Attention", {q, k, v}, capped, 4).run();
  EXPECT_TRUE(is(out[0], {(a + 3 * b) / (a + b)}, {1, 1, 1, 1}));
  EXPECT_TRUE(is(out[3], {a / (a + b), b / (a + b)}, {1, 1, 1, 2}));
  const Tensor lengths = Tensor::from_ints(Ints{1});
  EXPECT_TRUE(is(Call("Attention", {q, k, v, Tensor(), Tensor(), Tensor(), lengths}).first(), {1}, {1, 1, 1, 1}));
}

TEST(Functions, AttentionTakesHeadsSideBySide) {
  const Tensor q = sample_values({1, 3, 4}), k = sample_values({1, 2, 4}, -1, 1, DType::f32, 5),
               v = sample_values({1, 2, 4}, -1, 1, DType::f32, 6);
  const auto apart = [](const Tensor& x) {
    return Call("Transpose", {x.reshape({1, x.dims()[1], 2, 2})}, {{"perm", Ints{0, 2, 1, 3}}}).first();
  };
  const Tensor want = attended(apart(q), apart(k), apart(v), 1 / std::sqrt(2.0), false, 0);
  const Attributes heads{{"q_num_heads", int64_t{2}}, {"kv_num_heads", int64_t{2}}};
  const Tensor got = Call("Attention", {q, k, v}, heads).first();
  EXPECT_TRUE(close(apart(got), want, 1e-5));
  EXPECT_NE(Call("Attention", {q, k, v}).file.error().find("attribute 'q_num_heads' is needed"), std::string::npos);
}

TEST(Functions, RotaryEmbeddingTurnsPairs) {
  const Tensor x = reals({1, 2, 3, 4, 5, 6}, {1, 1, 1, 6}), cosine = reals({0, 1}, {1, 1, 2}),
               sine = reals({1, 0}, {1, 1, 2});
  const Attributes four{{"rotary_embedding_dim", int64_t{4}}};
  // Halves (1, 3) by a right angle and (2, 4) not at all; the last two are left alone.
  EXPECT_TRUE(is(Call("RotaryEmbedding", {x, cosine, sine}, four).first(), {-3, 2, 1, 4, 5, 6}, {1, 1, 1, 6}));
  Attributes pairs = four;
  pairs.emplace_back("interleaved", int64_t{1});
  EXPECT_TRUE(is(Call("RotaryEmbedding", {x, cosine, sine}, pairs).first(), {-2, 1, 3, 4, 5, 6}, {1, 1, 1, 6}));
  const Tensor cosines = reals({1, 0}, {2, 1}), sines = reals({0, 1}, {2, 1}),
               places = Tensor::from<int64_t>({1, 0}, {1, 2});
  const Tensor flat = reals({1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 4});
  EXPECT_TRUE(is(Call("RotaryEmbedding", {flat, cosines, sines, places}, {{"num_heads", int64_t{2}}}).first(),
                 {-2, 1, -4, 3, 5, 6, 7, 8}, {1, 2, 4}));
}

Call optimizer(const std::string& type, const std::vector<Tensor>& operands, const Attributes& attributes,
               size_t outputs) {
  Call call(type, operands, attributes, outputs);
  call.file.last_node().set_domain("ai.onnx.preview.training");
  auto& import = *call.file.model.add_opset_import();
  import.set_domain("ai.onnx.preview.training");
  import.set_version(1);
  return call;
}

TEST(Functions, OptimizersStep) {
  const Tensor rate = Tensor::full({}, 0.5), first = Tensor::scalar(int64_t{0}), later = Tensor::scalar(int64_t{2});
  const Tensor x = reals({1}, {1}), g = reals({2}, {1}), s = reals({4}, {1}), h = reals({9}, {1});
  const auto value = [](const Tensor& tensor) { return tensor.to_vector<double>()[0]; };
  auto out = optimizer("Adagrad", {rate, later, x, g, s},
                       {{"decay_factor", 1.0}, {"norm_coefficient", 1.0}, {"epsilon", 0.0}}, 2)
                 .run();
  EXPECT_NEAR(value(out[1]), 4 + 9, 1e-6);  // the gradient is 2 + 1
  EXPECT_NEAR(value(out[0]), 1 - 0.5 / 3 * 3 / std::sqrt(13.0), 1e-6);
  const Attributes adam{{"alpha", 0.5}, {"beta", 0.75}, {"epsilon", 0.0}, {"norm_coefficient_post", 0.5}};
  out = optimizer("Adam", {rate, first, x, g, s, h}, adam, 3).run();
  EXPECT_NEAR(value(out[1]), 3, 1e-6);
  EXPECT_NEAR(value(out[2]), 7.75, 1e-6);
  EXPECT_NEAR(value(out[0]), 0.5 * (1 - 0.5 * 3 / std::sqrt(7.75)), 1e-6);
  out = optimizer("Adam", {rate, later, x, g, s, h}, adam, 3).run();
  EXPECT_NEAR(value(out[0]), 0.5 * (1 - 0.5 * std::sqrt(1 - 0.5625) / (1 - 0.25) * 3 / std::sqrt(7.75)), 1e-6);
  Attributes momentum{{"alpha", 0.5}, {"beta", 0.25}, {"norm_coefficient", 0.0}, {"mode", std::string("standard")}};
  out = optimizer("Momentum", {rate, later, x, g, s}, momentum, 2).run();
  EXPECT_NEAR(value(out[1]), 2.5, 1e-6);
  EXPECT_NEAR(value(out[0]), 1 - 1.25, 1e-6);
  momentum.back().second = std::string("nesterov");
  out = optimizer("Momentum", {rate, first, x, g, s}, momentum, 2).run();
  EXPECT_NEAR(value(out[1]), 4, 1e-6);  // beta is 1 in the first step
  EXPECT_NEAR(value(out[0]), 1 - 0.5 * (2 + 0.5 * 4), 1e-6);
  EXPECT_NE(optimizer("Adam", {rate, first, x, g, s, h, x}, adam, 3).file.error().find("expects 2 + 4 n inputs, got 7"),
            std::string::npos);
}

// As many outputs as there are tensors and states, however many the declaration allows.
TEST(Functions, OptimizersMakeNoOtherOutputs) {
  const Tensor one = Tensor::full({}, 0.5), count = Tensor::scalar(int64_t{2}), x = reals({1}, {1});
  Call call = optimizer("Adagrad", {one, count, x, x, x}, {}, 3);
  EXPECT_NE(call.file.error().find("opset 1): output 'y2' is made by nothing"), std::string::npos) << call.file.error();
  call.file.node("Neg", {"y2"}, {"z"}).output("z", {"1"}, DType::f32);
  EXPECT_EQ(call.file.error().find("problems"), std::string::npos) << call.file.error();
}

TEST(Functions, RefuseWhatDoesNotFit) {
  const Tensor x = reals({1, 2}, {2});
  EXPECT_EQ(Call("Swish", {x}, {{"odd", 1.0}}).file.error(),
            "Unsupported: the ONNX model 'by_hand' cannot be read: node 'n' (Swish, ai.onnx opset 24): attribute 'odd' "
            "is not "
            "supported");
  EXPECT_NE(Call("Swish", {x, x}).file.error().find("expects at most 1 inputs, got 2"), std::string::npos);
  EXPECT_NE(Call("CastLike", {x}).file.error().find("input 1 is missing"), std::string::npos);
  EXPECT_NE(Call("Swish", {x}, {}, 2).file.error().find("output 1 ('y1') is not supported"), std::string::npos);
  EXPECT_NE(Call("Swish", {x}, {{"alpha", int64_t{1}}}).file.error().find("attribute 'alpha' expects a number"),
            std::string::npos);
  ModelFile elsewhere;
  elsewhere.input("x", {"2"}).node("Adam", {"x"}, {"y"}, {}, "n").output("y");
  EXPECT_NE(elsewhere.error().find("unknown operator"), std::string::npos);  // of another domain
}

TEST(Functions, NameTheirNodesAfterTheCall) {
  const Graph graph = Call("Swish", {reals({1}, {1})}).file.read();
  EXPECT_EQ(operators(graph), "Mul Sigmoid Mul");
  EXPECT_EQ(graph.nodes[1].name, "n_Sigmoid");
}

TEST(Functions, TensorScatterWritesWhereEachEntrySays) {
  const Tensor cache = Tensor::zeros({2, 4, 1}), update = reals({1, 2, 3, 4}, {2, 2, 1});
  const auto at = [](Ints places) { return Tensor::from_ints(places); };
  EXPECT_TRUE(is(Call("TensorScatter", {cache, update, at({1, 2})}).first(), {0, 1, 2, 0, 0, 0, 3, 4}, {2, 4, 1}));
  EXPECT_TRUE(is(Call("TensorScatter", {cache, update}).first(), {1, 2, 0, 0, 3, 4, 0, 0}, {2, 4, 1}));
  const Attributes around{{"mode", std::string("circular")}};
  EXPECT_TRUE(
      is(Call("TensorScatter", {cache, update, at({3, 7})}, around).first(), {2, 0, 0, 1, 4, 0, 0, 3}, {2, 4, 1}));
  const Tensor wide = Tensor::zeros({2, 1, 1, 3}), columns = reals({1, 2}, {2, 1, 1, 1});
  EXPECT_TRUE(is(Call("TensorScatter", {wide, columns, at({2, 0})}, {{"axis", int64_t{3}}}).first(), {0, 0, 1, 2, 0, 0},
                 {2, 1, 1, 3}));
}

TEST(Functions, TensorScatterRefusesWhatDoesNotFit) {
  const Tensor cache = Tensor::zeros({2, 4, 1}), update = Tensor::zeros({2, 2, 1});
  EXPECT_ERROR(Call("TensorScatter", {cache, update, Tensor::from_ints(Ints{0, 3})}).first(), ShapeError, "index 4",
               "4");
  const auto error = [&](const Attributes& attributes) {
    return Call("TensorScatter", {cache, update}, attributes).file.error();
  };
  EXPECT_NE(error({{"axis", int64_t{0}}}).find("an axis behind the batch, got 0"), std::string::npos);
  EXPECT_NE(error({{"axis", int64_t{3}}}).find("out of range for rank 3"), std::string::npos);
  EXPECT_NE(error({{"mode", std::string("round")}}).find("linear or circular, got 'round'"), std::string::npos);
}

}  // namespace
}  // namespace onemodel::test
