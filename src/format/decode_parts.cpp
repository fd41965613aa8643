#include "format/decode_parts.h"

#include <algorithm>

#include "format/layout.h"
#include "format/string_data.h"

namespace onemodel {
namespace {

DType read_dtype(ByteReader& in) {
  const auto dtype = static_cast<DType>(in.get<uint8_t>());
  in.require(dtype_size(dtype) != 0, "has an unknown element type, ", static_cast<int>(dtype));
  return dtype;
}

// Dims whose bytes are at most `available`.
Dims read_dims(ByteReader& in, DType dtype, uint64_t available) {
  const auto rank = in.get<uint8_t>();
  in.require(rank <= kMaxRank, "has a tensor of rank ", static_cast<int>(rank));
  Dims dims;
  uint64_t bytes = dtype_size(dtype);
  for (int i = 0; i < rank; ++i) {
    dims.push_back(in.get<int64_t>());
    in.require(dims.back() >= 0, "has a negative extent");
    const bool fits = !__builtin_mul_overflow(bytes, std::max<int64_t>(dims.back(), 1), &bytes);
    in.require(fits && bytes <= static_cast<uint64_t>(INT64_MAX), "has a shape without end");
  }
  in.require(static_cast<uint64_t>(numel(dims)) * dtype_size(dtype) <= available, "has a tensor ", dims, " of ", dtype,
             " that does not fit its ", available, " bytes");
  return dims;
}

}  // namespace

std::string unsound(DType dtype) {
  return dtype == DType::boolean ? "has a boolean other than 0 and 1" : concat("has an element that is no ", dtype);
}

std::vector<std::string_view> decode_string_table(std::span<const std::byte> section) {
  ByteReader in("strings section", section);
  const auto count = in.get<uint32_t>();
  ByteReader lengths("strings section", in.take(size_t{4} * std::min(count, UINT32_MAX / 4)));
  std::vector<std::string_view> out;
  for (uint32_t i = 0; i < count; ++i) {
    const auto text = in.take(lengths.get<uint32_t>());
    out.emplace_back(reinterpret_cast<const char*>(text.data()), text.size());
  }
  in.expect_end();
  return out;
}

std::vector<WeightEntry> decode_index(std::span<const std::byte> section, uint64_t weight_bytes) {
  std::vector<WeightEntry> out;
  ByteReader in("weights index", section);
  uint64_t at = 0;
  for (auto n = in.get<uint32_t>(); n > 0; --n) {
    WeightEntry weight{.dtype = read_dtype(in)};
    weight.dims = read_dims(in, weight.dtype, weight_bytes);
    weight.offset = in.get<uint64_t>();
    weight.length = in.get<uint64_t>();
    const uint64_t bytes = uint64_t(numel(weight.dims)) * dtype_size(weight.dtype);  // of strings: of their lengths
    const bool fits = weight.dtype == DType::string ? weight.length >= bytes : weight.length == bytes;
    in.require(fits && weight.offset == at && weight.length <= weight_bytes - at, "entry ", out.size(),
               " does not fit the weights section");
    at = std::min(weight_bytes, align_up(at + weight.length, kWeightAlignment));
    out.push_back(std::move(weight));
  }
  in.expect_end();
  if (!out.empty()) at += kWeightPadding;
  in.require(at == weight_bytes, "does not fill the weights section");
  return out;
}

Tensor read_tensor(ByteReader& in) {
  const DType dtype = read_dtype(in);
  const Dims dims = read_dims(in, dtype, in.remaining());
  if (dtype == DType::string) return decode_strings(dims, in);
  in.require(static_cast<uint64_t>(numel(dims)) * dtype_size(dtype) <= in.remaining(), "ends inside a tensor");
  Tensor out = Tensor::empty(dims, dtype);
  const auto bytes = in.take(out.bytes());
  if (!bytes.empty()) std::memcpy(out.mutable_raw(), bytes.data(), bytes.size());
  in.require(has_sound_elements(out), unsound(dtype));
  return out;
}

}  // namespace onemodel
