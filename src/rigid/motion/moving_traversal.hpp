// Simultaneous traversal of two moving boxtrees over one slab of time, in SIMD lanes, a lane for each direction:
// for every pair of nodes the window of times in which their boxes may touch (rigid/motion/moving_slab.hpp). It
// follows the discrete traversal (rigid/boxtree/boxtree_traversal.hpp) with two intervals a direction instead of
// one, those at both ends of the slab, and visits pairs with the earliest windows first.
//
// Leaf groups of up to 16 triangles are tightened when they are reached: their triangles are projected at both
// ends, and nodes above are unions. A table of fixed size keeps them for the rest of the slab.
//
// Differences from the discrete traversal:
//  - The larger node is opened; both, if their sizes are similar.
//  - A leaf group of triangles larger than the node it meets (a floor, a wall) is split into them, and each takes
//    directions of its own for the subtree below the node: the triangle's normal, the normals of its edges in its
//    plane, the axes of the node, and the cross products of both. That is the separating axis test of a triangle
//    and a box, complete at the middle of the slab.
//
// Cost: about three times that of a discrete query whose boxes are thicker by the curvature. Memory: O(depth).
#pragma once

#include <cstdint>
#include <memory>

#include <graze/rigid.hpp>

#include "rigid/motion/moving_slab.hpp"

namespace graze::rigid {

/// What a traversal does with the leaf pairs that it finds. Windows are fractions of the slab.
class SlabVisitor {
 public:
  SlabVisitor() = default;
  virtual ~SlabVisitor() = default;
  SlabVisitor(const SlabVisitor&) = delete;
  SlabVisitor& operator=(const SlabVisitor&) = delete;

  /// The triangles do not touch in the slab outside of the window. May lower `limit`.
  virtual void visit(const TrianglePair& pair, const TimeWindow<float>& window) = 0;

  /// A pair whose window starts at `limit` or later is not visited. It may become any number.
  float limit = 2.0F;
  /// The earliest start of the windows of pairs that were not visited.
  float skipped = 2.0F;
};

/// Work space of one traversal at a time: tables of tightened leaf groups, about a megabyte, allocated at first
/// use.
class MovingTables {
 public:
  MovingTables();
  ~MovingTables();
  MovingTables(MovingTables&&) noexcept;
  MovingTables& operator=(MovingTables&&) noexcept;

  struct Tables;
  Tables& tables();

 private:
  std::unique_ptr<Tables> tables_;
};

/// Calls the visitor for every leaf pair that is not separated throughout the slab, in depth-first order, and
/// returns the number of windows that were computed.
std::uint64_t traverse_slab(const MovingSlab& slab, MovingTables& work, SlabVisitor& visitor);

}  // namespace graze::rigid
