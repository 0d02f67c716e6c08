// The simultaneous descent of two boxtrees (BOXTREE, section 3): four pairs of children at a time, their intervals
// along 3, 6 or 15 directions in SIMD registers, each derived from its parent's by one product (sections 3.2.1,
// 3.2.3, 3.2.4).
//
// A twin in plain floats that counts its operations, also with lookup tables, is rigid/boxtree_walk_scalar.hpp.
#pragma once

#include <cstdint>
#include <span>

#include <graze/rigid.hpp>

#include "rigid/boxtree.hpp"
#include "rigid/leaf_sink.hpp"
#include "rigid/placement.hpp"

namespace graze::rigid {

struct WalkOptions {
  BoxOverlap overlap = BoxOverlap::Sat;
  bool lift = true;
};

/// A tree and its mesh.
struct WalkedTree {
  const Boxtree& tree;
  std::span<const Vec3> positions;
  std::span<const Triangle> triangles;
};

/// Puts every pair of leaves whose boxes (as the overlap test sees them) are not apart into the sink, then flushes
/// it, unless the sink ends the walk. Returns the number of pairs of nodes that were compared.
std::uint64_t walk_boxtrees(const WalkedTree& a, const WalkedTree& b, const Placement& placement,
                            const WalkOptions& options, LeafSink& sink);

}  // namespace graze::rigid
