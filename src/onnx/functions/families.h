#pragma once
// The functions there are: one file per family.

#include "onnx/functions/function.h"

namespace onemodel {

std::span<const Function> element_functions();
std::span<const Function> loss_functions();
std::span<const Function> window_functions();
std::span<const Function> normalisation_functions();
std::span<const Function> pooling_functions();
std::span<const Function> image_functions();
std::span<const Function> attention_functions();
std::span<const Function> early_functions();
std::span<const Function> training_functions();

inline constexpr struct {
  std::string_view domain;
  std::span<const Function> (*functions)();
} kFunctionFamilies[] = {
    {"ai.onnx", element_functions},
    {"ai.onnx", loss_functions},
    {"ai.onnx", window_functions},
    {"ai.onnx", normalisation_functions},
    {"ai.onnx", pooling_functions},
    {"ai.onnx", image_functions},
    {"ai.onnx", attention_functions},
    {"ai.onnx", early_functions},
    {"ai.onnx.preview.training", training_functions},
};

/// BatchNormalization with training_mode = 1, which opset rules expand.
extern const Function kTrainingBatchNormalization;
/// The same before opset 14, which gave the statistics of the batch as well.
extern const Function kEarlyTrainingBatchNormalization;

}  // namespace onemodel
