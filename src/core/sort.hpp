// A stable parallel merge sort whose result does not depend on the number of threads.
//
// Runs of a fixed length are sorted in parallel and then merged in pairs, level by level, between the array and a
// buffer. The runs depend on the length of the array alone, and both steps are stable, so the order equals that of
// std::stable_sort. Cost: O(n log n) comparisons and one more array of n values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "core/tasks.hpp"

namespace graze::core {

/// Sorts and removes duplicates, on the calling thread.
template <typename T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Sorts like std::stable_sort(values, less), in parallel. T must be default constructible and movable.
template <typename T, typename Less = std::less<>>
void parallel_sort(std::vector<T>& values, Less less = {}) {
  constexpr std::size_t kItemsPerTask = std::size_t{1} << 14U;
  const std::size_t count = values.size();
  const auto at = [](std::vector<T>& v, std::size_t i) { return v.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto pieces_of = [&](std::size_t length) { return (count + length - 1) / length; };

  parallel_for(0, pieces_of(kItemsPerTask), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      std::stable_sort(at(values, p * kItemsPerTask), at(values, std::min(count, (p + 1) * kItemsPerTask)), less);
    }
  });
  if (count <= kItemsPerTask) return;

  std::vector<T> buffer(count);
  for (std::size_t length = kItemsPerTask; length < count; length *= 2) {
    parallel_for(0, pieces_of(2 * length), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t p = first; p < last; ++p) {
        const std::size_t begin = p * 2 * length;
        const std::size_t middle = std::min(count, begin + length);
        const std::size_t end = std::min(count, begin + 2 * length);
        std::merge(std::make_move_iterator(at(values, begin)), std::make_move_iterator(at(values, middle)),
                   std::make_move_iterator(at(values, middle)), std::make_move_iterator(at(values, end)),
                   at(buffer, begin), less);
      }
    });
    values.swap(buffer);
  }
}

}  // namespace graze::core
