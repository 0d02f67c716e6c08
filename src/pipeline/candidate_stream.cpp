// Sorting what the streams found (pipeline/candidate_stream.hpp).
//
// Impacts are large, and there may be more of them than triangles: small keys are sorted instead, and the impacts
// then put in place where they lie, cycle by cycle, so that no second array of them is needed.
#include "pipeline/candidate_stream.hpp"

#include <cstdint>
#include <limits>

#include <graze/error.hpp>

#include "core/sort.hpp"

namespace graze {

namespace {

struct Key {
  FeaturePair pair;
  std::uint32_t place = 0;
};

/// values[i] becomes what values[keys[i].place] was; places are used up.
void permute(std::vector<Impact>& values, std::vector<Key>& keys) {
  for (std::uint32_t start = 0; start < keys.size(); ++start) {
    if (keys[start].place == start) continue;
    const Impact first = values[start];
    std::uint32_t to = start;
    for (std::uint32_t from = keys[to].place; from != start; from = keys[to].place) {
      values[to] = values[from];
      keys[to].place = to;
      to = from;
    }
    values[to] = first;
    keys[to].place = to;
  }
}

}  // namespace

void sort_impacts(std::vector<Impact>& impacts) {
  if (impacts.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("more impacts than can be sorted, 2^32 - 1; take them as a stream");
  }
  std::vector<Key> keys(impacts.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = {impacts[i].pair, static_cast<std::uint32_t>(i)};
  parallel_sort(keys, [](const Key& a, const Key& b) { return a.pair < b.pair; });
  permute(impacts, keys);
  const auto same = [](const Impact& a, const Impact& b) { return a.pair == b.pair; };
  impacts.erase(std::unique(impacts.begin(), impacts.end(), same), impacts.end());
}

}  // namespace graze
