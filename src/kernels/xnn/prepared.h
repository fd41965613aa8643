#pragma once
// What every fast kernel is: made once for its parameters, shapes and constant weights, then run often.

#include <cstddef>
#include <memory>
#include <string>

namespace onemodel::kernels::xnn {

/// One kernel, ready to run. A factory returns null and says why in `refusal` when it does not cover a combination;
/// wrong sizes are the caller's bug and are refused too. Factories copy the constant weights they are given.
///
/// Shapes are fixed; all buffers are dense and row-major. Elements are float unless a factory says otherwise.
/// Inputs must be readable for 16 bytes past their end (Storage::kReadPadding covers it), and so must the workspace.
/// Nothing may alias unless a factory allows it. `run` does not allocate; it throws std::logic_error only for a bug.
/// A Prepared is not to be run from two threads at once; inside, it uses `thread_pool()` as it is at that time.
class Prepared {
 public:
  virtual ~Prepared() = default;
  /// `workspace`: `workspace_bytes()` bytes aligned to 64; the content is lost.
  virtual void run(const void* const* inputs, void* const* outputs, std::byte* workspace) = 0;
  virtual size_t workspace_bytes() const { return 0; }
};

using PreparedPtr = std::unique_ptr<Prepared>;

}  // namespace onemodel::kernels::xnn
