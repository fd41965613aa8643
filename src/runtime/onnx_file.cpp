#include "runtime/onnx_file.h"

#include <vector>

#include "format/file.h"
#include "onnx/read_onnx.h"
#include "onnx/write_onnx.h"

namespace onemodel {

Graph load_onnx(const std::string& path) {
  OnnxReadOptions reading;
  reading.external = [&](const std::string& name, uint64_t offset, uint64_t length) {
    return read_beside(path, name, offset, length);
  };
  const std::vector<std::byte> file = read_file(path);
  try {
    return read_onnx(file, reading);
  } catch (Error& error) {
    error.add_context(concat("'", path, "'"));
    throw;
  }
}

void save_onnx(const std::string& path, const Graph& graph, std::optional<uint64_t> external_from) {
  if (!external_from) return write_file(path, write_onnx(graph));
  const std::string data = path + ".data";
  // Neither takes its place before both are written.
  write_file(path, [&](const Sink& model) {
    write_file(data, [&](const Sink& weights) {
      const ExternalWeights external{data.substr(data.find_last_of("/\\") + 1), weights, *external_from};
      model(write_onnx(graph, &external));
    });
  });
}

}  // namespace onemodel
