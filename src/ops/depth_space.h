#pragma once
// Channels to pixels and back: DepthToSpace, SpaceToDepth.

#include <string>

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// input[N, C, H, W] as [N, C / b^2, H b, W b] with b = `blocksize`: the channels are read as [b, b, C / b^2] (`mode`
/// DCR) or [C / b^2, b, b] (CRD), of which the two b become rows and columns. Any dtype. Errors: another rank, C not a
/// multiple of b^2.
struct DepthToSpace {
  int64_t blocksize = 1;
  std::string mode = "DCR";
  static constexpr auto fields() {
    return std::tuple{required_field("blocksize", &DepthToSpace::blocksize, "side of the blocks of pixels"),
                      field("mode", &DepthToSpace::mode, "order of the channels: DCR or CRD")};
  }
  static constexpr Input inputs[] = {{"input", "[N, C, H, W]"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "DepthToSpace",
                               .doc = "rearranges channels into blocks of pixels",
                               .since = 13,
                               .takes_stored = true,
                               .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

/// input[N, C, H, W] as [N, C b^2, H / b, W / b] with b = `blocksize`, the channels ordered [b, b, C]: the way back of
/// DepthToSpace with DCR. Any dtype. Errors: another rank, H or W not a multiple of b.
struct SpaceToDepth {
  int64_t blocksize = 1;
  static constexpr auto fields() {
    return std::tuple{required_field("blocksize", &SpaceToDepth::blocksize, "side of the blocks of pixels")};
  }
  static constexpr Input inputs[] = {{"input", "[N, C, H, W]"}};
  static constexpr std::string_view outputs[] = {"output"};
  static constexpr OpInfo info{.name = "SpaceToDepth",
                               .doc = "rearranges blocks of pixels into channels",
                               .since = 13,
                               .takes_stored = true,
                               .strided = true};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  Gradients vjp(GradContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
