// Every operator of ONNX, in every opset from 7 on that has it, is read or refused with the reason that is listed.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "graph/container_ops.h"
#include "graph/control_flow.h"
#include "onnx/functions/families.h"
#include "onnx/model_file.h"

namespace onemodel::test {
namespace {

struct Listed {
  int64_t first = 0, last = kNewestOnnxOpset;
  std::string reason;  // empty: supported
};

// Lines "Name first", "Name first-last", either with ": reason"; others begin with '#'.
std::map<std::string, Listed> read_list() {
  std::ifstream file(std::string(ONEMODEL_TEST_DATA) + "/onnx_operators.txt");
  std::map<std::string, Listed> out;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t colon = line.find(": ");
    std::istringstream words(line.substr(0, colon));
    std::string name;
    Listed listed;
    char dash;
    words >> name >> listed.first;
    if (words >> dash) words >> listed.last;
    if (colon != line.npos) listed.reason = line.substr(colon + 2);
    EXPECT_TRUE(out.emplace(name, listed).second) << name << " is listed twice";
  }
  return out;
}

// What reading says of a node with one input: that it is not enough of one is to be expected.
std::string said_of(const std::string& type, int64_t opset) {
  ModelFile file(opset);
  file.input("x", {"2"}).node(type, {"x"}, {"y"}, {}, "n").output("y");
  return file.error();
}

TEST(OperatorList, IsReadOrRefusedWithItsReason) {
  size_t pairs = 0;
  for (const auto& [name, listed] : read_list()) {
    for (int64_t opset = std::max<int64_t>(7, listed.first); opset <= listed.last; ++opset, ++pairs) {
      const std::string error = said_of(name, opset);
      EXPECT_EQ(error.find("unknown operator"), std::string::npos) << error;
      EXPECT_TRUE(listed.reason.empty() || error.find("): " + listed.reason) != std::string::npos) << error;
    }
  }
  EXPECT_GT(pairs, 2500u);
  EXPECT_NE(said_of("Frobnicate", 20).find("unknown operator"), std::string::npos);
}

TEST(OperatorList, HasEveryOperatorThatIsDeclared) {
  const auto list = read_list();
  const auto expect = [&](std::string_view name) {
    EXPECT_TRUE(list.contains(std::string(name))) << name << " is read, and is not in onnx_operators.txt";
  };
  for (const OpTraits* traits : all_operators())
    if (!traits->info.internal) expect(traits->info.name);
  for (const OpTraits* traits : control_flow_operators()) expect(traits->info.name);
  for (const OpTraits* traits : container_operators()) expect(traits->info.name);
  for (const auto& family : kFunctionFamilies)
    if (is_standard_domain(family.domain))
      for (const Function& function : family.functions()) expect(function.name);
}

}  // namespace
}  // namespace onemodel::test
