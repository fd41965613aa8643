#pragma once
// Operators on texts.

#include <optional>
#include <string>

#include "ops/grad.h"
#include "ops/infer.h"
#include "ops/kernel.h"
#include "ops/op_list.h"

namespace onemodel {

/// X[n] or [1, n] of strings without those among `stopwords`, in another case if asked for: Y[kept] or [1, kept], where
/// nothing kept gives one empty string. Case is that of `to_lower` and `to_upper` (ops/letter_case.h) in every locale.
/// Errors: an unknown action, another shape.
struct StringNormalizer {
  std::string case_change_action = "NONE";
  bool is_case_sensitive = false;
  std::string locale;
  Tensor stopwords;
  static constexpr auto fields() {
    using A = StringNormalizer;
    return std::tuple{field("case_change_action", &A::case_change_action, "LOWER, UPPER or NONE"),
                      field("is_case_sensitive", &A::is_case_sensitive, "whether stopwords match in their case only"),
                      field("locale", &A::locale, "a locale's name; without effect here"),
                      field("stopwords", &A::stopwords, "a list of strings to leave out")};
  }
  static constexpr Input inputs[] = {{"X", "strings"}};
  static constexpr std::string_view outputs[] = {"Y"};
  static constexpr OpInfo info{.name = "StringNormalizer",
                               .doc = "leaves out stopwords and changes the case of letters",
                               .since = 10,
                               .takes_stored = true,
                               .sizes_from_values = true};
  static constexpr NotDifferentiable vjp{"text has no derivative"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// Each string of X with that of Y behind it, broadcast as in NumPy.
struct StringConcat {
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr Input inputs[] = {{"X", "first strings"}, {"Y", "second strings"}};
  static constexpr std::string_view outputs[] = {"Z"};
  static constexpr OpInfo info{.name = "StringConcat",
                               .doc = "joins strings element by element",
                               .since = 20,
                               .takes_stored = true,
                               .strided = true};
  static constexpr NotDifferentiable vjp{"text has no derivative"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

/// The parts of each string of X between delimiters, as Python's str.split: Y[..., most] with empty strings after the
/// last, and Z, int64 of the shape of X, how many there are. Without delimiter, or with an empty one, runs of white space
/// separate. Errors: a negative maxsplit.
struct StringSplit {
  std::optional<std::string> delimiter;
  std::optional<int64_t> maxsplit;
  static constexpr auto fields() {
    return std::tuple{field("delimiter", &StringSplit::delimiter, "what separates; white space when absent or empty"),
                      field("maxsplit", &StringSplit::maxsplit, "most cuts, from the left; any number when absent")};
  }
  static constexpr Input inputs[] = {{"X", "strings"}};
  static constexpr std::string_view outputs[] = {"Y", "Z"};
  static constexpr OpInfo info{.name = "StringSplit",
                               .doc = "cuts strings at delimiters",
                               .since = 20,
                               .takes_stored = true,
                               .sizes_from_values = true};
  static constexpr NotDifferentiable vjp{"text has no derivative"};
  void infer(InferContext&) const;
  void evaluate(EvalContext&) const;
  static std::vector<Sample> samples();
};

}  // namespace onemodel
