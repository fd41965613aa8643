#include "ops/einsum_terms.h"

#include <algorithm>

#include "core/dims.h"

namespace onemodel {
namespace {

constexpr std::string_view kDots = "...";

template <class... Parts>
void require(bool ok, const Parts&... parts) {
  check<ArgumentError>(ok, "Einsum: ", parts...);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A term's letters before and after its ellipsis, if it has one.
struct Term {
  std::string before, after;
  bool dots = false;
  size_t letters() const { return before.size() + after.size(); }
};

Term read_term(std::string_view text, std::string_view equation) {
  Term term;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with(kDots)) {
      require(!term.dots, "equation '", equation, "' has two ellipses in '", text, "'");
      term.dots = true;
      i += kDots.size() - 1;
    } else {
      require(is_letter(text[i]), "equation '", equation, "' has '", text[i],
              "', expected letters, ',', '->' or '...'");
      (term.dots ? term.after : term.before) += text[i];
    }
  }
  return term;
}

std::vector<Term> read_terms(std::string_view text, std::string_view equation) {
  std::vector<Term> terms;
  for (size_t begin = 0;;) {
    const size_t comma = text.find(',', begin);
    terms.push_back(read_term(text.substr(begin, comma - begin), equation));
    if (comma == std::string_view::npos) return terms;
    begin = comma + 1;
  }
}

// `count` letters that do not occur in `equation`.
std::string unused_letters(std::string_view equation, size_t count) {
  std::string out;
  for (char c = 'A'; c <= 'z' && out.size() < count; ++c)
    if (is_letter(c) && equation.find(c) == std::string_view::npos) out += c;
  require(out.size() == count, "equation '", equation, "' has no letters left for the axes under its ellipsis");
  return out;
}

// How many axes an operand has under its ellipsis.
size_t hidden_axes(const Term& term, size_t rank, size_t operand) {
  require(term.dots ? rank >= term.letters() : rank == term.letters(), "operand ", operand, " has rank ", rank,
          ", its term has ", term.letters(), " letters", term.dots ? " and an ellipsis" : "");
  return rank - term.letters();
}

std::string implicit_output(const EinsumTerms& terms) {
  std::string all, once = terms.ellipsis;
  for (const std::string& operand : terms.operands)
    for (char c : operand)
      if (terms.ellipsis.find(c) == std::string::npos) all += c;
  std::sort(all.begin(), all.end());
  for (char c : all)
    if (std::count(all.begin(), all.end(), c) == 1) once += c;
  return once;
}

std::string explicit_output(const EinsumTerms& terms, const Term& term, std::string_view equation) {
  require(term.dots || terms.ellipsis.empty(), "equation '", equation,
          "' leaves the axes under the ellipsis out of its output");
  const std::string out = term.before + (term.dots ? terms.ellipsis : "") + term.after;
  for (char c : term.before + term.after) {
    require(std::count(out.begin(), out.end(), c) == 1, "equation '", equation, "' has '", c, "' twice in its output");
    const bool known =
        std::ranges::any_of(terms.operands, [&](const auto& labels) { return labels.find(c) != std::string::npos; });
    require(known, "equation '", equation, "' has '", c, "' in its output only");
  }
  return out;
}

}  // namespace

EinsumTerms parse_einsum(std::string_view equation, std::span<const size_t> ranks) {
  std::string text;
  std::copy_if(equation.begin(), equation.end(), std::back_inserter(text), [](char c) { return c != ' '; });
  const size_t arrow = text.find("->");
  const std::vector<Term> read = read_terms(std::string_view(text).substr(0, arrow), equation);
  require(read.size() == ranks.size(), "equation '", equation, "' has ", read.size(), " terms for ", ranks.size(),
          " operands");
  size_t hidden = 0;
  for (size_t i = 0; i < read.size(); ++i) hidden = std::max(hidden, hidden_axes(read[i], ranks[i], i));
  EinsumTerms terms;
  terms.ellipsis = unused_letters(equation, hidden);
  for (size_t i = 0; i < read.size(); ++i) {
    const size_t count = hidden_axes(read[i], ranks[i], i);
    terms.operands.push_back(read[i].before + terms.ellipsis.substr(hidden - count) + read[i].after);
  }
  if (arrow == std::string::npos)
    terms.output = implicit_output(terms);
  else
    terms.output = explicit_output(terms, read_term(std::string_view(text).substr(arrow + 2), equation), equation);
  require(terms.output.size() <= kMaxRank, "the result would have rank ", terms.output.size(),
          ", above the largest supported, ", kMaxRank);
  return terms;
}

}  // namespace onemodel
