// What worlds need of a mesh beside its collision tree: bounds and a tree for rays. Made when first asked for, once
// for all instances in all worlds; safe to ask from several threads.
#pragma once

#include <memory>

#include "rigid/world/ray_tree.hpp"
#include "rigid/world/world_box.hpp"

namespace graze::rigid {

struct ObjectState;

class MeshData {
 public:
  MeshData();

  /// `object` is the owner of this. O(triangles) at the first call.
  const LocalBounds& bounds(const ObjectState& object) const;
  /// O(n log n) at the first call.
  const RayTree& ray_tree(const ObjectState& object) const;

 private:
  struct Data;
  std::shared_ptr<Data> data_;  ///< sole owner; a shared_ptr, because Data is incomplete here
};

}  // namespace graze::rigid
