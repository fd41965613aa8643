#pragma once
// Graphs built by hand in tests, their inputs, and their values without passes and plans.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace onemodel::test {

/// The sizes that symbols stand for.
using Sizes = std::map<std::string, int64_t>;

/// Appends a node with one output.
ValueId add(Graph& graph, Op op, std::vector<ValueId> inputs, std::string name = {});
/// A constant list of int64, as shapes and axes are given.
ValueId ints(Graph& graph, std::initializer_list<int64_t> values);
/// The operators in order: "Conv Relu Flatten".
std::string operators(const Graph& graph);

/// Reproducible tensors for the graph's inputs: floats in [-2, 2), integers in [0, 4). A symbol that `sizes` does not
/// name is 3.
std::vector<Tensor> random_inputs(const Graph& graph, const Sizes& sizes = {}, uint64_t seed = 7);
/// The graph's outputs, node after node with the portable kernels: what every run has to give.
std::vector<Tensor> evaluate_graph(const Graph& graph, const std::vector<Tensor>& inputs);

/// Both graphs give outputs of the same names and, on random inputs, the same values within `tolerance`; bit for bit
/// when it is 0.
testing::AssertionResult same_results(const Graph& before, const Graph& after, double tolerance = 0,
                                      const Sizes& sizes = {});
testing::AssertionResult same_tensors(const std::vector<Tensor>& a, const std::vector<Tensor>& b, double tolerance = 0);

}  // namespace onemodel::test
