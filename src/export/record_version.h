#pragma once
// Numbers in the record of a program.

#include <cstdint>

namespace onemodel {

inline constexpr uint32_t kRecordVersion = 3;
inline constexpr uint8_t kTensorLeaf = 0, kNothingLeaf = 1, kBoolLeaf = 2, kIntegerLeaf = 3, kRealLeaf = 4,
                         kTextLeaf = 5;

}  // namespace onemodel
