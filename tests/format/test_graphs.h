#pragma once
// A small graph with everything that a .onemodel file can hold.

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "format/read_onemodel.h"
#include "format/write_onemodel.h"
#include "graph/graph.h"
#include "ops/fused_matmul.h"
#include "ops/reshape.h"
#include "ops/shape.h"
#include "ops/unary.h"

namespace onemodel::test {

using Bytes = std::vector<std::byte>;

inline Graph sample_model() {
  Graph graph;
  graph.name = "sample";
  graph.metadata = {{"author", "me"}, {"empty", ""}};
  const Extent batch = Extent::symbol("batch", 4), n = Extent::symbol("n");
  const ValueId x = graph.add_input("x", {DType::f32, {batch, Extent(2) * n, 3}});
  const ValueId w = graph.add_constant("fc.weight", Tensor::full({3, 5}, 0.5), ConstantKind::parameter);
  const ValueId b = graph.add_constant("fc.bias", Tensor::full({5}, -1), ConstantKind::buffer);
  const ValueId y = graph.add_node(FusedMatMul{}, {x, w, b}, "fc", 1, "head.fc")[0];
  graph.nodes[0].clamp = Clamp{0, std::numeric_limits<float>::infinity()};
  const ValueId shape = graph.add_constant("shape", Tensor::from_ints(std::vector<int64_t>{0, -1}));
  const ValueId z = graph.add_node(Reshape{}, {y, shape}, "flat")[0];
  const ValueId zeros = graph.add_node(ConstantOfShape{.value = Tensor::from<bool>({true}, {1})},
                                       {graph.add_node(ShapeOf{}, {z}, "size")[0]}, "ones")[0];
  const ValueId leaky = graph.add_node(LeakyRelu{.alpha = 0.125f}, {z}, "leaky")[0];
  graph.outputs = {leaky, zeros, graph.add_constant("flag", Tensor::from<bool>({true, false}, {2}))};
  graph.contract = std::make_shared<const SizeContract>(
      SizeContract{.ranges = {{"batch", 1, 64}, {"n", 2, {}}}, .relations = {{"2*n", "n", 2, 0}}});
  infer_types(graph);
  return graph;
}

}  // namespace onemodel::test
