// web/src/generated/losses.ts: the losses as modules.

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "generate/pages.h"
#include "generate/script_text.h"
#include "nn/registry.h"

namespace onemodel::generate {
namespace {

// The module of each loss.
constexpr std::pair<std::string_view, std::string_view> kLossModules[] = {
    {"mse_loss", "MSELoss"},
    {"l1_loss", "L1Loss"},
    {"smooth_l1_loss", "SmoothL1Loss"},
    {"huber_loss", "HuberLoss"},
    {"binary_cross_entropy", "BCELoss"},
    {"binary_cross_entropy_with_logits", "BCEWithLogitsLoss"},
    {"kl_div", "KLDivLoss"},
    {"nll_loss", "NLLLoss"},
    {"cross_entropy", "CrossEntropyLoss"},
    {"ctc_loss", "CTCLoss"}};

std::string loss_class(const nn::FunctionTraits& traits) {
  const auto* found =
      std::ranges::find(kLossModules, traits.name, &std::pair<std::string_view, std::string_view>::first);
  check(found != std::end(kLossModules), traits.name, " has no module: see kLossModules");
  const std::string call = camel(traits.name);
  return concat("\n/** `", call, "` as a module. */\nexport class ", found->second,
                " extends LossModule {\n  constructor(options: Parameters<typeof losses.", call, ">[",
                traits.inputs.size(), "] = {}) {\n    super(losses.", call, ", options, [", names_of(traits.options),
                "]);\n  }\n}\n");
}

}  // namespace

std::string losses_ts() {
  std::string body;
  for (const nn::FunctionTraits& traits : nn::loss_functions()) body += loss_class(traits);
  return concat(
      "// Generated from src/nn by scripts/generate; do not edit.\n\n"
      "import { LossModule } from '../nn/loss_module.js';\n"
      "import * as losses from './functional.js';\n",
      body);
}

}  // namespace onemodel::generate
