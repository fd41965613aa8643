#pragma once
// Cutting along an axis: Split.

#include <array>
#include <optional>

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

namespace detail {

inline constexpr size_t kMostParts = 64;

// "output_0", "output_1", …
struct PartNames {
  std::array<std::array<char, 9>, kMostParts> text{};
  std::array<std::string_view, kMostParts> names{};
  constexpr PartNames() {
    for (size_t i = 0; i < kMostParts; ++i) {
      text[i] = {'o', 'u', 't', 'p', 'u', 't', '_'};
      size_t end = 7;
      if (i >= 10) text[i][end++] = static_cast<char>('0' + i / 10);
      text[i][end++] = static_cast<char>('0' + i % 10);
      names[i] = std::string_view(text[i].data(), end);
    }
  }
  PartNames(const PartNames&) = delete;
};
inline constexpr PartNames kPartNames;

}  // namespace detail

/// input cut along `axis` into as many parts as outputs are asked for, 64 at most: of the extents split[i] (int64), or
/// with `num_outputs` of equal extents rounded up, the last one smaller. Any dtype. Errors: both or neither of the two
/// given, `num_outputs` or the length of `split` other than the number of outputs, extents that do not sum to that of
/// the axis, an axis too short.
struct Split {
  int64_t axis = 0;
  std::optional<int64_t> num_outputs;
  static constexpr auto fields() {
    return std::tuple{
        field("axis", &Split::axis, "axis to cut along"),
        field("num_outputs", &Split::num_outputs, "the number of parts, that of the outputs; without split")};
  }
  static constexpr Input inputs[] = {{"input", "values"},
                                     {"split", "extents of the parts; without num_outputs", Input::optional, true}};
  static constexpr std::span<const std::string_view> outputs = detail::kPartNames.names;
  static constexpr OpInfo info{
      .name = "Split", .doc = "cuts a tensor along an axis", .since = 18, .takes_stored = true, .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
