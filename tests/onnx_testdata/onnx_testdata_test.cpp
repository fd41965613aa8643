// Every case of ONNX's test data passes, or is listed with the reason why it does not; what is listed does not pass, and
// fails in the way that the list says. All outputs have a rank before any run.
// With ONEMODEL_PRINT_CASES set the cases that do not pass are printed with what went wrong.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "onnx_testdata/test_case.h"

namespace onemodel::test {
namespace {

constexpr const char* kRoot = "/usr/share/libonnx-testdata/data";

struct Exception {
  std::string reason, seen;  // `seen`: what the failure says
};

// Lines "case: reason", each followed by "  here: …" and by lines for others; more begin with '#' or are empty.
std::map<std::string, Exception> read_exceptions() {
  std::ifstream file(std::string(ONEMODEL_TEST_DATA) + "/onnx_testdata.txt");
  std::map<std::string, Exception> out;
  constexpr std::string_view kHere = "  here: ";
  std::string last;
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with(kHere))
      out.at(last).seen = line.substr(kHere.size());
    else if (!line.empty() && line[0] != '#' && line[0] != ' ' && colon != std::string::npos)
      out[last = line.substr(0, colon)].reason = line.substr(colon + 2);
  }
  return out;
}

class OnnxTestData : public testing::TestWithParam<Arithmetic> {};

TEST_P(OnnxTestData, PassesButForTheListedCases) {
  if (!std::filesystem::exists(kRoot)) GTEST_SKIP() << kRoot << " is missing: Debian's package libonnx-testdata";
  const auto exceptions = read_exceptions();
  const auto names = test_case_names(kRoot);
  ASSERT_GE(names.size(), 1000u);
  size_t passed = 0, listed = 0;
  for (const std::string& name : names) {
    const std::string problem = run_test_case(std::filesystem::path(kRoot) / name, GetParam());
    if (std::getenv("ONEMODEL_PRINT_CASES") && !problem.empty()) std::printf("%s: %s\n", name.c_str(), problem.c_str());
    const auto exception = exceptions.find(name);
    passed += problem.empty();
    listed += exception != exceptions.end();
    if (exception == exceptions.end()) {
      EXPECT_EQ(problem, "") << name << " is not listed";
    } else {
      const auto& [reason, seen] = exception->second;
      EXPECT_NE(problem, "") << name << " passes, and is listed: " << reason;
      EXPECT_FALSE(seen.empty()) << name << " does not say how it fails here";
      EXPECT_NE(problem.find(seen), std::string::npos) << name << " fails in another way: " << problem;
    }
  }
  EXPECT_EQ(listed, exceptions.size()) << "a listed case is not in the package";
  std::printf("%zu of %zu cases pass\n", passed, names.size());
  EXPECT_GE(100 * passed, 97 * names.size());
}

TEST(OnnxTestDataOutputs, AllHaveARank) {
  if (!std::filesystem::exists(kRoot)) GTEST_SKIP() << kRoot << " is missing: Debian's package libonnx-testdata";
  for (const std::string& name : test_case_names(kRoot))
    EXPECT_EQ(outputs_without_rank(std::filesystem::path(kRoot) / name), "") << name;
}

INSTANTIATE_TEST_SUITE_P(Arithmetic, OnnxTestData, testing::Values(Arithmetic::fast, Arithmetic::exact),
                         [](const auto& info) { return info.param == Arithmetic::fast ? "fast" : "exact"; });

}  // namespace
}  // namespace onemodel::test
