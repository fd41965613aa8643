#include "ops/matmul_integer.h"

#include "kernels/portable/integer_matmul.h"
#include "ops/declare.h"
#include "ops/extent_checks.h"
#include "ops/matmul.h"
#include "ops/packing_operands.h"
#include "ops/quantised_checks.h"
#include "ops/strided.h"

namespace onemodel {
namespace {

enum class Side : uint8_t { rows, columns };

Extent lines_of(const Shape& matrix, Side side) {
  if (matrix.rank() == 1) return 1;
  return matrix[matrix.rank() - (side == Side::rows ? 2 : 1)];
}

// A scale or zero point of input `matrix`: one number, or one for each line of it.
void check_matrix_lines(const InferContext& context, size_t i, std::string_view name, size_t matrix, Side side) {
  if (!context.has(i) || is_single(context.shape(i))) return;
  const Shape &shape = context.shape(i), &of = context.shape(matrix);
  const Extent lines = lines_of(of, side);
  if (shape.rank() == 1) return check_lines(context, i, name, lines);
  context.check(shape.rank() == of.rank(), "'", name, "' of shape ", shape, " does not fit a matrix of shape ", of);
  for (size_t d = 0; d < of.rank(); ++d) {
    const bool inner = d == of.rank() - (side == Side::rows ? 1 : 2);
    check_equal(context, shape[d], inner ? Extent(1) : of[d], "'", name, "' of shape ", shape,
                " does not fit a matrix of shape ", of);
  }
}

// The numbers of `tensor` as a product over `batch` reads them.
template <class T>
kernels::LineValues<T> matrix_lines(const Tensor& tensor, const Dims& batch, int64_t lines, Side side) {
  const T* data = tensor.raw_as<T>();
  if (tensor.numel() == 1) return {data};
  const bool rows = side == Side::rows;
  const auto matrix = [rows](Dims dims, int64_t count) {
    dims.push_back(rows ? count : 1);
    dims.push_back(rows ? 1 : count);
    return dims;
  };
  const Dims dims = tensor.rank() == 1 ? matrix({}, lines) : tensor.dims();
  const Dims strides = broadcast_strides(dims, contiguous_strides(dims), matrix(batch, lines));
  return {data, strides[batch.size() + (rows ? 0 : 1)], Dims(std::span(strides.data(), batch.size()))};
}

// A product and the tensors that it points to.
struct Product {
  Tensor a_zero, b_zero, a_scale, b_scale, bias;
  kernels::IntegerMatMul problem;
};

void set_operands(Product& product, const Tensor& a, const Tensor& b, const Tensor& y) {
  kernels::IntegerMatMul& problem = product.problem;
  problem.shape = matmul_operands(a, b, y.dims());
  problem.a_dtype = a.dtype();
  problem.b_dtype = b.dtype();
  problem.target.dtype = y.dtype();
  problem.a_zero = matrix_lines<int32_t>(product.a_zero, problem.shape.batch, problem.shape.m, Side::rows);
  problem.b_zero = matrix_lines<int32_t>(product.b_zero, problem.shape.batch, problem.shape.n, Side::columns);
}

Product integer_product(const EvalContext& context) {
  const auto zero = [&](size_t i) { return zero_points(context.has(i) ? context.input(i) : Tensor()); };
  Product out{.a_zero = zero(2), .b_zero = zero(3), .a_scale = {}, .b_scale = {}, .bias = {}, .problem = {}};
  set_operands(out, context.input(0), context.input(1), context.output());
  return out;
}

Product quantised_product(const EvalContext& context) {
  Product out{.a_zero = zero_points(context.input(2)),
              .b_zero = zero_points(context.input(5)),
              .a_scale = scales(context.input(1)),
              .b_scale = scales(context.input(4)),
              .bias = context.has(8) ? context.input(8) : Tensor(),
              .problem = {}};
  set_operands(out, context.input(0), context.input(3), context.output());
  kernels::IntegerMatMul& problem = out.problem;
  problem.target.zero = one_zero(context.input(7));
  problem.a_scale = matrix_lines<float>(out.a_scale, problem.shape.batch, problem.shape.m, Side::rows);
  problem.b_scale = matrix_lines<float>(out.b_scale, problem.shape.batch, problem.shape.n, Side::columns);
  problem.y_scale = one_scale(context.input(6));
  if (out.bias.defined()) problem.bias = out.bias.raw_as<int32_t>();
  return out;
}

/// With B packed when it is made. All but A is constant, or of MatMulInteger A and its one zero point.
class PackedProduct final : public Kernel {
 public:
  PackedProduct(Product product, const Tensor& b, bool reads_zero)
      : product_(std::move(product)), b_(product_.problem, b.raw()), reads_zero_(reads_zero) {
    if (reads_zero_) product_.problem.a_zero = {&a_zero_, 0, {}};
  }
  void run(std::span<const Tensor> inputs, std::span<const Tensor> outputs, std::byte*) override {
    if (reads_zero_) a_zero_ = byte_of(inputs[2]);
    kernels::integer_matmul(product_.problem, inputs[0].raw(), b_, outputs[0].mutable_raw());
  }
  bool keeps_constant(size_t input) const override { return input != 0 && !(reads_zero_ && input == 2); }

