#include "ops/resize.h"

namespace onemodel {
namespace {

struct Sizing {
  Tensor roi, scales, sizes;
};

Tensor scales(std::initializer_list<float> values) {
  return Tensor::from(values, {static_cast<int64_t>(values.size())});
}
Sizing by(std::initializer_list<float> values) { return {{}, scales(values), {}}; }
Sizing to(std::initializer_list<int64_t> values) { return {{}, {}, sample_ints(values)}; }

Sample sample(ResizeAttributes attributes, const Tensor& x, const Sizing& sizing, std::string error = {}) {
  std::vector<Tensor> inputs = {x, sizing.roi, sizing.scales, sizing.sizes};
  while (!inputs.back().defined()) inputs.pop_back();
  return {Resize{std::move(attributes)}, std::move(inputs), std::move(error)};
}

std::vector<Sample> good_samples() {
  using A = ResizeAttributes;
  const Tensor image = sample_values({1, 2, 4, 3}), line = sample_values({2, 1, 5});
  const Tensor roi = Tensor::from({0.25f, -0.2f, 0.75f, 1.2f}, {4});
  std::vector<Sample> out;
  for (const char* rounding : {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"})
    out.push_back(
        sample(A{.coordinate_transformation_mode = "asymmetric", .nearest_mode = rounding}, line, by({1, 1, 1.5f})));
  for (const char* mode : {"nearest", "linear", "cubic"}) {
    for (const char* coordinates :
         {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric"}) {
      out.push_back(sample(A{.coordinate_transformation_mode = coordinates, .mode = mode}, image, by({1, 1, 2, 0.7f})));
      out.push_back(
          sample(A{.axes = {3, 2}, .coordinate_transformation_mode = coordinates, .mode = mode}, image, to({4, 1})));
    }
    out.push_back(sample(A{.axes = {2, 3},
                           .coordinate_transformation_mode = "tf_crop_and_resize",
                           .extrapolation_value = 7,
                           .mode = mode},
                         image, {roi, {}, sample_ints({3, 5})}));
    out.push_back(sample(A{.axes = {2, 3}, .coordinate_transformation_mode = "tf_crop_and_resize", .mode = mode}, image,
                         {roi, scales({2, 1}), {}}));
  }
  out.push_back(sample(A{.cubic_coeff_a = -0.5f, .exclude_outside = true, .mode = "cubic"}, image, by({1, 1, 2, 2})));
  out.push_back(
      sample(A{.axes = {2, 3}, .keep_aspect_ratio_policy = "not_larger", .mode = "linear"}, image, to({8, 3})));
  out.push_back(sample(A{.axes = {-2, -1}, .keep_aspect_ratio_policy = "not_smaller"}, image, to({8, 3})));
  for (const char* mode : {"nearest", "linear", "cubic"})
    out.push_back(sample(A{.antialias = true, .mode = mode}, image, by({1, 1, 0.4f, 1.5f})));
  out.push_back(sample(A{.antialias = true, .exclude_outside = true, .mode = "cubic"}, line, to({2, 1, 2})));
  out.push_back(sample(A{.mode = "linear"}, sample_values({1, 1, 2, 3, 2}), to({1, 1, 3, 2, 4})));
  out.push_back(sample(A{}, sample_values({3, 2}, -9, 9, DType::i32), by({1.5f, 2})));
  out.push_back(sample(A{}, line, by({1, 1, 1})));
  out.push_back(sample(A{.coordinate_transformation_mode = "tf_half_pixel_for_nn"}, image, to({1, 2, 3, 2})));
  return out;
}

}  // namespace

std::vector<Sample> Resize::samples() {
  using A = ResizeAttributes;
  const Tensor x = sample_values({1, 2, 4, 3});
  std::vector<Sample> out = good_samples();
  const auto fails = [&](A attributes, const Sizing& sizing, std::string error) {
    out.push_back(sample(std::move(attributes), x, sizing, std::move(error)));
  };
  fails({}, {}, "expects either scales or sizes, got neither");
  fails({}, {{}, scales({1, 1, 2, 2}), sample_ints({1, 2, 8, 6})}, "expects either scales or sizes, got both");
  fails({}, by({2, 2}), "scales expects 4 numbers, got 2");
  fails({}, by({1, 1, 0, 1}), "scales expects positive numbers, got 0");
  fails({.axes = {2, 3}}, to({1}), "sizes expects 2 numbers, got 1");
  fails({.axes = {2, 3}}, to({0, 1}), "sizes expects numbers from 1 up, got 0");
  fails({.axes = {2, -2}}, to({1, 1}), "axis -2 is named twice");
  fails({.mode = "area"}, by({1, 1, 2, 2}), "mode expects nearest, linear or cubic, got \"area\"");
  fails({.nearest_mode = "round"}, by({1, 1, 2, 2}), "nearest_mode expects round_prefer_floor");
  fails({.coordinate_transformation_mode = "corner"}, by({1, 1, 2, 2}), "coordinate_transformation_mode expects");
  fails({.keep_aspect_ratio_policy = "crop"}, by({1, 1, 2, 2}), "keep_aspect_ratio_policy expects stretch");
  fails({.coordinate_transformation_mode = "tf_crop_and_resize"}, by({1, 1, 2, 2}), "tf_crop_and_resize expects roi");
  out.push_back(sample({.mode = "linear"}, sample_values({4}, 0, 9, DType::i32), by({2}),
                       "input 'X' expects a floating-point type, got int32"));
  out.push_back(sample({}, sample_values({0, 2}), to({3, 2}), "axis 0 has no elements to sample"));
  return out;
}

std::vector<Sample> ResizeGradient::samples() {
  const Tensor dy = sample_values({1, 2, 8, 2});
  const Tensor by_two = scales({1, 1, 2, 0.7f});
  return {{ResizeGradient{{.mode = "linear"}, {1, 2, 4, 3}}, {dy, {}, by_two}},
          {ResizeGradient{{.mode = "cubic"}, {1, 2, 4, 3}}, {dy, {}, by_two}},
          {ResizeGradient{{.antialias = true, .mode = "linear"}, {1, 2, 4, 3}}, {dy, {}, by_two}},
          {ResizeGradient{{.axes = {2, 3}}, {1, 2, 3, 3}}, {dy, {}, {}, sample_ints({8, 2})}},
          {ResizeGradient{{.axes = {3}, .coordinate_transformation_mode = "tf_crop_and_resize", .mode = "linear"},
                          {1, 2, 8, 4}},
           {dy, Tensor::from({-0.5f, 0.5f}, {2}), {}, sample_ints({2})}},
          {ResizeGradient{{}, {1, 2, 4, 3}},
           {sample_values({1, 2, 8, 3}), {}, by_two},
           "'dY' expects shape [1, 2, 8, 2], got [1, 2, 8, 3]"}};
}

}  // namespace onemodel
