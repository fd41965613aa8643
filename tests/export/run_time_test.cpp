// What a session of an exported program refuses, and how it says so.

#include <gtest/gtest.h>

#include "ops/binary.h"
#include "ops/reshape.h"
#include "runtime/session.h"
#include "support/error_text.h"
#include "support/graphs.h"

namespace onemodel::test {
namespace {

const Extent n = Extent::symbol("n"), m = Extent::symbol("m");

/// A program that copies its inputs, which have those shapes.
Graph program(std::vector<Shape> shapes, SizeContract contract) {
  Graph graph;
  graph.name = "copy";
  const std::string names = "xyzw";
  for (size_t i = 0; i < shapes.size(); ++i) {
    const ValueId input = graph.add_input(std::string(1, names[i]), {DType::f32, shapes[i]});
    graph.outputs.push_back(add(graph, Identity{}, {input}));
  }
  graph.contract = std::make_shared<const SizeContract>(std::move(contract));
  return graph;
}

std::vector<Tensor> zeros(std::initializer_list<Dims> dims) {
  std::vector<Tensor> out;
  for (const Dims& each : dims) out.push_back(Tensor::zeros(each));
  return out;
}

#define EXPECT_REFUSED(session, inputs, ...) EXPECT_ERROR((session).run(inputs), ConstraintsError, __VA_ARGS__)

TEST(RunTime, Range) {
  Session session(program({{n, 3}, {m, 3}}, {.ranges = {{"n", 2, 64}, {"m", 0, 8}}}));
  EXPECT_EQ(session.run(zeros({{2, 3}, {8, 3}})).size(), 2U);
  EXPECT_EQ(session.run(zeros({{64, 3}, {0, 3}})).size(), 2U);
  EXPECT_REFUSED(session, zeros({{70, 3}, {1, 3}}), "model 'copy'",
                 "input 'x', axis 0: size 'n' must be in [2, 64], got 70");
  EXPECT_REFUSED(session, zeros({{1, 3}, {9, 3}}), "size 'n' must be in [2, 64], got 1",
                 "input 'y', axis 0: size 'm' must be in [-inf, 8], got 9");
}

TEST(RunTime, OpenRange) {
  Session session(program({{n}}, {.ranges = {{"n", 4, {}}}}));
  EXPECT_REFUSED(session, zeros({{3}}), "must be in [4, inf], got 3");
}

TEST(RunTime, Equality) {
  Session session(program({{n, m}, {n, n}}, {}));
  EXPECT_EQ(session.run(zeros({{2, 5}, {2, 2}})).size(), 2U);
  EXPECT_REFUSED(session, zeros({{2, 5}, {3, 2}}),
                 "size 'n' must be one size: it is 2 at input 'x', axis 0, but 3 at input 'y', axis 0");
  EXPECT_REFUSED(session, zeros({{2, 5}, {2, 4}}), "it is 2 at input 'x', axis 0, but 4 at input 'y', axis 1");
}

TEST(RunTime, Relation) {
  Session session(program({{Extent(2) * n + 1}, {n}}, {.relations = {{"2*n + 1", "n", 2, 1}}}));
  EXPECT_EQ(session.run(zeros({{7}, {3}})).size(), 2U);
  EXPECT_REFUSED(session, zeros({{8}, {3}}),
                 "input 'x', axis 0: the size must be 2 * n + 1 = 7, since n is 3 at input 'y', axis 0, got 8");
}

// A relation that the type states holds also without an entry, and one with an entry for a plain symbol.
TEST(RunTime, RelationFromEitherSide) {
  Session stated(program({{n}, {n - 1}}, {}));
  EXPECT_REFUSED(stated, zeros({{4}, {4}}), "input 'y', axis 0: the size must be 1 * n - 1 = 3");
  Session named(program({{n}, {m}}, {.relations = {{"m", "n", 3, 0}}}));
  EXPECT_EQ(named.run(zeros({{4}, {12}})).size(), 2U);
  EXPECT_REFUSED(named, zeros({{4}, {4}}), "input 'y', axis 0: the size must be 3 * n + 0 = 12");
}

TEST(RunTime, RelationWithoutItsRoot) {
  Session session(program({{Extent(2) * n + 1}, {Extent(3) * n}},
                          {.ranges = {{"n", 2, 8}}, .relations = {{"2*n + 1", "n", 2, 1}, {"3*n", "n", 3, 0}}}));
  EXPECT_EQ(session.run(zeros({{7}, {9}})).size(), 2U);
  EXPECT_REFUSED(session, zeros({{6}, {9}}),
                 "input 'x', axis 0: the size must be 2 * n + 1 for some n in [2, 8], got 6");
  EXPECT_REFUSED(session, zeros({{19}, {27}}), "2 * n + 1 for some n in [2, 8], got 19");
  EXPECT_REFUSED(session, zeros({{7}, {12}}),
                 "input 'y', axis 0: the size must be 3 * n + 0 = 9, since n is 3 at input 'x', axis 0, got 12");
}

TEST(RunTime, StaticAxesRankAndType) {
  Session session(program({{n, 3}, {4}}, {}));
  EXPECT_REFUSED(session, zeros({{2, 5}, {4}}), "input 'x', axis 1: the size is static and must be 3, got 5");
  EXPECT_REFUSED(session, zeros({{2, 3, 1}, {4}}), "input 'x': the rank must be 2 (float32[n, 3]), got 3");
  std::vector<Tensor> other = zeros({{2, 3}, {4}});
  other[1] = other[1].cast(DType::i64);
  EXPECT_REFUSED(session, other, "input 'y': the element type must be float32, got int64");
}

TEST(RunTime, AllProblemsTogether) {
  Session session(
      program({{n, 3}, {n}, {Extent(2) * n}, {4}}, {.ranges = {{"n", 2, 8}}, .relations = {{"2*n", "n", 2, 0}}}));
  EXPECT_REFUSED(session, zeros({{9, 5}, {7}, {13}, {4, 4}}), "axis 1: the size is static", "must be in [2, 8], got 9",
                 "but 7 at input 'y', axis 0", "input 'z', axis 0: the size must be 2 * n + 0 = 18",
                 "'w': the rank must be 1");
}

// Sizes that were seen before are not checked again, new ones are; a refusal leaves the session as it was.
TEST(RunTime, NewSizesAreCheckedAfterOthers) {
  Session session(program({{n}}, {.ranges = {{"n", 2, 4}}}));
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(session.run(zeros({{3}})).front().dims(), (Dims{3}));
    EXPECT_REFUSED(session, zeros({{5}}), "got 5");
  }
  EXPECT_EQ(session.plan_count(), 1U);
}

// A program whose sizes are fixed has its plan from the start.
TEST(RunTime, ProgramWithoutDynamicSizes) {
  Session session(program({{3}, {4}}, {}));
  EXPECT_REFUSED(session, zeros({{4}, {3}}), "input 'x', axis 0", "input 'y', axis 0");
}

TEST(RunTime, ManySizes) {
  std::vector<Extent> extents;
  for (char c = 'a'; c < 'a' + 8; ++c) extents.push_back(Extent::symbol(std::string(1, c)));
  std::vector<Shape> shapes;
  SizeContract contract;
  for (int64_t i = 0; i < 4; ++i) {
    Shape shape;
    for (const Extent& extent : extents) {
      shape.push_back(extent + i);
      if (i > 0) contract.relations.push_back({(extent + i).text(), extent.text(), 1, i});
    }
    shapes.push_back(std::move(shape));
  }
  shapes.push_back({Extent::symbol("last")});
  Graph graph = program({shapes[0], shapes[1], shapes[2], shapes[3]}, contract);
  Session session(std::move(graph));
  EXPECT_EQ(session.run(zeros({Dims::filled(8, 1), Dims::filled(8, 2), Dims::filled(8, 3), Dims::filled(8, 4)})).size(),
            4U);
  EXPECT_REFUSED(session, zeros({Dims::filled(8, 1), Dims::filled(8, 2), Dims::filled(8, 3), Dims::filled(8, 3)}),
                 "the size must be 1 * h + 3 = 4");
}

TEST(RunTime, ContractsThatMeanNothingAreMalformed) {
  const auto error_of = [](SizeContract contract) {
    try {
      Session session(program({{n, 3}, {Extent(2) * n}}, std::move(contract)));
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::string model = "model 'copy': ";
  EXPECT_EQ(error_of({.ranges = {{"n", 2, 8}}, .relations = {{"2*n", "n", 2, 0}}}), "none");
  EXPECT_EQ(error_of({.ranges = {{"k", 2, 8}}}), model + "size contract: the size 'k' is that of no input");
  EXPECT_EQ(error_of({.ranges = {{"n", 2, 8}, {"n", 2, 8}}}), model + "size contract: the size 'n' has two ranges");
  EXPECT_EQ(error_of({.ranges = {{"n", 8, 2}}}), model + "size contract: the size 'n' has the range [8, 2]");
  EXPECT_EQ(error_of({.ranges = {{"n", -1, 2}}}), model + "size contract: the size 'n' has the range [-1, 2]");
  EXPECT_EQ(error_of({.ranges = {{"n\n", 1, 2}}}), model + "size contract: 'n\n' cannot be the name of a size");
  EXPECT_EQ(error_of({.relations = {{"2*k", "k", 2, 0}}}),
            model + "size contract: the derived size '2*k' is that of no input");
  EXPECT_EQ(error_of({.relations = {{"2*n", "n", 0, 0}}}),
            model + "size contract: the size '2*n' is 0 times 'n' plus 0");
  EXPECT_EQ(error_of({.relations = {{"2*n", "n", 2, 0}, {"2*n", "n", 2, 0}}}),
            model + "size contract: the size '2*n' is derived twice");
  EXPECT_EQ(error_of({.relations = {{"2*n", "n", 2, 0}, {"n", "2*n", 2, 0}}}),
            model + "size contract: 'n' cannot be a derived size");
  EXPECT_EQ(error_of({.relations = {{"2*n", "n", 2, 0}, {"n", "k", 2, 0}}}),
            model + "size contract: the size 'n' is a root and derived");
}

}  // namespace
}  // namespace onemodel::test
