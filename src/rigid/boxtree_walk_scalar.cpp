// See the header.
#include "rigid/boxtree_walk_scalar.hpp"

namespace graze::rigid {

std::uint64_t walk_boxtrees_scalar(const Boxtree& a, const Boxtree& b, const Placement& placement,
                                   const WalkOptions& options, LeafSink& sink, FlopCounts* /*flops*/) {
  ClusterTables work;
  return walk_boxtrees({a, {}, {}}, {b, {}, {}}, placement, options, work, sink).tests;
}

}  // namespace graze::rigid
