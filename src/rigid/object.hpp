// What a rigid object keeps: its mesh and one tree.
#pragma once

#include <memory>
#include <vector>

#include <graze/rigid.hpp>

#include "rigid/boxtree/boxtree.hpp"
#include "rigid/trees/volume_tree.hpp"

namespace graze::rigid {

struct ObjectState {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  RigidTree kind = RigidTree::Boxtree;
  Boxtree boxtree;                            ///< of that kind
  std::unique_ptr<const VolumeTree> volumes;  ///< of the others
  double reach = 0.0;                         ///< the largest |coordinate| of a vertex that is used
};

/// Internal access to an object: its state, and an object made from one (the reader of files has a tree already).
struct ObjectAccess {
  static RigidObject make(std::shared_ptr<const ObjectState> state) { return RigidObject(std::move(state)); }
  static const ObjectState& state(const RigidObject& object) { return *object.state_; }
};

/// Throws InputError, naming `which`, for a pose that is not finite or no rotation.
void check_pose(const Pose& pose, const char* which);
/// Also if it takes a vertex of the object out of the range of doubles. Constant cost, unless one may be.
void check_pose(const ObjectState& object, const Pose& pose, const char* which);

}  // namespace graze::rigid
