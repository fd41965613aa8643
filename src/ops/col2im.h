#pragma once
// Col2Im: blocks of an image, added up to it.

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"
#include "ops/window.h"

namespace onemodel {

/// input[n, c * product of block_shape, blocks] gives output[n, c, image_shape...]: each column is a block of the image,
/// padded by `pads`, and overlapping blocks are added. It undoes what Unfold or im2col take apart. image_shape and
/// block_shape are lists of int64 of one length; computed in float64; floating dtypes. Errors: lists that do not fit,
/// another number of blocks than fit the image, channels that the block does not divide.
struct Col2Im {
  std::vector<int64_t> dilations, pads, strides;
  static constexpr auto fields() {
    return std::tuple{field("dilations", &Col2Im::dilations, "step between block elements; default 1"),
                      field("pads", &Col2Im::pads, "padding before each axis, then after each; default 0"),
                      field("strides", &Col2Im::strides, "step between blocks; default 1")};
  }
  static constexpr Input inputs[] = {{"input", "[batch, channels * block elements, blocks]"},
                                     {"image_shape", "spatial extents of the result", Input::required, true},
                                     {"block_shape", "extents of a block", Input::required, true}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "Col2Im", .doc = "adds blocks up to the image that they cover", .since = 18};
  WindowAttributes window() const { return {.dilations = dilations, .pads = pads, .strides = strides}; }
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
