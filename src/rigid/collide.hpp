// One rigid query: two objects in their poses, from trees to the pairs of triangles that meet. What colliders and
// batches share.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <graze/rigid.hpp>

#include "rigid/boxtree/boxtree_traversal.hpp"
#include "rigid/object.hpp"

namespace graze::rigid {

/// Both objects where they are.
struct RigidPlaces {
  const ObjectState& a;
  const ObjectState& b;
  const Pose& pose_a;
  const Pose& pose_b;
};

/// Work space of queries, one at a time.
struct RigidWork {
  ClusterTables clusters;
  std::vector<TrianglePair> found;
};

struct RigidSearch {
  BoxOverlap overlap = BoxOverlap::Sat;
  bool lift = true;
  bool first = false;    ///< stop at the first pair
  bool measure = false;  ///< if there are none, how far apart they are at least (of boxtrees)
};

/// What a search found besides pairs.
struct RigidFound {
  RigidStats stats;
  double clearance = 0.0;  ///< with `measure`: a lower bound of the distance; 0 if nothing is known
};

/// Throws InputError if objects have different kinds of tree.
void check_kinds(const RigidObject& a, const RigidObject& b);

/// Puts the pairs that meet into work.found, in the order of the walk. Throws InputError for bad poses.
RigidFound collide(const RigidPlaces& places, const RigidSearch& search, RigidWork& work);

/// Whether two triangles meet.
bool intersect(const RigidPlaces& places, const TrianglePair& pair, RigidStats& stats);

/// The posed corners of a triangle.
std::array<Vec3, 3> posed_triangle(const ObjectState& object, const Pose& pose, TriangleId triangle);

/// The object as rigid/placement.hpp sees it.
Placed placed(const ObjectState& object, const Pose& pose);

/// What was found, sorted.
std::vector<TrianglePair> sorted_pairs(std::span<const TrianglePair> found);

}  // namespace graze::rigid
