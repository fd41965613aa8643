// Writes what follows from the declarations of operators, modules, optimizers and functions: docs/operators.md and
// web/src/generated/*.ts. Usage: om_generate DIRECTORY (the repository).

#include <fstream>
#include <iostream>

#include "generate/pages.h"

namespace onemodel::generate {
namespace {

bool write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) std::cerr << "cannot write " << path << "\n";
  return file.good();
}

}  // namespace

}  // namespace onemodel::generate

int main(int argc, char** argv) {
  using namespace onemodel::generate;
  if (argc != 2) {
    std::cerr << "usage: om_generate REPOSITORY\n";
    return 2;
  }
  const std::string root = argv[1], script = root + "/web/src/generated/";
  const bool ok =
      write(root + "/docs/operators.md", operators_md()) && write(script + "declarations.ts", declarations_ts()) &&
      write(script + "operators.ts", operators_ts()) && write(script + "modules.ts", modules_ts()) &&
      write(script + "optimizers.ts", optimizers_ts()) && write(script + "functional.ts", functional_ts()) &&
      write(script + "losses.ts", losses_ts()) && write(script + "methods.ts", methods_ts());
  return ok ? 0 : 1;
}
