#include "ops/op.h"

#include <cstring>

#include "ops/op_list.h"

namespace onemodel {

size_t OpTraits::min_inputs() const {
  size_t count = 0;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].use != Input::optional) count = i + 1;
  return count;
}

bool operator==(const Op& a, const Op& b) {
  if (a.traits_ != b.traits_) return false;
  if (a.data_ == b.data_) return true;
  for (size_t i = 0; i < a.traits_->fields.size(); ++i) {
    const auto x = a.attribute(i), y = b.attribute(i);
    if (x.has_value() != y.has_value() || (x && !equal(*x, *y))) return false;
  }
  return true;
}

void append(std::string& out, const Op& op) {
  out += op.name();
  bool any = false;
  const auto& fields = op.traits().fields;
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto value = op.attribute(i);
    if (!value || (fields[i].initial && equal(*value, *fields[i].initial))) continue;
    out += any ? ", " : "(";
    any = true;
    out += fields[i].name;
    out += '=';
    append_value(out, *value);
  }
  if (any) out += ')';
}

std::span<const OpTraits* const> all_operators() {
#define OP(T) &traits_of<T>(),
  static const OpTraits* const all[] = {
#include "ops/op_list.inc"
  };
#undef OP
  return all;
}

const OpTraits* find_operator(std::string_view name) {
  for (const OpTraits* traits : all_operators())
    if (traits->info.name == name) return traits;
  return nullptr;
}

Op make_op(const OpTraits& traits, std::span<const std::pair<std::string, AttributeValue>> attributes) {
  std::vector<std::optional<AttributeValue>> values(traits.fields.size());
  for (const auto& [name, value] : attributes) {
    size_t i = 0;
    while (i < traits.fields.size() && traits.fields[i].name != name) ++i;
    if (i == traits.fields.size()) {
      std::string known;
      for (const FieldInfo& field : traits.fields) known += concat(known.empty() ? "" : ", ", field.name);
      throw ArgumentError(
          concat(traits.info.name, ": unknown attribute '", name, "' (known: ", known.empty() ? "none" : known, ")"));
    }
    values[i] = value;
  }
  return traits.make(values);
}

bool equal(const AttributeValue& a, const AttributeValue& b) {
  const Tensor* x = std::get_if<Tensor>(&a);
  const Tensor* y = std::get_if<Tensor>(&b);
  if (!x || !y) {
    if (a.index() != b.index()) return false;
    return std::visit(
        [&](const auto& value) {
          using T = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<T, Tensor>)
            return false;
          else
            return value == std::get<T>(b);
        },
        a);
  }
  if (x->dtype() != y->dtype() || x->dims() != y->dims()) return false;
  const Tensor p = x->contiguous(), q = y->contiguous();
  return std::memcmp(p.raw(), q.raw(), p.bytes()) == 0;
}

namespace {
template <class T>
void append_list(std::string& out, const std::vector<T>& values) {
  out += '[';
  for (size_t i = 0; i < values.size(); ++i) {
    if (i) out += ", ";
    append(out, values[i]);
  }
  out += ']';
}
}  // namespace

void append_value(std::string& out, const AttributeValue& value) {
  std::visit(
      [&](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string>)
          out += concat('"', v, '"');
        else if constexpr (std::is_same_v<T, std::vector<int64_t>> || std::is_same_v<T, std::vector<double>>)
          append_list(out, v);
        else
          append(out, v);
      },
      value);
}

std::string_view attribute_kind_name(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::integer: return "an integer";
    case AttributeKind::real: return "a number";
    case AttributeKind::text: return "a string";
    case AttributeKind::integers: return "a list of integers";
    case AttributeKind::reals: return "a list of numbers";
    case AttributeKind::tensor: return "a tensor";
    case AttributeKind::boolean: return "0 or 1";
    case AttributeKind::dtype: return "an element type";
  }
  return "?";
}

namespace detail {

std::vector<FieldInfo> describe_members(std::span<const Member> members, const void* initial) {
  std::vector<FieldInfo> out;
  out.reserve(members.size());
  for (const Member& member : members) {
    const MemberCodec& codec = *member.codec;
    out.push_back({member.name, member.doc, codec.kind, codec.optional, member.required, std::nullopt});
    if (!member.required) out.back().initial = codec.encode(member.place(const_cast<void*>(initial)));
  }
  return out;
}

void set_members(std::string_view who, std::span<const Member> members,
                 std::span<const std::optional<AttributeValue>> values, void* object) {
  for (size_t i = 0; i < members.size(); ++i) {
    const Member& member = members[i];
    const AttributeValue* value = i < values.size() && values[i] ? &*values[i] : nullptr;
    if (value ? member.codec->decode(*value, member.place(object)) : !member.required) continue;
    std::string got = "nothing";
    if (value) append_value(got = "", *value);
    throw ArgumentError(
        concat(who, ": '", member.name, "' expects ", attribute_kind_name(member.codec->kind), ", got ", got));
  }
}

}  // namespace detail

}  // namespace onemodel
