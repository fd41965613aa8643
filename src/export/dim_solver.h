#pragma once
// What several declarations of sizes say together.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/size_contract.h"

namespace onemodel {

/// Where a size stands, and how large it is in the example.
struct SizeSite {
  std::string input;
  size_t axis;
  int64_t example;
};
/// "input 'x', axis 1".
std::string site_text(const SizeSite& site);

/// Per name an interval, at most one relation, and sites. It is told everything first; then all that does not fit is
/// reported together.
class DimSolver {
 public:
  /// `range` also holds. Ranges of one name are intersected.
  void add_range(const SizeRange& range);
  void add_relation(const SizeRelation& relation);
  void add_site(std::string_view label, SizeSite site);

  /// A line per problem: a name at two sizes, in ranges without a common value, with two relations, both root and derived,
  /// derived with a range that no root gives, at an example outside its range, or at one that its relation does not give.
  std::vector<std::string> problems() const;
  /// The ranges that demand something, and the relations. Throws ConstraintsError with the problems.
  SizeContract solve() const;

 private:
  struct Name {
    std::vector<SizeRange> ranges;
    std::vector<SizeRelation> relations;
    std::vector<SizeSite> sites;
  };
  Name& name_of(std::string_view label);
  const Name* find(std::string_view label) const;
  SizeRange interval(std::string_view label) const;
  void check_sites(const std::string& label, const Name& name, std::vector<std::string>& out) const;
  void check_relation(const std::string& label, const Name& name, std::vector<std::string>& out) const;

  std::vector<std::string> order_;  // of first mention
  std::map<std::string, Name, std::less<>> names_;
};

/// Throws ConstraintsError: `head`, then the problems on lines of their own.
[[noreturn]] void throw_problems(std::string_view head, const std::vector<std::string>& problems);

}  // namespace onemodel
