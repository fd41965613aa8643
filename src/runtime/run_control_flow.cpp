#include "runtime/run_control_flow.h"

#include <algorithm>
#include <limits>

#include "runtime/program.h"

namespace onemodel {
namespace {

using Tensors = std::vector<Tensor>;
using Items = std::vector<Item>;

Items run_body(Program& body, std::span<const Item> inputs, const RunOptions& options) {
  Items outputs(body.output_count());
  body.run(inputs, outputs, options);
  return outputs;
}

void add_all(Items& to, std::span<const Item> from) { to.insert(to.end(), from.begin(), from.end()); }

const Tensor& tensor_of(const Item& item, std::string_view what) {
  check<DTypeError>(item.tensor.defined(), what, " expects a tensor, got ", item);
  return item.tensor;
}

bool holds(const Item& item) {
  const Tensor& condition = tensor_of(item, "the condition");
  check<DTypeError>(condition.dtype() == DType::boolean, "the condition expects bool, got ", condition);
  check<ShapeError>(condition.numel() == 1, "the condition expects one element, got ", condition);
  return condition.item<bool>();
}

int64_t count_of(const Item& item) {
  const Tensor& count = tensor_of(item, "M");
  check<DTypeError>(is_integer(count.dtype()), "M expects an integer, got ", count);
  check<ShapeError>(count.numel() == 1, "M expects one element, got ", count);
  return count.item<int64_t>();
}

/// Slices that iterations give, one list per output.
class Slices {
 public:
  explicit Slices(size_t outputs) : lists_(outputs) {}
  void add(std::span<const Item> slices) {
    for (size_t i = 0; i < lists_.size(); ++i) lists_[i].push_back(tensor_of(slices[i], "a slice"));
  }
  const Tensors& list(size_t i) const { return lists_[i]; }
  size_t count() const { return lists_.size(); }

