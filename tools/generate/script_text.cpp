#include "generate/script_text.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace onemodel::generate {
namespace {

// The words that are all a text may be, as its documentation lists them: "tanh or relu", "to float8e8m0: up, down or
// nearest; …", with the default among them where there is one; none for another text.
std::vector<std::string> words_of(const FieldInfo& field) {
  static const std::regex list(R"((?:^|: )("?[\w-]+"?(?:, "?[\w-]+"?)* or "?[\w-]+"?)(?:$|[;:,]))");
  static const std::regex word(R"([\w-]+)");
  std::cmatch found;
  const std::string_view doc = field.doc;
  if (!std::regex_search(doc.data(), doc.data() + doc.size(), found, list)) return {};
  std::vector<std::string> out;
  for (std::cregex_iterator each(found[1].first, found[1].second, word), end; each != end; ++each)
    if (each->str() != "or") out.push_back(each->str());
  const auto* initial = field.initial ? std::get_if<std::string>(&*field.initial) : nullptr;
  return !initial || std::ranges::count(out, *initial) ? out : std::vector<std::string>();
}

// "'tanh' | 'relu'".
std::string text_type(const FieldInfo& field) {
  std::string out;
  for (const std::string& word : words_of(field)) out += concat(out.empty() ? "" : " | ", "'", word, "'");
  return out.empty() ? "string" : out;
}

}  // namespace

std::string camel(std::string_view name) {
  std::string out;
  bool raise = false;
  for (char c : name) {
    if (c == '_') {
      raise = !out.empty();
    } else {
      out += raise ? static_cast<char>(std::toupper(c)) : c;
      raise = false;
    }
  }
  out[0] = static_cast<char>(std::tolower(out[0]));
  return out;
}

// A number stands for a list of one, and for all axes, but not where a list of several is the default.
std::string script_type(const FieldInfo& field) {
  const auto* reals = field.initial ? std::get_if<std::vector<double>>(&*field.initial) : nullptr;
  const std::string words = field.doc.find("\"same\"") == std::string_view::npos ? "" : " | 'same' | 'valid'";
  switch (field.kind) {
    case AttributeKind::integer:
    case AttributeKind::real: return "number" + words;
    case AttributeKind::text: return text_type(field);
    case AttributeKind::reals:
      if (reals && reals->size() == 2) return "readonly [number, number]";
      [[fallthrough]];
    case AttributeKind::integers: return "number | readonly number[]" + words;
    case AttributeKind::tensor: return "Tensor";
    case AttributeKind::boolean: return "boolean";
    case AttributeKind::dtype: return "DType";
  }
  return "never";
}

std::string initial_text(const FieldInfo& field) {
  if (field.required) return "required";
  if (!field.initial) return "none";
  if (field.kind == AttributeKind::dtype)
    return std::string(dtype_name(static_cast<DType>(std::get<int64_t>(*field.initial))));
  if (field.kind == AttributeKind::boolean) return std::get<int64_t>(*field.initial) ? "true" : "false";
  std::string out;
  append_value(out, *field.initial);
  return out;
}

std::string names_of(std::span<const FieldInfo> fields) {
  std::string out;
  for (const FieldInfo& field : fields) out += concat(out.empty() ? "" : ", ", "'", camel(field.name), "'");
  return out;
}

std::string option_list(std::span<const FieldInfo> fields) {
  std::string out;
  for (const FieldInfo& field : fields)
    out += concat("    /** ", field.doc, "; ", initial_text(field), ". */\n    ", camel(field.name),
                  field.required ? "" : "?", ": ", script_type(field), field.optional && field.initial ? " | null" : "",
                  ";\n");
  return out;
}

std::string values_text(std::string_view owner, std::span<const FieldInfo> fields) {
  return concat("valuesOf('", owner, "', options, [", names_of(fields), "])");
}

}  // namespace onemodel::generate