 private:
  Product product_;
  kernels::PackedColumns b_;
  int32_t a_zero_ = 0;
  bool reads_zero_;
};

// `zero`: the place of A's zero point, when it may be given at run time.
std::unique_ptr<Kernel> make_packed(const KernelRequest& request, size_t b, std::optional<size_t> zero,
                                    Product (*product_of)(const EvalContext&), std::string& refusal) {
  const PackingOperands given(request, zero);
  if (!given.refusal().empty()) return refusal = given.refusal(), nullptr;
  if (numel(given.outputs()[0].dims()) == 0) return refusal = "the result is empty", nullptr;
  const EvalContext context(given.inputs(), given.outputs());
  return std::make_unique<PackedProduct>(product_of(context), context.input(b), given.reads_zero());
}

void infer_quantised(InferContext& context) {
  for (size_t i : {0, 3, 7}) check_in(context, i, kByte);
  for (size_t i : {1, 4, 6}) check_in(context, i, kFloating);
  context.check_same_dtype(0, 2);
  context.check_same_dtype(3, 5);
  Shape out = product_shape(context, 0, 3);
  check_matrix_lines(context, 1, "a_scale", 0, Side::rows);
  check_matrix_lines(context, 2, "a_zero_point", 0, Side::rows);
  check_matrix_lines(context, 4, "b_scale", 3, Side::columns);
  check_matrix_lines(context, 5, "b_zero_point", 3, Side::columns);
  check_single(context, 6, "y_scale");
  check_single(context, 7, "y_zero_point");
  context.output(context.dtype(7), std::move(out));
}

void evaluate_quantised(EvalContext& context) {
  kernels::integer_matmul(quantised_product(context).problem, context.input(0).raw(), context.input(3).raw(),
                          context.output().mutable_raw());
}

template <class T>
std::unique_ptr<Kernel> make_quantised(const T&, const KernelRequest& request, std::string& refusal) {
  return make_packed(request, 3, {}, quantised_product, refusal);
}

}  // namespace

void MatMulInteger::infer(InferContext& context) const {
  check_in(context, 0, kByte);
  check_in(context, 1, kByte);
  context.check_same_dtype(0, 2);
  context.check_same_dtype(1, 3);
  Shape out = product_shape(context, 0, 1);
  check_matrix_lines(context, 2, "a_zero_point", 0, Side::rows);
  check_matrix_lines(context, 3, "b_zero_point", 1, Side::columns);
  context.output(DType::i32, std::move(out));
}

void MatMulInteger::evaluate(EvalContext& context) const {
  kernels::integer_matmul(integer_product(context).problem, context.input(0).raw(), context.input(1).raw(),
                          context.output().mutable_raw());
}

std::span<const FastKernel<MatMulInteger>> MatMulInteger::fast_kernels() {
  static constexpr FastKernel<MatMulInteger> kernels[] = {
      {"packed.matmul", [](const MatMulInteger&, const KernelRequest& request, std::string& refusal) {
         return make_packed(request, 1, 2, integer_product, refusal);
       }}};
  return kernels;
}

std::vector<Sample> MatMulInteger::samples() {
  const auto i8 = [](const Dims& dims, uint64_t seed) { return sample_values(dims, -128, 127, DType::i8, seed); };
  const auto u8 = [](const Dims& dims, uint64_t seed) { return sample_values(dims, 0, 255, DType::u8, seed); };
  const MatMulInteger op;
  return {{op, {u8({2, 3}, 1), i8({3, 4}, 2)}},
          {op, {u8({5, 3}, 1), u8({3, 2}, 2), Tensor::scalar<uint8_t>(128), Tensor::from<uint8_t>({255}, {1})}},
          {op, {i8({2, 3}, 1), i8({3, 2}, 2), i8({2}, 3), i8({2}, 4)}},
          {op, {i8({2, 1, 3, 4}, 1), u8({3, 4, 2}, 2), i8({2, 1, 3, 1}, 3), u8({3, 1, 2}, 4)}},
          {op, {u8({2, 3, 4}, 1), i8({4, 5}, 2), u8({2, 3, 1}, 3), i8({1, 5}, 4)}},
          {op, {u8({4}, 1), u8({4}, 2), Tensor(), Tensor::scalar<uint8_t>(9)}},
          {op, {u8({7, 600}, 1), i8({600, 19}, 2), Tensor::scalar<uint8_t>(100)}},
          {op, {u8({2, 3}, 1).cast(DType::i32), i8({3, 4}, 2)}, "input 'A' expects int8 or uint8, got int32"},
          {op, {u8({2, 3}, 1), i8({4, 4}, 2)}, "the last axis of A has 3, the last but one axis of B 4"},
          {op, {u8({2, 3}, 1), i8({3, 4}, 2), i8({}, 1)}, "must have one dtype, got uint8 and int8"},
          {op, {u8({2, 3}, 1), i8({3, 4}, 2), u8({3}, 1)}, "'a_zero_point' expects one number or a list of 2"},
          {op,
           {u8({2, 3}, 1), i8({3, 4}, 2), Tensor(), i8({4, 1}, 1)},
           "'b_zero_point' of shape [4, 1] does not fit a matrix of shape [3, 4]"}};
}

void QLinearMatMul::infer(InferContext& context) const { infer_quantised(context); }
void QLinearMatMul::evaluate(EvalContext& context) const { evaluate_quantised(context); }
std::span<const FastKernel<QLinearMatMul>> QLinearMatMul::fast_kernels() {
  static constexpr FastKernel<QLinearMatMul> kernels[] = {{"packed.matmul", make_quantised<QLinearMatMul>}};
  return kernels;
}

namespace {

std::vector<Tensor> quantised_operands(const Dims& a, const Dims& b, std::vector<Tensor> a_lines = {}) {
  if (a_lines.empty()) a_lines = {Tensor::scalar(0.02f), Tensor::scalar<uint8_t>(120)};
  return {sample_values(a, 0, 255, DType::u8),
          a_lines[0],
          a_lines[1],
          sample_values(b, -128, 127, DType::i8, 2),
          Tensor::scalar(0.01f),
          Tensor::scalar<int8_t>(-3),
          Tensor::scalar(0.05f),
          Tensor::scalar<uint8_t>(110)};
}

template <class T>
std::vector<Tensor> with(std::vector<Tensor> operands, size_t i, const T& tensor) {
  operands[i] = tensor;
  return operands;
}

}  // namespace

std::vector<Sample> QLinearMatMul::samples() {
  const QLinearMatMul op;
  const auto plain = quantised_operands({2, 3}, {3, 4});
  auto columns = with(plain, 4, sample_values({4}, 0.01, 0.02));
  columns[5] = Tensor::from<int8_t>({-128, 0, 1, 127}, {4});
  return {{op, plain},
          {op, columns},
          {op, with(plain, 7, Tensor::from<int8_t>({-7}, {1}))},
          {op, quantised_operands({2, 2, 5}, {2, 5, 3},
                                  {sample_values({2, 2, 1}, 0.01, 0.02), sample_values({2, 2, 1}, 0, 255, DType::u8)})},
          {op, quantised_operands({130, 20}, {20, 300})},
          {op, with(plain, 0, plain[0].cast(DType::f32)), "input 'a' expects int8 or uint8, got float32"},
          {op, with(plain, 1, plain[1].cast(DType::i32)), "input 'a_scale' expects a floating-point type, got int32"},
          {op, with(plain, 5, Tensor::scalar<uint8_t>(1)), "'b' and 'b_zero_point' must have one dtype"},
          {op, with(plain, 4, sample_values({3}, 1, 2)), "'b_scale' expects one number or a list of 4"},
          {op, with(plain, 6, sample_values({2}, 1, 2)), "'y_scale' expects one number, got shape [2]"},
          {op, with(plain, 3, sample_values({4, 4}, 0, 9, DType::i8)), "the last axis of A has 3"}};
}

void FusedQLinearMatMul::infer(InferContext& context) const {
  infer_quantised(context);
  context.check_dtype(context.dtype(8) == DType::i32, 8, "int32");
  const Extent columns = lines_of(context.shape(3), Side::columns);
  context.check(context.rank(8) == 1, "'bias' expects rank 1, got shape ", context.shape(8));
  check_equal(context, context.shape(8)[0], columns, "'bias' of shape ", context.shape(8), " does not fit ", columns,
              " columns");
}

void FusedQLinearMatMul::evaluate(EvalContext& context) const { evaluate_quantised(context); }
std::span<const FastKernel<FusedQLinearMatMul>> FusedQLinearMatMul::fast_kernels() {
  static constexpr FastKernel<FusedQLinearMatMul> kernels[] = {{"packed.matmul", make_quantised<FusedQLinearMatMul>}};
  return kernels;
}

std::vector<Sample> FusedQLinearMatMul::samples() {
  auto plain = quantised_operands({2, 3}, {3, 4});
  plain.push_back(sample_values({4}, -9999, 9999, DType::i32));
  return {
      {FusedQLinearMatMul{}, plain},
      {FusedQLinearMatMul{}, with(plain, 8, sample_values({3}, 0, 9, DType::i32)), "'bias' of shape [3] does not fit"},
      {FusedQLinearMatMul{}, with(plain, 8, sample_values({4})), "input 'bias' expects int32, got float32"}};
}

ONEMODEL_OPERATOR(MatMulInteger)
ONEMODEL_OPERATOR(QLinearMatMul)
ONEMODEL_OPERATOR(FusedQLinearMatMul)

}  // namespace onemodel
