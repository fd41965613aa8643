#include "nn/embedding.h"

#include "eager/functions_attention.h"
#include "nn/random.h"

namespace onemodel::nn {

Embedding::Embedding(const EmbeddingOptions& options) : Layer(options) {
  const auto& [count, width, padding] = options;
  check_at_least(1, kName, "num_embeddings", count);
  check_at_least(1, kName, "embedding_dim", width);
  check(!padding || (*padding >= -count && *padding < count), kName, ": padding_idx must be in [", -count, ", ", count,
        "), got ", padding.value_or(0));
  const Tensor table = Tensor::empty({count, width});
  weight_generator().fill_normal(table.mutable_raw_as<float>(), static_cast<size_t>(table.numel()), 0, 1);
  if (padding) table.select(0, *padding < 0 ? *padding + count : *padding).fill(0);
  weight_ = register_parameter("weight", table);
}

Tensor Embedding::run(const Tensor& x) { return embedding(x, weight_, options().padding_idx); }

}  // namespace onemodel::nn
