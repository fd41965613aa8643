#include "format/file.h"
#include "onnx/read_onnx.h"
#include "runtime/session.h"

namespace onemodel {

Session Session::load(const std::string& path, const SessionOptions& options) {
  if (is_onemodel_file(path)) return Session(load_onemodel(path), options);
  OnnxReadOptions reading;
  reading.external = [&](const std::string& name, uint64_t offset, uint64_t length) {
    return read_beside(path, name, offset, length);
  };
  return Session(read_onnx(read_file(path), reading), options);
}

}  // namespace onemodel
