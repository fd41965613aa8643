#pragma once
// Declares the traits and samples of every operator in op_list.inc.

#include "ops/op.h"
#include "ops/sample.h"

namespace onemodel {

#define OP(T)                     \
  struct T;                       \
  template <>                     \
  const OpTraits& traits_of<T>(); \
  template <>                     \
  std::vector<Sample> samples_of<T>();
#include "ops/op_list.inc"
#undef OP

}  // namespace onemodel
