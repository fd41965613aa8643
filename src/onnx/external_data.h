#pragma once
// Weights in files beside the model.

#include <onnx.pb.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/storage.h"
#include "onnx/problems.h"
#include "onnx/read_onnx.h"

namespace onemodel {

/// The tensors of a model whose values are elsewhere, graphs inside nodes included. Values go straight to the memory in
/// which they stay.
class ExternalTensors {
 public:
  /// `model`, with its functions, outlives it. Errors name the tensor.
  ExternalTensors(onnx::ModelProto& model, Problems& problems);

  /// Takes what `read` has. Errors name the tensor and the file.
  void read(const ReadExternal& read, Problems& problems);
  /// The files of which bytes are missing, each once, in the order of use.
  std::vector<std::string> missing() const;
  /// Bytes of a file from `offset` on. Those of one file come in order; memory is taken when a tensor's first byte is there.
  void feed(std::string_view file, uint64_t offset, std::span<const std::byte> bytes);
  /// Every tensor has its values now, or is a problem.
  void finish(Problems& problems);
  /// Whether the tensor's values are elsewhere and did not come; that is a problem already.
  bool lacks(const onnx::TensorProto& proto) const;
  /// After `finish`, once: the values of an initializer; nothing when they are in the model itself.
  std::optional<Tensor> take(const onnx::TensorProto& proto);

 private:
  struct External {
    onnx::TensorProto* proto;
    bool is_attribute;
    std::string where, file;
    uint64_t offset = 0, length = 0, filled = 0;
    bool is_begun = false, is_refused = false;  // refused: a problem already
    std::shared_ptr<Storage> storage = {};

    bool is_whole() const { return filled == length; }
  };

  static External describe(onnx::TensorProto& tensor, bool is_attribute, const std::string& where);
  void add(External each);
  static void put_into(External& each);

  std::vector<External> list_;
};

}  // namespace onemodel
