#pragma once
// Rows of a table by index.

#include "nn/layer.h"

namespace onemodel::nn {

struct EmbeddingOptions {
  int64_t num_embeddings = 0, embedding_dim = 0;
  std::optional<int64_t> padding_idx = {};
  static constexpr auto fields() {
    using O = EmbeddingOptions;
    return std::tuple{required_field("num_embeddings", &O::num_embeddings, "rows of the table"),
                      required_field("embedding_dim", &O::embedding_dim, "width of a row"),
                      field("padding_idx", &O::padding_idx, "a row that is 0 at first and gets no gradient")};
  }
};

/// Indices of int64 or int32, in [0, num_embeddings), give [..., embedding_dim]; parameter weight [num_embeddings, embedding_dim], normally
/// distributed at first.
class Embedding final : public Layer<Embedding, EmbeddingOptions> {
 public:
  static constexpr std::string_view kName = "Embedding";
  static constexpr std::string_view kDoc = "rows of a table by index";
  explicit Embedding(const EmbeddingOptions& options);
  Embedding(int64_t num_embeddings, int64_t embedding_dim)
      : Embedding(EmbeddingOptions{.num_embeddings = num_embeddings, .embedding_dim = embedding_dim}) {}
  Tensor run(const Tensor& x);

 private:
  Tensor weight_;
};

}  // namespace onemodel::nn
