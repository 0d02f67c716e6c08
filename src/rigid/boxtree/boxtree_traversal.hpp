// Simultaneous traversal of two boxtrees (BOXTREE, section 3): four pairs of children at a time, tested for overlap
// by the separating axis test. Intervals along 3, 6 or 15 directions are kept in SIMD registers and derived from
// the parent's by one product each (sections 3.2.1, 3.2.3, 3.2.4).
//
// Difference from the paper: boxes that are not stored are loosest near the leaves, where it costs most. So the
// descent by cuts ends at leaf groups of up to 16 triangles. A leaf group is tightened when a traversal reaches it:
// its triangles are projected on the directions of the query, and the intervals of the nodes above are unions of
// those. A table of fixed size keeps tightened leaf groups for the rest of the query, so memory stays nine bytes a
// node. Tightening costs about as much as 50 node tests a leaf group, and saves at least two thirds of all node
// tests and nine tenths of the candidate triangle pairs.
//
// Discrete queries with the default options traverse group trees instead (rigid/boxtree/group_traversal.hpp), which
// are tight above leaf groups, too. rigid/boxtree/boxtree_traversal_scalar.hpp is the reference implementation
// without leaf groups, in plain floats, with operation counts and lookup tables.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <graze/rigid.hpp>

#include "rigid/boxtree/boxtree.hpp"
#include "rigid/leaf_sink.hpp"
#include "rigid/placement.hpp"

namespace graze::rigid {

struct TraversalOptions {
  BoxOverlap overlap = BoxOverlap::Sat;
  bool lift = true;
  bool first = false;    ///< first-hit search: visit the most promising pairs first (needs `lift`)
  bool measure = false;  ///< also measure gaps; needs a placement with lengths (and `lift`)
};

struct TraversalCounts {
  std::uint64_t tests = 0;  ///< node pairs tested for overlap
  /// With `measure`: no two triangles that were separated are closer than this, in units of the placement. If the
  /// traversal generated no candidate pairs, a lower bound of the distance of the objects.
  float gap = 0.0F;
};

/// A tree with its mesh.
struct TraversedTree {
  const Boxtree& tree;
  std::span<const Vec3> positions;
  std::span<const Triangle> triangles;
};

/// Tables of tightened leaf groups of both trees: work space of one traversal at a time. About half a megabyte,
/// allocated at first use.
class LeafGroupTables {
 public:
  LeafGroupTables();
  ~LeafGroupTables();
  LeafGroupTables(LeafGroupTables&&) noexcept;
  LeafGroupTables& operator=(LeafGroupTables&&) noexcept;

  struct Tables;
  Tables& tables();

 private:
  std::unique_ptr<Tables> tables_;
};

/// Puts every leaf pair that the overlap test does not separate into the sink. Flushes the sink at the end, unless
/// the sink ends the traversal.
TraversalCounts traverse_boxtrees(const TraversedTree& a, const TraversedTree& b, const Placement& placement,
                                  const TraversalOptions& options, LeafGroupTables& work, LeafSink& sink);

}  // namespace graze::rigid
