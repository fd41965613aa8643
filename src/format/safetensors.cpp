#include "format/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/sort.h"
#include "format/bytes.h"
#include "format/json.h"

namespace onemodel {
namespace {

constexpr uint64_t kMostHeaderBytes = 100'000'000;
constexpr std::string_view kMetadata = "__metadata__";
constexpr int kDepth = 3;  // a list in an entry in the header
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

struct Entry {
  std::string name;
  DType dtype = DType::undefined;
  Dims dims;
  uint64_t begin = 0, end = 0;
};

/// The three members of an entry, as they stand.
struct EntryText {
  std::optional<DType> dtype;
  std::optional<std::vector<uint64_t>> shape, offsets;
};

DType read_dtype(JsonReader& json, const std::string& name) {
  require(json.peek() == '"', "tensor '", name, "': dtype must be a string");
  const std::string spelling = json.text();
  for (const auto& [text, dtype] : kTypes)
    if (text == spelling) return dtype;
  fail("Unsupported", "tensor '", name, "': element type '", spelling, "' is not supported");
}

std::vector<uint64_t> read_numbers(JsonReader& json, const std::string& name, std::string_view list,
                                   std::string_view items) {
  require(json.peek() == '[', "tensor '", name, "': ", list);
  std::vector<uint64_t> numbers;
  for (bool more = json.enter('['); more; more = json.advance('[')) {
    const auto number = json.unsigned_integer();
    require(number.has_value(), "tensor '", name, "': ", items, " must be integers that are not negative");
    numbers.push_back(*number);
  }
  return numbers;
}

EntryText read_entry(JsonReader& json, const std::string& name) {
  EntryText entry;
  size_t members = 0;
  if (json.peek() == '{') {
    for (bool more = json.enter('{'); more; more = json.advance('{'), ++members) {
      const std::string key = json.key();
      if (key == "dtype")
        entry.dtype = read_dtype(json, name);
      else if (key == "shape")
        entry.shape = read_numbers(json, name, "shape must be a list", "extents");
      else if (key == "data_offsets")
        entry.offsets = read_numbers(json, name, "data_offsets must be two numbers", key);
      else
        json.skip(kDepth);
    }
  }
  require(members == 3, "tensor '", name, "' must have dtype, shape and data_offsets");
  const std::string_view missing = !entry.dtype ? "dtype" : !entry.shape ? "shape" : "data_offsets";
  require(entry.dtype && entry.shape && entry.offsets, "tensor '", name, "' has no ", missing);
  return entry;
}

Entry entry_of(const std::string& name, const EntryText& text) {
  const auto& shape = *text.shape;
  const auto& offsets = *text.offsets;
  Entry entry{.name = name, .dtype = *text.dtype};
  if (shape.size() > kMaxRank) fail("Unsupported", "tensor '", name, "': rank ", shape.size(), " is above ", kMaxRank);
  uint64_t bytes = dtype_size(entry.dtype), stride_bytes = bytes;
  for (const uint64_t extent : shape) {
    bytes = extent == 0 ? 0 : bytes;
    require(!__builtin_mul_overflow(stride_bytes, std::max<uint64_t>(extent, 1), &stride_bytes) &&
                stride_bytes <= static_cast<uint64_t>(INT64_MAX),
            "tensor '", name, "' is larger than any file");
    entry.dims.push_back(static_cast<int64_t>(extent));
  }
  bytes = bytes == 0 ? 0 : stride_bytes;
  require(offsets.size() == 2, "tensor '", name, "': data_offsets must be two numbers");
  entry.begin = offsets[0];
  entry.end = offsets[1];
  require(entry.begin <= entry.end && entry.end - entry.begin == bytes, "tensor '", name, "': shape ", entry.dims,
          " of ", entry.dtype, " takes ", bytes, " bytes, data_offsets ", entry.begin, " to ", entry.end);
  return entry;
}

using Metadata = std::map<std::string, std::string>;

void read_metadata(JsonReader& json, Metadata& metadata) {
  require(json.peek() == '{', kMetadata, " is not an object");
  for (bool more = json.enter('{'); more; more = json.advance('{')) {
    const std::string key = json.key();
    require(json.peek() == '"', kMetadata, ": '", key, "' is not a string");
    metadata[key] = json.text();
  }
}

struct Header {
  std::vector<Entry> entries;
  Metadata metadata;
};

Header read_header(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  require(text.starts_with('{'), "the header does not begin with '{'");
  JsonReader json("safetensors: the header", text, kDepth);
  Header header;
  for (bool more = json.enter('{'); more; more = json.advance('{')) {
    const std::string key = json.key();
    if (key == kMetadata)
      read_metadata(json, header.metadata);
    else
      header.entries.push_back(entry_of(key, read_entry(json, key)));
  }
  return header;
}

// Puts them in the order of their data, which must cover `available` bytes without a gap.
void sort_entries(std::vector<Entry>& entries, uint64_t available) {
  entries = sorted(std::move(entries), [](const Entry& a, const Entry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
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
  Header header = read_header(file.subspan(8, static_cast<size_t>(header_bytes)));
  const auto data = file.subspan(8 + static_cast<size_t>(header_bytes));
  sort_entries(header.entries, data.size());
  std::map<std::string, Tensor> tensors;
  for (const Entry& entry : header.entries) tensors.emplace(entry.name, tensor_of(entry, data));
  if (metadata) *metadata = std::move(header.metadata);
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
  order = sorted(std::move(order), [](const auto& a, const auto& b) {
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
