// Tracers that are used wrongly.

#include "eager/functions.h"
#include "support/error_text.h"
#include "trace/refusal.h"

namespace onemodel::test {
namespace {

using Names = std::vector<std::string>;

struct Misuse {
  std::string name;
  std::vector<std::string> parts;  // named in the message, besides the module
  std::function<void(Tracer&)> use;
};

void PrintTo(const Misuse& misuse, std::ostream* out) { *out << misuse.name; }

class Misuses : public testing::TestWithParam<Misuse> {};

TEST_P(Misuses, NameThePlaceAndLeaveNothing) {
  Net net;
  net.decoder->model = [](const Tensor& x) {
    Tracer tracer = Tracer::begin();
    GetParam().use(tracer);
    return x;
  };
  expect_nothing_left<TraceError>(
      net,
      [&] {
        net(sample_values({4, 6}));
      },
      [](const TraceError& error) {
        EXPECT_EQ(error.kind(), "InvalidUsage");
        expect_parts(error, {"module 'decoder'"});
        for (const std::string& part : GetParam().parts) expect_parts(error, {part});
      });
}

Tensor values(const Dims& dims) { return sample_values(dims); }

// A finished tracer.
void finish(Tracer& tracer) {
  const Tensor x = tracer.input("x", values({3}));
  tracer.finish(std::vector{neg(x)}, Names{"y"});
}

std::vector<Misuse> inputs() {
  const auto symbols = [](std::string name, std::vector<std::string> parts, const Dims& dims, const Names& axes) {
    return Misuse{std::move(name), std::move(parts), [=](Tracer& t) { t.input("x", values(dims), axes); }};
  };
  const auto two = [](std::string name, std::vector<std::string> parts, const Names& axes, const Names& others) {
    return Misuse{std::move(name), std::move(parts), [=](Tracer& t) {
                    t.input("x", values({3, 2}), axes);
                    t.input("z", values({4, 3}), others);
                  }};
  };
  return {
      {"InputWithoutName", {"Tracer.input", "the name is empty"}, [](Tracer& t) { t.input("", values({2})); }},
      {"InputNameTwice",
       {"Tracer.input", "'x' is used twice"},
       [](Tracer& t) {
         t.input("x", values({2}));
         t.input("x", values({2}));
       }},
      {"InputOfATracedTensor",
       {"Tracer.input", "'z', float32[2]", "depends on another input"},
       [](Tracer& t) { t.input("z", neg(t.input("x", values({2})))); }},
      symbols("TooFewAxisNames", {"'x', float32[2, 3]", "rank 2", "1 axis names"}, {2, 3}, {"n"}),
      symbols("ExampleSizeOne", {"axis 1 of 'x', float32[3, 1]", "'n'", "at least 2"}, {3, 1}, {"", "n"}),
      symbols("ExampleSizeZero", {"axis 0 of 'x', float32[0, 2]", "'n'", "at least 2"}, {0, 2}, {"n", ""}),
      symbols("EqualSymbols", {"axis 1 of 'x', float32[3, 3]", "'m'", "'n'", "size 3"}, {3, 3}, {"n", "m"}),
      symbols("OneSymbolOfTwoSizes", {"'x', float32[3, 5]", "'n'", "3 and 5"}, {3, 5}, {"n", "n"}),
      symbols("SymbolThatIsANumber", {"'x', float32[3]", "'3'"}, {3}, {"3"}),
      symbols("SymbolThatIsAFormula", {"'x', float32[3]", "'n*2'"}, {3}, {"n*2"}),
      symbols("FactorThatDoesNotDivide", {"axis 0 of 'x', float32[3]", "'2*n'", "no multiple of 2"}, {3}, {"2*n"}),
      symbols("FactorOfNothing", {"'x', float32[3]", "'2*'"}, {3}, {"2*"}),
      symbols("FactorZero", {"'x', float32[3]", "'0*n'"}, {3}, {"0*n"}),
      symbols("FactorOfASymbolOfOne", {"axis 0 of 'x', float32[2]", "'2*n'", "at least 2"}, {2}, {"2*n"}),
      symbols("MultipleOfAnotherSize", {"'x', float32[3, 8]", "'n'", "3 and 4"}, {3, 8}, {"n", "2*n"}),
      symbols("MultipleThatIsAnotherSymbol", {"axis 2 of 'x', float32[3, 6, 6]", "'m'", "'2*n'", "size 6"}, {3, 6, 6},
              {"n", "2*n", "m"}),
      symbols("SymbolThatIsASum", {"'x', float32[3]", "'n+1'"}, {3}, {"n+1"}),
      symbols("SymbolWithASpace", {"'x', float32[3]", "'a b'"}, {3}, {"a b"}),
      two("EqualSymbolsOfTwoInputs", {"axis 1 of 'z', float32[4, 3]", "'n'", "'m'", "size 3"}, {"n", ""}, {"", "m"}),
      two("OneSymbolOfTwoSizesInTwoInputs", {"axis 0 of 'z', float32[4, 3]", "'n'", "size 4", "size 3"}, {"n", ""},
          {"n", ""}),
  };
}

std::vector<Misuse> others() {
  const auto finish_with = [](std::string name, std::vector<std::string> parts, const Names& names,
                              const std::function<std::vector<Tensor>(const Tensor&)>& model) {
    return Misuse{std::move(name), std::move(parts), [=](Tracer& t) {
                    t.finish(model(t.input("x", values({2, 3}))), names);
                  }};
  };
  const auto twice = [](const Tensor& x) { return std::vector{neg(x), exp(x)}; };
  const auto once = [](const Tensor& x) { return std::vector{neg(x)}; };
  return {
      {"NestedTracer", {"Tracer", "tracing already"}, [](Tracer&) { Tracer::begin(); }},
      {"ParameterNameTwice",
       {"Tracer.parameter", "'w' is used twice"},
       [](Tracer& t) {
         t.parameter("w", values({2}));
         t.parameter("w", values({3}));
       }},
      {"ParameterWithoutName",
       {"Tracer.parameter", "the name is empty"},
       [](Tracer& t) { t.parameter("", values({2})); }},
      finish_with("OutputWithoutInput", {"Tracer.finish", "'y', float32[5]", "does not depend on an input"}, {"y"},
                  [](const Tensor&) { return std::vector{values({5})}; }),
      finish_with("UndefinedOutput", {"Tracer.finish", "'y'", "does not depend on an input"}, {"y"},
                  [](const Tensor&) { return std::vector{Tensor()}; }),
      finish_with("NoOutput", {"Tracer.finish", "0 outputs"}, {}, [](const Tensor&) { return std::vector<Tensor>(); }),
      finish_with("TooFewOutputNames", {"Tracer.finish", "2 outputs and 1 names"}, {"y"}, twice),
      finish_with("OutputNameTwice", {"Tracer.finish", "'y' is used twice"}, {"y", "y"}, twice),
      finish_with("OutputWithoutName", {"Tracer.finish", "the name of output 0 is empty"}, {""}, once),
      finish_with("OutputNamedAsAnInput", {"Tracer.finish", "'x' is that of an input"}, {"x"}, once),
      {"InputAfterFinish",
       {"Tracer.input", "the trace is finished"},
       [](Tracer& t) {
         finish(t);
         t.input("late", values({3}));
       }},
      {"ParameterAfterFinish",
       {"Tracer.parameter", "the trace is finished"},
       [](Tracer& t) {
         finish(t);
         t.parameter("late", values({3}));
       }},
      {"FinishTwice",
       {"Tracer.finish", "the trace is finished"},
       [](Tracer& t) {
         finish(t);
         t.finish(std::vector{values({3})}, Names{"y"});
       }},
  };
}

INSTANTIATE_TEST_SUITE_P(Inputs, Misuses, testing::ValuesIn(inputs()),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Others, Misuses, testing::ValuesIn(others()),
                         [](const auto& info) { return info.param.name; });

// The outputs of an earlier trace are constants of a later one, not traced.
TEST(Misuse, AnOutputOfAnEarlierTraceDependsOnNoInput) {
  Tensor earlier;
  {
    Tracer tracer = Tracer::begin();
    earlier = neg(tracer.input("x", values({3})));
    tracer.finish(std::vector{earlier}, Names{"y"});
  }
  Tracer tracer = Tracer::begin();
  tracer.input("x", values({3}));
  EXPECT_ERROR(tracer.finish(std::vector{earlier}, Names{"y"}), TraceError, "does not depend on an input");
}

TEST(Misuse, AConstantMustNotViewATracedTensor) {
  const Tensor example = values({2, 3});
  Tracer tracer = Tracer::begin();
  const Tensor y = tracer.input("x", example) + example.slice(0, 0, 1);
  EXPECT_ERROR(tracer.finish(std::vector{y}, Names{"y"}), TraceError, "operand 'B' of Add", "float32[1, 3]",
               "a view of a traced tensor");
}

}  // namespace
}  // namespace onemodel::test
