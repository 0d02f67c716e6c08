// See the header.
#include "simd/triangle_pairs.hpp"

#include <algorithm>

namespace graze {

std::size_t judge_triangle_pairs(const PosedTriangles& /*a*/, const PosedTriangles& /*b*/,
                                 std::span<const TrianglePair> pairs, std::span<PairVerdict> verdicts,
                                 bool /*first*/) {
  std::fill(verdicts.begin(), verdicts.end(), PairVerdict::Unknown);
  return pairs.size();
}

}  // namespace graze
