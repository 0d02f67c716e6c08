// Sets of ids as sorted ranges, for example the moving and the static parts of a scene. A body owns a contiguous
// run of ids, so a few ranges describe many ids. Memory: O(ranges).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/namespaces.hpp"

namespace graze::core {

/// Half-open range [first, last).
struct IdRange {
  std::size_t first = 0;
  std::size_t last = 0;

  friend bool operator==(const IdRange&, const IdRange&) = default;
};
/// Ranges in ascending order; none is empty, and no two overlap or touch.
using IdRanges = std::vector<IdRange>;

inline IdRanges whole_range(std::size_t count) {
  return count == 0 ? IdRanges{} : IdRanges{{0, count}};
}

/// The ids below `count` for which is_in(id) is true. Cost: O(count).
template <typename IsIn>
IdRanges ranges_where(std::size_t count, const IsIn& is_in) {
  IdRanges ranges;
  for (std::size_t id = 0; id < count; ++id) {
    if (!is_in(id)) continue;
    if (ranges.empty() || ranges.back().last != id) ranges.push_back({id, id});
    ranges.back().last = id + 1;
  }
  return ranges;
}

/// Binary search: O(log ranges).
inline bool contains(const IdRanges& ranges, std::size_t id) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), id,
                                      [](std::size_t i, const IdRange& range) { return i < range.last; });
  return after != ranges.end() && after->first <= id;
}

inline std::size_t id_count(const IdRanges& ranges) {
  std::size_t count = 0;
  for (const IdRange& range : ranges) count += range.last - range.first;
  return count;
}

}  // namespace graze::core
