#pragma once
// Every rewrite, each in the file of its name. When one applies is said there.

#include "passes/patch.h"

namespace onemodel {

std::optional<Patch> fold_batch_norm(const PassContext&, NodeId);
std::optional<Patch> fold_constants(const PassContext&, NodeId);
std::optional<Patch> fuse_activation(const PassContext&, NodeId);
std::optional<Patch> fuse_attention(const PassContext&, NodeId);
std::optional<Patch> fuse_bias_into_conv(const PassContext&, NodeId);
std::optional<Patch> fuse_bias_into_matmul(const PassContext&, NodeId);
std::optional<Patch> fuse_qdq(const PassContext&, NodeId);
std::optional<Patch> fuse_transpose_into_attention(const PassContext&, NodeId);
std::optional<Patch> merge_common_subexpressions(const PassContext&, NodeId);
std::optional<Patch> merge_reshapes(const PassContext&, NodeId);
std::optional<Patch> merge_transposes(const PassContext&, NodeId);
std::optional<Patch> move_quantised(const PassContext&, NodeId);
std::optional<Patch> remove_added_zeros(const PassContext&, NodeId);
std::optional<Patch> remove_dead_nodes(const PassContext&, NodeId);
std::optional<Patch> remove_identities(const PassContext&, NodeId);
std::optional<Patch> remove_neutral_arithmetic(const PassContext&, NodeId);

}  // namespace onemodel
