#include "format/file.h"
#include "onnx/read_onnx.h"
#include "runtime/session.h"

namespace onemodel {

Session Session::load(const std::string& path, const SessionOptions& options) {
  return Session(is_onemodel_file(path) ? load_onemodel(path) : read_onnx(read_file(path)), options);
}

}  // namespace onemodel
