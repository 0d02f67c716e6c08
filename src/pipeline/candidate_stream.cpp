// Sorting what the streams found (pipeline/candidate_stream.hpp).
#include "pipeline/candidate_stream.hpp"

#include "core/sort.hpp"

namespace graze {

void sort_impacts(std::vector<Impact>& impacts) {
  parallel_sort(impacts, [](const Impact& a, const Impact& b) { return a.pair < b.pair; });
  const auto same = [](const Impact& a, const Impact& b) { return a.pair == b.pair; };
  impacts.erase(std::unique(impacts.begin(), impacts.end(), same), impacts.end());
}

}  // namespace graze
