// One discrete rigid query, shared by colliders and batches: two objects at given poses, from tree traversal
// (broad phase) to the pairs of intersecting triangles (narrow phase).
#pragma once

#include <array>
#include <span>
#include <vector>

#include <graze/rigid.hpp>

#include "rigid/boxtree/boxtree_traversal.hpp"
#include "rigid/boxtree/group_traversal.hpp"
#include "rigid/motion/moving_traversal.hpp"
#include "rigid/object.hpp"

namespace graze::rigid {

/// Two objects with their poses.
struct PosedObjects {
  const ObjectState& a;
  const ObjectState& b;
  const Pose& pose_a;
  const Pose& pose_b;
};

/// Work space of a query; one query at a time.
struct RigidWork {
  LeafGroupTables clusters;
  GroupTables groups;
  MovingTables moving;
  std::vector<TrianglePair> found;
};

struct RigidSearch {
  BoxOverlap overlap = BoxOverlap::Sat;
  bool lift = true;
  bool first = false;    ///< stop at the first intersecting pair
  bool measure = false;  ///< also bound the distance from below if no pair intersects (boxtrees only)
};

/// Result of a search besides the pairs.
struct RigidFound {
  RigidStats stats;
  double clearance = 0.0;  ///< with `measure`: lower bound of the distance; 0 if unknown
};

/// Throws InputError if the objects have different kinds of tree.
void check_kinds(const RigidObject& a, const RigidObject& b);

/// Writes the pairs of intersecting triangles to work.found, in traversal order. Throws InputError for invalid
/// poses.
RigidFound collide(const PosedObjects& places, const RigidSearch& search, RigidWork& work);

/// Exact test of one pair of triangles at their poses.
bool intersect(const PosedObjects& places, const TrianglePair& pair, RigidStats& stats);

/// The posed vertices of a triangle.
std::array<Vec3, 3> posed_triangle(const ObjectState& object, const Pose& pose, TriangleId triangle);

/// The input of place() (rigid/placement.hpp) for an object.
Placed placed(const ObjectState& object, const Pose& pose);

/// The pairs, sorted.
std::vector<TrianglePair> sorted_pairs(std::span<const TrianglePair> found);

}  // namespace graze::rigid
