#pragma once
// How find_constraints asks a model: recordings, runs at other sizes, and what is bound because of them.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "export/find_constraints.h"
#include "export/size_state.h"
#include "ops/size_mismatch.h"

namespace onemodel {

/// The largest factor that a size may turn out to be a multiple of.
inline constexpr int64_t kMostFactor = 16;

/// A recording and the sizes it was made at.
struct SizedRecording {
  SizeState state;
  SymbolSizes sizes;
  Recording recording;
};

class ConstraintSearch {
 public:
  ConstraintSearch(std::span<const InputSizes> inputs, const Recorder& record, const FindOptions& options)
      : inputs_(inputs), record_(record), options_(options), state_(inputs) {}

  ExportSizes run();

 private:
  // Recording: constraint_search.cpp.
  void record();
  std::optional<Recording> try_record(const SizeState& state, const SymbolSizes& sizes, std::string* message = nullptr);
  void note(SizeFinding finding);
  void note_new_roots();

  // What a refusal binds: blame.cpp.
  bool unify(const SizeMismatch& mismatch);
  void fix_culprit(const std::string& message);
  void relax();
  bool relax(const SizeFinding& culprit, std::optional<int64_t> factor);

  // Other sizes: other_sizes.cpp.
  bool settle();
  bool explain(const SymbolSizes& other);
  bool is_better_at(const SymbolSizes& other);
  bool try_multiples(const std::string& label, const std::string& why);
  bool try_relations(const std::string& label, const std::string& why);
  std::optional<Recording> record_at(const SizeState& state, SymbolSizes& sizes);
  bool works_elsewhere(const SizeState& state);
  bool agrees(const SizedRecording& base, const SymbolSizes& sizes, std::string& why);
  bool agrees(const SymbolSizes& sizes) { return agrees(base_, sizes, why_); }

  // Ends of ranges: narrow.cpp.
  void narrow(const std::string& label);
  bool rules_hold(const SymbolSizes& sizes);
  bool works_at(const std::string& label, int64_t size);
  int64_t last_working(int64_t works, int64_t fails, const std::function<bool(int64_t)>& works_at);

  std::span<const InputSizes> inputs_;
  const Recorder& record_;
  FindOptions options_;
  SizeState state_;
  SizedRecording base_{SizeState({}), {}, {}};
  std::vector<SizeFinding> findings_;
  std::vector<std::string> culprits_;  // fixed for want of a better reason
  std::string why_;                    // the last reason why sizes do not work
};

/// A finding with `reason` and what it says of module and node.
SizeFinding finding_of(SizeFinding::Kind kind, std::string label, std::string reason);

}  // namespace onemodel
