#include "ops/non_max_suppression.h"

#include "kernels/portable/suppress.h"
#include "ops/declare.h"
#include "ops/dtype_set.h"
#include "ops/extent_checks.h"
#include "ops/one_integer.h"

namespace onemodel {
namespace {

Tensor singles(const Tensor& x) { return x.contiguous().cast(DType::f32); }

float read_real(const Tensor& x) { return *singles(x).raw_as<float>(); }

// `inputs` are the operator's, undefined where absent.
std::vector<int64_t> selected(const NonMaxSuppression& op, std::span<const Tensor> inputs) {
  const auto has = [&](size_t i) { return i < inputs.size() && inputs[i].defined(); };
  const Dims& scores = inputs[1].dims();
  kernels::SuppressOptions options{
      .batch = scores[0], .classes = scores[1], .count = scores[2], .centre = op.center_point_box};
  if (has(2)) options.most = read_one(inputs[2]);
  if (has(3)) options.overlap = read_real(inputs[3]);
  check<ArgumentError>(options.overlap >= 0 && options.overlap <= 1, NonMaxSuppression::info.name,
                       ": iou_threshold expects a number from 0 to 1, got ", options.overlap);
  options.has_least_score = has(4);
  if (has(4)) options.least_score = read_real(inputs[4]);
  const Tensor boxes = singles(inputs[0]), values = singles(inputs[1]);
  return kernels::suppress(options, boxes.raw_as<float>(), values.raw_as<float>());
}

void check_operands(const InferContext& context) {
  check_in(context, 0, kFloating);
  check_in(context, 1, kFloating);
  const Shape &boxes = context.shape(0), &scores = context.shape(1);
  context.check(boxes.rank() == 3, "'boxes' expects [batch, boxes, 4], got shape ", boxes);
  check_equal(context, boxes[2], 4, "'boxes' expects [batch, boxes, 4], got shape ", boxes);
  context.check(scores.rank() == 3, "'scores' expects [batch, classes, boxes], got shape ", scores);
  check_equal(context, scores[0], boxes[0], "'boxes' of shape ", boxes, " and 'scores' of shape ", scores,
              " differ in the batch");
  check_equal(context, scores[2], boxes[1], "'boxes' of shape ", boxes, " and 'scores' of shape ", scores,
              " differ in the number of boxes");
  if (context.has(2)) check_one_integer(context, 2);
  for (size_t i : {3, 4}) {
    if (!context.has(i)) continue;
    check_in(context, i, kFloating);
    check_one(context, i);
  }
}

}  // namespace

void NonMaxSuppression::infer(InferContext& context) const {
  check_operands(context);
  std::vector<Tensor> values;
  bool known = true;
  for (size_t i = 0; i < context.input_count(); ++i) {
    values.push_back(context.value(i));
    known &= !context.has(i) || values.back().defined();
  }
  if (known) return context.output(DType::i64, {static_cast<int64_t>(selected(*this, values).size()) / 3, 3});
  if (context.tracing()) context.symbolic_error("the size of the result depends on values");
  context.output(DType::i64, {context.unknown("count"), 3});
}

void NonMaxSuppression::evaluate(EvalContext& context) const {
  const std::vector<int64_t> found = selected(*this, context.inputs());
  std::copy(found.begin(), found.end(), context.output().mutable_raw_as<int64_t>());
}

std::vector<Sample> NonMaxSuppression::samples() {
  const Tensor boxes = Tensor::from<float>(
      {0, 0, 1, 1, 0, 0.1f, 1, 1.1f, 1, 0.9f, 0, -0.1f, 0, 10, 1, 11, 0, 10.1f, 1, 11.1f, 0, 100, 1, 101}, {1, 6, 4});
  const Tensor scores =
      Tensor::from<float>({0.9f, 0.75f, 0.6f, 0.95f, 0.5f, 0.3f, 0.1f, 0.2f, 0.3f, 0.3f, 0.5f, 0.6f}, {1, 2, 6});
  const Tensor most = Tensor::scalar(int64_t{3}), half = Tensor::scalar(0.5), little = Tensor::scalar(0.4f);
  return {{NonMaxSuppression{}, {boxes, scores, most, half}},
          {NonMaxSuppression{}, {boxes, scores, sample_ints({2}), half, little}},
          {NonMaxSuppression{.center_point_box = true}, {boxes, scores, most, Tensor::scalar(0.2)}},
          {NonMaxSuppression{}, {boxes, scores, most}},
          {NonMaxSuppression{}, {boxes, scores}},
          {NonMaxSuppression{}, {boxes, scores, most, Tensor(), little}},
          {NonMaxSuppression{}, {scores, scores}, "'boxes' expects [batch, boxes, 4], got shape [1, 2, 6]"},
          {NonMaxSuppression{}, {boxes, boxes}, "differ in the number of boxes"},
          {NonMaxSuppression{}, {boxes, scores, half}, "input 'max_output_boxes_per_class' expects int64, got float64"},
          {NonMaxSuppression{},
           {boxes, scores, most, Tensor::scalar(1.5f)},
           "iou_threshold expects a number from 0 to 1, got 1.5"}};
}

ONEMODEL_OPERATOR(NonMaxSuppression)

}  // namespace onemodel
