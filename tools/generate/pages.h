#pragma once
// The texts of the generated files.

#include <string>

namespace onemodel::generate {

std::string declarations_ts();
std::string functional_ts();
std::string losses_ts();
std::string methods_ts();
std::string modules_ts();
std::string operators_md();
std::string operators_ts();
std::string optimizers_ts();

}  // namespace onemodel::generate
