#pragma once
// Names that are given once.

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/error.h"

namespace onemodel {

class NamePool {
 public:
  /// True when the name was free.
  bool take(const std::string& name) { return taken_.insert(name).second; }
  /// `stem`, or `stem` with the first numeric suffix that makes it a free name; takes it.
  std::string unique(const std::string& stem) {
    if (take(stem)) return stem;
    std::string name;
    do {
      name = concat(stem, "_", ++suffixes_[stem]);
    } while (!take(name));
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> suffixes_;
};

}  // namespace onemodel
