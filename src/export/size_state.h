#pragma once
// The declared sizes while a model is being asked about them: which are free, and what the others follow from.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "export/dynamic_shapes.h"
#include "trace/second_run.h"

namespace onemodel {

/// scale * root + offset; without a root the number `offset`.
struct Affine {
  std::string root;
  int64_t scale = 0;
  int64_t offset = 0;
  bool is_number() const { return root.empty(); }
  int64_t at(int64_t root_size) const { return scale * root_size + offset; }
};

/// A free size.
struct SizeRoot {
  SizeRange range;
  int64_t example = 0;    // what the caller's arguments have
  bool is_quiet = false;  // a hint AUTO: what becomes of it is no error
};

/// Copies are for trying something out.
class SizeState {
 public:
  explicit SizeState(std::span<const InputSizes> inputs);

  /// Labels of the sizes that nothing binds, in the order of their axes.
  const std::vector<std::string>& live() const { return live_; }
  bool is_live(const std::string& label) const;
  const SizeRoot& root(const std::string& label) const { return roots_.at(label); }
  SizeRange& range(const std::string& label) { return roots_.at(label).range; }
  SymbolSizes examples() const;

  /// From now on `label` follows from `to`, whose root is live; the root's range shrinks to what gives sizes in the
  /// label's. False, and nothing changes, when none does or the examples disagree.
  bool bind(const std::string& label, const Affine& to);
  void fix(const std::string& label) { bind(label, {{}, 0, root(label).example}); }
  /// Binds `label` to a multiple of a new size, and gives its label; nothing when the example is no multiple.
  std::optional<std::string> bind_to_multiple(const std::string& label, int64_t factor);

  /// What every axis is, by its root.
  const std::vector<std::vector<Affine>>& axes() const { return axes_; }
  /// The sizes of the inputs where the live sizes are `sizes`.
  std::vector<Dims> dims(const SymbolSizes& sizes) const;
  /// The same as shapes whose symbols have `sizes` as examples.
  std::vector<Shape> shapes(const SymbolSizes& sizes) const;
  /// The arguments, repeated or cut to `sizes`.
  std::vector<Tensor> tensors(const SymbolSizes& sizes) const;

 private:
  void declare(const std::string& label, SizeRoot root);
  std::string free_label(std::string stem) const;
  std::vector<Tensor> given_;
  std::vector<std::vector<Affine>> axes_;
  std::vector<std::string> live_;
  std::map<std::string, SizeRoot> roots_;  // bound ones too
};

/// Sizes for the live labels of `state`: at least 2, in range, and different from each other, from what is derived from the
/// others and, where it can be, from the inputs' fixed sizes. `preferred` are kept where they can be, `avoided` are not
/// taken where others can be.
SymbolSizes distinct_sizes(const SizeState& state, const SymbolSizes& preferred, const SymbolSizes& avoided = {});
/// The caller's sizes; others in place of those that are or make one below 2, which tracing does not take.
SymbolSizes recordable_examples(const SizeState& state);
/// Whether tracing can tell `sizes` apart.
bool are_distinct(const SizeState& state, const SymbolSizes& sizes);

}  // namespace onemodel
