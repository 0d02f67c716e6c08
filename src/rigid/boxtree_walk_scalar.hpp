// The descent of two boxtrees as the paper words it: one float after the other, only those ends of intervals that
// change, in plain floats or in floats that count. The twin of rigid/boxtree_walk.hpp, the one that has lookup
// tables (section 3.2.2), and the one that Table 1 is counted with.
#pragma once

#include <cstdint>

#include "rigid/boxtree_walk.hpp"

namespace graze::rigid {

/// Floating-point operations of a walk, without setting up: multiplications, additions, comparisons.
struct FlopCounts {
  std::uint64_t multiplications = 0;
  std::uint64_t additions = 0;
  std::uint64_t comparisons = 0;

  [[nodiscard]] std::uint64_t total() const { return multiplications + additions + comparisons; }
};

/// As walk_boxtrees. With `flops`, counts.
std::uint64_t walk_boxtrees_scalar(const Boxtree& a, const Boxtree& b, const Placement& placement,
                                   const WalkOptions& options, LeafSink& sink, FlopCounts* flops = nullptr);

}  // namespace graze::rigid
