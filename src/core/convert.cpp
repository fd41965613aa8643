#include "core/convert.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "core/rows.h"
#include "core/strings.h"

namespace onemodel {
namespace {

/// What a conversion is about, for the functions that are compiled once for several types.
struct Conversion {
  DType from, to;
  ConvertOptions options;
  Strings& strings;
};

/// To and from a type that holds every value of the first, so that the pairs of dtypes need no code each.
using Widen = void (*)(const Conversion&, const std::byte* in, int64_t stride, int64_t count, void* wide);
using Narrow = void (*)(const Conversion&, const void* wide, int64_t count, std::byte* out);
struct Steps {
  Widen widen;
  Narrow narrow;
};

template <class T>
using WideOf = std::conditional_t<is_floating(dtype_of<T>), double,
                                  std::conditional_t<std::is_same_v<T, uint64_t>, uint64_t, int64_t>>;

template <class T>
void widen(const Conversion&, const std::byte* in, int64_t stride, int64_t count, void* wide) {
  const T* x = reinterpret_cast<const T*>(in);
  auto* y = static_cast<WideOf<T>*>(wide);
  for (int64_t i = 0; i < count; ++i) y[i] = convert<WideOf<T>>(x[i * stride]);
}

template <class T, class W>
void narrow(const Conversion&, const void* wide, int64_t count, std::byte* out) {
  const W* x = static_cast<const W*>(wide);
  T* y = reinterpret_cast<T*>(out);
  for (int64_t i = 0; i < count; ++i) y[i] = convert<T>(x[i]);
}

void widen_small_float(const Conversion& c, const std::byte* in, int64_t stride, int64_t count, void* wide) {
  auto* y = static_cast<double*>(wide);
  for (int64_t i = 0; i < count; ++i) y[i] = small_to_float(c.from, static_cast<uint8_t>(in[i * stride]));
}

void widen_small_integer(const Conversion& c, const std::byte* in, int64_t stride, int64_t count, void* wide) {
  auto* y = static_cast<int64_t*>(wide);
  for (int64_t i = 0; i < count; ++i) y[i] = small_to_integer(c.from, static_cast<uint8_t>(in[i * stride]));
}

template <class W>
void narrow_to_small(const Conversion& c, const void* wide, int64_t count, std::byte* out) {
  const W* x = static_cast<const W*>(wide);
  for (int64_t i = 0; i < count; ++i) {
    uint8_t bits;
    if (c.to == DType::f8e8m0)
      bits = float_to_power(static_cast<double>(x[i]), c.options.power_rounding, c.options.saturate);
    else if constexpr (std::is_same_v<W, double>)
      bits = float_to_small(c.to, x[i], c.options.saturate);
    else
      bits = integer_to_small(c.to, static_cast<int64_t>(x[i]), c.options.saturate);
    out[i] = std::byte{bits};
  }
}

[[noreturn]] void refuse_text(const char* text, DType to) {
  throw ArgumentError(concat("Cast: the string '", text, "' is no number, expected one to convert to ", to));
}

/// The whole of a text as a number; `read` is a function of the family of strtod.
template <class Read>
auto read_whole(const char* text, const Read& read, bool& is_whole) {
  char* end = nullptr;
  errno = 0;
  const auto value = read(text, &end);
  is_whole = end != text && *end == '\0';
  return value;
}

double read_float(const char* text, DType to) {
  bool is_whole;
  const double value = to == DType::f32 || to == DType::f16 || to == DType::bf16
                           ? static_cast<double>(read_whole(text, std::strtof, is_whole))
                           : read_whole(text, std::strtod, is_whole);
  if (!is_whole) refuse_text(text, to);
  return value;
}

/// Digits are read as they are; what else is a number goes by way of a float.
template <class W>
W read_number(const char* text, DType to) {
  if constexpr (std::is_same_v<W, double>) {
    return read_float(text, to);
  } else {
    bool is_whole;
    const auto digits = [](const char* from, char** end) {
      return std::is_same_v<W, uint64_t> ? std::strtoull(from, end, 10)
                                         : static_cast<unsigned long long>(std::strtoll(from, end, 10));
    };
    const auto value = static_cast<W>(read_whole(text, digits, is_whole));
    return is_whole && errno == 0 && (std::is_same_v<W, int64_t> || *text != '-') ? value
                                                                                  : convert<W>(read_float(text, to));
  }
}

template <class W>
void widen_text(const Conversion& c, const std::byte* in, int64_t stride, int64_t count, void* wide) {
  const auto* handles = reinterpret_cast<const StringHandle*>(in);
  auto* y = static_cast<W*>(wide);
  for (int64_t i = 0; i < count; ++i) y[i] = read_number<W>(std::string(c.strings[handles[i * stride]]).c_str(), c.to);
}

template <class W>
void append_text(std::string& out, W value, DType from) {
  if constexpr (std::is_same_v<W, double>) {
    if (value != value)
      out += "NaN";
    else if (std::isinf(value))
      out += value < 0 ? "-INF" : "INF";
    else if (from == DType::f64)
      append(out, value);
    else
      append(out, static_cast<float>(value));
  } else {
    append(out, value);
  }
}

template <class W>
void narrow_to_text(const Conversion& c, const void* wide, int64_t count, std::byte* out) {
  const W* x = static_cast<const W*>(wide);
  auto* handles = reinterpret_cast<StringHandle*>(out);
  for (int64_t i = 0; i < count; ++i) {
    std::string text;
    append_text(text, x[i], c.from);
    handles[i] = c.strings.add(text);
  }
}

template <class W>
Narrow narrow_from(DType to) {
  if (to == DType::string) return narrow_to_text<W>;
  if (is_small(to)) return narrow_to_small<W>;
  return visit_dtype(to, [](auto tag) -> Narrow { return narrow<typename decltype(tag)::type, W>; });
}

Steps steps_of(DType from, DType to) {
  if (from == DType::string) {
    if (to == DType::u64) return {widen_text<uint64_t>, narrow_from<uint64_t>(to)};
    if (is_integer(to) || is_small_integer(to)) return {widen_text<int64_t>, narrow_from<int64_t>(to)};
    return {widen_text<double>, narrow_from<double>(to)};
  }
  if (is_small_integer(from)) return {widen_small_integer, narrow_from<int64_t>(to)};
  if (is_small(from)) return {widen_small_float, narrow_from<double>(to)};
  return visit_dtype(from, [&]<class T>(TypeTag<T>) -> Steps { return {widen<T>, narrow_from<WideOf<T>>(to)}; });
}

}  // namespace

void convert_elements(const Tensor& source, DType to, void* out, const ConvertOptions& options) {
  Strings strings(source.dtype() == DType::string || to == DType::string);
  const Conversion conversion{source.dtype(), to, options, strings};
  const Steps steps = steps_of(source.dtype(), to);
  const auto from_item = static_cast<int64_t>(dtype_size(source.dtype()));
  const auto to_item = static_cast<int64_t>(dtype_size(to));
  auto* place = static_cast<std::byte*>(out);
  for_each_row(source.dims(), source.strides(), [&](int64_t offset, int64_t length, int64_t stride) {
    alignas(8) std::byte wide[256 * 8];
    for (int64_t done = 0, count; done < length; done += count, place += count * to_item) {
      count = std::min<int64_t>(length - done, std::size(wide) / 8);
      steps.widen(conversion, source.raw() + (offset + done * stride) * from_item, stride, count, wide);
      steps.narrow(conversion, wide, count, place);
    }
  });
}

}  // namespace onemodel
