// What a rigid object keeps: its mesh and one tree.
#pragma once

#include <memory>
#include <vector>

#include <graze/rigid.hpp>

#include "rigid/boxtree/boxtree.hpp"
#include "rigid/trees/volume_tree.hpp"

namespace graze {

struct RigidObject::State {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  RigidTree kind = RigidTree::Boxtree;
  rigid::Boxtree boxtree;                            ///< of that kind
  std::unique_ptr<const rigid::VolumeTree> volumes;  ///< of the others
  double reach = 0.0;                                ///< the largest |coordinate| of a vertex that is used
};

/// For the reader of files, which brings a tree along.
struct RigidObjectAccess {
  static RigidObject make(std::shared_ptr<const RigidObject::State> state) { return RigidObject(std::move(state)); }
};

/// Throws InputError, naming `which`, for a pose that is not finite or no rotation.
void check_pose(const Pose& pose, const char* which);
/// Also if it takes a vertex of the object out of the range of doubles. Constant cost, unless one may be.
void check_pose(const RigidObject::State& object, const Pose& pose, const char* which);

}  // namespace graze
