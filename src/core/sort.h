#pragma once
// Sorting for lists that no kernel loops over: one compiled algorithm instead of one for each type.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace onemodel {
namespace detail {
void sort_numbers(std::span<size_t> numbers, bool (*before)(const void* context, size_t a, size_t b),
                  const void* context);
}  // namespace detail

/// Sorts `numbers` by `before(a, b)`, which tells whether a comes first; equal ones keep their order.
template <class F>
void sort_numbers(std::span<size_t> numbers, const F& before) {
  detail::sort_numbers(
      numbers, [](const void* f, size_t a, size_t b) { return (*static_cast<const F*>(f))(a, b); }, &before);
}

/// `list` in the order of `before`; equal elements keep theirs.
template <class T, class F>
std::vector<T> sorted(std::vector<T> list, const F& before) {
  std::vector<size_t> order(list.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  sort_numbers(order, [&](size_t a, size_t b) { return before(list[a], list[b]); });
  std::vector<T> out;
  out.reserve(list.size());
  for (const size_t i : order) out.push_back(std::move(list[i]));
  return out;
}

/// Sorts a handful.
template <class T, class F>
void sort_few(std::vector<T>& list, const F& before) {
  for (size_t i = 1; i < list.size(); ++i)
    for (size_t j = i; j > 0 && before(list[j], list[j - 1]); --j) std::swap(list[j], list[j - 1]);
}

}  // namespace onemodel
