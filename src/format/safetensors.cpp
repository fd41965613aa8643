#include "format/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "format/bytes.h"

namespace onemodel {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kMostHeaderBytes = 100'000'000;
constexpr std::string_view kMetadata = "__metadata__";
constexpr std::pair<std::string_view, DType> kTypes[] = {
    {"F64", DType::f64},      {"F32", DType::f32},          {"F16", DType::f16},        {"BF16", DType::bf16},
    {"I64", DType::i64},      {"I32", DType::i32},          {"I16", DType::i16},        {"I8", DType::i8},
    {"U64", DType::u64},      {"U32", DType::u32},          {"U16", DType::u16},        {"U8", DType::u8},
    {"BOOL", DType::boolean}, {"F8_E4M3", DType::f8e4m3fn}, {"F8_E5M2", DType::f8e5m2}, {"F8_E8M0", DType::f8e8m0}};

const std::pair<std::string_view, DType>* find_type(DType dtype) {
  for (const auto& type : kTypes)
    if (type.second == dtype) return &type;
  return nullptr;
}

template <class... Parts>
[[noreturn]] void fail(std::string_view kind, const Parts&... parts) {
  throw ModelError(kind, concat("safetensors: ", parts...));
}
template <class... Parts>
void require(bool ok, const Parts&... parts) {
  if (!ok) [[unlikely]]
    fail("Malformed", parts...);
}

// The header as JSON without repeated keys, at most three levels deep.
Json parse_header(std::span<const std::byte> bytes) {
  std::set<std::string> keys[2];  // of the header, of the entry that is read
  std::string repeated;
  bool is_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > 3) is_deep = true;
    if (event == Json::parse_event_t::key && depth >= 1 && depth <= 2) {
      if (depth == 1) keys[1].clear();
      if (!keys[depth - 1].insert(value.get_ref<const std::string&>()).second)
        repeated = value.get_ref<const std::string&>();
    }
    return !is_deep;
  };
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  require(!bytes.empty() && *text == '{', "the header does not begin with '{'");
  Json header = Json::parse(text, text + bytes.size(), watch, false);
  require(!is_deep, "the header is nested deeper than the format has it");
  require(header.is_object(), "the header is not a JSON object");
  require(repeated.empty(), "the header has the key '", repeated, "' twice");
  return header;
}

struct Entry {
  std::string name;
  DType dtype = DType::undefined;
  Dims dims;
  uint64_t begin = 0, end = 0;
};

uint64_t unsigned_of(const Json& value, const std::string& name, std::string_view what) {
  require(value.is_number_unsigned(), "tensor '", name, "': ", what, " must be integers that are not negative");
  return value.get<uint64_t>();
}

const Json& member(const Json& entry, const char* key, const std::string& name) {
  const auto found = entry.find(key);
  require(found != entry.end(), "tensor '", name, "' has no ", key);
  return *found;
}

DType dtype_of_entry(const Json& value, const std::string& name) {
  require(value.is_string(), "tensor '", name, "': dtype must be a string");
  const auto& spelling = value.get_ref<const std::string&>();
  for (const auto& [text, dtype] : kTypes)
    if (text == spelling) return dtype;
  fail("Unsupported", "tensor '", name, "': element type '", spelling, "' is not supported");
}

Entry entry_of(const std::string& name, const Json& json) {
  require(json.is_object() && json.size() == 3, "tensor '", name, "' must have dtype, shape and data_offsets");
  Entry entry{.name = name, .dtype = dtype_of_entry(member(json, "dtype", name), name)};
  const Json& shape = member(json, "shape", name);
  const Json& offsets = member(json, "data_offsets", name);
  require(shape.is_array(), "tensor '", name, "': shape must be a list");
  if (shape.size() > kMaxRank) fail("Unsupported", "tensor '", name, "': rank ", shape.size(), " is above ", kMaxRank);
  uint64_t bytes = dtype_size(entry.dtype), stride_bytes = bytes;
  for (const Json& item : shape) {
    const uint64_t extent = unsigned_of(item, name, "extents");
    bytes = extent == 0 ? 0 : bytes;
    require(!__builtin_mul_overflow(stride_bytes, std::max<uint64_t>(extent, 1), &stride_bytes) &&
                stride_bytes <= static_cast<uint64_t>(INT64_MAX),
            "tensor '", name, "' is larger than any file");
    entry.dims.push_back(static_cast<int64_t>(extent));
  }
  bytes = bytes == 0 ? 0 : stride_bytes;
  require(offsets.is_array() && offsets.size() == 2, "tensor '", name, "': data_offsets must be two numbers");
  entry.begin = unsigned_of(offsets[0], name, "data_offsets");
  entry.end = unsigned_of(offsets[1], name, "data_offsets");
  require(entry.begin <= entry.end && entry.end - entry.begin == bytes, "tensor '", name, "': shape ", entry.dims,
          " of ", entry.dtype, " takes ", bytes, " bytes, data_offsets ", entry.begin, " to ", entry.end);
  return entry;
}

