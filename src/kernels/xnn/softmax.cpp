#include "kernels/xnn/softmax.h"

#include "kernels/xnn/operator.h"
#include "kernels/xnn/simd.h"

namespace onemodel::kernels::xnn {
namespace {

constexpr int64_t kWorkEach = 16;  // multiplications for an exponential and its share of the sum

class Softmax : public Prepared {
 public:
  Softmax(Operator op, int64_t work) : op_(std::move(op)), work_(work) {}
  void run(const void* const* inputs, void* const* outputs, std::byte*) override {
    expect_success(xnn_setup_softmax_nc_f32(op_.get(), input_f32(inputs, 0), output_f32(outputs)), "softmax setup");
    run_operator(op_, work_);
  }

 private:
  Operator op_;
  int64_t work_;
};

}  // namespace

PreparedPtr softmax(int64_t rows, int64_t columns, std::string& refusal) {
  if (rows <= 0 || columns <= 0) return refuse(refusal, "a size is zero");
  if (!initialize(refusal)) return nullptr;
  xnn_operator_t op = nullptr;
  if (!accepted(xnn_create_softmax_nc_f32(0, &op), "softmax create", refusal)) return nullptr;
  Operator owned(op);
  const size_t width = to_size(columns);
  if (!accepted(xnn_reshape_softmax_nc_f32(op, width, width, width, to_size(rows), thread_pool().handle()),
                "softmax reshape", refusal))
    return nullptr;
  return std::make_unique<Softmax>(std::move(owned), rows * columns * kWorkEach);
}

}  // namespace onemodel::kernels::xnn
