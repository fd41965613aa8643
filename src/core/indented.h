#pragma once
// Texts inside texts.

#include <string>
#include <string_view>

namespace onemodel {

/// Each line with two spaces before it and its end behind it.
std::string indented(std::string_view text);

}  // namespace onemodel
