#include "export/shapes_collection.h"

#include <gtest/gtest.h>

#include "support/error_text.h"

namespace onemodel {
namespace {

const Dim n("n");

TEST(ShapesCollection, FindsTensorsInNestedArguments) {
  const Tensor x = Tensor::zeros({4, 3}), y = Tensor::zeros({4, 3});
  const std::vector<NamedArgument> arguments{{"x", x},
                                             {"options", Argument::dict({{"y", y}, {"flag", ArgumentLeaf(true)}})}};
  ShapesCollection collection;
  collection.set(y, ShapeSpec::axes({{0, Dim::AUTO}}));
  collection.set(y, ShapeSpec::of({n, {}}));
  const std::vector<InputSizes> inputs = lay_out(collection.dynamic_shapes(arguments), arguments);
  ASSERT_EQ(inputs.size(), 2U);
  EXPECT_EQ(entry_text(inputs[0].entries[0]), "null");
  EXPECT_EQ(entry_text(inputs[1].entries[0]), "Dim 'n'");
}

TEST(ShapesCollection, RefusesTensorsThatAreNoArguments) {
  const std::vector<NamedArgument> arguments{{"x", Tensor::zeros({4, 3})}};
  ShapesCollection collection;
  collection.set(Tensor::zeros({4, 3}), ShapeSpec());
  EXPECT_ERROR(collection.dynamic_shapes(arguments), ArgumentError, "float32[4, 3] is none of the arguments");
  EXPECT_ERROR(collection.set(Tensor(), ShapeSpec()), ArgumentError, "undefined");
}

std::vector<NamedArgument> call(const Dims& x, const Dims& y, ArgumentLeaf flag = true) {
  return {{"x", Tensor::zeros(x)}, {"rest", Argument::list({Tensor::zeros(y), std::move(flag)})}};
}

TEST(AdditionalInputs, MakeDynamicWhatDiffers) {
  const std::vector<NamedArgument> example = call({4, 3}, {5});
  AdditionalInputs more;
  more.add(call({4, 6}, {5}));
  more.add(call({2, 3}, {5}));
  const std::vector<InputSizes> inputs = lay_out(more.dynamic_shapes(example), example);
  EXPECT_EQ(entry_text(inputs[0].entries[0]), "Dim.DYNAMIC");
  EXPECT_EQ(entry_text(inputs[0].entries[1]), "Dim.DYNAMIC");
  EXPECT_EQ(entry_text(inputs[1].entries[0]), "null");
}

TEST(AdditionalInputs, RefuseWhatIsNoSize) {
  const std::vector<NamedArgument> example = call({4, 3}, {5});
  const auto shapes_with = [&](std::vector<NamedArgument> other) {
    AdditionalInputs more;
    more.add(std::move(other));
    return more.dynamic_shapes(example);
  };
  EXPECT_ERROR(shapes_with(call({4}, {5})), ArgumentError, "additional inputs 0: input 'x' is float32[4]", "of rank 2");
  EXPECT_ERROR(shapes_with(call({4, 3}, {5}, false)), ArgumentError, "input 'rest_1' is another value");
  EXPECT_ERROR(shapes_with({{"x", Tensor::zeros({4, 3})}}), ArgumentError, "got 1 arguments, expected 2");
  EXPECT_ERROR(shapes_with({{"x", Tensor::zeros({4, 3})}, {"y", Argument()}}), ArgumentError, "'rest' is missing");
  EXPECT_ERROR(shapes_with({{"x", Argument::list({})}, {"rest", example[1].value}}), ArgumentError,
               "input 'x' has the structure []", "expected *");
}

TEST(AdditionalInputs, RunAllOfThem) {
  AdditionalInputs more;
  more.add(call({4, 6}, {5}));
  more.add(call({2, 3}, {5}));
  size_t runs = 0;
  more.verify([&](std::span<const NamedArgument> arguments) { runs += arguments.size() == 2; });
  EXPECT_EQ(runs, 2U);
  EXPECT_ERROR(more.verify([&](std::span<const NamedArgument> arguments) {
    if (std::get<Tensor>(arguments[0].value.value).dims()[0] == 2) throw ConstraintsError("x is too small");
  }),
               ConstraintsError, "additional inputs 1: x is too small");
}

}  // namespace
}  // namespace onemodel
