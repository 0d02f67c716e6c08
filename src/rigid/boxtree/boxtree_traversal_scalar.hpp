// Scalar traversal of two boxtrees, as described in the paper (BOXTREE, section 3): one float at a time, updating
// only the interval ends that change, in plain floats or in floats that count operations. Reference implementation
// for rigid/boxtree/boxtree_traversal.hpp without its leaf groups. It implements the lookup tables (section 3.2.2)
// and provides the operation counts of Table 1.
#pragma once

#include <cstdint>

#include "rigid/boxtree/boxtree_traversal.hpp"
#include "rigid/trees/operation_count.hpp"

namespace graze::rigid {

/// Puts every leaf pair whose boxes the overlap test does not separate into the sink. Flushes the sink at the end,
/// unless the sink ends the traversal. Returns the number of node tests. With `flops`, also counts operations
/// (slower) and adds them to it.
std::uint64_t traverse_boxtrees_scalar(const Boxtree& a, const Boxtree& b, const Placement& placement,
                                       const TraversalOptions& options, LeafSink& sink,
                                       FlopCounts* flops = nullptr);

}  // namespace graze::rigid
