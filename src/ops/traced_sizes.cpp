#include "ops/traced_sizes.h"

namespace onemodel {

std::vector<Extent>& traced_sizes() {
  thread_local std::vector<Extent> sizes;
  return sizes;
}

}  // namespace onemodel
