#pragma once
// Lower and upper case, the same on every machine.

#include <string>
#include <string_view>

namespace onemodel {

/// UTF-8 with its letters in lower or upper case: those of ASCII, Latin-1, Latin Extended-A, Greek and Cyrillic that have
/// one counterpart of their own; all else, bytes that are no UTF-8 included, stays.
std::string to_lower(std::string_view text);
std::string to_upper(std::string_view text);

}  // namespace onemodel