 private:
  std::vector<Tensors> lists_;
};

// No iteration ran: the body's declared type gives the sizes, 0 where it does not.
Tensor no_slices(const TensorType& slice, size_t output) {
  check(slice.dtype != DType::undefined, "output ", output,
        " stacks the slices of no iteration, and its element type is not known");
  Dims dims{0};
  for (const Extent& extent : slice.shape) dims.push_back(extent.is_number() ? extent.number() : 0);
  return Tensor::empty(dims, slice.dtype);
}

Items run_if(std::span<const Item> operands, std::span<const std::unique_ptr<Program>> bodies,
             const RunOptions& options) {
  return run_body(*bodies[holds(operands[0]) ? 0 : 1], operands.subspan(1), options);
}

Items run_loop(const Loop& loop, std::span<const Item> operands, Program& body, size_t output_count,
               const RunOptions& options) {
  const auto carried_count = static_cast<size_t>(loop.carried);
  const int64_t most = !operands[0].is_nothing() ? count_of(operands[0]) : std::numeric_limits<int64_t>::max();
  bool goes_on = operands[1].is_nothing() || holds(operands[1]);
  const auto first = operands.subspan(2, carried_count), captures = operands.subspan(2 + carried_count);
  Items carried(first.begin(), first.end());
  Slices slices(output_count - carried_count);
  for (int64_t i = 0; i < most && goes_on; ++i) {
    Items inputs{Tensor::scalar(i), Tensor::scalar(true)};
    add_all(inputs, carried);
    add_all(inputs, captures);
    const Items results = run_body(body, inputs, options);
    goes_on = holds(results[0]);
    carried.assign(results.begin() + 1, results.begin() + 1 + static_cast<std::ptrdiff_t>(carried_count));
    slices.add(std::span(results).subspan(1 + carried_count));
  }
  Items out = std::move(carried);
  for (size_t i = 0; i < slices.count(); ++i)
    out.push_back(slices.list(i).empty() ? no_slices(body.output_type(1 + carried_count + i), carried_count + i)
                                         : stack(slices.list(i), 0, false));
  return out;
}

int64_t at_or_zero(const std::vector<int64_t>& list, size_t i) { return list.empty() ? 0 : list[i]; }

Items run_scan(const Scan& scan, std::span<const Item> operands, std::optional<int64_t> length, Program& body,
               size_t output_count, const RunOptions& options) {
  const auto states_count = static_cast<size_t>(scan.states), scanned_count = static_cast<size_t>(scan.num_scan_inputs);
  const auto first = operands.first(states_count), scanned = operands.subspan(states_count, scanned_count),
             captures = operands.subspan(states_count + scanned_count);
  std::vector<size_t> axes;
  Tensors sources;
  for (size_t i = 0; i < scanned_count; ++i) {
    sources.push_back(tensor_of(scanned[i], "a scanned input"));
    axes.push_back(normalize_axis("scan_input_axes", at_or_zero(scan.scan_input_axes, i), sources[i].rank()));
    const int64_t extent = sources[i].dims()[axes[i]];
    if (!length) length = extent;
    check<ShapeError>(scan.batched ? *length <= extent : *length == extent, "scanned input ", i, " has ", extent,
                      " slices, expected ", *length);
  }
  Items states(first.begin(), first.end());
  Slices slices(output_count - states_count);
  for (int64_t step = 0; step < *length; ++step) {
    Items inputs = states;
    for (size_t i = 0; i < scanned_count; ++i) {
      const bool backwards = at_or_zero(scan.scan_input_directions, i) != 0;
      inputs.push_back(
          sources[i].select(static_cast<int64_t>(axes[i]), backwards ? *length - 1 - step : step).contiguous());
    }
    add_all(inputs, captures);
    const Items results = run_body(body, inputs, options);
    states.assign(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(states_count));
    slices.add(std::span(results).subspan(states_count));
  }
  Items out = std::move(states);
  for (size_t i = 0; i < slices.count(); ++i)
    out.push_back(slices.list(i).empty() ? no_slices(body.output_type(states_count + i), states_count + i)
                                         : stack(slices.list(i), at_or_zero(scan.scan_output_axes, i),
                                                 at_or_zero(scan.scan_output_directions, i) != 0));
  return out;
}

// The form of opset 8: each entry of the first axis is a sequence of its own; slices behind its length are 0.
Items run_batched_scan(const Scan& scan, std::span<const Item> operands, Program& body, size_t output_count,
                       const RunOptions& options) {
  const size_t own = static_cast<size_t>(scan.states + scan.num_scan_inputs);
  const Tensor& lengths = operands[0].tensor;
  Tensors sequences;
  for (const Item& item : operands.subspan(1, own)) sequences.push_back(tensor_of(item, "an input"));
  check<ShapeError>(sequences.front().rank() > 0, "a batch axis is expected, got ", sequences.front());
  const int64_t batch = sequences.front().dims()[0];
  const Tensor& scanned = sequences[static_cast<size_t>(scan.states)];
  check<ShapeError>(scanned.rank() >= 2, "scanned inputs expect a batch and a sequence axis, got ", scanned);
  const int64_t longest = scanned.dims()[1];
  const std::vector<int64_t> each =
      lengths.defined() ? lengths.to_vector<int64_t>() : std::vector<int64_t>(static_cast<size_t>(batch), longest);
  check<ShapeError>(static_cast<int64_t>(each.size()) == batch, "sequence_lens expects ", batch, " numbers, got ",
                    lengths);
  std::vector<Tensors> results(output_count);
  for (int64_t b = 0; b < batch; ++b) {
    Items entry;
    for (const Tensor& sequence : sequences) {
      check<ShapeError>(sequence.rank() > 0 && sequence.dims()[0] == batch, "batch expects ", batch, ", got ",
                        sequence);
      entry.push_back(sequence.select(0, b).contiguous());
    }
    add_all(entry, operands.subspan(1 + own));
    const int64_t length = each[static_cast<size_t>(b)];
    check(length >= 0 && length <= longest, "sequence_lens[", b, "] expects 0 to ", longest, ", got ", length);
    Items outputs = run_scan(scan, entry, length, body, output_count, options);
    for (size_t i = 0; i < output_count; ++i) {
      Tensor output = tensor_of(outputs[i], "an output");
      if (i >= static_cast<size_t>(scan.states) && length < longest) {
        Dims dims = output.dims();
        dims[0] = longest;
        const Tensor padded = Tensor::zeros(dims, output.dtype());
        padded.slice(0, 0, length).copy_from(output);
        output = padded;
      }
      results[i].push_back(std::move(output));
    }
  }
  check<ShapeError>(batch > 0, "the batch is empty");
  Items out;
  for (const Tensors& entries : results) out.push_back(stack(entries, 0, false));
  return out;
}

Items run_map(const SequenceMap& map, std::span<const Item> operands, Program& body, const RunOptions& options) {
  const auto own = operands.first(static_cast<size_t>(map.operands));
  check<DTypeError>(own[0].sequence != nullptr, "the first input expects a sequence, got ", own[0]);
  const size_t length = own[0].sequence->size();
  for (const Item& item : own)
    check<ShapeError>(!item.sequence || item.sequence->size() == length,
                      "the sequences have different lengths: ", length, " and ",
                      item.sequence ? item.sequence->size() : 0);
  std::vector<Tensors> lists(body.output_count());
  for (size_t i = 0; i < length; ++i) {
    Items inputs;
    for (const Item& item : own) inputs.push_back(item.sequence ? Item((*item.sequence)[i]) : item);
    add_all(inputs, operands.subspan(own.size()));
    const Items results = run_body(body, inputs, options);
    for (size_t k = 0; k < lists.size(); ++k) lists[k].push_back(tensor_of(results[k], "an output of the graph"));
  }
  return {std::make_move_iterator(lists.begin()), std::make_move_iterator(lists.end())};
}

}  // namespace

Tensor stack(std::span<const Tensor> slices, int64_t axis, bool backwards) {
  const Tensor& first = slices.front();
  const size_t at = normalize_axis("stacking", axis, first.rank() + 1);
  Dims dims = first.dims();
  dims.insert(at, static_cast<int64_t>(slices.size()));
  Tensor out = Tensor::empty(dims, first.dtype());
  for (size_t i = 0; i < slices.size(); ++i) {
    const size_t place = backwards ? slices.size() - 1 - i : i;
    check<ShapeError>(slices[i].dims() == first.dims(), "the slices that are stacked differ: ", first,
                      " in iteration 0, ", slices[i], " in iteration ", i);
    check<DTypeError>(slices[i].dtype() == first.dtype(), "the slices that are stacked differ: ", first,
                      " in iteration 0, ", slices[i], " in iteration ", i);
    out.select(static_cast<int64_t>(at), static_cast<int64_t>(place)).copy_from(slices[i]);
  }
  return out;
}

std::vector<Item> run_control_flow(const Op& op, std::span<const Item> operands,
                                   std::span<const std::unique_ptr<Program>> bodies, size_t output_count,
                                   const RunOptions& options) {
  if (const Loop* loop = op.as<Loop>()) return run_loop(*loop, operands, *bodies[0], output_count, options);
  if (const Scan* scan = op.as<Scan>())
    return scan->batched ? run_batched_scan(*scan, operands, *bodies[0], output_count, options)
                         : run_scan(*scan, operands, {}, *bodies[0], output_count, options);
  if (const SequenceMap* map = op.as<SequenceMap>()) return run_map(*map, operands, *bodies[0], options);
  return run_if(operands, bodies, options);
}

}  // namespace onemodel
