// The descent of two boxtrees as the paper words it: one float after the other, only those ends of intervals that
// change, in plain floats or in floats that count. The twin of rigid/boxtree/boxtree_traversal.hpp without its
// clusters, the one that has lookup tables (section 3.2.2), and the one that Table 1 is counted with.
#pragma once

#include <cstdint>

#include "rigid/boxtree/boxtree_traversal.hpp"
#include "rigid/trees/operation_count.hpp"

namespace graze::rigid {

/// Puts every pair of leaves whose boxes the overlap test does not tell apart into the sink, then flushes it,
/// unless the sink ends the walk. Returns the number of tests. With `flops`, counts (slower) and adds to it.
std::uint64_t traverse_boxtrees_scalar(const Boxtree& a, const Boxtree& b, const Placement& placement,
                                       const TraversalOptions& options, LeafSink& sink,
                                       FlopCounts* flops = nullptr);

}  // namespace graze::rigid
