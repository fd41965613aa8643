// om_samples FOLDER: writes the sample calls of operators as models of one node, for comparison with other engines.
//
// FOLDER/<n>.onnx takes x, whose elements are in FOLDER/<n>.bin. Prints a line for each: n, the operator, dtype and extents of x,
// and the call, with tabs between them.

#include <cstdio>

#include "format/file.h"
#include "graph/sample_graph.h"
#include "onnx/write_onnx.h"
#include "ops/op_list.h"

using namespace onemodel;

namespace {

std::vector<Sample> all_samples() {
  std::vector<Sample> all;
#define OP(T) \
  for (Sample & sample : samples_of<T>()) all.push_back(std::move(sample));
#include "ops/op_list.inc"
#undef OP
  return all;
}

std::string joined(const Dims& dims) {
  std::string out;
  for (const int64_t extent : dims) out += concat(out.empty() ? "" : ",", extent);
  return out;
}

const Tensor* first_values(const Sample& sample) {
  for (size_t i = 0; i < sample.inputs.size(); ++i)
    if (sample.inputs[i].defined() && !sample.op.traits().input(i).is_shape_data) return &sample.inputs[i];
  return nullptr;
}

void write(const Sample& sample, const std::string& folder, size_t n) {
  const Tensor* x = first_values(sample);
  if (!x || x->dtype() == DType::string) return;
  const Tensor values = x->contiguous();
  write_file(concat(folder, "/", n, ".onnx"), write_onnx(graph_of(sample)));
  write_file(concat(folder, "/", n, ".bin"), {values.raw(), values.bytes()});
  const std::string line = concat(n, "\t", sample.op.traits().info.name, "\t", x->dtype(), "\t", joined(x->dims()),
                                  "\t", sample.op, " of ", *x, "\n");
  std::fputs(line.c_str(), stdout);
}

void write_all(const std::string& folder) {
  const std::vector<Sample> samples = all_samples();
  for (size_t n = 0; n < samples.size(); ++n)
    if (samples[n].error.empty() && !samples[n].op.traits().info.internal) write(samples[n], folder, n);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: om_samples FOLDER\n", stderr);
    return 2;
  }
  try {
    write_all(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "om_samples: %s\n", error.what());
    return 1;
  }
}
