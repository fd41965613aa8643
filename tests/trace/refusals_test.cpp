// What a trace refuses: each trigger runs inside a module, is named with its place, and leaves everything as it was.

#include <gtest/gtest.h>

#include "eager/apply.h"
#include "eager/functions_attention.h"
#include "eager/functions_image.h"
#include "format/safetensors.h"
#include "nn/ctc_loss.h"
#include "nn/losses.h"
#include "nn/random.h"
#include "ops/binary.h"
#include "ops/dropout.h"
#include "ops/gather.h"
#include "ops/random.h"
#include "ops/select_rows.h"
#include "ops/unary.h"
#include "runtime/session.h"
#include "support/error_text.h"
#include "trace/graph_constants.h"
#include "trace/refusal.h"

namespace onemodel::test {
namespace {

struct Refusal {
  std::string name;
  std::string_view kind;
  std::vector<std::string> parts;  // named in the message, besides the module
  Model model;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

class Refusals : public testing::TestWithParam<Refusal> {};

TEST_P(Refusals, NameThePlaceAndLeaveNothing) {
  const Refusal& refusal = GetParam();
  expect_refusal<TraceError>(refusal.model, [&](const TraceError& error) {
    EXPECT_EQ(error.kind(), refusal.kind);
    expect_parts(error, {"module 'decoder'"});
    for (const std::string& part : refusal.parts) expect_parts(error, {part});
  });
}

// `use` is called with x; what it is about is float32[batch, 6].
template <class Use>
Refusal of_x(std::string name, std::string_view kind, std::string how, Use use) {
  return {std::move(name), kind, {std::move(how), "float32[batch, 6]"}, [use](const Tensor& x) {
            use(x);
            return x;
          }};
}

std::vector<Refusal> reads() {
  constexpr std::string_view kind = "DataDependent";
  const auto session_of_neg = [](const Tensor& x) {
    Graph graph;
    graph.outputs = graph.add_node(Neg{}, {graph.add_input("x", {DType::f32, {4, 6}})});
    Session(std::move(graph)).run(std::span(&x, 1));
  };
  return {
      of_x("ToVector", kind, "to_vector", [](const Tensor& x) { (void)x.to_vector<float>(); }),
      of_x("ToVectorOfBool", kind, "to_vector", [](const Tensor& x) { (void)x.to_vector<bool>(); }),
      of_x("Storage", kind, "storage", [](const Tensor& x) { (void)x.storage()->data(); }),
      of_x("Item", kind, "item", [](const Tensor& x) { (void)x.item<float>(); }),
      {"ItemOfAResult", kind, {"item", "float32[]"}, [](const Tensor& x) { return x * sum(x).item<double>(); }},
      of_x("Data", kind, "data", [](const Tensor& x) { (void)x.data<float>(); }),
      {"Iteration",
       kind,
       {"data", "float32[batch, 6]"},
       [](const Tensor& x) {
         double total = 0;
         for (const float value : exp(x).data<float>()) total += value;
         return x * total;
       }},
      of_x("ToString", kind, "to_string", [](const Tensor& x) { (void)to_string(x); }),
      of_x("CopyOutOf", kind, "copy_from",
           [](const Tensor& x) {
             Tensor::zeros({4, 6}).copy_from(x);
           }),
      of_x("SessionRun", kind, "Session::run", session_of_neg),
      of_x("Safetensors", kind, "write_safetensors",
           [](const Tensor& x) {
             (void)write_safetensors({{"x", x}});
           }),
      of_x("PlainSlice", kind, "Tensor::slice", [](const Tensor& x) { (void)x.slice(0, 0, 1); }),
      of_x("PlainSelect", kind, "Tensor::select", [](const Tensor& x) { (void)x.select(0, 0); }),
      of_x("PlainPermute", kind, "Tensor::permute",
           [](const Tensor& x) {
             (void)x.permute(Dims{1, 0});
           }),
      of_x("PlainTranspose", kind, "Tensor::permute", [](const Tensor& x) { (void)x.transpose(0, 1); }),
      of_x("PlainExpand", kind, "Tensor::expand",
           [](const Tensor& x) {
             (void)x.expand({2, 4, 6});
           }),
      of_x("PlainReshape", kind, "Tensor::reshape", [](const Tensor& x) { (void)x.reshape({24}); }),
      of_x("PlainCast", kind, "Tensor::cast", [](const Tensor& x) { (void)x.cast(DType::f64); }),
  };
}

// A weight used, then changed in the way given: refused at the end.
Refusal changed_weight(std::string name, const std::function<void(Tensor)>& change) {
  return {std::move(name),
          "InPlaceMutation",
          {"operand 'B' of Mul", "float32[6]", "changed in place during the trace"},
          [change](const Tensor& x) {
            const Tensor weight = sample_values({6});
            Tensor y = mul(x, weight);
            change(weight);
            return y;
          }};
}

std::vector<Refusal> changes() {
  constexpr std::string_view kind = "InPlaceMutation";
  return {
      of_x("Fill", kind, "fill", [](Tensor x) { x.fill(1); }),
      of_x("FillOfAResult", kind, "fill", [](const Tensor& x) { neg(x).fill(1); }),
      of_x("Set", kind, "set",
           [](Tensor x) {
             x.set({1, 2}, 5);
           }),
      of_x("MutableData", kind, "mutable_data", [](const Tensor& x) { (void)x.mutable_data<float>(); }),
      of_x("CopyInto", kind, "copy_from",
           [](Tensor x) {
             x.copy_from(Tensor::zeros({4, 6}));
           }),
      of_x("CopyIntoFromTraced", kind, "copy_from", [](Tensor x) { x.copy_from(neg(x)); }),
      changed_weight("ConstantFilled", [](Tensor weight) { weight.fill(3); }),
      changed_weight("ConstantSet", [](Tensor weight) { weight.set({5}, 3); }),
      changed_weight("ConstantWritten", [](const Tensor& weight) { weight.mutable_data<float>()[0] = 3; }),
      changed_weight("ConstantCopiedInto", [](Tensor weight) { weight.copy_from(Tensor::zeros({6})); }),
      changed_weight("ConstantChangedThroughAView", [](const Tensor& weight) { weight.slice(0, 2, 3).fill(3); }),
  };
}

std::vector<Refusal> modes() {
  return {{"NoGrad",
           "NoGradInTrace",
           {"no-grad mode"},
           [](const Tensor& x) {
             const NoGrad off;
             return neg(x);
           }},
          {"SetGradEnabled", "NoGradInTrace", {"no-grad mode"}, [](const Tensor& x) {
             set_grad_enabled(false);
             return neg(x);
           }}};
}

std::vector<Refusal> shapes() {
  constexpr std::string_view kind = "SymbolicShape";
  const auto fixed_size = [](const Tensor& x) {
    return interpolate(reshape(x, {1, 1, x.dims()[0], 6}), std::vector<int64_t>{8, 12});
  };
  return {
      {"SliceOfTheFront",
       kind,
       {"Slice", "axis 0 of shape [batch, 6]"},
       [](const Tensor& x) { return slice(x, 0, 0, 2); }},
      {"SliceOfTheEnd",
       kind,
       {"Slice", "axis 0 of shape [batch, 6]"},
       [](const Tensor& x) { return slice(x, 0, 1, x.dims()[0]); }},
      {"SliceWithStep",
       kind,
       {"Slice", "axis 0 of shape [batch, 6]"},
       [](const Tensor& x) { return slice(x, 0, 0, x.dims()[0], 2); }},
      {"ReshapeOfTwoReadings",
       kind,
       {"Reshape", "[8, 12] can be read as", "2*batch", "3*batch"},
       [](const Tensor& x) {
         return reshape(cat({x, x, x, x}, 1), {8, 12});
       }},
      {"ReshapeThatSplitsASymbol",
       kind,
       {"Reshape", "[batch, 6] to [2, 2, 6]", "every symbol must stay whole"},
       [](const Tensor& x) {
         return reshape(x, {2, 2, 6});
       }},
      {"ResizeToAFixedSize", kind, {"Resize", "axis 2 of shape [1, 1, batch, 6]", "by a scale"}, fixed_size},
      {"SumOfSizesEqualInTheExample",
       kind,
       {"Add", "[batch, 6] and [4, 6]", "equal in the example only"},
       [](const Tensor& x) {
         return x + sample_values({4, 6});
       }},
      {"ProductOfSizesEqualInTheExample",
       kind,
       {"MatMul", "[batch, 6]", "equal in the example only"},
       [](const Tensor& x) {
         return matmul(sample_values({5, 4}), x);
       }},
      {"SizeFromValues", kind, {"NonZero", "depends on values"}, [](const Tensor& x) { return apply(NonZero{}, {x}); }},
  };
}

std::vector<Refusal> operations() {
  constexpr std::string_view kind = "UnsupportedOperation";
  const auto classes = [] { return Tensor::from<int64_t>({0, 1, 2, 3}, {4}); };
  const auto random = [kind](const std::string& name, Tensor (*draw)()) {
    return Refusal{name, kind, {"random numbers", concat("what ", name, " draws")}, [draw](const Tensor& x) {
                     return x + draw();
                   }};
  };
  const auto train_batch_norm = [](const Tensor& x) {
    return batch_norm(x, {.running_mean = Tensor::zeros({6}), .running_var = Tensor::full({6}, 1)}, true);
  };
  return {
      of_x("CrossEntropy", kind, "cross_entropy", [=](const Tensor& x) { nn::cross_entropy(x, classes()); }),
      of_x("NllLoss", kind, "nll_loss", [=](const Tensor& x) { nn::nll_loss(x, classes()); }),
      {"CtcLoss",
       kind,
       {"ctc_loss", "float32[batch, 1, 6]"},
       [](const Tensor& x) {
         const int64_t steps[] = {4}, length[] = {2};
         return nn::ctc_loss(unsqueeze(x, {1}), Tensor::from<int64_t>({1, 2}, {1, 2}), steps, length);
       }},
      of_x("BatchNormInTraining", kind, "batch_norm", train_batch_norm),
      of_x("DropoutInTraining", kind, "dropout",
           [](const Tensor& x) { dropout(x, 0.5, true, nn::default_generator()); }),
      {"AttentionDropout",
       kind,
       {"dropout", "float32[batch, batch]"},
       [](const Tensor& x) {
         return scaled_dot_product_attention(x, x, x, {}, {.dropout_p = 0.5, .generator = &nn::default_generator()});
       }},
      {"ModuleSetToTraining",
       kind,
       {"dropout", "float32[batch, 6]"},
       [](const Tensor& x) {
         nn::Dropout drop(0.5);
         return drop(x);
       }},
      {"RandomWeights", kind, {"random numbers"}, [](const Tensor& x) { return nn::Linear(6, 2)(x); }},
      {"RandomEmbedding",
       kind,
       {"random numbers"},
       [](const Tensor& x) { return x + nn::Embedding({.num_embeddings = 5, .embedding_dim = 6})(sample_ints({0})); }},
      random("RandomNormal", [] { return apply(RandomNormal{.shape = {6}}, std::vector<Tensor>(), 1).front(); }),
      random("RandomUniform", [] { return apply(RandomUniform{.shape = {6}}, std::vector<Tensor>(), 1).front(); }),
      random("RandomNormalLike", [] { return apply(RandomNormalLike{}, {Tensor::zeros({6})}); }),
      random("RandomUniformLike", [] { return apply(RandomUniformLike{}, {Tensor::zeros({6})}); }),
      random("Bernoulli", [] { return apply(Bernoulli{}, {Tensor::full({6}, 0.5)}); }),
      random("Multinomial",
             [] {
               return cast(apply(Multinomial{.sample_size = 6}, {Tensor::zeros({1, 3})}), DType::f32);
             }),
      random("Dropout", [] { return apply(Dropout{}, {Tensor::full({6}, 1)}); }),
      {"OperatorOfGradients",
       kind,
       {"GatherGradient", "float32[batch, 6]"},
       [](const Tensor& x) {
         return apply(GatherGradient{0, {5, 6}}, {x, Tensor::from<int64_t>({0, 1, 2, 3}, {4})});
       }},
  };
}

std::vector<Refusal> all_refusals() {
  std::vector<Refusal> out;
  for (const auto& group : {reads(), changes(), modes(), shapes(), operations()})
    out.insert(out.end(), group.begin(), group.end());
  return out;
}

INSTANTIATE_TEST_SUITE_P(All, Refusals, testing::ValuesIn(all_refusals()),
                         [](const auto& info) { return info.param.name; });

// A model's own mistakes end a trace in the same way.
TEST(Refusal, OtherErrorsLeaveNothingToo) {
  expect_refusal<ShapeError>(
      [](const Tensor& x) {
        return matmul(neg(x), Tensor::zeros({5, 5}));
      },
      [](const ShapeError& error) {
        expect_parts(error, {"module 'decoder'", "MatMul"});
      });
  expect_refusal<std::runtime_error>([](const Tensor&) -> Tensor { throw std::runtime_error("mine"); },
                                     [](const std::runtime_error& error) { EXPECT_STREQ(error.what(), "mine"); });
}

// A table of 4 GiB that takes no memory: one element, repeated. An operator would take as much for its result.
TEST(Refusal, NamesTheUseOfAConstantOver2GiB) {
  const Tensor table = Tensor::full({1, 1}, 2).expand({int64_t{1} << 28, 4});
  const Record use = {.op = Mul{},
                      .inputs = {sample_values({4}), table},
                      .input_versions = {0, table.storage()->version()},
                      .module_path = "decoder"};
  Graph graph;
  GraphNames names(graph);
  TraceConstants constants(graph, names, {});
  try {
    constants.capture(use, 1);
    FAIL();
  } catch (const TraceError& error) {
    EXPECT_EQ(error.kind(), "UnsupportedOperation");
    expect_parts(error,
                 {"operand 'B' of Mul", "module 'decoder'", "float32[268435456, 4]", "over the 2 GiB", "may have"});
  }
}

TEST(Refusal, ComesBeforeAnyModeIsChangedInANestedTrace) {
  Net inner;
  const std::vector<bool> modes = inner.modes();
  expect_refusal<TraceError>(
      [&](const Tensor& x) {
        trace_module(inner, sample_values({4, 6}));
        return x;
      },
      [&](const TraceError& error) {
        EXPECT_EQ(error.kind(), "InvalidUsage");
        expect_parts(error, {"module 'decoder'", "tracing already"});
      });
  EXPECT_EQ(inner.modes(), modes);
}

TEST(Refusal, WhatWasTracedBeforeItCanBeReadAfterwards) {
  Tensor kept;
  try {
    Tracer tracer = Tracer::begin();
    kept = neg(tracer.input("x", Tensor::full({2}, 3)));
    (void)kept.to_vector<float>();
    FAIL();
  } catch (const TraceError&) {
    EXPECT_EQ(kept.to_vector<float>(), std::vector<float>(2, -3));
  }
}

}  // namespace
}  // namespace onemodel::test
