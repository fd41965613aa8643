#pragma once
// Batched product of 8-bit matrices less their zero points, summed in int32.
//
// Shapes: as those of matmul.h; C[batch..., m, n] is contiguous. k = 0 gives sums of 0.
// Dtypes: i8 and u8, each operand its own; C is i32, i8 or u8.
// Order: sums wrap, so none matters: every kernel gives these bits.
// Aliasing: C overlaps no input. Threads: split over tiles of C.

#include <memory>

#include "kernels/portable/integer_sums.h"
#include "kernels/portable/matmul.h"

namespace onemodel::kernels {

struct IntegerMatMul {
  MatMulShape shape;
  DType a_dtype = DType::i8, b_dtype = DType::i8;
  LineValues<int32_t> a_zero, b_zero;  // of each row of A, and of each column of B
  /// C is as `target` says, with the multiplier a_scale * b_scale / y_scale; not read for i32.
  SumTarget target;
  LineValues<float> a_scale, b_scale;
  float y_scale = 1;
  const int32_t* bias = nullptr;  // of each column, added to the sums; null for none
};

/// B in the order in which products read it.
class PackedColumns {
 public:
  /// For products of the same shape. When B and its zero points are no batch, those of A and C may differ.
  PackedColumns(const IntegerMatMul& problem, const void* b);
  Panels<uint32_t> panels(int64_t which) const {
    return {data_.get() + which * batch_step_, panel_, kTileColumns<uint32_t>};
  }

 private:
  int64_t panel_, batch_step_ = 0;
  std::unique_ptr<uint32_t[]> data_;
};

void integer_matmul(const IntegerMatMul& problem, const void* a, const PackedColumns& b, void* c);
void integer_matmul(const IntegerMatMul& problem, const void* a, const void* b, void* c);

}  // namespace onemodel::kernels
