#include "format/string_data.h"

#include <string>
#include <vector>

namespace onemodel {

Tensor encode_strings(const Tensor& tensor) {
  const std::vector<std::string> texts = tensor.to_vector<std::string>();
  ByteWriter out;
  for (const std::string& text : texts) out.put_count(text.size());
  for (const std::string& text : texts) out.append(text);
  const auto bytes = std::span(reinterpret_cast<const uint8_t*>(out.bytes().data()), out.size());
  return Tensor::from(bytes, {static_cast<int64_t>(bytes.size())});
}

Tensor decode_strings(const Dims& dims, ByteReader& in) {
  const auto count = static_cast<uint64_t>(numel(dims));
  in.require(count <= in.remaining() / sizeof(uint32_t), "ends inside the strings of a tensor ", dims);
  ByteReader lengths("the strings of a tensor", in.take(static_cast<size_t>(count) * sizeof(uint32_t)));
  std::vector<std::string> texts;
  for (uint64_t i = 0; i < count; ++i) {
    const auto text = in.take(lengths.get<uint32_t>());
    texts.emplace_back(reinterpret_cast<const char*>(text.data()), text.size());
  }
  return Tensor::from(std::span<const std::string>(texts), dims);
}

}  // namespace onemodel