// The tensors in the order of their data, which must cover `available` bytes without a gap.
std::vector<Entry> entries_of(const Json& header, uint64_t available) {
  std::vector<Entry> entries;
  for (const auto& [name, json] : header.items())
    if (name != kMetadata) entries.push_back(entry_of(name, json));
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  uint64_t at = 0;
  for (const Entry& entry : entries) {
    require(entry.begin == at, "tensor '", entry.name, "' begins at ", entry.begin, " of the data, expected ", at,
            entry.begin < at ? " (an overlap)" : " (a hole)");
    at = entry.end;
    if (at > available)
      fail("Truncated", "tensor '", entry.name, "' ends at ", at, " of the data, which has ", available, " bytes");
  }
  require(at == available, "the data has ", available - at, " bytes that belong to no tensor");
  return entries;
}

Tensor tensor_of(const Entry& entry, std::span<const std::byte> data) {
  Tensor out = Tensor::empty(entry.dims, entry.dtype);
  const auto bytes = data.subspan(static_cast<size_t>(entry.begin), out.bytes());
  if (!bytes.empty()) std::memcpy(out.mutable_raw(), bytes.data(), bytes.size());
  if (entry.dtype == DType::boolean)
    require(std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b <= std::byte{1}; }), "tensor '",
            entry.name, "' has a boolean other than 0 and 1");
  return out;
}

void read_metadata(const Json& header, std::map<std::string, std::string>& metadata) {
  metadata.clear();
  const auto found = header.find(kMetadata);
  if (found == header.end()) return;
  for (const auto& [key, value] : found->items()) metadata[key] = value.get<std::string>();
}

void check_metadata(const Json& header) {
  const auto found = header.find(kMetadata);
  if (found == header.end()) return;
  require(found->is_object(), kMetadata, " is not an object");
  for (const auto& [key, value] : found->items())
    require(value.is_string(), kMetadata, ": '", key, "' is not a string");
}

std::string json_text(std::string_view text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

/// Members of a JSON object, in the order in which they come.
class JsonObject {
 public:
  void add(std::string_view key, std::string_view json) {
    text_ += concat(text_.empty() ? '{' : ',', json_text(key), ':', json);
  }
  std::string text() const { return text_.empty() ? "{}" : text_ + '}'; }

 private:
  std::string text_;
};

template <class List>
std::string json_list(const List& numbers) {
  std::string out;
  for (const auto number : numbers) out += concat(out.empty() ? '[' : ',', number);
  return out.empty() ? "[]" : out + ']';
}

}  // namespace

std::map<std::string, Tensor> read_safetensors(std::span<const std::byte> file,
                                               std::map<std::string, std::string>* metadata) {
  if (file.size() < 8) fail("Truncated", "the file has ", file.size(), " bytes, its header's length alone takes 8");
  const auto header_bytes = ByteReader("safetensors", file).get<uint64_t>();
  if (header_bytes > kMostHeaderBytes)
    fail("TooLarge", "the header declares ", header_bytes, " bytes; the limit is ", kMostHeaderBytes);
  if (header_bytes > file.size() - 8)
    fail("Truncated", "the header declares ", header_bytes, " bytes, but there are ", file.size() - 8);
  const Json header = parse_header(file.subspan(8, static_cast<size_t>(header_bytes)));
  check_metadata(header);
  const auto data = file.subspan(8 + static_cast<size_t>(header_bytes));
  std::map<std::string, Tensor> tensors;
  for (const Entry& entry : entries_of(header, data.size())) tensors.emplace(entry.name, tensor_of(entry, data));
  if (metadata) read_metadata(header, *metadata);
  return tensors;
}

std::vector<std::byte> write_safetensors(const std::map<std::string, Tensor>& tensors,
                                         const std::map<std::string, std::string>& metadata) {
  std::vector<std::pair<const std::string*, Tensor>> order;
  for (const auto& [name, tensor] : tensors) {
    check(tensor.defined(), "write_safetensors: tensor '", name, "' is undefined");
    check<DTypeError>(find_type(tensor.dtype()) != nullptr, "write_safetensors: tensor '", name, "' is ",
                      tensor.dtype(), ", which the format does not have");
    check(name != kMetadata, "write_safetensors: a tensor cannot be named '", kMetadata, "'");
    if (TensorExtension* extension = tensor.extension()) extension->before_read(tensor, "write_safetensors");
    order.emplace_back(&name, tensor.contiguous());
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return dtype_size(a.second.dtype()) > dtype_size(b.second.dtype());
  });
  JsonObject header;
  if (!metadata.empty()) {
    JsonObject extra;
    for (const auto& [key, value] : metadata) extra.add(key, json_text(value));
    header.add(kMetadata, extra.text());
  }
  uint64_t at = 0;
  for (const auto& [name, tensor] : order) {
    JsonObject entry;
    entry.add("dtype", json_text(find_type(tensor.dtype())->first));
    entry.add("shape", json_list(tensor.dims()));
    entry.add("data_offsets", json_list(std::array{at, at + tensor.bytes()}));
    header.add(*name, entry.text());
    at += tensor.bytes();
  }
  std::string text = header.text();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  ByteWriter out;
  out.put(static_cast<uint64_t>(text.size()));
  out.append(std::string_view(text));
  for (const auto& [name, tensor] : order) out.append({tensor.raw(), tensor.bytes()});
  return out.take();
}

}  // namespace onemodel
