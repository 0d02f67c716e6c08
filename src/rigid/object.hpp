// Internal state of a rigid object: its mesh and one bounding volume hierarchy; and checks of poses.
#pragma once

#include <memory>
#include <vector>

#include <graze/rigid.hpp>

#include "rigid/boxtree/boxtree.hpp"
#include "rigid/boxtree/group_tree.hpp"
#include "rigid/distance/distance_data.hpp"
#include "rigid/trees/volume_tree.hpp"
#include "rigid/world/mesh_data.hpp"

namespace graze::rigid {

struct ObjectState {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  RigidTree kind = RigidTree::Boxtree;
  Boxtree boxtree;                            ///< used if kind is Boxtree
  GroupTree groups;                           ///< of the boxtree
  std::unique_ptr<const VolumeTree> volumes;  ///< used for all other kinds
  double max_coordinate = 0.0;                ///< the largest |coordinate| of the vertices in use
  DistanceData distance_data;                 ///< made on demand
  MeshData mesh_data;                         ///< made on demand
};

/// Internal access to an object's state. make() wraps an existing state, because the file reader has a tree
/// already.
struct ObjectAccess {
  static RigidObject make(std::shared_ptr<const ObjectState> state) { return RigidObject(std::move(state)); }
  static const ObjectState& state(const RigidObject& object) { return *object.state_; }
};

/// Throws InputError, naming `which`, for a pose that is not finite or not orthonormal.
void check_pose(const Pose& pose, const char* which);
/// Also throws InputError if the pose moves a vertex of the object out of the range of doubles. Constant cost,
/// unless a coordinate may overflow; then linear.
void check_pose(const ObjectState& object, const Pose& pose, const char* which);

}  // namespace graze::rigid
