#include "runtime/item.h"

namespace onemodel {

void append(std::string& out, const Item& item) {
  if (item.sequence)
    out += concat("a sequence of ", item.sequence->size());
  else if (item.tensor.defined())
    append(out, item.tensor);
  else
    out += "nothing";
}

}  // namespace onemodel
