#include "export/structure.h"

#include <gtest/gtest.h>

#include "support/error_text.h"

namespace onemodel {
namespace {

Argument nested() {
  return Argument::dict(
      {{"ids", Tensor::zeros({2})}, {"layers", Argument::list({Tensor::zeros({3}), ArgumentLeaf(true), Argument()})}});
}

TEST(Structure, TakesAnArgumentApartAndPutsItTogether) {
  const Argument argument = nested();
  const Structure structure = structure_of(argument);
  EXPECT_EQ(to_string(structure), "{ids: *, layers: [*, *, *]}");
  const std::vector<ArgumentLeaf> leaves = flatten(argument);
  ASSERT_EQ(leaves.size(), structure.leaf_count());
  EXPECT_EQ(std::get<bool>(leaves[2]), true);
  const Argument again = unflatten(structure, leaves);
  EXPECT_EQ(structure_of(again), structure);
  EXPECT_TRUE(same(std::get<Tensor>(again.children[1].children[0].value), std::get<Tensor>(leaves[1])));
}

TEST(Structure, NamesLeavesByTheirPath) {
  EXPECT_EQ(leaf_names("batch", structure_of(nested())),
            (std::vector<std::string>{"batch_ids", "batch_layers_0", "batch_layers_1", "batch_layers_2"}));
  EXPECT_EQ(leaf_names("x", Structure{}), std::vector<std::string>{"x"});
}

TEST(Structure, TellsTensorsOfACall) {
  const std::vector<NamedArgument> arguments{{"batch", nested()}, {"x", Tensor::zeros({4})}};
  const std::vector<TensorLeaf> leaves = tensor_leaves(arguments);
  ASSERT_EQ(leaves.size(), 3U);
  EXPECT_EQ(leaves[1].name, "batch_layers_0");
  EXPECT_EQ(leaves[2].name, "x");
}

TEST(Structure, ANestedNameThatIsTakenGetsASuffix) {
  const Tensor x = Tensor::zeros({1});
  const std::vector<NamedArgument> arguments{{"a", Argument::list({x})},
                                             {"a_0", x},
                                             {"b", Argument::dict({{"c_0", x}, {"c", Argument::list({x, x})}})},
                                             {"a_0_1", x}};
  std::vector<std::string> names;
  for (const TensorLeaf& leaf : tensor_leaves(arguments)) names.push_back(leaf.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a_0_2", "a_0", "b_c_0", "b_c_0_1", "b_c_1", "a_0_1"}));
}

TEST(Structure, RefusesWhatIsAmbiguous) {
  EXPECT_ERROR(Argument::dict({{"a", Argument()}, {"a", Argument()}}), ArgumentError, "the key 'a' twice");
  EXPECT_ERROR(unflatten(structure_of(nested()), std::vector<ArgumentLeaf>(3)), ArgumentError, "has 4 leaves, got 3");
  const std::vector<NamedArgument> clash{{"a", Argument::list({Tensor::zeros({1})})}, {"a", Argument()}};
  EXPECT_ERROR(tensor_leaves(clash), ArgumentError, "two arguments have the name 'a'");
  const std::vector<NamedArgument> nothing{{"a", Tensor()}};
  EXPECT_ERROR(tensor_leaves(nothing), ArgumentError, "'a' is an undefined tensor");
}

}  // namespace
}  // namespace onemodel
