#include <cmath>

#include "eager/functions_attention.h"
#include "eager/functions_joining.h"
#include "eager/record.h"
#include "eager/unbatched.h"
#include "nn/random.h"
#include "nn/transformer.h"

namespace onemodel::nn {
namespace {

Tensor xavier_uniform(int64_t out, int64_t in) {
  const Tensor weight = Tensor::empty({out, in});
  fill_xavier_uniform(weight);
  return weight;
}

Tensor xavier_normal_step(int64_t width) {
  Tensor step = Tensor::empty({1, 1, width});
  const auto deviation = static_cast<float>(1 / std::sqrt(static_cast<double>(width)));
  weight_generator().fill_normal(step.mutable_raw_as<float>(), static_cast<size_t>(width), 0, deviation);
  return step;
}

// PyTorch's bool masks of modules say what must not be seen, those of the function what takes part.
Tensor of_function(const Tensor& mask) {
  return mask.dtype() == DType::boolean ? equal(mask, Tensor::full({}, 0, DType::boolean)) : mask;
}

// What both masks let be seen: bool when both are.
Tensor both(const Tensor& a, const Tensor& b, DType dtype) {
  if (a.dtype() == DType::boolean && b.dtype() == DType::boolean)
    return where(a, b, Tensor::full({}, 0, DType::boolean));
  return additive_mask(a, dtype) + additive_mask(b, dtype);
}

}  // namespace

MultiheadAttention::MultiheadAttention(const Options& options) : options_(options) {
  const int64_t width = options.embed_dim;
  check_at_least(1, kName, "embed_dim", width);
  check_at_least(1, kName, "num_heads", options.num_heads);
  check(width % options.num_heads == 0, kName, ": num_heads ", options.num_heads, " must divide embed_dim ", width);
  check(options.dropout >= 0 && options.dropout <= 1, kName, ": dropout must be in [0, 1], got ", options.dropout);
  const int64_t key = options.kdim.value_or(width), value = options.vdim.value_or(width);
  if (key == width && value == width) {
    weight_ = register_parameter("in_proj_weight", xavier_uniform(3 * width, width));
  } else {
    separate_[0] = register_parameter("q_proj_weight", xavier_uniform(width, width));
    separate_[1] = register_parameter("k_proj_weight", xavier_uniform(width, key));
    separate_[2] = register_parameter("v_proj_weight", xavier_uniform(width, value));
  }
  if (options.bias) bias_ = register_parameter("in_proj_bias", Tensor::zeros({3 * width}));
  if (options.add_bias_kv) {
    bias_k_ = register_parameter("bias_k", xavier_normal_step(width));
    bias_v_ = register_parameter("bias_v", xavier_normal_step(width));
  }
  out_proj_ = register_module("out_proj", std::make_shared<Linear>(width, width, options.bias));
  for (const NamedTensor& named : out_proj_->named_parameters())
    if (named.path == "bias") Tensor(named.tensor).fill(0);
}

Tensor MultiheadAttention::project(const Tensor& x, size_t which) const {
  const int64_t width = options_.embed_dim, start = static_cast<int64_t>(which) * width;
  const Tensor weight = weight_.defined() ? slice(weight_, 0, start, start + width) : separate_[which];
  return linear(x, weight, bias_.defined() ? slice(bias_, 0, start, start + width) : Tensor());
}

// [batch, steps, embed_dim] as [batch, heads, steps, width of a head].
Tensor MultiheadAttention::split_heads(const Tensor& x) const {
  const int64_t heads = options_.num_heads;
  return permute(reshape(x, {x.dims()[0], x.dims()[1], heads, options_.embed_dim / heads}), {0, 2, 1, 3});
}

// Key or value [batch, heads, steps, width of a head] with the steps that options add.
Tensor MultiheadAttention::lengthened(const Tensor& heads, const Tensor& learned) const {
  std::vector<Tensor> parts = {heads};
  const int64_t count = options_.num_heads, width = options_.embed_dim / count;
  const onemodel::Sizes sizes = {dim(heads, 0), count, 1, width};
  if (learned.defined()) parts.push_back(expand(permute(reshape(learned, {1, 1, count, width}), {0, 2, 1, 3}), sizes));
  if (options_.add_zero_attn) parts.push_back(zeros(sizes, heads.dtype()));
  return parts.size() == 1 ? heads : cat(parts, 2);
}

// The mask of the scores [batch, heads, L, S]; undefined for none.
Tensor MultiheadAttention::mask_of(const Tensor& key_padding, const Tensor& attention, const Tensor& query,
                                   const Tensor& key) const {
  const int64_t batch = query.dims()[0], length = query.dims()[2], keys = key.dims()[2];
  Tensor out;
  if (attention.defined()) {
    const Dims& dims = attention.dims();
    const bool is_cube = dims.size() == 3 && (dims[0] == batch || dims[0] == batch * options_.num_heads);
    check<ShapeError>((dims.size() == 2 || is_cube) && dims[dims.size() - 2] == length && dims.back() == keys, kName,
                      ": attn_mask must be [", length, ", ", keys, "] or with ", batch, " or ",
                      batch * options_.num_heads, " before it, got ", dims);
    out = of_function(attention);
    if (is_cube && dims[0] != batch) {
      const ShapeEntry rows = is_traced(out) ? ShapeEntry(dim(query, 0)) : ShapeEntry(batch);
      out = reshape(out, onemodel::Sizes{rows, options_.num_heads, length, keys});
    }
    if (out.rank() == 3) out = unsqueeze(out, {1});
  }
  if (!key_padding.defined()) return out;
  check<ShapeError>(key_padding.dims() == Dims{batch, keys}, kName, ": key_padding_mask must be [", batch, ", ", keys,
                    "], got ", key_padding.dims());
  const Tensor padding = unsqueeze(of_function(key_padding), {1, 2});
  return out.defined() ? both(out, padding, query.dtype()) : padding;
}

MultiheadAttention::Result MultiheadAttention::attend_without_batch(std::span<const Tensor> inputs) {
  const int64_t axis = options_.batch_first ? 0 : 1;
  std::vector<Tensor> batch(inputs.begin(), inputs.end());
  for (size_t i = 0; i < batch.size() && i < 4; ++i) batch[i] = batch_of_one(batch[i], i == 3 ? 0 : axis);
  const Result result = attend(batch);
  return {squeeze(result.output, {axis}), result.weights};
}

MultiheadAttention::Result MultiheadAttention::attend(std::span<const Tensor> inputs) {
  check(inputs.size() == 1 || (inputs.size() >= 3 && inputs.size() <= 5), kName,
        ": query, key, value and up to two masks were expected, got ", inputs.size(), " inputs");
  if (inputs[0].defined() && inputs[0].rank() == 2) return attend_without_batch(inputs);
  const int64_t widths[] = {options_.embed_dim, options_.kdim.value_or(options_.embed_dim),
                            options_.vdim.value_or(options_.embed_dim)};
  Tensor heads[3];
  for (size_t i = 0; i < 3; ++i) {
    Tensor x = inputs[inputs.size() == 1 ? 0 : i];
    check(x.defined(), kName, ": query, key and value are needed");
    check<ShapeError>(x.rank() == 3 && x.dims()[2] == widths[i], kName, ": ",
                      i == 0   ? "query"
                      : i == 1 ? "key"
                               : "value",
                      " must be [", options_.batch_first ? "batch, steps, " : "steps, batch, ", widths[i], "], got ",
                      x.dims());
    if (!options_.batch_first) x = permute(x, {1, 0, 2});
    heads[i] = split_heads(project(x, i));
  }
  const Tensor &query = heads[0], &key = heads[1], &value = heads[2];
  check<ShapeError>(key.dims()[0] == query.dims()[0] && value.dims()[0] == query.dims()[0], kName,
                    ": query, key and value must have one batch size, got ", query.dims()[0], ", ", key.dims()[0],
                    " and ", value.dims()[0]);
  check<ShapeError>(key.dims()[2] == value.dims()[2], kName, ": key and value must have as many steps, got ",
                    key.dims()[2], " and ", value.dims()[2]);
  const Tensor padding = inputs.size() > 3 ? inputs[3] : Tensor(), mask = inputs.size() > 4 ? inputs[4] : Tensor();
  Tensor seen = mask_of(padding, mask, query, key);
  const int64_t more = (options_.add_bias_kv ? 1 : 0) + (options_.add_zero_attn ? 1 : 0);
  if (seen.defined() && more > 0) seen = pad(seen, {0, more}, "constant", seen.dtype() == DType::boolean ? 1 : 0);
  AttentionOptions options;
  if (training()) options.dropout_p = options_.dropout;
  options.generator = &default_generator();
  const AttentionResult result = attention(query, lengthened(key, bias_k_), lengthened(value, bias_v_), seen, options);
  Tensor y = reshape(permute(result.output, {0, 2, 1, 3}), {query.dims()[0], query.dims()[2], options_.embed_dim});
  y = (*out_proj_)(y);
  return {options_.batch_first ? y : permute(y, {1, 0, 2}), result.weights};
}

std::vector<Tensor> MultiheadAttention::forward(std::span<const Tensor> inputs) { return {attend(inputs).output}; }

std::vector<Tensor> MultiheadAttention::with_weights(std::span<const Tensor> inputs, bool average_attn_weights) {
  return called(inputs, [&]() -> std::vector<Tensor> {
    const Result result = attend(inputs);
    const Tensor weights = average_attn_weights ? mean(result.weights, {1}) : result.weights;
    return {result.output, inputs[0].rank() == 2 ? squeeze(weights, {0}) : weights};
  });
}

}  // namespace onemodel::nn
