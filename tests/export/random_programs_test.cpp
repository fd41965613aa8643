// Random module trees with state, updates and named sizes: exported, saved, loaded, and run at sizes that fit and that do not.

#include "core/generator.h"
#include "export/models.h"
#include "export/program_file.h"

namespace onemodel::test {
namespace {

constexpr int64_t kWidth = 3, kLeast = 2, kMost = 24;

class RandomProgram : public testing::TestWithParam<uint64_t> {
 protected:
  Tensor values(const Dims& dims) {
    Tensor out = Tensor::empty(dims);
    random.fill_uniform(out.mutable_raw_as<float>(), static_cast<size_t>(out.numel()), -1, 1);
    return out;
  }

  // One to three children, each a step of its own or such a tree again.
  std::shared_ptr<nn::Module> tree(int depth) {
    auto children = std::make_shared<std::vector<std::shared_ptr<nn::Module>>>();
    auto out = std::make_shared<Model>([children](Model& self, Inputs inputs) -> Outputs {
      Tensor x = inputs[0] * self["scale"];
      for (const auto& child : *children) x = (*child)(x) + x;
      add_(self["seen"], mean(x, {0}), 0.5);
      return {x + self["seen"]};
    });
    out->parameter("scale", values({kWidth})).buffer("seen", values({kWidth}), random.below(2) == 0);
    for (uint64_t n = 1 + random.below(3); n > 0; --n) {
      children->push_back(depth > 0 && random.below(3) == 0 ? tree(depth - 1) : step());
      out->child(concat("child", n), children->back());
    }
    return out;
  }

  std::shared_ptr<nn::Module> step() {
    switch (random.below(4)) {
      case 0: return std::make_shared<nn::Linear>(kWidth, kWidth);
      case 1: return std::make_shared<nn::GELU>();
      case 2: return std::make_shared<nn::BatchNorm1d>(nn::BatchNorm2dOptions{.num_features = kWidth});
      default: {
        // Reads, updates a part, and reads again.
        auto out = std::make_shared<Model>([](Model& self, Inputs inputs) -> Outputs {
          const Tensor before = inputs[0] * self["part"];
          slice_scatter_(self["part"], slice(mean(inputs[0], {0}), 0, 0, 2), 0, 1, 3);
          mul_(self["part"], 0.5);
          return {before + self["part"]};
        });
        out->buffer("part", values({kWidth}));
        return out;
      }
    }
  }

  Generator random{GetParam()};
};

TEST_P(RandomProgram, FollowsItsModelWhereItMayAndRefusesTheRest) {
  const Exact exact;
  const size_t count = 1 + static_cast<size_t>(random.below(3));
  const bool is_derived = count > 1 && random.below(2) == 0;  // the last size is 2*d0 + 1
  std::vector<std::shared_ptr<nn::Module>> trees;
  Model model([&](Model&, Inputs inputs) -> Outputs {
    Outputs out;
    for (size_t i = 0; i < count; ++i) out.push_back((*trees[i])(inputs[i]) + (i ? mean(out[i - 1], {0}) : inputs[i]));
    return out;
  });
  std::vector<ShapeSpec> sizes;
  for (size_t i = 0; i < count; ++i) {
    trees.push_back(tree(2));
    model.child(concat("tree", i), trees.back());
    const bool follows = is_derived && i + 1 == count;
    const Dim dim = follows ? Dim("d0", kLeast, kMost) * 2 + 1 : Dim(concat("d", i), kLeast, kMost);
    sizes.push_back(ShapeSpec::axes({{0, dim}}));
  }
  const auto inputs_of = [&](std::vector<int64_t> free) {
    if (is_derived) free.back() = 2 * free[0] + 1;
    Outputs out;
    for (const int64_t size : free) out.push_back(values({size, kWidth}));
    return out;
  };
  const auto some_sizes = [&] {
    std::vector<int64_t> out;
    for (size_t i = 0; i < count; ++i) out.push_back(kLeast + static_cast<int64_t>(random.below(kMost - kLeast + 1)));
    return out;
  };
  std::vector<int64_t> first;
  for (size_t i = 0; i < count; ++i) first.push_back(7 + 4 * static_cast<int64_t>(i));
  ExportOptions options;
  options.dynamic_shapes = ShapeSpec::of(sizes);
  const ExportedProgram program = exported(model, inputs_of(first), options);
  const ExportedProgram loaded = read_programs(write_programs({{"main", program}})).at("main");
  EXPECT_EQ(to_string(loaded), to_string(program));

  std::vector<std::vector<Tensor>> fitting;
  fitting.reserve(10);
  for (int i = 0; i < 10; ++i) fitting.push_back(inputs_of(some_sizes()));
  expect_follows(model, loaded, fitting);

  ProgramSession session(loaded);
  const auto before = session.state()->tensors();
  for (int i = 0; i < 10; ++i) {
    Outputs inputs = inputs_of(some_sizes());
    const auto at = static_cast<size_t>(random.below(count));
    const bool follows = is_derived && at + 1 == count;
    const int64_t wrong = follows           ? inputs[at].dims()[0] + 1 + static_cast<int64_t>(random.below(3))
                          : random.below(2) ? kMost + 1 + static_cast<int64_t>(random.below(9))
                                            : static_cast<int64_t>(random.below(kLeast));
    inputs[at] = values({wrong, kWidth});
    const std::string name = count == 1 ? "'input'" : concat("'input_", at, "'");
    const std::string label = follows ? "2 * d0 + 1" : concat("size 'd", at, "'");
    EXPECT_ERROR(session.run(inputs), ConstraintsError, name, label, concat("got ", wrong));
  }
  const auto after = session.state()->tensors();
  for (size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(same_bits(before[i], after[i]));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomProgram, testing::Range<uint64_t>(1, 9));

}  // namespace
}  // namespace onemodel::test
