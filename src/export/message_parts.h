#pragma once
// Names in the text of errors.

#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace onemodel {

/// What follows the last `head`, up to `end`: the innermost place, since those around it were put before. Empty when there is none.
inline std::string last_between(std::string_view text, std::string_view head, char end) {
  const size_t at = text.rfind(head);
  if (at == text.npos) return {};
  text.remove_prefix(at + head.size());
  return std::string(text.substr(0, text.find(end)));
}

/// "'x', 'y'", or "none".
inline std::string quoted_list(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += concat(out.empty() ? "'" : ", '", name, "'");
  return out.empty() ? "none" : out;
}

}  // namespace onemodel
