#include "format/file.h"
#include "runtime/onnx_file.h"
#include "runtime/session.h"

namespace onemodel {

Session Session::load(const std::string& path, const SessionOptions& options) {
  return Session(is_onemodel_file(path) ? load_onemodel(path) : load_onnx(path), options);
}

}  // namespace onemodel
