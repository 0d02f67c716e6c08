// The simultaneous descent of two boxtrees (BOXTREE, section 3): four pairs of children at a time, their intervals
// along 3, 6 or 15 directions in SIMD registers, each derived from its parent's by one product (sections 3.2.1,
// 3.2.3, 3.2.4).
//
// Boxes that store no box are loose where it hurts most, near the leaves. So the descent by cuts ends at clusters
// of up to 16 triangles. These are tightened as they are met: the triangles themselves are projected on the
// directions of this query, and the nodes above them are unions of that. What was tightened is kept for the rest
// of the query in a table of fixed size, so that memory stays nine bytes a node. Costs about as much as 50 node
// tests a cluster, and saves two thirds and more of all node tests and nine tenths of the pairs of triangles.
//
// A twin without clusters in plain floats that counts its operations, also with lookup tables, is
// rigid/boxtree/boxtree_traversal_scalar.hpp.
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
  bool first = false;    ///< one hit is looked for: the most promising pairs first (not without `lift`)
  bool measure = false;  ///< gaps, too; needs a placement with lengths (not without `lift`)
};

struct TraversalCounts {
  std::uint64_t tests = 0;  ///< pairs of nodes that were compared
  /// With `measure`: no two triangles that were told apart are closer than this, in units of the placement. Of a
  /// walk that brought no pairs, a lower bound of the distance of the objects.
  float gap = 0.0F;
};

/// A tree and its mesh.
struct TraversedTree {
  const Boxtree& tree;
  std::span<const Vec3> positions;
  std::span<const Triangle> triangles;
};

/// Tightened clusters of both trees: work space of walks, one at a time. About half a megabyte, made at first use.
class ClusterTables {
 public:
  ClusterTables();
  ~ClusterTables();
  ClusterTables(ClusterTables&&) noexcept;
  ClusterTables& operator=(ClusterTables&&) noexcept;

  struct Tables;
  Tables& tables();

 private:
  std::unique_ptr<Tables> tables_;
};

/// Puts every pair of leaves that the overlap test does not tell apart into the sink, then flushes it, unless the
/// sink ends the walk.
TraversalCounts traverse_boxtrees(const TraversedTree& a, const TraversedTree& b, const Placement& placement,
                                  const TraversalOptions& options, ClusterTables& work, LeafSink& sink);

}  // namespace graze::rigid
