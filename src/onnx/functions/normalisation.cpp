// Normalisation by groups, by the root of the mean square, and over the batch while training.

#include "core/error.h"
#include "onnx/functions/families.h"

namespace onemodel {
namespace {

using Ref = NodeWriter::Ref;

// Half precision is normalised in float32 unless stash_type says otherwise.
DType stash_type(FunctionCall& call, DType dtype) {
  const bool in_float = call.integer("stash_type", 1) == 1;
  return in_float && (dtype == DType::f16 || dtype == DType::bf16) ? DType::f32 : dtype;
}

Ref constant_row(FunctionCall& call, int64_t count, double value, DType dtype) {
  return call.add(Tensor::full({count}, value, dtype));
}

// Where the number of channels is not known.
constexpr int64_t kMostGroups = int64_t{1} << 20;

// Each group is a channel of an instance normalisation. Scale and bias are one a group before opset 21, then one a
// channel.
void group_normalization(FunctionCall& call) {
  const Ref x = call.input(0), scale = call.input(1), bias = call.input(2);
  const TensorType type = call.type(x);
  const int64_t groups = call.integer("num_groups", 0);
  if (groups < 1) throw ModelError("Malformed", "attribute 'num_groups' expects a positive integer");
  if (type.shape.rank() < 2) throw ModelError("Malformed", "input 0 expects [batch, channels, ...]");
  const Extent channels = type.shape[1].is_number() ? type.shape[1] : Extent(kMostGroups);
  if (groups > channels.number())
    throw ModelError("Malformed", concat("attribute 'num_groups' expects at most ", channels, ", got ", groups));
  const double epsilon = call.real("epsilon", 1e-5);
  const DType stash = stash_type(call, type.dtype);
  const Ref grouped = call.make("Reshape", {call.cast(x, stash), call.integers({0, groups, -1})});
  const bool by_group = call.type(scale).shape == Shape(Dims{groups});
  const auto factor = [&](Ref given, double neutral) {
    return by_group ? call.cast(given, stash) : constant_row(call, groups, neutral, stash);
  };
  const Ref normalised =
      call.make("InstanceNormalization", {grouped, factor(scale, 1), factor(bias, 0)}, "epsilon", epsilon);
  const Ref shape = call.make("Shape", {x});
  Ref y = call.cast(call.make("Reshape", {normalised, shape}), type.dtype);
  if (by_group) return call.give(0, "Identity", {y});
  const size_t spatial = type.shape.rank() - 2;
  y = call.make("Mul", {y, call.with_trailing_axes(scale, spatial)});
  call.give(0, "Add", {y, call.with_trailing_axes(bias, spatial)});
}

void rms_normalization(FunctionCall& call) {
  const Ref x = call.input(0);
  const TensorType type = call.type(x);
  const DType stash = stash_type(call, type.dtype);
  const size_t first = normalize_axis("RMSNormalization", call.integer("axis", -1), type.shape.rank());
  std::vector<int64_t> axes;
  for (size_t i = first; i < type.shape.rank(); ++i) axes.push_back(static_cast<int64_t>(i));
  const Ref wide = call.cast(x, stash);
  const Ref mean = call.make("ReduceMean", {call.make("Mul", {wide, wide}), call.integers(axes)});
  const Ref root = call.make("Sqrt", {call.make("Add", {mean, call.number(call.real("epsilon", 1e-5), stash)})});
  const Ref normal = call.cast(call.make("Div", {wide, root}), type.dtype);
  call.give(0, "Mul", {normal, call.input(1)});
}

// A running statistic after this batch.
void give_running(FunctionCall& call, size_t index, Ref before, Ref batch, double momentum) {
  const DType dtype = call.dtype(before);
  const Ref old = call.make("Mul", {before, call.number(momentum, dtype)});
  const Ref now = call.make("Mul", {call.cast(batch, dtype), call.number(1 - momentum, dtype)});
  call.give(index, "Add", {old, now});
}

void training_batch_normalization(FunctionCall& call) {
  const Ref x = call.input(0);
  const TensorType type = call.type(x);
  const size_t rank = type.shape.rank(), spatial = rank < 2 ? 0 : rank - 2;
  std::vector<int64_t> axes;
  for (size_t i = 0; i < rank; ++i)
    if (i != 1) axes.push_back(static_cast<int64_t>(i));
  const double epsilon = call.real("epsilon", 1e-5), momentum = call.real("momentum", 0.9);
  const Ref over = call.integers(axes);
  const Ref mean = call.make("ReduceMean", {x, over}), centred = call.make("Sub", {x, mean});
  const Ref variance = call.make("ReduceMean", {call.make("Mul", {centred, centred}), over});
  const Ref deviation = call.make("Sqrt", {call.make("Add", {variance, call.number(epsilon, type.dtype)})});
  const auto of_channel = [&](size_t i) {
    return call.cast(call.with_trailing_axes(call.input(i), spatial), type.dtype);
  };
  const Ref scaled = call.make("Mul", {call.make("Div", {centred, deviation}), of_channel(1)});
  call.give(0, "Add", {scaled, of_channel(2)});
  const Ref batch_mean = call.make("Squeeze", {mean, over}), batch_variance = call.make("Squeeze", {variance, over});
  give_running(call, 1, call.input(3), batch_mean, momentum);
  give_running(call, 2, call.input(4), batch_variance, momentum);
  call.give(3, "Identity", {batch_mean});
  call.give(4, "Identity", {batch_variance});
}

constexpr Function kFunctions[] = {{"GroupNormalization", 3, 3, 1, group_normalization},
                                   {"RMSNormalization", 2, 2, 1, rms_normalization}};

}  // namespace

std::span<const Function> normalisation_functions() { return kFunctions; }

const Function kTrainingBatchNormalization{"BatchNormalization", 5, 5, 3, training_batch_normalization};
const Function kEarlyTrainingBatchNormalization{"BatchNormalization", 5, 5, 5, training_batch_normalization};

}  // namespace onemodel
